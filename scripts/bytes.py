#!/usr/bin/env python3
"""Explores every suite program twice, its inputs declared by their types and as bytes, and compares times and questions to Z3.

The bytes are made by `slowpath_make_symbolic`, as files and fuzz targets give them. Ranges are assumed by the harness in both. Each program
is explored exhaustively at the largest size of few enough paths; a time is the least of some runs. Writes a table to standard output, or
over the one in docs/performance.md with --write. Fails where bytes take more than twice as long, or more questions to Z3.

usage: scripts/bytes.py [--write] [--binary target/release/slowpath] [--paths 6000] [--runs 3] [--budget 60s] [NAME ...]
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- bytes.py: begin -->\n", "<!-- bytes.py: end -->\n"
C_TYPES = {"i32": "int32_t", "u32": "uint32_t", "i16": "int16_t", "u16": "uint16_t", "i64": "int64_t", "u64": "uint64_t", "f64": "double", "f32": "float"}
BYTES = {"i32": 4, "u32": 4, "i16": 2, "u16": 2, "i64": 8, "u64": 8, "f32": 4, "f64": 8}
HEAD = ["program", "n", "paths", "typed", "as bytes", "ratio", "Z3, typed", "Z3, as bytes"]


def harness_of(call: str) -> str | None:
    """A harness for a call; None where no input is wider than a byte."""
    name, arguments = re.fullmatch(r"(\w+)\((.*)\)", call).groups()
    made, passed, wide = [], [], False
    for argument in arguments.split(", "):
        parts = re.fullmatch(r"(\w+): (\w+)(?:\[(.*?)\])?(?: in (-?\d+)\.\.=(-?\d+))?", argument)
        if not parts:
            passed.append(argument)
            continue
        what, ty, length, low, high = parts.groups()
        if ty in ("u8", "i8", "bool"):
            made.append(f"static unsigned char {what}[1 << 14]; slowpath_u8_array({what}, {length or 1}, \"{what}\");")
            passed.append(what if length else f"*{what}")
            continue
        wide = True
        made.append(f"static {C_TYPES[ty]} {what}[1 << 12]; MAKE({ty}, {BYTES[ty]}, {what}, {length or 1});")
        if low is not None:
            made.append(f"for (int i = 0; i < ({length or 1}); i++) slowpath_assume(({what}[i] >= {low}) & ({what}[i] <= {high}));")
        passed.append(what if length else f"*{what}")
    if not wide:
        return None
    body = "\n    ".join(made)
    return f"void both_ways(int n) {{\n    {body}\n    slowpath_begin();\n    {name}({', '.join(passed)});\n    slowpath_end();\n}}\n"


def versions(program: dict, folder: Path) -> tuple[str, str, str] | None:
    """The harness to run, and the program with typed inputs and with bytes."""
    text = (folder / program["file"]).read_text()
    if "call" in program:
        harness = harness_of(program["call"])
        if harness is None:
            return None
        head = '#include <stdint.h>\n#include "slowpath.h"\n' + text
        typed = head + "\n#define MAKE(ty, size, what, count) slowpath_##ty##_array(what, count, #what)\n" + harness
        plain = head + "\n#define MAKE(ty, size, what, count) slowpath_make_symbolic(what, (count) * size, #what)\n" + harness
        return "both_ways", typed, plain
    call = re.compile(r"slowpath_(\w\d+)_array\((\w+), (.*?), (\".*?\")\)")
    if not any(BYTES.get(found[0]) for found in call.findall(text)):
        return None

    def bytewise(found: re.Match) -> str:
        ty, what, count, name = found.groups()
        return f"slowpath_make_symbolic({what}, ({count}) * {BYTES[ty]}, {name})" if ty in BYTES else found.group(0)

    return program["harness"], text, call.sub(bytewise, text)


def explore(binary: str, text: str, harness: str, n: int, options: argparse.Namespace) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.c"
        file.write_text(text)
        command = [binary, "analyze", str(file), "--harness", harness, "--strategy", "exhaustive", "--sizes", f"{n}..{n}"]
        command += ["--jobs", "1", "--budget", options.budget, "--format", "json"]
        best = None
        for _ in range(options.runs):
            done = subprocess.run(command, capture_output=True, text=True)
            if not done.stdout:
                sys.exit(f"{' '.join(command)}\n{done.stderr}")
            result = json.loads(done.stdout)["results"][0]
            if best is None or result["seconds"] < best["seconds"]:
                best = result
            if best["seconds"] > 10:
                break
        return best


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--binary", default=str(ROOT / "target/release/slowpath"))
    parser.add_argument("--paths", type=int, default=6000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--budget", default="60s")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    rows, wrong, met = [], [], set()
    for suite in ["wise", "ese", "spf-wca", "xstressor"]:
        folder = ROOT / "benchmarks" / suite
        for program in tomllib.loads((folder / "suite.toml").read_text())["program"]:
            file = (folder / program["file"]).resolve()
            made = versions(program, folder)
            if file in met or made is None or (options.names and program["name"] not in options.names):
                continue
            met.add(file)
            sizes = [int(n) for n, paths in program.get("paths", {}).items() if paths <= options.paths]
            n = max(sizes, default=4)
            harness, typed, plain = made
            a, b = (explore(options.binary, text, harness, n, options) for text in (typed, plain))
            ratio = b["seconds"] / max(a["seconds"], 1e-9)
            queries = [found["smt_queries"] for found in (a, b)]
            slow = ratio > 2 and b["seconds"] - a["seconds"] > 0.05
            if slow or queries[1] > queries[0] or a["paths"] != b["paths"]:
                wrong.append(program["name"])
            paths = str(a["paths"]) if a["paths"] == b["paths"] else f"{a['paths']}, {b['paths']}"
            cells = [f"{suite}/{program['name']}", str(n), paths, f"{a['seconds']:.3f} s", f"{b['seconds']:.3f} s", f"{ratio:.2f}", *map(str, queries)]
            rows.append("| " + " | ".join(cells) + " |")
            print(rows[-1], flush=True)
    table = "\n".join(["| " + " | ".join(HEAD) + " |", "|---|" + "--:|" * (len(HEAD) - 1), *rows]) + "\n"
    if options.write:
        page = ROOT / "docs/performance.md"
        before, rest = page.read_text().split(BEGIN)
        page.write_text(before + BEGIN + table + END + rest.split(END)[1])
    if wrong:
        print(f"slower than typed inputs allow: {', '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
