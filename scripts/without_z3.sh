#!/usr/bin/env bash
# Builds slowpath without Z3 (cargo feature `z3`) in a folder of its own, and looks whether it does what it should: be exact where the other layers
# suffice, and where only Z3 could answer, say so and be sure of nothing. A build of minutes, so it is no part of `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target/without-z3}
cargo build --profile demo --package slowpath-cli --no-default-features --features wasmi --target-dir "$target"
slowpath=$target/demo/slowpath
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ldd "$slowpath" | grep libz3; then echo "it is linked with Z3" >&2; exit 1; fi
"$slowpath" analyze examples/isort.c --call 'isort(a: i32[n], n)' --sizes 1..6 --quiet --format json >"$folder/isort.json"
grep --quiet '"confidence": *"exact"' "$folder/isort.json"

# A product of unknowns: nothing but Z3 decides that.
cat >"$folder/product.c" <<'END'
int product(const unsigned *a, int n) {
    int hits = 0;
    for (int i = 0; i + 1 < n; i++)
        if ((a[i] ^ 0x5bd1) * (a[i + 1] | 3) * (a[i] + a[i + 1]) == 0x1234567) hits++;
    return hits;
}
END
"$slowpath" analyze "$folder/product.c" --call 'product(a: u32[n], n)' --sizes 2 --strategy exhaustive --quiet --format json \
    >"$folder/product.json"
grep --quiet 'built without it' "$folder/product.json" || { echo "limits do not say that Z3 is missing" >&2; exit 1; }
if grep --quiet '"confidence": *"exact"' "$folder/product.json"; then echo "it is sure of what it cannot know" >&2; exit 1; fi
if "$slowpath" analyze examples/isort.c --call 'isort(a: i32[n], n)' --solver z3 2>"$folder/refused"; then exit 1; fi
grep --quiet "invalid value 'z3'" "$folder/refused"
echo "without Z3: as it should be"
