#!/usr/bin/env python3
"""Fifty diverse analyses with a budget of five seconds: do time and memory hold, whatever is analysed?

    cargo build --release --workspace
    python3 scripts/limits.py [NAME …] [--budget SECONDS] [--memory MIB] [--slowpath PATH] [--markdown]

Each runs once. Printed are the seconds by the wall, those of the processor (the process and all it started), the peak of resident
memory, and what came of it. What a compiler takes is no part of a budget: a source is compiled once before, and what a run
without any effort takes is subtracted. Fails where a run takes longer than the budget and a second, or a tenth more, less the
time that one of its threads was ready and waited for a processor (on an idle machine none); or holds more than 1.25 times --max-search-memory
beyond what the smallest analysis holds, or what reading the program takes (`slowpath list`) if that is more. What compilers hold is none of it.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests/programs/limits"


# --- modules that are larger than they look ------------------------------------------------------------------------------

def leb(n: int) -> bytes:
    out = b""
    while True:
        low, n = n & 0x7F, n >> 7
        if n == 0:
            return out + bytes([low])
        out += bytes([low | 0x80])


def vec(items: list[bytes]) -> bytes:
    return leb(len(items)) + b"".join(items)


def section(number: int, content: bytes) -> bytes:
    return bytes([number]) + leb(len(content)) + content


def body(code: bytes, locals_: bytes = b"\0") -> bytes:
    inside = locals_ + code + b"\x0b"
    return leb(len(inside)) + inside


def module(bodies: list[bytes], memory: bytes | None = None, exports: int = 1, table: int = 0, data: list[bytes] = ()) -> bytes:
    """Functions of one i32 that return one; the first is exported as f."""
    out = b"\0asm\1\0\0\0" + section(1, vec([b"\x60\1\x7f\1\x7f"])) + section(3, vec([b"\0"] * len(bodies)))
    if table:
        out += section(4, vec([b"\x70\0" + leb(table)]))
    if memory is not None:
        out += section(5, vec([memory]))
    names = ["f"] + [f"f{i}" for i in range(1, exports)]
    out += section(7, vec([leb(len(n)) + n.encode() + b"\0" + leb(min(i, len(bodies) - 1)) for i, n in enumerate(names)]))
    if table:
        out += section(9, vec([b"\0\x41\0\x0b" + vec([leb(i % len(bodies)) for i in range(table)])]))
    out += section(10, vec(bodies))
    return out + (section(11, vec(list(data))) if data else b"")


GET, ADD, ONE, MUL = b"\x20\0", b"\x6a", b"\x41\1", b"\x6c"
DECIDE = b"\x20\0\x41\x05\x4a\x04\x7f\x41\1\x05\x41\2\x0b"  # x > 5 ? 1 : 2


def bombs() -> dict[str, bytes]:
    call_next = lambda i, n: GET + b"\x10" + leb((i + 1) % n)
    return {
        "200000-functions": module([body(DECIDE)] + [body(GET + ONE + ADD)] * 199_999),
        "200000-called": module([body(DECIDE + b"\x04\x7f" + call_next(0, 200_000) + b"\x05" + GET + b"\x0b")]
                                + [body(call_next(i, 200_000)) for i in range(1, 199_999)] + [body(GET)]),
        "2000-of-49990-locals": module([body(DECIDE + b"\x41\2\x46\x04\x7f" + call_next(0, 2000) + b"\x05" + GET + b"\x0b")]
                                       + [body(call_next(i, 2000), b"\1" + leb(49_990) + b"\x7f") for i in range(1, 1999)]
                                       + [body(GET, b"\1" + leb(49_990) + b"\x7f")]),
        "one-long-function": module([body(GET + (ONE + ADD + GET + MUL) * 300_000)]),
        "deep-blocks": module([body(b"\x02\x40" * 20_000 + b"\x0b" * 20_000 + DECIDE)]),
        "wide-switch": module([body(b"\x02\x40" * 500 + GET + b"\x0e" + leb(60_000) + b"".join(leb(i % 500) for i in range(60_001))
                                    + b"\x0b" * 500 + GET)]),
        "much-data": module([body(DECIDE)], memory=b"\0" + leb(1000),
                            data=[b"\0\x41\0\x0b" + leb(40_000_000) + b"x" * 40_000_000]),
        "much-memory": module([body(GET + b"\x41\x80\x80\xfc\xff\x07\x71\x28\2\0")], memory=b"\0" + leb(16_384)),
        "long-function": module([body(GET + (ONE + ADD + GET + MUL) * 1_100_000)]),
        "fill-at-once": module([body(b"\x20\0\x41\x05\x4a\x04\x40\x41\0\x41\x07\x41\xff\xff\xff\xff\x03\xfc\x0b\0\x0b" + GET)],
                               memory=b"\0" + leb(16_384)),
        "many-exports": module([body(DECIDE)] * 50_000, exports=50_000, table=50_000),
    }


# --- the runs --------------------------------------------------------------------------------------------------------------

def runs() -> list[tuple[str, str, list[str]]]:
    """Name, file, options."""
    call = lambda what, *rest: ["--call", what, *rest]
    out = [(name, f"{name}.wasm", call("f(x: i32)")) for name in bombs_names()]
    out += [
        ("fnv", "hashes.c", call("fnv(text: u8[n], n)", "--sizes", "1..12")),
        ("chained-exhaustive", "hashes.c", call("chained(keys: u32[n], n)", "--sizes", "6", "--strategy", "exhaustive")),
        ("chained", "hashes.c", call("chained(keys: u32[n], n)")),
        ("probing", "hashes.c", call("probing(keys: u32[n], n)", "--strategy", "exhaustive", "--sizes", "8")),
        ("generator", "hashes.c", call("generator(seed: u64, n)", "--strategy", "exhaustive", "--sizes", "10,20")),
        ("factors", "hashes.c", call("factors(a: u64, b: u64)", "--solver-timeout", "60000")),
        ("crc", "hashes.c", call("crc(text: u8[n], n)", "--sizes", "4,8,16")),
        ("newton", "floats.c", call("newton(x: f64)")),
        ("newton-exhaustive", "floats.c", call("newton(x: f64)", "--strategy", "exhaustive")),
        ("above-mean", "floats.c", call("above_mean(a: f64[n], n)", "--sizes", "2..8", "--strategy", "exhaustive")),
        ("signs", "floats.c", call("signs(x: f64, step: f64, n)", "--sizes", "1,2,4,8")),
        ("disc", "floats.c", call("disc(xs: f32[n], ys: f32[n], n)", "--strategy", "wise")),
        ("doubling", "doubling.c", call("f(a: u32[n] in 0..=2, n)")),
        ("logistic", "floats.c", call("logistic(x: f64, n)", "--sizes", "3,6,12,24", "--strategy", "exhaustive")),
        ("bisect", "floats.c", call("bisect(low: f64, high: f64)")),
        ("n-of-60000000", "deep.c", call("sum(a: i32[n], n)", "--sizes", "60000000")),
        ("n-of-60000000-exhaustive", "deep.c", call("sum(a: i32[n], n)", "--sizes", "60000000", "--strategy", "exhaustive")),
        ("n-of-1000000", "deep.c", call("isort(a: i32[n], n)", "--sizes", "1000000")),
        ("400-sizes", "deep.c", call("isort(a: i32[n], n)", "--sizes", "1..400")),
        ("400-sizes-average", "deep.c", call("isort(a: i32[n], n)", "--sizes", "1..400", "--average", "10000")),
        ("200-sizes-exhaustive", "deep.c", call("three_ways(a: i32[n], n)", "--sizes", "1..200", "--strategy", "exhaustive")),
        ("ackermann", "deep.c", call("ackermann(m: i32 in 0..9, k: i32 in 0..9)")),
        ("down", "deep.c", call("down(a: u8[n], n)", "--sizes", "1000,10000,100000", "--max-depth", "1000000")),
        ("endless", "deep.c", call("endless(x: i32)", "--max-instructions", "1000000000000")),
        ("count-to", "deep.c", call("count_to(x: u32)", "--max-instructions", "1000000000000")),
        ("hoard", "deep.c", call("hoard(a: u8[n], n)", "--sizes", "100", "--strategy", "exhaustive")),
        ("hoard-memory", "deep.c", call("hoard(a: u8[n], n)", "--sizes", "1..300", "--max-memory", "64MiB", "--cost", "memory")),
        ("own", "memory.c", call("own(a: u8[n], n)", "--sizes", "1..4")),
        ("own-exhaustive", "memory.c", call("own(a: u8[n], n)", "--sizes", "1..4", "--strategy", "exhaustive")),
        ("stride", "memory.c", call("stride(a: u8[n], n)", "--sizes", "1..12")),
        ("bulk", "memory.c", call("bulk(a: u8[n], n)", "--sizes", "1..4")),
        ("memo", "deep.c", call("three_ways(a: i32[n], n)", "--sizes", "400", "--strategy", "memo")),
        ("map", "containers.cpp", call("count_distinct(a: i32[n], n)")),
        ("unordered-map", "containers.cpp", call("count_hashed(a: i32[n], n)", "--strategy", "exhaustive", "--sizes", "5")),
        ("sort", "containers.cpp", call("sort_them(a: i32[n], n)", "--sizes", "10,100,1000")),
        ("words", "containers.cpp", call("words(text: u8[n], n)", "--strategy", "pump")),
        ("hash-map", "containers.rs", call("commonest")),
        ("b-tree", "containers.rs", call("neighbours", "--strategy", "evolve")),
        ("binary-heap", "containers.rs", call("heap", "--strategy", "synthesize")),
    ]
    return out


def bombs_names() -> list[str]:
    return ["200000-functions", "200000-called", "2000-of-49990-locals", "one-long-function", "deep-blocks", "wide-switch",
            "much-data", "much-memory", "long-function", "fill-at-once", "many-exports"]


def longest_wait(pid: int) -> float:
    """Seconds that a thread of a process was ready and waited for a processor; of the one that waited longest."""
    waits = [0.0]
    for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            waits.append(int(file.read_text().split()[1]) / 1e9)
        except (OSError, IndexError):
            pass
    return max(waits)


def most_held(pid: int) -> float:
    """The most MiB that a process has held so far."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return max((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), default=0.0)


class Ran:
    def __init__(self, command: list[str], longest: float):
        out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        begun = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=err, cwd=ROOT)
        ended, self.waited, self.peak = False, 0.0, 0.0
        while True:
            self.waited = max(self.waited, longest_wait(process.pid))
            self.peak = max(self.peak, most_held(process.pid))
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if not ended and time.monotonic() - begun > longest:
                process.send_signal(signal.SIGKILL)
                ended = True
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - begun
        self.cpu = usage.ru_utime + usage.ru_stime
        self.code = process.returncode
        out.seek(0), err.seek(0)
        self.out, self.err = out.read().decode(errors="replace"), err.read().decode(errors="replace")

    def verdict(self) -> str:
        try:
            findings = json.loads(self.out)
        except ValueError:
            return f"exit {self.code}: {self.err.strip().splitlines()[0][:90] if self.err.strip() else ''}"
        sizes = [r for r in findings["results"] if r.get("cost") is not None or r.get("cut") is not None]
        verified = sum(bool(r.get("verified")) for r in sizes)
        exact = sum(r.get("confidence") == "exact" for r in sizes)
        return f"{len(sizes)} sizes, {exact} exact, {verified} verified"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--budget", type=float, default=5.0)
    parser.add_argument("--memory", type=int, default=512, help="--max-search-memory in MiB")
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    parser.add_argument("--markdown", action="store_true")
    asked = parser.parse_args()
    chosen = [run for run in runs() if not asked.names or run[0] in asked.names]
    beyond = 0
    with tempfile.TemporaryDirectory(prefix="slowpath-limits-") as folder:
        if any(file.endswith(".wasm") for _, file, _ in chosen):
            for name, content in bombs().items():
                Path(folder, f"{name}.wasm").write_bytes(content)
        smallest = Path(folder, "smallest.wasm")
        smallest.write_bytes(module([body(DECIDE)]))
        base = Ran([asked.slowpath, "analyze", str(smallest), "--call", "f(x: i32)", "--effort", "1", "--quiet", "--format", "json"], 60)
        head = ["run", "wall s", "waited s", "compiling s", "processor s", "peak MiB", "result"]
        print("| " + " | ".join(head) + " |\n|---|---:|---:|---:|---:|---:|---|" if asked.markdown else "{:26} {:>7} {:>7} {:>7} {:>7} {:>7}  {}".format("run", "wall", "waited", "compile", "cpu", "MiB", "result"), flush=True)
        for name, file, options in chosen:
            bomb = file.endswith(".wasm")
            path = Path(folder, file) if bomb else PROGRAMS / file
            command = [asked.slowpath, "analyze", str(path), *options, "--quiet", "--format", "json"]
            idle = None
            if not bomb:
                small = [o for o in command]
                if "--sizes" in small:
                    small[small.index("--sizes") + 1] = "1"
                Ran(small + ["--effort", "1"], 300)
                idle = Ran(small + ["--effort", "1"], 300)
            compiling, compiling_cpu = (idle.wall, idle.cpu) if idle else (0.0, 0.0)
            ran = Ran(command + ["--budget", f"{int(asked.budget * 1000)}ms", "--max-search-memory", f"{asked.memory}MiB"], asked.budget * 20 + 60)
            wall, cpu = ran.wall - compiling, ran.cpu - compiling_cpu
            allowed = max(asked.budget + 1.0, asked.budget * 1.1)
            waited = max(0.0, ran.waited - (idle.waited if idle else 0.0))
            late = wall - waited > allowed
            reading = Ran([asked.slowpath, "list", str(path)], 300)
            big = ran.peak - max(base.peak, reading.peak) > 1.25 * asked.memory
            wrong = ran.code not in (0, 3) or "panicked" in ran.err
            said = ran.verdict() + (" TIME" if late else "") + (" MEMORY" if big else "") + (f" EXIT {ran.code} {ran.err[:200]}" if wrong else "")
            beyond += late or big or wrong
            row = [name, f"{wall:.1f}", f"{waited:.1f}", f"{compiling:.1f}", f"{cpu:.1f}", f"{ran.peak:.0f}", said]
            print("| " + " | ".join(row) + " |" if asked.markdown else "{:26} {:>7} {:>7} {:>7} {:>7} {:>7}  {}".format(*row), flush=True)
    print(f"{len(chosen)} runs, {beyond} beyond their limits")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
