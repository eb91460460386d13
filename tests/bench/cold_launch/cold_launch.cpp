// bench_cold_launch: what recording a launch costs in a program whose own work takes the caches, in ticks of the
// processor's counter; of several builds of the shim, by turns in one process, so that they meet the same noise.
//
//   FAKE_CUDA_COUNT=0 GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384 SYNCSNIFF_TRACE=/tmp/cold.sstrace
//     LD_LIBRARY_PATH=build/tests/fake_driver syncsniff_bench_cold_launch ROUNDS SHIM...
//
// Needs a trace path that does not exist. 3000 rounds tell some 25 ticks; a bare launch with its work takes some
// 20,000.
#include <dlfcn.h>
#include <x86intrin.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "tests/bench/cold_launch/program.h"
#include "tests/fake_driver/driver_api.h"

namespace {

using Launch = CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                            void**, void**);
constexpr int kWarm = 1, kMeasured = 3;  // steps of a turn

Launch g_launch;
CUfunction g_kernel;

template <int Which>
[[gnu::noinline]] void launch_one() {
  cold_launch::work_before(Which);
  volatile int failed = static_cast<int>(g_launch(g_kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  if (failed != 0) std::exit(1);
  cold_launch::work_of_driver();
}
template <int... Which>
[[gnu::noinline]] void step(std::integer_sequence<int, Which...>) {
  (launch_one<Which>(), ...);
}

double ticks_of_a_launch(Launch launch, int steps) {
  g_launch = launch;
  constexpr auto all = std::make_integer_sequence<int, cold_launch::kOperators>();
  const uint64_t begin = __rdtsc();
  for (int i = 0; i < steps; ++i) step(all);
  return static_cast<double>(__rdtsc() - begin) / (steps * cold_launch::kOperators);
}

template <class F>
F symbol(void* library, const char* name, const char* path) {
  void* const found = library != nullptr ? dlsym(library, name) : nullptr;
  if (found == nullptr) {
    std::fprintf(stderr, "bench_cold_launch: %s: %s: %s\n", path, name, dlerror());
    std::exit(2);
  }
  return reinterpret_cast<F>(found);
}

void print(const char* name, std::vector<double> differences) {
  std::sort(differences.begin(), differences.end());
  const size_t n = differences.size(), fifth = n / 5;
  double sum = 0;
  for (size_t i = fifth; i < n - fifth; ++i) sum += differences[i];
  const double spread = (differences[n * 84 / 100] - differences[n * 16 / 100]) / 2;
  std::printf("%s: %+.0f ticks a launch, +- %.0f\n", name, sum / static_cast<double>(n - 2 * fifth),
              1.25 * spread / std::sqrt(static_cast<double>(n)));
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 2 ? std::atoi(argv[1]) : 0;
  if (rounds < 10) {
    std::fprintf(stderr, "usage: bench_cold_launch ROUNDS SHIM...   (10 rounds at least)\n");
    return 2;
  }
  std::vector<Launch> launches;
  const char* driver = "libcuda.so.1";
  void* const library = dlopen(driver, RTLD_NOW | RTLD_LOCAL);
  launches.push_back(symbol<Launch>(library, "cuLaunchKernel", driver));
  symbol<CUresult (*)(unsigned)>(library, "cuInit", driver)(0);
  symbol<CUresult (*)(CUfunction*, CUmodule, const char*)>(library, "cuModuleGetFunction", driver)(&g_kernel, nullptr,
                                                                                                   "busy_0us");
  for (int i = 2; i < argc; ++i) {
    void* const shim = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    launches.push_back(symbol<Launch>(shim, "cuLaunchKernel", argv[i]));
    symbol<CUresult (*)(unsigned)>(shim, "cuInit", argv[i])(0);
    ticks_of_a_launch(launches.back(), 60);
  }
  const int count = static_cast<int>(launches.size());
  std::vector<std::vector<double>> ticks(launches.size());
  for (int round = 0; round < rounds; ++round)
    for (int turn = 0; turn < count; ++turn) {
      const int forth = (turn + round / 2) % count, which = round % 2 != 0 ? count - 1 - forth : forth;
      ticks_of_a_launch(launches[which], kWarm);
      ticks[which].push_back(ticks_of_a_launch(launches[which], kMeasured));
    }
  std::vector<double> bare = ticks[0];
  std::nth_element(bare.begin(), bare.begin() + rounds / 2, bare.end());
  std::printf("bare: %.0f ticks a launch with its work\n", bare[rounds / 2]);
  for (int i = 1; i < count; ++i) {
    std::vector<double> differences;
    for (int round = 0; round < rounds; ++round) differences.push_back(ticks[i][round] - ticks[0][round]);
    print(argv[i + 1], differences);
  }
}
