#!/usr/bin/env python3
"""Kills analyses by SIGKILL at random moments and goes on with them until they are done: every result must be that of an undisturbed run.

    scripts/kills.py [--count 50] [--seed 1] [--slowpath target/release/slowpath]
"""

import argparse
import json
import pathlib
import random
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = [
    ("isort.c", "isort(a: i32[n], n)", "3,8", ["--strategy", "exhaustive"]),
    ("quicksort.c", "quicksort(a: i32[n], n)", "3,7", ["--strategy", "exhaustive"]),
    ("isort.c", "isort(a: i32[n], n)", "2,6,20", ["--strategy", "wise"]),
]
ENGINES = [["--jobs", "1"], ["--jobs", "2"], ["--jobs", "2", "--engine", "processes"]]
MEASUREMENTS = ["seconds", "solver_queries", "smt_queries"]


def outline(text):
    """A document without what may differ from run to run, and the work it took."""
    document = json.loads(text)
    steps = document.pop("spent")["steps"]
    document.pop("stats", None)
    for result in document["results"]:
        for name in MEASUREMENTS:
            result.pop(name)
    return document, steps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    options = parser.parse_args()
    rng = random.Random(options.seed)
    whole, equal, killed, corrupt = {}, 0, 0, 0
    for number in range(options.count):
        file, call, sizes, more = TARGETS[number % len(TARGETS)]
        engine = ENGINES[number // len(TARGETS) % len(ENGINES)]
        program = str(ROOT / "tests/programs" / file)
        args = [options.slowpath, "analyze", program, "--call", call, "--sizes", sizes, *more, "--budget", "600s", "--quiet", "--format", "json"]
        key = (file, *more)
        if key not in whole:
            begun = time.monotonic()
            whole[key] = outline(subprocess.run(args, capture_output=True, check=True).stdout), time.monotonic() - begun
        (expected, _), seconds = whole[key]
        with tempfile.TemporaryDirectory() as folder:
            args += [*engine, "--out", folder, "--resume", "--checkpoint", "20ms"]
            for _ in range(rng.randint(1, 5)):
                run = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                try:
                    run.wait(rng.uniform(0, 1.2 * seconds))
                except subprocess.TimeoutExpired:
                    run.kill()
                    killed += 1
                run.wait()
                journal = pathlib.Path(folder, "journal.json")
                try:
                    json.loads(journal.read_text()) if journal.exists() else None
                except ValueError:
                    corrupt += 1
            done = subprocess.run(args, capture_output=True, check=True).stdout
            same = outline(done)[0] == expected
            equal += same
            if not same:
                print(f"run {number} differs: {file} {more} {engine}")
                pathlib.Path(tempfile.gettempdir(), f"kills-{number}.json").write_bytes(done)
    print(f"{options.count} runs, {killed} kills, {equal} equal results, {corrupt} corrupt journals")
    raise SystemExit(0 if equal == options.count and corrupt == 0 else 1)


if __name__ == "__main__":
    main()
