#!/usr/bin/env bash
# Makes sure that everything slowpath needs besides Rust is installed. Safe to run again and again: it only calls the package
# manager when something is missing, and says what it does.
set -euo pipefail

# `setup.sh demo` is content with what a program in C needs: clang, opt, llc and wasm-ld of one version, the C library for WebAssembly
# with its helpers, and the Z3 solver. Without it come the C++ library, a rustc for WebAssembly, and for the tests a browser and Python.
only=${1:-everything}
packages=(clang-19 llvm-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32 libz3-dev)
[[ $only == demo ]] || packages+=(libc++-19-dev-wasm32 libc++abi-19-dev-wasm32)

say() { printf 'setup: %s\n' "$*"; }

if ! command -v cargo >/dev/null; then
    say "cargo is missing; install Rust 1.95 or newer (https://rustup.rs), then run this again"
    exit 1
fi

if ! command -v apt-get >/dev/null; then
    # Elsewhere the names differ, so only look, and leave the installing to the reader.
    missing=()
    for tool in clang opt llc wasm-ld; do
        command -v "$tool" >/dev/null || command -v "$tool-19" >/dev/null || missing+=("$tool")
    done
    if ((${#missing[@]})); then
        say "this is no Debian or Ubuntu; please install LLVM 19 with clang and lld, wasi-libc and Z3 yourself"
        say "not found: ${missing[*]}"
        exit 1
    fi
    say "the LLVM tools are here; wasi-libc and Z3 are looked for when they are needed"
    exit 0
fi

# The tests of the HTML report open it in a browser; any Chromium will do.
browser() { command -v chromium || command -v chromium-browser || command -v google-chrome || command -v google-chrome-stable; }
[[ $only == demo ]] || browser >/dev/null || packages+=(chromium)

# The Python package is tested in an environment of its own.
[[ $only == demo ]] || python3 -c 'import venv, ensurepip' 2>/dev/null || packages+=(python3 python3-venv)

# Rust programs are compiled by a rustc that knows the target: rustup's, where it was added, or else Debian's beside it.
wasm_rust() {
    local rustc library
    while read -r rustc; do
        library=$("$rustc" --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) && [[ -d $library ]] && return
    done < <(type -ap rustc)
    return 1
}
# Debian's must come after the rustc that builds slowpath, or cargo would take it for its own.
debian_comes_first() {
    local place
    while IFS= read -r -d : place; do
        [[ $place == /usr/bin ]] && return 0
        [[ -x $place/rustc ]] && return 1
    done <<<"$PATH:"
    return 0
}
if [[ $only != demo ]] && ! wasm_rust; then
    if debian_comes_first; then
        say "to analyse Rust programs: rustup target add wasm32-unknown-unknown"
    else
        packages+=(rustc libstd-rust-dev-wasm32)
    fi
fi

# Rust links with the system's C compiler, and Z3 needs the C++ library.
command -v c++ >/dev/null || packages+=(g++)

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
done

if ((${#missing[@]} == 0)); then
    say "everything that is needed is installed"
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
        say "please run as root: apt-get install ${missing[*]}"
        exit 1
    fi
    as_root=(sudo)
fi

say "installing ${missing[*]}"
"${as_root[@]}" apt-get update --quiet
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends "${missing[@]}"
say "done"
