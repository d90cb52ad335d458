"""slowpath finds the inputs that make a piece of code slowest, and says how bad it gets as inputs grow.

    import slowpath
    found = slowpath.analyze("isort.c", call="isort(a: i32[n], n)", sizes=range(1, 7))
    found.fit.formula, found.worst.input

`analyze` gives a `Findings`; `events` lets one watch; `run` executes one given input; `read` takes a saved document.
"""

from ._native import Error, __version__
from .analysis import Analysis, Interrupted, Stopped, analyze, events
from .engine import Engine
from .event import Event
from .findings import (
    Average,
    CalledFunction,
    Cut,
    Findings,
    Growth,
    HotLine,
    Prediction,
    SizeResult,
    Spent,
    Target,
    Trap,
    read,
)
from .options import Options, RunOptions
from .running import Replay, ReplayedSize, RunResult, replay, run

__all__ = [
    "Analysis",
    "Average",
    "CalledFunction",
    "Cut",
    "Engine",
    "Error",
    "Event",
    "Findings",
    "Growth",
    "HotLine",
    "Interrupted",
    "Options",
    "Prediction",
    "Replay",
    "ReplayedSize",
    "RunOptions",
    "RunResult",
    "SizeResult",
    "Spent",
    "Stopped",
    "Target",
    "Trap",
    "__version__",
    "analyze",
    "events",
    "read",
    "replay",
    "run",
]
