#!/usr/bin/env bash
# Lays out an installed slowpath under a folder: the program, manual pages, completions, documents. For deb.sh and dist.sh.
#
#   scripts/stage.sh FOLDER [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
program=${2:-target/release/slowpath}

install -D --mode=755 "$program" "$folder/bin/slowpath"
strip "$folder/bin/slowpath"

"$program" man --out "$folder/share/man/man1" >/dev/null
gzip --no-name --best "$folder"/share/man/man1/*.1

complete() { install -d "$folder/share/$(dirname "$2")" && "$program" completions "$1" >"$folder/share/$2"; }
complete bash bash-completion/completions/slowpath
complete zsh zsh/vendor-completions/_slowpath
complete fish fish/vendor_completions.d/slowpath.fish

install -D --mode=644 --target-directory="$folder/share/doc/slowpath" README.md CHANGELOG.md SECURITY.md LICENSE-MIT LICENSE-APACHE
install -D --mode=644 --target-directory="$folder/share/doc/slowpath/docs" docs/*.md docs/*.json
install -D --mode=644 --target-directory="$folder/share/doc/slowpath/examples" examples/*.c examples/*.ipynb
