# shellcheck shell=bash
# What quickstart.sh, test.sh and .ci/run share: install, find or fetch CUDA, configure, build. To be sourced by bash.
# Quiet: the noise goes to $LOG; a failure ends with one line that says what to do.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PRESET=${SYNCSNIFF_PRESET:-dev} # run-only: no check and fix, no LLVM needed
case $PRESET in
  dev) BUILD=$ROOT/build ;;
  run-only) BUILD=$ROOT/build-run ;;
  *) echo "syncsniff: error: SYNCSNIFF_PRESET=$PRESET: no such preset here; use dev or run-only" >&2; exit 2 ;;
esac
LOG=$BUILD/setup.log

PACKAGES=(build-essential cmake ninja-build ccache git binutils python3 python3-venv
  libyaml-cpp-dev libcli11-dev nlohmann-json3-dev libgtest-dev zlib1g-dev libzstd-dev)
LLVM_PACKAGES=(libclang-19-dev llvm-19-dev clang-19 clang-format-19 clang-tidy-19)
CUDA_WHEELS=(nvidia-cuda-nvcc nvidia-cuda-runtime nvidia-cuda-cccl nvidia-cuda-crt nvidia-cuda-cupti nvidia-nvvm)
CUDA_WHEELS_VERSION=13.0
CUDA12_WHEELS=(nvidia-cuda-nvcc-cu12==12.4.131 nvidia-cuda-runtime-cu12==12.4.127 nvidia-cuda-cccl-cu12==12.9.27)

say() { printf '== %s\n' "$*"; }

fail() {
  printf 'syncsniff: error: %s\n' "$*" >&2
  exit 2
}

# logged WHAT COMMAND...: runs it into the log; when it fails, shows the log's end and says which step it was.
logged() {
  local what=$1
  shift
  if ! "$@" >>"$LOG" 2>&1 </dev/null; then
    tail -n 20 "$LOG" >&2
    fail "$what failed; the whole log is $LOG"
  fi
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

missing_packages() {
  local wanted=("${PACKAGES[@]}") package
  if [ "$PRESET" = dev ]; then wanted+=("${LLVM_PACKAGES[@]}"); fi
  for package in "${wanted[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

install_packages() {
  mkdir -p "$BUILD"
  : >"$LOG"
  if ! command -v dpkg-query >/dev/null; then
    command -v cmake >/dev/null && command -v ninja >/dev/null && return
    fail "this machine has no apt; install cmake, ninja, yaml-cpp, CLI11, nlohmann-json, GoogleTest and LLVM 19 by hand"
  fi
  local missing
  mapfile -t missing < <(missing_packages)
  if [ ${#missing[@]} = 0 ]; then return; fi
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    fail "packages are missing and there is neither root nor sudo; as root: apt-get install ${missing[*]}"
  fi
  if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null && [ ! -t 0 ]; then
    fail "packages are missing and sudo asks for a password; run: sudo apt-get install ${missing[*]}"
  fi
  say "installing ${missing[*]}"
  if [ "$(id -u)" != 0 ]; then sudo true; fi # asks for the password here, not into the log
  logged "apt-get update" as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update
  logged "apt-get install (Debian 12, Ubuntu 24.04 and later have these packages)" \
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${missing[@]}"
}

# Prints the root of a CUDA toolkit of this machine; nothing when there is none.
find_cuda() {
  local root nvcc
  nvcc=$(command -v nvcc || true)
  for root in "${CUDA_HOME:-}" "${CUDA_PATH:-}" "${nvcc:+$(dirname "$(dirname "$(readlink -f "$nvcc")")")}" \
    /usr/local/cuda "$BUILD/cuda"; do
    if [ -n "$root" ] && [ -x "$root/bin/nvcc" ] && [ -e "$root/include/cuda_runtime.h" ]; then
      echo "$root"
      return
    fi
  done
}

# wheels_into DIR WHEELS...: with the Python of the build folder
wheels_into() {
  "$BUILD/python/bin/python" -m pip install --disable-pip-version-check --no-deps --target "$@"
}

# NVIDIA's own wheels hold nvcc and the headers; laid out as a toolkit in $BUILD/cuda. cuBLAS is not among them.
fetch_cuda() {
  local wheels=() name
  for name in "${CUDA_WHEELS[@]}"; do wheels+=("$name==$CUDA_WHEELS_VERSION.*"); done
  say "no CUDA toolkit here: taking nvcc and its headers from NVIDIA's Python wheels"
  rm -rf "$BUILD/cuda" "$BUILD/cuda-wheels"
  logged "making a Python environment" python3 -m venv "$BUILD/python"
  logged "installing NVIDIA's wheels (the network?)" wheels_into "$BUILD/cuda-wheels" "${wheels[@]}"
  local root=$BUILD/cuda-wheels/nvidia/cu${CUDA_WHEELS_VERSION%%.*}
  [ -x "$root/bin/nvcc" ] || fail "$root/bin/nvcc: not where the wheels used to put it; install a CUDA toolkit instead"
  # The names that nvcc and CMake look for in an ordinary toolkit.
  ln -sfn lib "$root/lib64"
  for name in "$root"/lib/lib*.so.*; do ln -sf "$(basename "$name")" "${name%%.so.*}.so"; done
  ln -sfn "$root" "$BUILD/cuda"
}

# The headers and ptxas of CUDA 12, for the tests that the kernels compile with those too (26 MB). Without a network those
# tests are left out, and nothing else.
fetch_cuda12() {
  local root=$BUILD/cuda12 part
  if [ -e "$root/include/cuda_runtime.h" ] || [ "$PRESET" != dev ]; then return; fi
  rm -rf "$root" "$BUILD/cuda12-wheels"
  say "taking the headers of CUDA 12 from NVIDIA's Python wheels"
  if ! { python3 -m venv "$BUILD/python" && wheels_into "$BUILD/cuda12-wheels" "${CUDA12_WHEELS[@]}"; } \
    >>"$LOG" 2>&1 </dev/null; then
    say "they cannot be had ($LOG says why): the tests that the kernels compile with CUDA 12 are left out"
    return
  fi
  mkdir -p "$root"/{bin,include,lib64}
  for part in "$BUILD"/cuda12-wheels/nvidia/*/include; do cp -r "$part/." "$root/include/"; done
  for part in bin nvvm; do cp -r "$BUILD/cuda12-wheels/nvidia/cuda_nvcc/$part" "$root/"; done
}

use_cuda() {
  local root
  root=$(find_cuda)
  if [ -z "$root" ]; then
    fetch_cuda
    root=$BUILD/cuda
  fi
  export CUDA_HOME=$root CUDA_PATH=$root CUDACXX=$root/bin/nvcc
}

build_jobs() {
  local cores gib
  cores=$(nproc)
  gib=$(awk '/MemTotal/ {print int($2 / 1048576)}' /proc/meminfo)
  # Clang's headers take up to 1.5 GiB a compiler.
  local fit=$((gib * 2 / 3 > 0 ? gib * 2 / 3 : 1))
  echo $((cores < fit ? cores : fit))
}

# build_project [CMAKE OPTIONS...]
build_project() {
  say "building into ${BUILD#"$ROOT"/} (the first time takes ten to twenty minutes on two cores)"
  cd "$ROOT" || fail "$ROOT: cannot be entered"
  # Most of the time goes into headers, which eight sources at a time read once. Who has turned it off has done so to edit.
  local unity=()
  if [ ! -e "$BUILD/CMakeCache.txt" ]; then unity=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=8); fi
  # Line tables alone: a third of the compile time goes into the rest of the debug information, which nothing here reads.
  logged "configuring" cmake --preset "$PRESET" "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG" "${unity[@]}" "$@"
  logged "building" cmake --build "$BUILD" -j "$(build_jobs)"
}

# What -DSYNCSNIFF_SANITIZED_TESTS=ON tests: the run side and the rules, in a tree of their own.
build_sanitized() {
  say "building the sanitized tests"
  logged "building the sanitized tests" \
    env CMAKE_BUILD_PARALLEL_LEVEL="$(build_jobs)" cmake --build "$BUILD" --target syncsniff_sanitized
}
