#!/usr/bin/env bash
# Pits two versions of the engine against each other: git revisions, the working tree, or programs.
set -euo pipefail

usage() {
    cat <<'END'
Usage: scripts/match.sh BASE [TEST] [options of alquerque match]

Is TEST stronger than BASE? Each is one of
  a git revision (branch, tag, commit)   built once, kept by its commit
  .                                      the working tree as it is (the default for TEST)
  a path of a program                    any engine that speaks UCI

Examples
  scripts/match.sh main                  this working tree against main, until it is decided
  scripts/match.sh main my-branch --tc 10+0.1 --games 400 --pgn games.pgn
  scripts/match.sh v0.1.0 . --nodes 20000 --games 1000
  scripts/match.sh ./old-engine ./new-engine --movetime 100 --games 200

Unless the options say otherwise: --tc 2+0.02 --sprt elo0=0,elo1=10 --games 20000, as many games at
once as there are processors, recorded under target/match so that the same command goes on after it
was stopped. All options: alquerque match --help

ALQUERQUE_RUNNER=PROGRAM plays the match with that program instead of one built from this tree.
END
}

fail() {
    printf 'match.sh: %s\n' "$1" >&2
    exit "${2:-1}"
}

case "${1:-}" in
"" | -h | --help | help)
    usage
    exit 0
    ;;
-*) fail "the first word is the base, not an option: $1 (try: scripts/match.sh --help)" 2 ;;
esac

here=$PWD
base=$1
shift
test=.
case "${1:-}" in
"" | -*) ;;
*)
    test=$1
    shift
    ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
case $target in
/*) ;;
*) target=$here/$target ;;
esac
cache=$target/match
mkdir -p "$cache"

worktree=
cleanup() {
    if [ -n "$worktree" ]; then
        git -C "$root" worktree remove --force "$worktree" >/dev/null 2>&1 || true
        rm -rf "$worktree"
    fi
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The release binary of a source tree, built into a folder.
build() { # tree, folder
    (cd "$1" && CARGO_TARGET_DIR=$2 cargo build --release --quiet --bin alquerque) ||
        fail "$1 does not build"
}

# Sets `binary` to the program of a revision, the working tree or a path.
program() { # what
    local commit
    if [ "$1" = . ]; then
        build "$root" "$target"
        # A copy, so that the next build does not change a match that is running.
        binary=$cache/tree/$(cksum <"$target/release/alquerque" | tr ' ' '-')/alquerque
        if [ ! -x "$binary" ]; then
            mkdir -p "$(dirname "$binary")"
            cp "$target/release/alquerque" "$binary"
        fi
    elif commit=$(git -C "$root" rev-parse --quiet --verify "$1^{commit}"); then
        binary=$cache/$commit/alquerque
        if [ ! -x "$binary" ]; then
            printf 'Building %s (%s)\n' "$1" "${commit:0:12}" >&2
            worktree=$(mktemp -d)
            git -C "$root" worktree add --quiet --detach --force "$worktree" "$commit" ||
                fail "no worktree can be made for $1"
            build "$worktree" "$cache/build"
            mkdir -p "$cache/$commit"
            # Under another name until it is whole.
            cp "$cache/build/release/alquerque" "$binary.$$"
            mv "$binary.$$" "$binary"
            cleanup
            worktree=
        fi
    else
        binary=$1
        case $binary in
        /*) ;;
        *) binary=$here/$binary ;;
        esac
        [ -f "$binary" ] && [ -x "$binary" ] ||
            fail "$1 is neither a git revision, nor '.', nor a program" 2
    fi
}

# Whether one of the options is among the arguments.
given() { # options, arguments
    local option argument
    for option in $1; do
        for argument in "${@:2}"; do
            case $argument in "$option" | "$option"=*) return 0 ;; esac
        done
    done
    return 1
}

program "$base"
base_program=$binary
program "$test"
test_program=$binary
if [ -n "${ALQUERQUE_RUNNER:-}" ]; then
    runner=$ALQUERQUE_RUNNER
else
    program .
    runner=$binary
fi

name() { # what
    if [ "$1" = . ]; then printf 'working-tree'; else printf '%s' "${1##*/}" | tr ',\\"' '___'; fi
}
base_name=$(name "$base")
test_name=$(name "$test")
[ "$base_name" != "$test_name" ] || base_name=$base_name-base

escape() { # path, for a list with commas
    printf '%s' "${1//,/\\,}"
}

options=("$@")
given "--tc --movetime --nodes --depth" "$@" || options+=(--tc 2+0.02)
given "--games --sprt" "$@" || options+=(--sprt elo0=0,elo1=10 --games 20000)
given "--concurrency" "$@" || options+=(--concurrency "$(getconf _NPROCESSORS_ONLN)")
if ! given "--jsonl --out --pgn" "$@"; then
    record=$(printf '%s\n' "$(cksum <"$base_program")" "$(cksum <"$test_program")" \
        "$base_name" "$test_name" "${options[@]}" | cksum | tr ' ' '-')
    options+=(--jsonl "$cache/$record.jsonl")
fi

# Not `exec`: the trap must still clean up.
"$runner" match \
    --engine "name=$test_name,cmd=$(escape "$test_program")" \
    --engine "name=$base_name,cmd=$(escape "$base_program")" \
    "${options[@]}"
