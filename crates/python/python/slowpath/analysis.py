"""Analyses: begun, watched, and ended."""

from __future__ import annotations

import atexit
import time
import weakref
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional

from . import _native
from .engine import start
from .event import Event
from .findings import Findings
from .options import Path, arguments

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

#: Seconds that a search has to end after an interrupt. It looks often, but a compiler may be running.
PATIENCE = 5.0


class Stopped(_native.Error):
    """A limit ended the analysis before there was any result; `findings` says which."""

    def __init__(self, findings: Findings) -> None:
        why = "\n  ".join(findings.limits)
        super().__init__(f"a limit ended the analysis before any result\n  {why}")
        self.findings = findings


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; `findings` has what was found until then, or is None."""

    def __init__(self, findings: Optional[Findings]) -> None:
        super().__init__("interrupted" if findings is None else f"interrupted: {findings.verdict}")
        self.findings = findings


class Analysis:
    """A running analysis: an iterator of its events. `findings()` waits for the end; leaving a `with` ends it."""

    def __init__(self, file: Optional[Path], *more_files: Path, **options: Unpack[Options]) -> None:
        files = more_files if file is None else (file, *more_files)
        engine, jobs = options.pop("engine", None), options.get("jobs")
        self._run = start(arguments(files, options, _native.options("analyze")), engine, jobs)
        _RUNNING.add(self)

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        try:
            text = self._run.next_event()
            event = None if text is None else Event.of_json(text)
        except KeyboardInterrupt:
            raise Interrupted(self._end()) from None
        if event is None:
            raise StopIteration
        return event

    def findings(self, on_event: Optional[Callable[[Event], Any]] = None) -> Findings:
        """Waits for the end, and gives what was found."""
        try:
            for event in self:
                if on_event is not None:
                    on_event(event)
        except Interrupted:
            raise
        except KeyboardInterrupt:
            # It came while an event was looked at rather than waited for.
            raise Interrupted(self._end()) from None
        findings = Findings.of_json(self._run.document())
        if findings.worst is None:
            raise Stopped(findings)
        return findings

    def interrupt(self) -> None:
        """Asks the search to end with what there is; `findings()` then gives it soon."""
        self._run.interrupt()

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *_: object) -> None:
        self._run.interrupt()

    def _end(self) -> Optional[Findings]:
        """Ends the search, and gives what it has, if it does so soon. Another Ctrl-C does not wait."""
        self._run.interrupt()
        until = time.monotonic() + PATIENCE
        while not self._run.has_ended() and time.monotonic() < until:
            self._run.next_event(PATIENCE)
        try:
            findings = Findings.of_json(self._run.document())
        except _native.Error:
            return None
        return findings if findings.worst is not None else None


#: Searches that the end of the interpreter must not pull the ground from under.
_RUNNING: weakref.WeakSet[Analysis] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for analysis in list(_RUNNING):
        try:
            analysis._end()
        except KeyboardInterrupt:
            return


def events(file: Optional[Path] = None, *more_files: Path, **options: Unpack[Options]) -> Analysis:
    """Begins an analysis, and gives an iterator of its events.

    with slowpath.events("isort.c", call="isort(a: i32[n], n)", sizes=range(1, 7)) as analysis:
        for event in analysis:
            print(event)
        found = analysis.findings()
    """
    return Analysis(file, *more_files, **options)


def analyze(
    file: Optional[Path] = None,
    *more_files: Path,
    on_event: Optional[Callable[[Event], Any]] = None,
    **options: Unpack[Options],
) -> Findings:
    """Finds the worst input of a function at each size.

    The keywords are the options of `slowpath analyze` (`--max-paths` is `max_paths`), with its defaults and its messages, raised
    as `Error`. `engine` says who explores paths: "threads", "processes", "ray", "ray://HOST:PORT", or an `Engine`. Ctrl-C raises `Interrupted`, a KeyboardInterrupt that has what was found until then.
    """
    with Analysis(file, *more_files, **options) as analysis:
        return analysis.findings(on_event)
