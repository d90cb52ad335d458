"""Single runs: of one given input, and of the worst inputs of a document."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native
from .findings import Findings, make
from .options import Path, arguments

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import RunOptions


@dataclass(frozen=True)
class RunResult:
    """What one run came to: every counter, and a result or a trap."""

    costs: dict[str, int]
    result: Any
    trap: Optional[str]
    stopped: Optional[str] = None
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ReplayedSize:
    """One worst input, run again on both engines."""

    size: int
    agrees: bool
    differences: list[str]
    recorded: dict[str, Any]
    machine: dict[str, Any]
    wasmtime: dict[str, Any]


@dataclass(frozen=True)
class Replay:
    """Every worst input of a document, run again."""

    results: list[ReplayedSize] = field(metadata={"of": ReplayedSize})

    @property
    def agrees(self) -> bool:
        return all(result.agrees for result in self.results)


def run(file: Optional[Path] = None, *more_files: Path, **options: Unpack[RunOptions]) -> RunResult:
    """Runs one given input, as `slowpath run` does: run("isort.c", call="isort(a: i32[n], n)", size=3, input={"a": [3, 2, 1]})"""
    if isinstance(options.get("input"), Mapping):
        options["input"] = json.dumps(options["input"])
    files = more_files if file is None else (file, *more_files)
    return make(RunResult, json.loads(_native.run_once(arguments(files, options, _native.options("run")))))


def replay(
    findings: Union[Findings, Path], *, program: Optional[Path] = None, trust: bool = False, trust_build: bool = False
) -> Replay:
    """Runs the worst inputs of a document again, and compares. A document from elsewhere runs nothing without `trust`."""
    if not isinstance(findings, Findings):
        return _replay(findings, program, trust, trust_build)
    with tempfile.TemporaryDirectory(prefix="slowpath-") as folder:
        return _replay(findings.save(folder), program, trust, trust_build)


def _replay(path: Path, program: Optional[Path], trust: bool, trust_build: bool) -> Replay:
    text = _native.replay(os.fspath(path), None if program is None else os.fspath(program), trust, trust_build)
    return make(Replay, json.loads(text))
