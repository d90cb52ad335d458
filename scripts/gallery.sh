#!/bin/sh
# Runs the programs of docs/gallery.md and makes a report of each, with an index: scripts/gallery.sh DIR
set -eu
cd "$(dirname "$0")/.."
out=${1:?"usage: scripts/gallery.sh DIR"}
PATH=$PWD/target/release:$PATH
mkdir -p "$out"
number=0
sed -n 's/^\$ \(slowpath analyze .*\) | head -1$/\1/p' docs/gallery.md | while read -r command; do
    number=$((number + 1))
    folder=$(mktemp -d)
    eval "$command --quiet --out $folder" < /dev/null | head -1
    mv "$folder/findings.json" "$out/$(printf %02d $number).json"
    rmdir "$folder"
done
slowpath report "$out"
