#!/usr/bin/env bash
# Installs slowpath for a workflow: what is on the path already, a release that is named, or the wheel.
set -euo pipefail

bin=${SLOWPATH_HOME:-$HOME/.slowpath}/bin
compilers=(clang-19 llvm-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32 libz3-4)

if [[ ${SLOWPATH_COMPILERS:-true} == true ]] && ! command -v clang-19 >/dev/null && command -v apt-get >/dev/null; then
    as_root=$(command -v sudo || true)
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq --no-install-recommends "${compilers[@]}"
fi

if [[ -n ${SLOWPATH_TARBALL:-} ]]; then
    mkdir -p "$bin"
    case $SLOWPATH_TARBALL in
        http://* | https://*) curl --fail --silent --show-error --location "$SLOWPATH_TARBALL" ;;
        *) cat "$SLOWPATH_TARBALL" ;;
    esac | tar --extract --gzip --directory "$bin/.." --no-same-owner
    # A release has the binary at its top, in a folder of its own, or in bin.
    found=$(find "$bin/.." -maxdepth 3 -type f -name slowpath -perm -u+x | head -n 1)
    [[ -n $found ]] || { echo "::error::$SLOWPATH_TARBALL has no program called slowpath"; exit 2; }
    [[ $found -ef $bin/slowpath ]] || cp "$found" "$bin/slowpath"
    [[ -z ${GITHUB_PATH:-} ]] || echo "$bin" >>"$GITHUB_PATH"
    "$bin/slowpath" --version
elif ! command -v slowpath >/dev/null; then
    python3 -m pip install --quiet "slowpath${SLOWPATH_VERSION:+==$SLOWPATH_VERSION}"
    slowpath --version
else
    slowpath --version
fi
