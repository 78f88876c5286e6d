#!/usr/bin/env bash
# Makes the weights of the evaluation, src/search/eval/weights.bin: the same bytes each time.
set -euo pipefail

usage() {
    cat <<'END'
Usage: scripts/train.sh [TABLES] [options of alquerque train]

Builds the exact tables of 10 stones in the directory TABLES (default: target/train-tables) unless they
are there, and trains the evaluation with them. It takes some minutes on two cores.

Examples
  scripts/train.sh                            the weights that the program ships with
  scripts/train.sh tables --seed 2 --out weights.bin
                                              others, in another place
All options: alquerque train --help
END
}

case "${1:-}" in
-h | --help | help)
    usage
    exit 0
    ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
case $target in
/*) ;;
*) target=$PWD/$target ;;
esac
tables=$target/train-tables
case "${1:-}" in
"" | -*) ;;
*)
    tables=$1
    shift
    ;;
esac

(cd "$root" && CARGO_TARGET_DIR=$target cargo build --release --quiet)
alquerque=$target/release/alquerque
"$alquerque" tables build --stones 10 --dir "$tables"
# The last --out counts, so the options may name another file.
"$alquerque" train --dir "$tables" --out "$root/src/search/eval/weights.bin" "$@"
