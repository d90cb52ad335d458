#!/usr/bin/env python3
"""`auto` beside every single strategy, on every program of the suites at its largest published size; a table in Markdown.

    python3 scripts/strategies.py                         the work of 60 s for each cell, hours in all
    python3 scripts/strategies.py --effort 6e8 kmp        a part of it
    python3 scripts/strategies.py --budget 60s            by the clock

By effort, what else the machine does changes nothing. `auto` always has all of it. A strategy by itself is first given a twentieth, and all of it
where that decides something: where neither it nor `auto` has reached the cost that is known to be the worst. With `--whole` it has all of it wherever
its twentieth falls short. Results are kept in target/strategies.json and not made again.
"""

import argparse
import json
import pathlib
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITES = ["wise", "spf-wca", "ese", "xstressor"]
ALONE = ["exhaustive", "memo", "wise", "history", "evolve", "synthesize", "pump", "mutate", "random", "dfs"]


def sizes_in(table):
    """Every size that a published table has a figure for ("OOT" is none)."""
    if isinstance(table, dict):
        for key, value in table.items():
            if key.isdigit():
                if not isinstance(value, str):
                    yield int(key)
            else:
                yield from sizes_in(value)
    elif isinstance(table, list):
        for value in table:
            yield from sizes_in(value)


def worst_costs(program, sizes):
    """The known worst costs by size, under the program's own cost model."""
    if program["cost"] != "decisions":
        return program.get("worst_at") or program.get("worst_branches_at") or {}
    factor, _, rest = program["worst_decisions"].partition(" n")
    return {str(n): int(factor) * n + int(rest.removeprefix(" + ") or 0) for n in sizes}


def programs():
    """Each program once: (suite, name, file, entry, cost, largest published size, known worst cost)."""
    rows = {}
    for suite in SUITES:
        folder = ROOT / "benchmarks" / suite
        for program in tomllib.loads((folder / "suite.toml").read_text())["program"]:
            sizes = list(sizes_in(program["published"]))
            if program.get("worst_from"):
                # The same program in another suite: only the size may be larger.
                row = rows[("wise", program["name"])]
                row["size"] = max(row["size"], *sizes)
                continue
            entry = ["--harness", program["harness"]] if "harness" in program else ["--call", program["call"]]
            rows[(suite, program["name"])] = {
                "file": str(folder / program["file"]),
                "entry": entry,
                "cost": program["cost"],
                # A program that no published run finished at any size: the one that was tried first.
                "size": max(sizes, default=10),
                "worst": worst_costs(program, sizes),
            }
    return rows


def analyse(slowpath, row, strategy, limit):
    command = [slowpath, "analyze", row["file"], *row["entry"], "--cost", row["cost"], "--sizes", str(row["size"])]
    command += ["--strategy", strategy, "--jobs", "1", "--quiet", "--format", "json", *limit]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        result = json.loads(done.stdout)["results"][-1]
    except (ValueError, IndexError, KeyError):
        return {"cost": None, "error": done.stderr.strip().splitlines()[-1:]}
    return {key: result.get(key) for key in ("cost", "at_least", "confidence", "found_by", "verified")}


def cell(row, found):
    """A cost as a part of the known worst, or as it is where none is known."""
    if found is None or found["cost"] is None:
        return "–"
    known = row["worst"].get(str(row["size"]))
    if not known:
        return f"{found['cost']:,}"
    return "**1**" if found["cost"] >= known else f"{int(found['cost'] / known * 1000) / 1000:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", help="parts of program names")
    parser.add_argument("--effort", type=float, default=6e9)
    parser.add_argument("--budget")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--strategies", default=",".join(["auto", *ALONE]))
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    parser.add_argument("--kept", type=pathlib.Path, default=ROOT / "target/strategies.json")
    args = parser.parse_intermixed_args()
    strategies = args.strategies.split(",")
    kept = json.loads(args.kept.read_text()) if args.kept.exists() else {}
    limit = args.budget or f"{args.effort:.0f}"
    print("| program | n | known | " + " | ".join(strategies) + " |")
    print("|" + "---|" * (3 + len(strategies)))
    for (suite, name), row in programs().items():
        if args.only and not any(part in name for part in args.only):
            continue
        known = row["worst"].get(str(row["size"]))
        cells = []
        decided = False
        for strategy in strategies:
            key = f"{suite}/{name} {row['size']} {strategy} {limit}"
            if key not in kept:
                parts = [1] if args.budget or strategy == "auto" or known is None else [20, 1]
                for part in parts:
                    how = ["--budget", args.budget] if args.budget else ["--effort", f"{args.effort / part:.0f}"]
                    kept[key] = analyse(args.slowpath, row, strategy, how) | {"part": part}
                    if known and (kept[key]["cost"] or 0) >= known or decided and not args.whole:
                        break
                args.kept.write_text(json.dumps(kept, indent=1))
            decided |= strategy == "auto" and known is not None and (kept[key]["cost"] or 0) >= known
            cells.append(cell(row, kept[key]))
        shown = f"{known:,}" if known else "?"
        print(f"| {suite} {name} | {row['size']} | {shown} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
