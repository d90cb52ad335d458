#!/usr/bin/env bash
# Installs what `make wheel`, `make deb` and `make dist` made, and the crates, each where there is nothing else, and analyses the example
# there. All of it takes minutes and an index of packages. `make test` has less of it (QUICK=1): the Debian package unpacked only, and the program of the
# crates with wasmi and not optimized.
#
#   scripts/packages.sh [wheel] [pip] [deb] [dist] [crates]    without words: all of them
#
# What cannot be done here, since a registry cannot be reached, is SKIPPED, and said.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
packages=${PACKAGES:-$root/target/packages}
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
asked=${*:-wheel pip deb dist crates}
say() { printf 'packages: %s\n' "$*"; }

# The example, in a folder of its own, with nothing of the user's around it.
demo() {
    local folder
    folder=$(mktemp -d --tmpdir="$empty")
    cp examples/isort.c "$folder"
    (cd "$folder" && env --ignore-environment PATH="$1" HOME="$folder" "${@:2}" analyze isort.c --call 'isort(a: i32[n], n)' \
        --sizes 1..6 --effort 1e8 --quiet | head -1)
}
only() { [[ " $asked " == *" $1 "* ]]; }
the_one() {
    local files=("$packages"/$1)
    [[ -e ${files[0]} && ${#files[@]} == 1 ]] || { say "there is no $1, or more than one, in $packages" >&2; exit 1; }
    echo "${files[0]}"
}

python_demo() {
    "$1/bin/python" - <<'END'
import slowpath
found = slowpath.analyze("examples/isort.c", call="isort(a: i32[n], n)", sizes=range(1, 7), effort=1e8)
assert found.worst.cost == 687 and found.fit.class_ == "n^2", found
END
    demo "$1/bin:/usr/bin:/bin" slowpath
}

if only wheel; then
    say "the wheel, in an environment without anything"
    python3 -m venv "$empty/wheel"
    "$empty/wheel/bin/pip" install --quiet --disable-pip-version-check --no-index "$(the_one '*.whl')"
    python_demo "$empty/wheel"
    # The Z3 it uses is the one inside.
    grep --quiet 'site-packages/slowpath/libz3' < <(ldd "$empty"/wheel/lib/python3*/site-packages/slowpath/_native.abi3.so)
fi

if only pip; then
    say "pip install . (maturin builds it)"
    python3 -m venv "$empty/pip"
    "$empty/pip/bin/pip" install --quiet --disable-pip-version-check .
    python_demo "$empty/pip"
fi

if only dist; then
    say "the tarball"
    mkdir "$empty/dist"
    tar --directory="$empty/dist" --strip-components=1 --extract --file="$(the_one '*.tar.xz')"
    demo "$empty/dist/bin:/usr/bin:/bin" slowpath
    grep --quiet 'lib/slowpath/libz3' < <(ldd "$empty/dist/bin/slowpath")
    [[ $(man --local-file "$empty/dist/share/man/man1/slowpath-analyze.1.gz" 2>/dev/null | wc -l) != 0 ]] || say "there is no man to read the pages with"
fi

if only deb; then
    file=$(the_one '*.deb')
    if [[ -z ${QUICK-} ]] && ((EUID == 0)) && command -v debootstrap >/dev/null; then
        say "the Debian package, on a fresh system"
        system=$empty/system
        # The release and mirror of this machine.
        release=$(. /etc/os-release && echo "$VERSION_CODENAME")
        mirror=$(apt-cache policy base-files | sed -n "s/^ *[0-9]* \(http[^ ]*\) $release\/main.*/\1/p" | head -1)
        debootstrap --variant=minbase "$release" "$system" "$mirror" >"$empty/debootstrap.log"
        rm --force "$system/etc/apt/sources.list"
        cp --recursive /etc/apt/sources.list* /etc/apt/apt.conf.d /etc/apt/trusted.gpg* "$system/etc/apt/" 2>/dev/null || true
        cp "$file" examples/isort.c "$system/root/"
        chroot "$system" sh -euc '
            export DEBIAN_FRONTEND=noninteractive
            apt-get update --quiet=2
            apt-get install --quiet=2 "/root/'"$(basename "$file")"'" >/dev/null 2>&1
            cd /root
            slowpath analyze isort.c --call "isort(a: i32[n], n)" --sizes 1..6 --effort 1e8 --quiet | head -1
            dpkg --verify slowpath'
    else
        say "the Debian package, unpacked only (for a fresh system: as root, with debootstrap)"
        dpkg-deb --extract "$file" "$empty/deb"
        demo "$empty/deb/usr/bin:/usr/bin:/bin" slowpath
    fi
fi

if only crates; then
    # Whatever Cargo.lock names must be there; what follows asks nobody.
    if ! said=$(cargo fetch --locked --target "$(rustc --version --verbose | sed -n 's/^host: //p')" 2>&1); then
        # A number in brackets is an error of the network. Anything else, a lock file that does not fit for one, is none of it.
        grep --quiet --extended-regexp '^ *\[[0-9]+\] |HTTP response' <<<"$said" || { say "$said" >&2; exit 1; }
        say "SKIPPED: crates: the registry cannot be reached:$(tail -1 <<<"$said")"
    else
        # What is compiled for the test is kept between runs; the packages are unpacked where they were.
        target=${CRATES:-$empty/crates}
        sources=$target/unpacked
        rm --recursive --force "$target/package" "$sources"
        mkdir --parents "$sources"
        say "every crate as a package"
        cargo package --workspace --no-verify --quiet --offline --allow-dirty --target-dir "$target"
        # With today's dates: those in a package are the same in every version, and cargo would take what is compiled for newer.
        for crate in "$target"/package/*.crate; do tar --directory="$sources" --touch --extract --file="$crate"; done
        {
            echo '[patch.crates-io]'
            for folder in "$sources"/*-[0-9]*; do
                name=$(basename "$folder")
                echo "${name%-[0-9]*} = { path = '$folder' }"
            done
        } >"$target/patch.toml"
        cli=$(echo "$sources"/slowpath-cli-*)
        # The folder may be below ours, whose workspace it is no part of: it is one of its own.
        printf '[workspace]\nmembers = ["%s"]\n' "$(basename "$cli")" >"$sources/Cargo.toml"
        build=(--profile release)
        if [[ -n ${QUICK-} ]]; then
            build=(--profile dev --config profile.dev.debug=false --config profile.dev.incremental=false --no-default-features --features wasmi,z3)
        fi
        say "the program, of nothing but the packages"
        # As `cargo install` of a published crate would, but for the registry.
        cargo install --quiet --offline --path "$cli" --root "$empty/installed" --target-dir "$target" \
            --config "$target/patch.toml" "${build[@]}"
        demo "$empty/installed/bin:/usr/bin:/bin" slowpath
    fi
fi
say "done"
