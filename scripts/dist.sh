#!/usr/bin/env bash
# Makes a tarball of the program that cargo has built, in target/packages (or $PACKAGES, of $PROGRAM). Z3 comes along, in lib/slowpath, where the program looks first.
# Not inside, and expected of any Linux with glibc: libc, libm, libgcc_s and libstdc++ (of which Z3 is the only user).
set -euo pipefail
cd "$(dirname "$0")/.."
program=${PROGRAM:-target/release/slowpath}
packages=${PACKAGES:-target/packages}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=slowpath-$version-$(uname --machine)-linux-gnu
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

scripts/stage.sh "$stage/$name" "$program"
z3=$(ldd "$program" | sed -n 's/.*libz3[^ ]* => \(\/[^ ]*\).*/\1/p')
if [[ -n $z3 ]]; then
    install -D --mode=644 "$z3" "$stage/$name/lib/slowpath/$(basename "$z3")"
fi
mkdir -p "$packages"
file=$packages/$name.tar.xz
tar --directory="$stage" --owner=0 --group=0 --sort=name --create --use-compress-program='xz -T0 -3' --file="$file" "$name"
echo "$file"
