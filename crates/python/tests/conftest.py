"""What the tests share."""

from pathlib import Path

import pytest

import slowpath

ROOT = Path(__file__).resolve().parents[3]
ISORT = ROOT / "examples" / "isort.c"
CALL = "isort(a: i32[n], n)"


@pytest.fixture(scope="session")
def found() -> slowpath.Findings:
    return slowpath.analyze(ISORT, call=CALL, sizes=range(1, 7), effort=100_000_000)
