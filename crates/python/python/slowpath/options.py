"""The options of the command line as keywords. What each means, and what is wrong with a value, is the command line's to say."""

from __future__ import annotations

import math
import os
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Iterable, Mapping, TypedDict, Union

if TYPE_CHECKING:
    from .engine import Engine

Path = Union[str, "os.PathLike[str]"]
Count = Union[int, str]
Duration = Union[int, float, str, timedelta]
Sizes = Union[int, str, Iterable[int]]
Words = Union[str, Iterable[str]]

#: Options whose name is another here: of one letter only, taken by Python, or a list.
RENAMED = {"-I": "include", "-D": "define", "--import": "imports", "--file": "files"}

#: Options that are about a terminal or files, for which there are methods here.
NOT_HERE = {"--format", "--out", "--quiet", "--all", "--expect", "--save-policy", "--resume", "--checkpoint"}


class _Program(TypedDict, total=False):
    """What is analysed."""

    call: str
    harness: str
    cost: str
    optimize: Union[bool, str]
    cflags: Words
    include: Words
    define: Words
    project: Path
    define_header: Words
    fuzz_target: Union[bool, str]
    crate: str
    features: Words
    no_default_features: bool
    trust_build: bool
    stdin: Count
    files: Words
    arg: Words
    env: Words
    imports: Words
    cost_table: Path
    compile_limit: Duration
    no_cache: bool
    keep: Path
    max_instructions: Count
    max_depth: Count
    max_memory: Count


class Options(_Program, total=False):
    """Keywords of `analyze` and `events`; `slowpath analyze --help` describes them."""

    sizes: Sizes
    strategy: str
    without: Union[str, Iterable[str]]
    history: Count
    policy: Path
    dictionary: Path
    paths: Count
    corpus: Path
    average: Count
    seed: int
    jobs: int
    islands: int
    engine: Union[str, Engine]
    solver: str
    budget: Duration
    effort: Count
    population: Count
    elitism: Count
    mutation_rate: float
    ls_period: Count
    ls_attempts: Count
    generations: Count
    known_optimum: Count
    from_policy: bool
    max_paths: Count
    max_cells: Count
    max_select_depth: Count
    max_search_memory: Count
    solver_path_timeout: int
    solver_timeout: int
    stats: bool


class RunOptions(_Program, total=False):
    """Keywords of `run`; `slowpath run --help` describes them."""

    size: int
    input: Union[str, Mapping[str, Any]]


def name_of(flag: str) -> str:
    """The keyword of an option."""
    return RENAMED.get(flag) or flag.lstrip("-").replace("-", "_")


def arguments(files: Iterable[Path], options: Mapping[str, Any], known: Iterable[tuple[str, bool, bool, str]]) -> list[str]:
    """The words that a shell would pass. A keyword that is not an option is a TypeError, as with any function."""
    flags = {name_of(flag): (flag, is_switch) for flag, is_switch, _, _ in known if flag not in NOT_HERE}
    words = []
    for name, value in options.items():
        if name not in flags:
            raise TypeError(f"unexpected keyword argument '{name}'")
        flag, is_switch = flags[name]
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif is_switch:
            raise TypeError(f"'{name}' must be True or False")
        else:
            for text in _texts(name, value):
                words.append(f"{flag}={text}" if flag.startswith("--") else f"{flag}{text}")
    # After `--` a file may begin with a dash.
    return [*words, "--", *(os.fspath(file) for file in files)]


def _texts(name: str, value: Any) -> list[str]:
    """One value as text, or several of an option that can be given several times."""
    if isinstance(value, (str, int, float)):
        return [_number(value)]
    if isinstance(value, timedelta):
        return [_number(value.total_seconds())]
    if isinstance(value, os.PathLike):
        return [os.fspath(value)]
    if name == "sizes":
        return [_sizes(value)]
    if isinstance(value, Mapping):
        return [f"{key}={_number(text)}" for key, text in value.items()]
    return [_number(text) for text in value]


def _number(value: Any) -> str:
    # Counts such as 1e9 are floats in Python, and whole; a few microseconds are no power of ten.
    if isinstance(value, float) and math.isfinite(value):
        return str(int(value)) if value.is_integer() else format(Decimal(repr(value)), "f")
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _sizes(sizes: Iterable[int]) -> str:
    if isinstance(sizes, range) and len(sizes) > 0 and sizes.step > 0:
        return f"{sizes[0]}..{sizes[-1]}:{sizes.step}"
    return ",".join(str(int(size)) for size in sizes)
