#!/usr/bin/env bash
# Makes the pictures of the HTML report in docs/ anew: three programs, analysed and reported as a reader would do it, in a
# headless Chromium. Needs what `make setup` installs.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --workspace --bins
cargo build --release --package slowpath-report --example picture
programs=${CARGO_TARGET_DIR:-$PWD/target}/release
pictures=$PWD/docs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# report FILE ARGUMENT...: analyses a copy of the file, so that no path of this machine is on the page.
report() {
    cp "$1" "$work/"
    (cd "$work" && "$programs/slowpath" analyze "$(basename "$1")" "${@:2}" --stats --out . >/dev/null)
    "$programs/slowpath" report "$work" >/dev/null
}

# picture NAME WIDTH light|dark FIRST LAST: from one section of the current page to another.
picture() {
    timeout 120 "$programs/examples/picture" "$work/report.html" "$pictures/$1.png" "${@:2}"
    # Few colours are enough, and a third of the size.
    if command -v pngquant >/dev/null; then pngquant --force --ext .png 128 "$pictures/$1.png"; fi
    echo "wrote docs/$1.png"
}

report examples/isort.c --call 'isort(a: i32[n], n)' --sizes 1..8,12,16,24,32,48 --average 30
picture report 1000 light answer tree
# The first screen on a desk and on a phone, by day and by night.
picture report-first 1280 light answer answer
picture report-first-dark 1280 dark answer answer
picture report-phone 390 light answer growth
picture report-phone-dark 390 dark answer growth
report tests/programs/merge_recursive.c --call 'merge_recursive(a: i32[n], n)' --sizes 1..8,10..20,24,32 --average 30
picture report-merge-sort 1000 dark answer tree
report tests/programs/dijkstra.c --harness dijkstra --sizes 1..8 --budget 30s
picture report-dijkstra 1000 light source inputs
