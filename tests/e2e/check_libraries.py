"""Header libraries beside a project that launch kernels and wait themselves: findings stand at the project's own calls.

usage: check_libraries.py PROGRAM    (syncsniff-analyzer, or the driver)
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])

KERNELS = """#pragma once
#include <cuda_runtime.h>
namespace tensors {
template <typename T>
__global__ void add_kernel(T* x, T v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += v;
}
template <typename T>
void add(T* x, T v, int n) {
  add_kernel<<<(n + 255) / 256, 256>>>(x, v, n);
}
inline void wait_for(cudaStream_t stream) { cudaStreamSynchronize(stream); }
template <typename T>
void solve(T* x, int n) {
  for (int k = 0; k < 10; ++k) {
    add(x, T(1), n);
    cudaDeviceSynchronize();
  }
}
}  // namespace tensors
"""
TENSOR = """#pragma once
#include "tensors/gpu/kernels.h"
namespace tensors {
struct Stream {
  void wait() { wait_for(handle); }
  cudaStream_t handle = nullptr;
};
template <typename T>
struct Tensor {
  Tensor& operator+=(T v) {
    add(data, v, size);
    return *this;
  }
  T* data;
  int size;
};
}  // namespace tensors
"""
TRAIN = """#include <tensors/tensor.h>

#include <vector>

int main() {
  std::vector<tensors::Tensor<float>> weights(100);
  tensors::Stream stream;
  for (int step = 0; step < 1000; ++step) {
    for (auto& weight : weights) weight += 1.0f;
    stream.wait();
    tensors::solve(weights[0].data, 100);
  }
  stream.wait();
}
"""


class CheckLibraries(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        os.makedirs(self.path("project/.git"))
        self.write("project/train.cu", TRAIN)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def library(self, include):
        self.write(include + "/tensors/gpu/kernels.h", KERNELS)
        self.write(include + "/tensors/tensor.h", TENSOR)

    def findings(self, option):
        self.write("project/compile_commands.json", json.dumps([
            {"directory": self.path("project"), "file": "train.cu", "command": f"nvcc -std=c++17 {option} -c train.cu"}]))
        env = dict(os.environ, XDG_CACHE_HOME=self.path("cache"))
        out = subprocess.run([PROGRAM, "check", "--format=json"], cwd=self.path("project"), env=env, capture_output=True,
                             text=True, timeout=120)
        self.assertIn(out.returncode, (0, 1), out.stderr)
        document = json.loads(out.stdout)
        self.notes = [line for line in out.stderr.splitlines() if "calls CUDA and is not read" in line]
        self.assertEqual([unit["status"] for unit in document["units"]], ["analysed"], out.stdout)
        return {(os.path.basename(f["location"]["file"]), f["location"]["line"], f["rule"], f["severity"])
                for f in document["findings"]}

    def expect_calls(self, found):
        self.assertIn(("train.cu", 9, "per-tensor-loop", "high"), found)
        self.assertIn(("train.cu", 10, "sync-in-loop", "high"), found)
        self.assertIn(("train.cu", 11, "sync-in-loop", "high"), found)
        self.assertEqual({place for place in found if place[0] != "train.cu" or place[1] > 11}, set())

    def test_beside_the_project(self):
        self.library("tensor-library")
        self.expect_calls(self.findings("-I../tensor-library"))
        self.expect_calls(self.findings("-I../tensor-library"))  # from the cache
        self.assertEqual(self.notes, [])
        self.expect_calls(self.findings("-isystem ../tensor-library"))

    def test_among_the_project_s_third_parties(self):
        self.library("project/third_party/tensor-library/include")
        self.expect_calls(self.findings("-Ithird_party/tensor-library/include"))

    def test_a_library_that_came_to_wait_is_read_again(self):
        self.library("tensor-library")
        self.write("tensor-library/tensors/gpu/kernels.h", KERNELS.replace("{ cudaStreamSynchronize(stream); }", "{}"))
        self.assertNotIn(("train.cu", 10, "sync-in-loop", "high"), self.findings("-I../tensor-library"))
        self.library("tensor-library")
        self.expect_calls(self.findings("-I../tensor-library"))

    def test_a_large_one_is_declared_alone(self):
        self.library("tensor-library")
        includes = "".join(f'#include "tensors/part{i}.h"\n' for i in range(300))
        for i in range(300):
            self.write(f"tensor-library/tensors/part{i}.h", "#pragma once\n")
        self.write("tensor-library/tensors/tensor.h", includes + TENSOR)
        for _ in range(2):  # the second time from the cache
            self.assertEqual(self.findings("-I../tensor-library"), set())
            self.assertEqual(len(self.notes), 1)
            self.assertIn("tensor-library/tensors calls CUDA", self.notes[0])
            self.assertIn("(302 headers, ", self.notes[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
