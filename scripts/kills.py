#!/usr/bin/env python3
"""Kills analyses by SIGKILL at random moments and goes on with them until they are done: every result must be that of an undisturbed run, and all runs of
one together must not take much more work than that.

    scripts/kills.py [--count 50] [--seed 1] [--slowpath target/release/slowpath]

Work is processor time, without what a run takes to compile and load (that of the smallest size alone), since runs that are killed say nothing themselves.
Every analysis is run once undisturbed beside it, so that both meet the same machine. Workers of `--engine processes` outlive who was killed, uncounted; there only
results are compared.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = [
    ("isort.c", "isort(a: i32[n], n)", "3", "10", ["--strategy", "exhaustive"]),
    ("quicksort.c", "quicksort(a: i32[n], n)", "3", "10", ["--strategy", "exhaustive"]),
    ("isort.c", "isort(a: i32[n], n)", "2", "6,20", ["--strategy", "wise"]),
]
ENGINES = [["--jobs", "1"], ["--jobs", "2"], ["--jobs", "2", "--engine", "processes"]]
MEASUREMENTS = ["seconds", "solver_queries", "smt_queries"]
MOST_WORK = 1.1


def outline(text):
    """A document without what may differ from run to run."""
    document = json.loads(text)
    document.pop("spent")
    document.pop("stats", None)
    for result in document["results"]:
        for name in MEASUREMENTS:
            result.pop(name)
    return document


def run(args, seconds=None):
    """What a command prints, or None if it had to be killed after so many seconds; and the processor time it took."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(args, stdout=out, stderr=subprocess.DEVNULL)
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            pid, status, used = os.wait4(child.pid, 0 if end is None else os.WNOHANG)
            if pid:
                break
            if time.monotonic() >= end:
                child.kill()
                end = None
            time.sleep(0.002)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        printed = out.read() if child.returncode == 0 else None
    return printed, used.ru_utime + used.ru_stime


def killed_and_resumed(analysis, sizes, rng, seconds, start):
    """One analysis that is killed up to five times within what it takes undisturbed: the work of each of its runs, what the last one prints, and how many journals were corrupt."""
    with tempfile.TemporaryDirectory() as folder:
        args = analysis(folder, sizes)
        took, done, corrupt = [], None, 0
        moments = [rng.uniform(0, seconds) for _ in range(rng.randint(1, 5))]
        for moment in [*moments, None]:
            done, cpu = run(args, moment)
            # What was killed while it compiled did not come to any work.
            took.append(max(0.0, cpu - start))
            journal = pathlib.Path(folder, "journal.json")
            try:
                json.loads(journal.read_text()) if journal.exists() else None
            except ValueError:
                corrupt += 1
            if done is not None:
                break
    return took, done, corrupt


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    options = parser.parse_args()
    rng = random.Random(options.seed)
    equal, killed, corrupt, whole_work, work, starts = 0, 0, 0, 0.0, 0.0, {}
    for number in range(options.count):
        file, call, small, sizes, more = TARGETS[number % len(TARGETS)]
        engine = ENGINES[number // len(TARGETS) % len(ENGINES)]
        program = str(ROOT / "tests/programs" / file)
        base = [options.slowpath, "analyze", program, "--call", call, *more, "--budget", "600s", "--quiet", "--format", "json", *engine]

        def analysis(folder, sizes):
            return [*base, "--sizes", sizes, "--out", folder, "--resume", "--checkpoint", "20ms"]

        key = (file, *engine)
        if key not in starts:
            starts[key] = statistics.median(run([*base, "--sizes", small])[1] for _ in range(3))
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            printed, undisturbed = run(analysis(folder, f"{small},{sizes}"))
            expected, seconds = outline(printed), time.monotonic() - begun
        took, done, same = [], None, True
        # One that was over before it was killed shows little, and is done once more.
        while same and len(took) < 2:
            took, done, broken = killed_and_resumed(analysis, f"{small},{sizes}", rng, seconds, starts[key])
            corrupt += broken
            same = done is not None and outline(done) == expected
        killed += len(took) - 1
        equal += same
        print(f"  {number + 1}: {len(took) - 1} kills, {sum(took):.1f} s beside {undisturbed - starts[key]:.1f} s", file=sys.stderr, flush=True)
        if not same:
            print(f"run {number} differs: {file} {more} {engine}")
            pathlib.Path(tempfile.gettempdir(), f"kills-{number}.json").write_bytes(done or b"")
        if "exhaustive" in more and "processes" not in engine:
            whole_work += undisturbed - starts[key]
            work += sum(took)
    ratio = work / whole_work if whole_work else 1.0
    print(f"{options.count} runs, {killed} kills, {equal} equal results, {corrupt} corrupt journals; {work:.1f} s of work where {whole_work:.1f} s were enough: {ratio:.2f} times")
    raise SystemExit(0 if equal == options.count and corrupt == 0 and ratio <= MOST_WORK else 1)


if __name__ == "__main__":
    main()
