#!/usr/bin/env bash
# The analyzer's tests under ASan and UBSan. Not in CI: the build alone takes half an hour on two cores.
# usage: asan_analyzer.sh [FOLDERS OF tests/analyzer...]    (default: checks; all of them: checks facts fixes frontend ...)
# BUILD: the build folder (default build-asan); JOBS: compilers at once (default: one a core); CXX: the compiler.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${BUILD:-$root/build-asan}
jobs=${JOBS:-$(nproc)}
folders=("$@")
if [ ${#folders[@]} = 0 ]; then folders=(checks); fi
targets=("${folders[@]/#/tests/analyzer/}")
targets=("${targets[@]/%//all}")

# libclang-cpp and libLLVM are not instrumented: a std::vector that they grew looks overrun in our inlined code.
# What LLVM keeps until the process ends is not ours to free.
export ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=0:detect_stack_use_after_return=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export UBSAN_OPTIONS=print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}

# Clang compiles sanitized code two and a half times as fast as GCC; its runtime is a package of its own.
compiler=${CXX:-}
if [ -z "$compiler" ]; then
  compiler=c++
  if clang++-19 -fsanitize=address,undefined -x c++ - -o /dev/null <<<'int main() {}' 2>/dev/null; then compiler=clang++-19; fi
fi
# -O0: the parsing is done in LLVM, which is optimised; -g1: the lines that reports name, at a third of the disk.
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER="$compiler" "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g1" \
  -DSYNCSNIFF_SANITIZE=address,undefined -DSYNCSNIFF_RUN=OFF -DSYNCSNIFF_SAMPLES=OFF -DSYNCSNIFF_TESTS=ON
cmake --build "$build" -j "$jobs" --target syncsniff syncsniff-analyzer syncsniff_clang_headers syncsniff_tables \
  "${targets[@]}"
status=0
for folder in "${folders[@]}"; do
  ctest --test-dir "$build/tests/analyzer/$folder" --output-on-failure --no-tests=error -j "$jobs" --timeout 600 || status=1
done
exit $status
