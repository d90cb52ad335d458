#!/usr/bin/env bash
# Makes a Debian package of the program that cargo has built, in target/packages (or $PACKAGES, of $PROGRAM). What it depends on is read off the program.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${PROGRAM:-target/release/slowpath}
packages=${PACKAGES:-target/packages}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
architecture=$(dpkg --print-architecture)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

scripts/stage.sh "$stage/usr" "$program"
chmod 755 "$stage"
doc=$stage/usr/share/doc/slowpath
gzip --no-name --best "$doc/CHANGELOG.md"
mv "$doc/CHANGELOG.md.gz" "$doc/changelog.gz"
{
    echo "slowpath, under the MIT licence or the Apache License 2.0, whichever you like."
    echo
    cat LICENSE-MIT
    echo
    echo "The Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0."
} >"$doc/copyright"
rm "$doc/LICENSE-MIT" "$doc/LICENSE-APACHE"

# The packages of the libraries it is linked with. Of glibc, at least the newest version that a symbol asks for.
glibc=$(objdump -T "$program" | grep -o 'GLIBC_[0-9.]*' | sort --version-sort | tail -1)
libraries=$(ldd "$program" | sed -n 's/.* => \(\/[^ ]*\).*/\1/p')
depends=()
for library in $libraries; do
    # The linker may name a folder that is a link, which the package manager does not know by that name.
    owner=$(dpkg-query --search "$(realpath "$library")" "$library" 2>/dev/null | head -1 | cut -d: -f1) || true
    if [[ -z $owner ]]; then
        echo "deb: $library belongs to no package, so nothing can depend on it" >&2
        exit 1
    fi
    [[ $owner == libc6 ]] && owner="libc6 (>= ${glibc#GLIBC_})"
    [[ ", ${depends[*]-}, " == *", $owner, "* ]] || depends+=("$owner,")
done
depends=$(printf '%s\n' "${depends[@]}" | sort --unique | paste --serial --delimiters=' ' | sed 's/,$//')

mkdir "$stage/DEBIAN"
cat >"$stage/DEBIAN/control" <<END
Package: slowpath
Version: $version
Architecture: $architecture
Maintainer: the slowpath authors <slowpath@localhost>
Section: devel
Priority: optional
Installed-Size: $(du --summarize --block-size=1024 "$stage/usr" | cut -f1)
Depends: $depends
Recommends: clang-19, llvm-19, lld-19, wasi-libc, libclang-rt-19-dev-wasm32
Suggests: libc++-19-dev-wasm32, libc++abi-19-dev-wasm32, libstd-rust-dev-wasm32, rustc
Homepage: https://github.com/slowpath/slowpath
Description: finds the inputs that make code slowest
 Give slowpath a function in C, C++ or Rust, or any WebAssembly module. It
 finds the worst input of every size, proves its cost on another engine, and
 says how the cost grows and which line is responsible.
 .
 The recommended packages compile C; for .wasm files they are not needed.
END
mkdir -p "$packages"
file=$packages/slowpath_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$stage" "$file" >/dev/null
echo "$file"
