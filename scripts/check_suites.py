#!/usr/bin/env python3
"""Checks benchmarks/*/suite.toml by running each known worst input: does it cost what the file says?

    cargo build --release --workspace
    python3 scripts/check_suites.py [SUITE …] [--program NAME] [--largest N] [--exhaustive]

`--largest` leaves out greater sizes. `--exhaustive` also explores every size that has a path count, and compares the number of
paths and, up to `worst_checked_to`, the worst cost. Needs Python 3.11 and target/release/slowpath.
"""

import argparse
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SLOWPATH = ROOT / "target/release/slowpath"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", nargs="*", help="folders of benchmarks/; default: all")
    parser.add_argument("--program", help="only this one")
    parser.add_argument("--largest", type=int, default=10**9, help="greatest size to run")
    parser.add_argument("--exhaustive", action="store_true", help="explore the sizes that have a path count, too")
    options = parser.parse_args()

    suites = options.suite or sorted(path.parent.name for path in (ROOT / "benchmarks").glob("*/suite.toml"))
    runs, wrong = 0, []
    for suite in suites:
        folder = ROOT / "benchmarks" / suite
        for program in tomllib.loads((folder / "suite.toml").read_text())["program"]:
            if options.program not in (None, program["name"]):
                continue
            for what, expected, found in check(folder, program, options):
                runs += 1
                if expected != found:
                    wrong.append(f"{suite}/{program['name']}: {what}: the file says {expected}, the run {found}")
            print(f"{suite}/{program['name']}", flush=True)
    print("\n".join([*wrong, f"{runs} figures checked, {len(wrong)} differ"]))
    return 1 if wrong else 0


def check(folder, program, options):
    """Every figure that can be checked: what it is, as the file has it, as it was found."""
    costs = {"worst_at": program["cost"], "worst_branches_at": "branches", "worst_instructions_at": "instructions"}
    for field, model in costs.items():
        for size, expected in sorted(program.get(field, {}).items(), key=lambda pair: int(pair[0])):
            if int(size) > options.largest:
                continue
            worst = worst_input(folder, program, int(size))
            if worst is not None:
                yield f"{field} {size}", expected, run(folder, program, int(size), worst)["costs"][model]
    if options.exhaustive and program.get("paths"):
        sizes = [size for size in program["paths"] if int(size) <= options.largest]
        found = explore(folder, program, sizes)
        for size in sizes:
            yield f"paths at {size}", program["paths"][size], found[size]["paths"]
            expected = program.get("worst_at", {}).get(size)
            if expected is not None and int(size) <= program.get("worst_checked_to", 0):
                yield f"exhaustive worst at {size}", expected, found[size]["cost"]


def worst_input(folder, program, n):
    """Given in full, or by the suite's generator, or by a formula for each value; None if the file has none of them."""
    given = program.get("worst_inputs", {}).get(str(n))
    if given is not None:
        return given
    if "worst_generator" in program:
        made = subprocess.run(
            [sys.executable, folder / program["worst_generator"], program["name"], str(n)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return json.loads(made.stdout)
    if "worst_input" not in program:
        return None
    values = {}
    for name, example in shape(folder, program, n).items():
        formula = re.sub(r"/+", "//", program["worst_input"][name])
        value = lambda i: int(eval(formula, {"__builtins__": {}}, {"i": i, "n": n}))
        values[name] = [value(i) for i in range(len(example))] if isinstance(example, list) else value(0)
    return values


def shape(folder, program, n):
    """What inputs there are, from slowpath's own example of them."""
    shown = subprocess.run(command("run", folder, program) + ["--size", str(n)], capture_output=True, text=True)
    return json.loads(re.search(r"--input '(.*)'", shown.stderr)[1])


def run(folder, program, n, worst):
    arguments = command("run", folder, program)
    arguments += ["--size", str(n), "--format", "json", "--max-instructions", "1e11", "--input", "@/dev/stdin"]
    done = subprocess.run(arguments, input=json.dumps(worst), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program['name']} at {n}: {done.stderr}")
    return json.loads(done.stdout)


def explore(folder, program, sizes):
    arguments = command("analyze", folder, program)
    arguments += ["--sizes", ",".join(sizes), "--strategy", "exhaustive", "--budget", "10m", "--format", "json", "--quiet"]
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program['name']}: {done.stderr}")
    return {str(result["size"]): result for result in json.loads(done.stdout)["results"]}


def command(verb, folder, program):
    target = ["--call", program["call"]] if "call" in program else ["--harness", program["harness"]]
    return [SLOWPATH, verb, folder / program["file"], *target, "--cost", program["cost"]]


if __name__ == "__main__":
    sys.exit(main())
