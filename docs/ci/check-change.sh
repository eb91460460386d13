#!/bin/sh
# Any CI: fails when what changed since BASE stalls the GPU in every step. Copy it; syncsniff must be on PATH.
# usage: check-change.sh [BASE]      without BASE everything counts
set -eu
cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
syncsniff check -p build ${1:+--diff="$1"} --fail-level=high
