#!/usr/bin/env bash
# The kernels as others take them: installed alone into a path with a space and found, and by add_subdirectory.
# usage: package_test.sh KERNELS_SOURCE CUDA_INCLUDE WORK_DIR
set -euo pipefail
kernels=$1 cuda=$2 work="$3/with a space"
rm -rf "$work"
mkdir -p "$work/consumer"
cat >"$work/consumer/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(consumer LANGUAGES CXX)
if(KERNELS)
  add_subdirectory(${KERNELS} kernels)
else()
  find_package(syncsniff 0.1 REQUIRED)
endif()
add_library(consumer consumer.cpp)
target_link_libraries(consumer PRIVATE syncsniff::kernels)
target_include_directories(consumer SYSTEM PRIVATE ${CUDA})
CMAKE
cat >"$work/consumer/consumer.cpp" <<'CPP'
#include <syncsniff/readback.h>
std::size_t slots(const syncsniff::DeferredScalar<float>& scalar) { return scalar.slots(); }
CPP
cmake -S "$kernels" -B "$work/kernels" >/dev/null
cmake --install "$work/kernels" --prefix "$work/installed" >/dev/null
cmake -S "$work/consumer" -B "$work/found" -DCMAKE_PREFIX_PATH="$work/installed" -DCUDA="$cuda" >/dev/null
cmake --build "$work/found" >/dev/null
cmake -S "$work/consumer" -B "$work/added" -DKERNELS="$kernels" -DCUDA="$cuda" >/dev/null
cmake --build "$work/added" >/dev/null
if cmake -S "$work/consumer" -B "$work/none" -DCUDA="$cuda" >/dev/null 2>&1; then
  echo "found although it is not installed" >&2
  exit 1
fi
echo "installed and found, added: both compile"
