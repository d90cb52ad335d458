#!/usr/bin/env python3
"""The table of docs/pump.md: every program of tests/programs/pump by `--strategy pump` up to 4,096 elements, beside the bad input made by hand.

    python3 scripts/pumped.py --effort 6e9

Exits with 1 where less is found than by hand, or another class.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests/programs/pump"
# What one run may cost.
LIMIT = 1_000_000_000
SIZES = "64,128,256,512,1024,2048,4096"


def run(slowpath, *args):
    done = subprocess.run([slowpath, *args, "--format", "json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout else sys.exit(done.stderr)


def filled(pattern, length):
    """A prefix, a unit that is repeated, the last time cut where it ends, and a suffix."""
    part = lambda name: list(pattern.get(name, "").encode()) if isinstance(pattern.get(name, ""), str) else pattern[name]
    prefix, unit, suffix = part("prefix"), part("unit"), part("suffix")
    middle = length - len(prefix) - len(suffix)
    return prefix + (unit * (middle // len(unit) + 1))[:middle] + suffix


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--effort", default="6e9")
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    args = parser.parse_args()
    failed = False
    print("| program | bad by hand, n = 4,096 | found | ratio | growth | by `auto` | pattern | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    for program in tomllib.loads((FOLDER / "programs.toml").read_text())["program"]:
        source = [str(FOLDER / program["file"]), "--call", program["call"]]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        found = run(args.slowpath, "analyze", *source, "--strategy", "pump", "--sizes", SIZES, "--effort", args.effort)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        auto = run(args.slowpath, "analyze", *source, "--effort", args.effort).get("fit") or {}
        largest = found["results"][-1]
        lengths = {name: len(values) for name, values in largest["input"].items() if isinstance(values, list)}
        bad = {name: filled(pattern, lengths[name]) for name, pattern in program["bad"].items()}
        by_hand = run(args.slowpath, "run", *source, "--size", "4096", "--input", json.dumps(bad))
        hand, cost = by_hand["costs"]["instructions"], largest["cost"]
        shown = lambda value, cut: f"> {value:,}" if cut else f"{value:,}"
        ratio = "" if largest["at_least"] else f"{cost / hand:.2f}"
        law = "; ".join(one["law"] for one in (found.get("input_law") or {}).get("inputs", []))
        verdict = lambda fit: f"{fit.get('verdict', 'none')} {fit.get('class') or ''}".strip()
        fit = found.get("fit") or {}
        wanted = program["class"][0]
        stated = auto.get("class") or ""
        right = stated.endswith("^n") if wanted == "exponential" else stated == wanted
        failed |= cost < hand or not right
        print(f"| `{program['file']}` | {shown(hand, hand >= LIMIT)} | {shown(cost, largest['at_least'])} | {ratio} | "
              f"{verdict(fit)} | {verdict(auto)} | `{law}` | {seconds:.0f} |", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
