#!/bin/sh
# Starts XBoard ready to play Alquerque against the engine. Further arguments go to XBoard, as in
#   scripts/xboard.sh -timeControl 10 -timeIncrement 2
# A step: click the stone, then the point. A capture: click the stone, each victim, then the
# landing point. After two victims the engine passes and the same stone goes on.
# ALQUERQUE is the engine to use; by default one is built. Without sound, unless asked for.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ -z "${ALQUERQUE:-}" ]; then
    (cd "$here/.." && cargo build --release)
    ALQUERQUE=${CARGO_TARGET_DIR:-$here/../target}/release/alquerque
fi
PATH=$PATH:/usr/games
if ! command -v xboard >/dev/null; then
    echo "xboard is not installed; on Debian: apt-get install xboard" >&2
    exit 1
fi
board=$here/xboard/board-5x5.png
exec xboard -fcp "$ALQUERQUE xboard" -scp "$ALQUERQUE xboard" -variant alquerque \
    -testLegality false -showTargetSquares true -highlightDragging true -oneClickMove true \
    -pieceImageDirectory "$here/xboard" -trueColors true \
    -useBoardTexture true -liteBackTextureFile "$board" -darkBackTextureFile "$board" \
    -overrideLineGap 0 -boardWidth 5 -boardHeight 5 -soundProgram "" "$@"
