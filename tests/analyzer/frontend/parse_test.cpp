// End to end: a translated command parses without an error, with the toolkit where there is one and with our own
// headers.
#include <gtest/gtest.h>

#include <ostream>

#include "tests/analyzer/frontend/parse_check.h"
#include "tests/analyzer/frontend/temporary_folder.h"

namespace syncsniff::frontend {
namespace {

struct Unit {
  const char* name;
  const char* file;
  std::vector<std::string> command;
  const char* code;
};

std::ostream& operator<<(std::ostream& out, const Unit& unit) { return out << unit.name; }

const Unit kUnits[] = {
    {"kernel_and_waits", "a.cu", {"nvcc", "-arch=sm_80", "-c"}, R"(
#include <cstdio>
#include <vector>
__global__ void scale(float *x, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= a;
}
int main() {
  std::vector<float> host(1024);
  float *device = nullptr;
  if (cudaMalloc(&device, 4096) != cudaSuccess) { printf("%s\n", cudaGetErrorString(cudaGetLastError())); return 1; }
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(device, host.data(), 4096, cudaMemcpyHostToDevice, stream);
  scale<<<dim3(4), 256, 0, stream>>>(device, 2.f, 1024);
  cudaStreamSynchronize(stream);
  cudaDeviceSynchronize();
  cudaMemcpy(host.data(), device, 4096, cudaMemcpyDeviceToHost);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  return cudaFree(device);
})"},
    {"what_nvcc_gives_and_clang_does_not", "b.cu", {"nvcc", "-c"}, R"(
#include <math.h>
__global__ void k(float4 *out, const float4 *in, int *flag) {
  float4 v = __ldcs(in + threadIdx.x);
  v.x = __expf(v.x) + rsqrtf(v.y) + __shfl_xor_sync(0xffffffffu, v.z, 1) + max(v.x, v.y);
  __stcs(out + threadIdx.x, v);
  __stcg(out, __ldcg(in));
  atomicAdd(&out->x, 1.0);
  atomicMax(flag, 3);
  __syncthreads();
  __syncwarp();
}
size_t f(size_t n, int m, double x) {
  time_t now = time(nullptr);
  return (isfinite(x) && !isnan(x) && !isinf(x)) ? max(n, n) + min(m, 3u) + (size_t)max(1.0f, x) + now : 0;
}
__constant__ float table[16];
void g(const float *host) { cudaMemcpyToSymbol(table, host, sizeof table); })"},
    {"half_types", "c.cu", {"nvcc", "-c"}, R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void k(half *h, __nv_bfloat16 *b, float x) {
  h[0] = __float2half(x);
  b[0] = __float2bfloat16(__half2float(h[0]) + (float)b[1]);
  h[1] = __hadd(h[0], h[2]) * h[3];
  half2 two = __floats2half2_rn(x, x);
  h[4] = __low2half(two);
}
half host(float x) { return (half)x; })"},
    {"cooperative_groups", "d.cu", {"nvcc", "-std=c++17", "-c"}, R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(float *x) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float sum = cg::reduce(warp, x[warp.thread_rank()], cg::plus<float>{});
  if (warp.thread_rank() == 0) x[warp.meta_group_rank()] = sum;
  block.sync();
})"},
    {"libraries", "e.cu", {"nvcc", "-c"}, R"(
#include <cublas_v2.h>
#include <cuda_profiler_api.h>
#include <curand.h>
#include <nvtx3/nvToolsExt.h>
void f(float *a, float *b, float *c, int n) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1.f, zero = 0.f;
  float norm;
  nvtxRangePush("gemm");
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, b, n, &zero, c, n);
  cublasSnrm2(handle, n, c, 1, &norm);
  nvtxRangePop();
  cublasDestroy(handle);
})"},
    {"host_cpp", "f.cpp", {"g++", "-std=c++20", "-fopenmp", "-fconcepts", "-c"}, R"(
#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <omp.h>
#include <memory>
#include <ranges>
#ifndef _OPENMP
#error no OpenMP
#endif
void f(float *d, cudaStream_t s) {
#pragma omp parallel for
  for (int i = 0; i < omp_get_max_threads(); ++i) {}
  float *pinned;
  cudaMallocHost(&pinned, 64);
  cudaMemcpyAsync(pinned, d, 64, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
})"},
    {"plain_c", "g.c", {"cc", "-std=gnu99", "-c"}, R"(
#include <cuda_runtime_api.h>
#include <stdlib.h>
struct layer { void (*forward)(struct layer *); float *gpu; };
void pull(struct layer *l, float *x, size_t n) {
  cudaError_t status = cudaMemcpy(x, l->gpu, n * sizeof(float), cudaMemcpyDeviceToHost);
  if (status != cudaSuccess) exit(undeclared_in_c99(status));
  cudaDeviceSynchronize();
})"},
    {"driver_api", "h.cpp", {"g++", "-c"}, R"(
#include <cuda.h>
void f(CUdeviceptr d, void *h, CUstream s) {
  cuMemcpyDtoH(h, d, 4);
  cuMemcpyHtoDAsync(d, h, 4, s);
  cuStreamSynchronize(s);
  cuCtxSynchronize();
})"},
    {"old_standards", "i.cu", {"nvcc", "-std=c++14", "-c"}, "__global__ void k() {} void f() { k<<<1, 1>>>(); }"},
    {"twenty",
     "j.cu",
     {"nvcc", "-std=c++20", "-c"},
     "#include <span>\n__global__ void k() {} void f(std::span<int>) { k<<<1, 1>>>(); }"},
    {"per_thread",
     "k.cu",
     {"nvcc", "--default-stream=per-thread", "-c"},
     "#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM\n#error\n#endif\nvoid f() { cudaDeviceSynchronize(); }"},
};

class ParseUnit : public testing::TestWithParam<Unit> {
 protected:
  void expect_clean(bool with_toolkit) {
    Toolchain toolchain = find_toolchain();
    toolchain.data_directory = SYNCSNIFF_BUILD_DIR "/share/syncsniff";
    CompileCommand command{folder_.path(), GetParam().file, GetParam().command};
    if (!with_toolkit) {
      toolchain.cuda_root.clear();
      // Some machines have CUDA's headers in /usr/local/include as well: ours must come before those here.
      for (const char* folder : {"/clang-headers/fallback", "/clang-headers/libraries"})
        command.arguments.insert(command.arguments.end(), {"-isystem", toolchain.data_directory + folder});
    }
    command.arguments.push_back(GetParam().file);
    const ParseOutcome outcome = parse_unit(translate(command, toolchain), GetParam().code);
    EXPECT_TRUE(outcome.errors.empty()) << testing::PrintToString(outcome.errors);
  }

  TemporaryFolder folder_;
};

TEST_P(ParseUnit, WithTheToolkit) {
  if (find_toolchain().cuda_root.empty()) GTEST_SKIP() << "no CUDA toolkit is installed";
  expect_clean(true);
}

TEST_P(ParseUnit, WithoutAToolkit) { expect_clean(false); }

INSTANTIATE_TEST_SUITE_P(Tiny, ParseUnit, testing::ValuesIn(kUnits),
                         [](const testing::TestParamInfo<Unit>& unit) { return std::string(unit.param.name); });

TEST(Parse, ProjectsOwnCudaHeaderAndCudasBothArrive) {
  TemporaryFolder folder;
  folder.write("src/cuda.h", "#pragma once\n#include \"cuda_runtime.h\"\nvoid push(float *d, const float *h);\n");
  folder.write("src/a.cu",
               "#include \"cuda.h\"\n__global__ void k() {}\nvoid f(float *d) { push(d, d); k<<<1, 1>>>(); "
               "cudaDeviceSynchronize(); }\n");
  Toolchain toolchain = find_toolchain();
  toolchain.data_directory = SYNCSNIFF_BUILD_DIR "/share/syncsniff";
  for (bool toolkit : {true, false}) {
    if (!toolkit) toolchain.cuda_root.clear();
    const ParseOutcome outcome =
        parse_unit(translate({folder.path(), "src/a.cu", {"nvcc", "-Isrc", "-c", "src/a.cu"}}, toolchain));
    EXPECT_TRUE(outcome.errors.empty()) << testing::PrintToString(outcome.errors);
  }
}

TEST(Parse, ErrorsAreCountedAndAMissingHeaderDoesNotEndTheUnit) {
  Toolchain toolchain = find_toolchain();
  toolchain.data_directory = SYNCSNIFF_BUILD_DIR "/share/syncsniff";
  const UnitCommand unit = translate({"/p", "a.cpp", {"g++", "a.cpp"}}, toolchain);
  const ParseOutcome outcome = parse_unit(unit, "#include <no/such.h>\nint f() { return undeclared; }\nint g( {");
  EXPECT_GE(outcome.errors.size(), 3u);
}

}  // namespace
}  // namespace syncsniff::frontend
