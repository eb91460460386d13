// bench_launch: what one launch, one blocking call and one event query cost over the fake driver, with whatever is
// preloaded. The difference between these two runs is what a hook costs:
//   FAKE_CUDA_COUNT=0 LD_LIBRARY_PATH=build/tests/fake_driver build/tests/clients/syncsniff_bench_launch
//   the same with LD_PRELOAD=build/lib/syncsniff/libsyncsniff_shim.so SYNCSNIFF_TRACE=/tmp/new.sstrace
// and, for a timeline, SYNCSNIFF_TIMELINE=full SYNCSNIFF_CUPTI=build/tests/fake_driver/libcupti.so.13.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

#include "tests/runtime/clients/driver.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kRounds = 201, kCalls = 1000;

template <class F>
double median_ns(F&& call) {
  std::vector<double> rounds;
  for (int r = 0; r < kRounds; ++r) {
    const auto start = Clock::now();
    for (int i = 0; i < kCalls; ++i) call();
    rounds.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count() / kCalls);
  }
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return rounds[kRounds / 2];
}

[[gnu::noinline]] int nested(int depth, double* out, const client::Driver& cu, CUfunction kernel) {
  if (depth > 0) {
    volatile int below = nested(depth - 1, out, cu, kernel);
    return below + 1;
  }
  CUstream stream = nullptr;
  cu.cuStreamCreate(&stream, kStreamNonBlocking);
  CUevent event = nullptr;
  cu.cuEventCreate(&event, 0);
  out[0] = median_ns([&] { cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr); });
  out[1] = median_ns([&] { cu.cuEventQuery(event); });
  return 0;
}

// A real step makes some hundred launches, each from a place of its own, and the program's own work between them takes
// the caches: 64 places at differing depths, 256 KiB touched before each launch. What the touching costs is taken off.
template <int Site>
[[gnu::noinline]] int launch_from(int depth, const client::Driver& cu, CUfunction kernel, double* ns) {
  if (depth > 0) {
    volatile int below = launch_from<Site>(depth - 1, cu, kernel, ns);
    return below + 1;
  }
  static char program_data[256 * 1024];
  volatile char* touched = program_data;
  for (size_t i = 0; i < sizeof(program_data); i += 64) touched[i] = 1;
  const auto start = Clock::now();
  cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  *ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  return 0;
}

template <int... Sites>
double median_of_step_ns(std::integer_sequence<int, Sites...>, const client::Driver& cu, CUfunction kernel) {
  std::vector<double> each;
  for (int step = 0; step < 200; ++step) {
    double ns[sizeof...(Sites)];
    (launch_from<Sites>(10 + Sites % 12, cu, kernel, &ns[Sites]), ...);
    each.insert(each.end(), ns, ns + sizeof...(Sites));
  }
  std::nth_element(each.begin(), each.begin() + each.size() / 2, each.end());
  return each[each.size() / 2];
}

// Libraries launch from one line of theirs at one depth, whatever line asked them to: 100 such places, told apart only
// by a word further up the stack.
[[gnu::noinline]] int launch_for(const client::Driver& cu, CUfunction kernel) {
  volatile int failed = cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  return failed;
}
template <int Line>
[[gnu::noinline]] int line_of_program(const client::Driver& cu, CUfunction kernel) {
  volatile int failed = launch_for(cu, kernel);
  return failed + Line;
}
template <int... Lines>
double median_of_line_ns(std::integer_sequence<int, Lines...>, const client::Driver& cu, CUfunction kernel) {
  std::vector<double> each;
  for (int step = 0; step < 200; ++step) {
    const auto start = Clock::now();
    (line_of_program<Lines>(cu, kernel), ...);
    each.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count() / sizeof...(Lines));
  }
  std::nth_element(each.begin(), each.begin() + each.size() / 2, each.end());
  return each[each.size() / 2];
}

// A copy a step, the steps far enough apart for the shim to list it (a mark), the caches taken in between.
double median_of_marked_copy_ns(const client::Driver& cu) {
  static char program_data[256 * 1024];
  volatile char* touched = program_data;
  constexpr size_t kBytes = 4096;
  CUdeviceptr device = 0;
  void* pinned = nullptr;
  CHECK_CU(cu.cuMemAlloc_v2(&device, kBytes));
  CHECK_CU(cu.cuMemAllocHost_v2(&pinned, kBytes));
  std::vector<double> each;
  for (int step = 0; step < 2000; ++step) {
    for (const auto begin = Clock::now(); Clock::now() - begin < std::chrono::microseconds(250);) {
    }
    for (size_t i = 0; i < sizeof(program_data); i += 64) touched[i] = 1;
    const auto start = Clock::now();
    cu.cuMemcpyHtoDAsync_v2(device, pinned, kBytes, nullptr);
    each.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  std::nth_element(each.begin(), each.begin() + 1000, each.end());
  return each[1000];
}

// As many launches a second as a launch-bound program makes. The mean, unlike a median, has the file system's part in
// it: once in a thousand records the trace needs room.
double mean_of_paced_ns(const client::Driver& cu, CUfunction kernel) {
  constexpr int kLaunches = 500000;
  constexpr std::chrono::microseconds kApart(3);
  Clock::duration inside{};
  for (int i = 0; i < kLaunches; ++i) {
    const auto begin = Clock::now();
    cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
    inside += Clock::now() - begin;
    while (Clock::now() - begin < kApart) {
    }
  }
  return std::chrono::duration<double, std::nano>(inside).count() / kLaunches;
}

}  // namespace

int main() {
  const client::Driver cu = client::open_driver(client::Way::kProcAddress);
  CHECK_CU(cu.cuInit(0));
  CUfunction kernel = nullptr;
  CHECK_CU(cu.cuModuleGetFunction(&kernel, nullptr, "busy_0us"));
  for (const int depth : {2, 30}) {
    double ns[2];
    nested(depth, ns, cu, kernel);
    std::printf("depth %2d: launch %.1f ns, query %.1f ns\n", depth, ns[0], ns[1]);
  }
  std::printf("64 places, caches taken: launch %.1f ns\n",
              median_of_step_ns(std::make_integer_sequence<int, 64>(), cu, kernel));
  std::printf("100 places at one depth: launch %.1f ns\n",
              median_of_line_ns(std::make_integer_sequence<int, 100>(), cu, kernel));
  std::printf("a launch every 3 us: mean %.1f ns\n", mean_of_paced_ns(cu, kernel));
  std::printf("a copy a step of 0.25 ms, caches taken: %.1f ns\n", median_of_marked_copy_ns(cu));
}
