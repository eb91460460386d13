#!/usr/bin/env bash
# The analyzer's tests under ASan and UBSan. Not in CI: the build alone takes half an hour on two cores.
# usage: asan_analyzer.sh [FOLDERS OF tests/analyzer...]    (default: checks; all of them: checks facts fixes frontend ...)
# BUILD: the build folder (default build-asan); JOBS: compilers at once (default: one a core).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${BUILD:-$root/build-asan}
jobs=${JOBS:-$(nproc)}
folders=("$@")
if [ ${#folders[@]} = 0 ]; then folders=(checks); fi
targets=("${folders[@]/#/tests/analyzer/}")
targets=("${targets[@]/%//all}")

# -g1: lines for the reports, at a third of the disk. -O1: Clang's templates at -O0 are too slow to parse with.
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE= "-DCMAKE_CXX_FLAGS=-O1 -g1" \
  -DSYNCSNIFF_SANITIZE=address,undefined -DSYNCSNIFF_RUN=OFF -DSYNCSNIFF_SAMPLES=OFF -DSYNCSNIFF_TESTS=ON
cmake --build "$build" -j "$jobs" --target syncsniff syncsniff-analyzer syncsniff_clang_headers syncsniff_tables \
  "${targets[@]}"

# libclang-cpp and libLLVM are not instrumented: a std::vector that they grew looks overrun in our inlined code.
# What LLVM keeps until the process ends is not ours to free.
export ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=0:detect_stack_use_after_return=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export UBSAN_OPTIONS=print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}
status=0
for folder in "${folders[@]}"; do
  ctest --test-dir "$build/tests/analyzer/$folder" --output-on-failure --no-tests=error -j "$jobs" --timeout 600 || status=1
done
exit $status
