"""The findings document as dataclasses. `docs/findings.schema.json` describes every member; those that are not here are in `document`."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, TypeVar, Union

from . import _native

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")


def _of(kind: type, *, default: Any = dataclasses.MISSING, **more: Any) -> Any:
    """A member made of other members, or a list of such."""
    return field(default=default, metadata={"of": kind}, **more)


def make(kind: type[T], members: Mapping[str, Any]) -> T:
    """A dataclass of the members it has fields for. Members nobody knows are for newer readers; `class` and `from` end in `_` here."""
    given = {}
    for one in dataclasses.fields(kind):  # type: ignore[arg-type]
        name = one.name.rstrip("_")
        if name not in members:
            continue
        value, of = members[name], one.metadata.get("of")
        if of is not None and isinstance(value, list):
            value = [make(of, item) for item in value]
        elif of is not None and value is not None:
            value = make(of, value)
        given[one.name] = value
    return kind(**given)


@dataclass(frozen=True)
class Average:
    """The cost of random inputs."""

    runs: int
    mean: float
    least: int
    most: int
    discarded: int


@dataclass(frozen=True)
class Trap:
    """A trap that some input causes."""

    trap: str
    place: Optional[str]
    paths: int
    inputs: list[dict[str, Any]]
    verified: bool
    messages: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Cut:
    """Paths that a limit cut short."""

    paths: int
    input: Optional[dict[str, Any]]


@dataclass(frozen=True)
class CalledFunction:
    """A foreign function that a line calls, and its part of all instructions."""

    function: str
    share: float


@dataclass(frozen=True)
class HotLine:
    """What one source line does when the worst input runs."""

    file: Optional[str]
    line: Optional[int]
    function: str
    count: int
    share: float
    branches: int
    taken: int
    not_taken: int
    text: Optional[str]
    own: bool = False
    inclusive: Optional[float] = None
    charged: Optional[float] = None
    calls: list[CalledFunction] = _of(CalledFunction, default_factory=list)


@dataclass(frozen=True)
class SizeResult:
    """What was found at one size. `confidence` is exact, validated, challenged or best-found."""

    size: int
    cost: Optional[int]
    costs: dict[str, int]
    paths: int
    worst_paths: int
    complete: bool
    solver_queries: int
    smt_queries: int
    seconds: float
    confidence: str
    input: Optional[dict[str, Any]]
    trap: Optional[str]
    verified: bool
    at_least: bool = False
    path_count: Optional[str] = None
    found_by: Optional[str] = None
    average: Optional[Average] = _of(Average, default=None)
    traps: list[Trap] = _of(Trap, default_factory=list)
    cut: Optional[Cut] = _of(Cut, default=None)
    stopped: Optional[str] = None
    hot_lines: list[HotLine] = _of(HotLine, default_factory=list)


@dataclass(frozen=True)
class Prediction:
    """The growth law at one size."""

    size: int
    value: float
    low: float
    high: Optional[float]


@dataclass(frozen=True)
class Growth:
    """How the worst cost grows. `verdict` is exact, fitted, at least or not sure; `class_` is None where it is not sure."""

    verdict: str
    class_: Optional[str]
    formula: str
    exact: bool
    from_: int
    checked_on: list[int]
    r2: float
    aicc: float
    why: str
    candidates: list[dict[str, Any]] = field(default_factory=list)
    predictions: list[Prediction] = _of(Prediction, default_factory=list)


@dataclass(frozen=True)
class Target:
    """What was analysed."""

    file: str
    function: str
    call: Optional[str]
    harness: Optional[str]
    compilation: dict[str, Any]
    module: dict[str, Any]
    notes: list[str]
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Spent:
    """What the whole analysis took."""

    seconds: float
    steps: int


@dataclass(frozen=True, repr=False)
class Findings:
    """What an analysis found: one document, as `slowpath analyze --format json` prints it."""

    schema: int
    slowpath: str
    strategy: str
    cost_model: str
    settings: dict[str, Any]
    limits: list[str]
    target: Target = _of(Target)
    results: list[SizeResult] = _of(SizeResult)
    fit: Optional[Growth] = _of(Growth, default=None)
    policy: Optional[dict[str, Any]] = None
    input_law: Optional[dict[str, Any]] = None
    synthesis: Optional[dict[str, Any]] = None
    spent: Optional[Spent] = _of(Spent, default=None)
    stats: Optional[dict[str, Any]] = None
    #: The document as text, to the byte.
    text: str = field(default="", compare=False)

    @staticmethod
    def of_json(text: str) -> Findings:
        """Of a document's text; `Error` where it is none."""
        _native.verdict(text)
        return dataclasses.replace(make(Findings, json.loads(text)), text=text)

    @property
    def document(self) -> dict[str, Any]:
        """Every member, also those without a class here (source, trees, flame)."""
        members: dict[str, Any] = json.loads(self.text)
        return members

    @property
    def worst(self) -> Optional[SizeResult]:
        """The largest size that has a worst case."""
        return next((result for result in reversed(self.results) if result.cost is not None), None)

    @property
    def verdict(self) -> str:
        """The answer in a line."""
        return _native.verdict(self.text)

    def __getitem__(self, size: int) -> SizeResult:
        """What was found at a size."""
        for result in self.results:
            if result.size == size:
                return result
        raise KeyError(size)

    def keeps(self, growth: str) -> Optional[bool]:
        """Whether the cost grows no faster than `n log n`, `n^2`, `linear` …; None where that cannot be told."""
        return _native.keeps(self.text, growth)[0]

    def save(self, path: Union[str, os.PathLike[str]]) -> Path:
        """Writes the document to a file, or to findings.json in a folder."""
        file = Path(path)
        if file.is_dir():
            file = file / "findings.json"
        # Whole or not at all: a reader never sees half of it.
        part = file.with_name(f".{file.name}.{os.getpid()}.part")
        try:
            part.write_text(self.text, encoding="utf-8")
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
        return file

    def html(self) -> str:
        """The page that `slowpath report` makes."""
        return _native.html(self.text)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each size."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas() needs pandas: pip install pandas") from error
        rows = [
            {
                "size": result.size,
                "cost": result.cost,
                "at_least": result.at_least,
                "confidence": result.confidence,
                "found_by": result.found_by,
                "verified": result.verified,
                "complete": result.complete,
                "paths": result.paths if result.path_count is None else int(result.path_count),
                "worst_paths": result.worst_paths,
                "average": result.average.mean if result.average else None,
                "trap": result.trap,
                "seconds": result.seconds,
                "input": result.input,
            }
            for result in self.results
        ]
        frame = pandas.DataFrame(rows)
        # Costs stay whole numbers where some are missing.
        return frame.astype({"cost": "Int64"}) if rows else frame

    def __str__(self) -> str:
        """As the command line prints it."""
        return _native.human(self.text, False)

    def __repr__(self) -> str:
        return f"<Findings: {self.verdict}>"

    def _repr_html_(self) -> str:
        return _native.notebook(self.text)


def read(path: Union[str, os.PathLike[str]]) -> Findings:
    """A saved document, or that of a folder."""
    return Findings.of_json(_native.read(os.fspath(path)))
