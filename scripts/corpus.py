#!/usr/bin/env python3
"""Analyses every program of a corpus (a folder of tests/programs with a programs.toml) and compares with the inputs known to be bad.

    python3 scripts/corpus.py hashes --effort 2e9
    python3 scripts/corpus.py portfolio --budget 60s chained_hash union_chain

A line for each program: its growth verdict, and for every size with a known input the cost found as a part of the known one, with its
confidence. Exits with 1 where something is called exact or validated below a known input.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(slowpath, *args):
    done = subprocess.run([slowpath, *args, "--format", "json"], capture_output=True, text=True)
    if not done.stdout:
        sys.exit(f"slowpath {' '.join(args)}\n{done.stderr}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("only", nargs="*", help="parts of calls or file names")
    parser.add_argument("--budget")
    parser.add_argument("--effort")
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    args = parser.parse_intermixed_args()
    folder = ROOT / "tests/programs" / args.corpus
    limit = ["--budget", args.budget] if args.budget else ["--effort", args.effort or "1e9"]
    overclaimed = 0
    for program in tomllib.loads((folder / "programs.toml").read_text())["program"]:
        entry = ["--harness", program["harness"]] if "harness" in program else ["--call", program["call"]]
        if args.only and not any(part in program["file"] + entry[1] for part in args.only):
            continue
        file = str(folder / program["file"])
        sizes = ["--sizes", program["sizes"]] if "sizes" in program else []
        found = run(args.slowpath, "analyze", file, *entry, *sizes, *limit)
        results = {result["size"]: result for result in found["results"]}
        parts = []
        for known in program.get("known", []):
            size = known["size"]
            ran = run(args.slowpath, "run", file, *entry, "--size", str(size), "--input", known["input"])
            cost, result = ran["costs"]["instructions"], results.get(size, {})
            part, sure = (result.get("cost") or 0) / cost, result.get("confidence", "nothing")
            if part < 1 and sure in ("exact", "validated"):
                overclaimed += 1
                sure += " OVERCLAIMED"
            parts.append(f"n = {size}: {part:.2f} {sure} by {result.get('found_by')}")
        fit = found.get("fit") or {}
        growth = f"{fit.get('verdict', 'no law')} {fit.get('class') or ''} (known: {', '.join(program.get('class', ['?']))})"
        print(f"{program['file']} {entry[1]}: {growth}; {'; '.join(parts)}", flush=True)
    sys.exit(1 if overclaimed else 0)


if __name__ == "__main__":
    main()
