#!/usr/bin/env python3
"""What `auto` makes of every program of the suites without --sizes: how many sizes it reports, and what it says of growth; a table in Markdown.

    python3 scripts/default_sizes.py                      every program, --effort 1e9
    python3 scripts/default_sizes.py --effort 2e8 kmp     a part of it

Exits with 1 where a program gets fewer than eight sizes, or neither a law nor a reason why there is none.
"""

import argparse
import json
import subprocess
import sys

from strategies import ROOT, programs

FEWEST = 8


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", help="parts of program names")
    parser.add_argument("--effort", default="1e9")
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    args = parser.parse_intermixed_args()
    short = 0
    print("| program | sizes | largest | exact to | growth |\n|---|---|---|---|---|")
    for (suite, name), row in programs().items():
        if args.only and not any(part in name for part in args.only):
            continue
        command = [args.slowpath, "analyze", row["file"], *row["entry"], "--cost", row["cost"], "--effort", args.effort]
        done = subprocess.run([*command, "--jobs", "1", "--quiet", "--format", "json"], capture_output=True, text=True)
        try:
            found = json.loads(done.stdout)
        except ValueError:
            print(f"| {suite} {name} | none | | | {done.stderr.strip()} |", flush=True)
            short += 1
            continue
        sizes = [result["size"] for result in found["results"] if result.get("cost") is not None]
        exact = [result["size"] for result in found["results"] if result["confidence"] == "exact"]
        fit = found.get("fit") or {}
        law = fit.get("formula") or fit.get("class") or fit.get("reason") or fit.get("why")
        short += len(sizes) < FEWEST or not law
        growth = f"{fit.get('verdict', 'none')}: {law}"
        print(f"| {suite} {name} | {len(sizes)} | {max(sizes, default=0):,} | {max(exact, default='')} | {growth} |", flush=True)
    sys.exit(1 if short else 0)


if __name__ == "__main__":
    main()
