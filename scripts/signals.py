#!/usr/bin/env python3
"""Signals at random moments: does an analysis end soon after, with its results or with word that there are none yet?

    cargo build --release --workspace
    python3 scripts/signals.py [--count 100] [--seed 1] [--within SECONDS] [--slowpath PATH]

Fourteen programs, one of which its compiler never ends with, one of 300 sizes and two large modules; INT, TERM and HUP in turn, each at a random moment of an analysis of 20 seconds; one that ends before
its signal is begun again. Every tenth is sent twice, which ends the process at once. Fails where a process takes longer than --within (half a second, on an idle machine) to end, or
says nothing. What counts is the wall and the processor time after the signal, the smaller of both: a busy machine is no fault of the program.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from limits import bombs

ROOT = Path(__file__).resolve().parent.parent
LIMITS = "tests/programs/limits"
PROGRAMS = [
    (f"{LIMITS}/hashes.c", "chained(keys: u32[n], n)", ["--strategy", "exhaustive", "--sizes", "6"]),
    (f"{LIMITS}/hashes.c", "factors(a: u64, b: u64)", ["--solver-timeout", "60000"]),
    (f"{LIMITS}/hashes.c", "generator(seed: u64, n)", ["--strategy", "exhaustive", "--sizes", "10"]),
    (f"{LIMITS}/floats.c", "newton(x: f64)", []),
    (f"{LIMITS}/floats.c", "logistic(x: f64, n)", ["--strategy", "exhaustive", "--sizes", "12"]),
    (f"{LIMITS}/deep.c", "isort(a: i32[n], n)", ["--sizes", "1..100"]),
    (f"{LIMITS}/deep.c", "hoard(a: u8[n], n)", ["--strategy", "exhaustive", "--sizes", "60"]),
    (f"{LIMITS}/deep.c", "count_to(x: u32)", ["--max-instructions", "1000000000000"]),
    (f"{LIMITS}/containers.cpp", "count_distinct(a: i32[n], n)", []),
    (f"{LIMITS}/containers.rs", "neighbours", []),
    (f"{LIMITS}/deep.c", "hoard(a: u8[n], n)", ["--sizes", "1..300", "--cost", "memory"]),
    ("STUCK/stuck.c", "f(n)", ["--no-cache", "--compile-limit", "10m"]),
    ("STUCK/200000-called.wasm", "f(x: i32)", []),
    ("STUCK/long-function.wasm", "f(x: i32)", []),
]
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def ticks(pid: int) -> float:
    """Processor seconds of a process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--within", type=float, default=0.5)
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    stuck = tempfile.TemporaryDirectory()
    # What nobody writes into is read without end.
    os.mkfifo(Path(stuck.name) / "never.h")
    (Path(stuck.name) / "stuck.c").write_text('#include "never.h"\nint f(int n) { return n; }\n')
    modules = bombs()
    for name in ["200000-called", "long-function"]:
        (Path(stuck.name) / f"{name}.wasm").write_bytes(modules[name])
    took, wrong, early = [], 0, 0
    longest = [6.0] * len(PROGRAMS)
    while len(took) < asked.count:
        i = len(took)
        file, call, options = PROGRAMS[i % len(PROGRAMS)]
        file = file.replace("STUCK", stuck.name)
        number, twice = SIGNALS[i % len(SIGNALS)], i % 10 == 9 and i // 10 % 2 == 1
        moment = draw.uniform(0.05, longest[i % len(PROGRAMS)])
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            command = [asked.slowpath, "analyze", file, "--call", call, *options, "--budget", "20s", "--quiet"]
            process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=err)
            try:
                process.wait(moment)
                # Too late: earlier the next time.
                early += 1
                longest[i % len(PROGRAMS)] = max(0.1, moment)
                continue
            except subprocess.TimeoutExpired:
                pass
            before, begun = ticks(process.pid), time.monotonic()
            process.send_signal(number)
            if process.returncode is not None:
                # It ended by itself just before.
                early += 1
                continue
            if twice:
                time.sleep(0.02)
                os.kill(process.pid, number)
            ended = None
            while ended is None and time.monotonic() - begun < 60:
                cpu = ticks(process.pid) - before
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                ended = status if pid else None
                time.sleep(0.002)
            if ended is None:
                process.kill()
                os.waitpid(process.pid, 0)
            wall = time.monotonic() - begun
            process.returncode = 0
            code = os.waitstatus_to_exitcode(ended) if ended is not None else None
            out.seek(0), err.seek(0)
            text = (out.read() + err.read()).decode(errors="replace")
        seconds = min(wall, max(cpu, 0.0)) if wall > asked.within else wall
        took.append(seconds)
        answered = code == 0 and "size" in text or code == 3 or (code == 130 and (twice or moment < 2.0))
        if seconds > asked.within or not answered or "panicked" in text:
            wrong += 1
            print(f"{call}: {number.name}{' twice' if twice else ''} after {moment:.2f} s: exit {code}, {wall:.2f} s (processor {cpu:.2f} s): "
                  f"{text.strip()[-160:]!r}", flush=True)
    took.sort()
    if took:
        print(f"{len(took)} signals, {wrong} wrong ({early} more analyses ended before theirs); seconds to the end: median {took[len(took) // 2]:.2f}, "
              f"nine in ten {took[len(took) * 9 // 10]:.2f}, longest {took[-1]:.2f}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
