#!/usr/bin/env python3
"""What techniques cost where they do not apply: `auto` with and without them on the WISE suite, for docs/performance.md.

    python3 scripts/overhead.py --without memo,pump

For each program the steps until `auto` ends by itself, and the least effort by which it finds the worst cost, by bisection, the median of
three seeds. Exits with 1 where the whole suite takes more than a twentieth longer by either.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "benchmarks/wise"
SIZES = {"quicksort_jdk15": 15, "mergesort_jdk15": 20, "bellman_ford": 6, "dijkstra": 10, "travelling_salesman": 6}
USUAL_SIZE = 30
SEEDS = (0, 1, 2)
# Least efforts are looked for between these, to so many parts.
LEAST, MOST, STEP = 1e4, 1e9, 1.01
ALLOWED = 1.05


def run(slowpath, program, effort, seed, more):
    entry = ["--call", program["call"]] if "call" in program else ["--harness", program["harness"]]
    size = str(SIZES.get(program["name"], USUAL_SIZE))
    command = [slowpath, "analyze", str(FOLDER / program["file"]), *entry, "--cost", program["cost"], "--sizes", size]
    command += ["--effort", str(int(effort)), "--seed", str(seed), "--jobs", "1", "--format", "json", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    document = json.loads(done.stdout) if done.stdout else sys.exit(done.stderr)
    return document["results"][0]["cost"], document["spent"]["steps"]


def least_effort(slowpath, program, worst, seed, more):
    """The least effort, to a hundredth, from which on the worst cost is found."""
    low, high = 0, math.ceil(math.log(MOST / LEAST, STEP))
    while low < high:
        middle = (low + high) // 2
        if run(slowpath, program, LEAST * STEP**middle, seed, more)[0] >= worst:
            high = middle
        else:
            low = middle + 1
    return LEAST * STEP**low


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", default="memo,pump")
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    parser.add_argument("--program", action="append")
    args = parser.parse_args()
    programs = tomllib.loads((FOLDER / "suite.toml").read_text())["program"]
    print("| program | n | steps without | with | ratio | least effort without | with | ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    ratios = ([], [])
    for program in programs:
        if args.program and program["name"] not in args.program:
            continue
        cells, worsts = [], []
        for more in (["--without", args.without], []):
            cost, steps = run(args.slowpath, program, MOST, 0, more)
            worsts.append(cost)
            cells.append([steps])
        for more, cell in zip((["--without", args.without], []), cells):
            cell.append(statistics.median(least_effort(args.slowpath, program, min(worsts), seed, more) for seed in SEEDS))
        row = [program["name"], str(SIZES.get(program["name"], USUAL_SIZE))]
        for i in (0, 1):
            ratio = cells[1][i] / cells[0][i]
            ratios[i].append(ratio)
            row += [f"{cells[0][i]:,.0f}", f"{cells[1][i]:,.0f}", f"{ratio:.2f}"]
        print("| " + " | ".join(row) + " |" + ("" if worsts[0] == worsts[1] else f" worst {worsts}"), flush=True)
    means = [statistics.geometric_mean(values) for values in ratios]
    print(f"geometric means: {means[0]:.3f} of the steps, {means[1]:.3f} of the least effort")
    sys.exit(any(mean > ALLOWED for mean in means))


if __name__ == "__main__":
    main()
