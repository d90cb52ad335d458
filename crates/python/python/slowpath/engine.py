"""Who explores paths. Which task is next, what is late and what results come to is decided in Rust; whoever carries tasks sees bytes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Optional, Protocol, Sequence, Union, runtime_checkable

from . import _native

if TYPE_CHECKING:
    from ._native import Reports


@runtime_checkable
class Engine(Protocol):
    """Carries tasks to somebody who does them. It may lose tasks, do them twice, and bring results in any order.

    A worker makes `_native.Work(words, parcel)` once, and does `.slice(task)` for each task.
    """

    #: Steps of a task; None for the default, about 0.2 s.
    task_effort: Optional[int]

    def open(self, words: Sequence[str], jobs: Optional[int]) -> None:
        """Told first: the arguments of the analysis, and how many tasks are to be done at a time, if that was said."""

    def begin(self, parcel: bytes, reports: Reports) -> None:
        """Told of the program, and where to bring results, from any thread."""

    def slots(self) -> int:
        """How many tasks can be done at a time."""

    def submit(self, ticket: int, task: bytes) -> None:
        """Takes a task, and does not wait for it. The same ticket may come again, where the first try is late."""

    def halt(self) -> None:
        """What has not begun need not be done any more."""


def start(words: Sequence[str], engine: Union[None, str, Engine], jobs: Optional[int]) -> _native.Run:
    """Begins an analysis whose paths are explored by the engine."""
    if engine is None or engine == "threads":
        return _native.Run(words)
    if engine == "processes":
        return _native.Run(words, worker=[*command(), "worker", *words])
    if isinstance(engine, str):
        if engine != "ray" and not engine.startswith("ray://"):
            raise _native.Error(f"engine: there is no '{engine}'; use threads, processes, ray, or ray://HOST:PORT")
        from .ray import Ray

        engine = Ray(None if engine == "ray" else engine)
    engine.open(words, jobs)
    carrier: Any = engine
    return _native.Run(words, engine=carrier)


def command() -> list[str]:
    """What starts the command `slowpath` once more."""
    return [sys.executable, "-m", "slowpath"]
