#!/usr/bin/env python3
"""Measures the growth class of every benchmark program and writes docs/classes.md.

Runs `slowpath check` on benchmarks/slowpath.toml (about five minutes) and fails where a class found is not the
textbook's. A bound alone would not do: it also lets better classes pass.

usage: scripts/classes.py [path of the slowpath binary]
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONFIG = "benchmarks/slowpath.toml"

HEAD = """# Growth classes of the published suites

What slowpath finds for each benchmark program, beside what textbooks say. Made by `scripts/classes.py`, which runs

<!-- not run: minutes of work, done by scripts/classes.py -->
```sh
slowpath check --config benchmarks/slowpath.toml
```

and fails if a class differs. The sizes, calls and budgets are in `benchmarks/slowpath.toml`. The third column is the verdict
([fit.md](fit.md)): an exact formula gives every cost from the first size it holds for, also at sizes that were held out. Fitted ones differ a
little from run to run where the worst inputs of larger sizes are found by local search, within the budget.

`heap_insert` measures n insertions, n log n together; `heap_push` measures one of them. `dfs` and `bfs` count in
entries of the adjacency matrix, so that v² is linear.

| program | counts | | textbook | found | formula |
|---|---|---|---|---|---|
"""


def same(expected: str, found: str | None) -> bool:
    if expected == "exponential":
        return found is not None and found.endswith("^n")
    return expected == found


def main() -> int:
    binary = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/slowpath")
    config = tomllib.loads((ROOT / CONFIG).read_text())
    expected = {target["name"]: target["expect"] for target in config["target"]}
    command = [binary, "check", "--config", CONFIG, "--format", "json", "--quiet", "--lenient", "--out", str(ROOT / "target/classes")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        print(done.stderr, file=sys.stderr)
        return 2
    rows, wrong = [], []
    for target in json.loads(done.stdout)["targets"]:
        name, found = target["name"], target["class"]
        document = json.loads((ROOT / "target/classes" / f"{name}.json").read_text())
        verdict = (document["fit"] or {}).get("verdict", "not sure")
        cells = [name, f"`{target['cost_model']}`", verdict, expected[name], found or "not sure", target["formula"] or ""]
        rows.append("| " + " | ".join(cells) + " |")
        if not same(expected[name], found):
            wrong.append(f"{name}: {expected[name]} expected, {found} found")
    (ROOT / "docs/classes.md").write_text(HEAD + "\n".join(rows) + "\n")
    print("\n".join(wrong) or f"all {len(rows)} classes are as in textbooks")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
