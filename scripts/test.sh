#!/usr/bin/env bash
# Builds everything and runs every test; ctest's summary is the last thing printed.
# usage: scripts/test.sh [CTEST OPTIONS...]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

install_packages
use_cuda
fetch_cuda12
# Without a GPU the kernels' tests only compile: one architecture shows that as well as two, and without optimisation.
kernels=()
if [ ! -e /dev/nvidiactl ]; then
  kernels=(-DCMAKE_CUDA_ARCHITECTURES=80 "-DCMAKE_CUDA_FLAGS_RELWITHDEBINFO=-O0 -DNDEBUG")
fi
build_project -DSYNCSNIFF_TESTS=ON -DSYNCSNIFF_SANITIZED_TESTS=ON "${kernels[@]}"
build_sanitized
say "testing"
exec ctest --test-dir "$BUILD" --output-on-failure -j "$(build_jobs)" "$@" </dev/null
