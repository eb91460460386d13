#include "tests/runtime/clients/scenarios.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "tests/runtime/clients/descriptors.h"
#include "tests/runtime/clients/events.h"
#include "tests/runtime/clients/leaving.h"
#include "tests/runtime/clients/neighbours.h"
#include "tests/runtime/clients/racing.h"
#include "tests/runtime/clients/sending.h"
#include "tests/runtime/clients/session.h"
#include "tests/runtime/clients/steps.h"

namespace client {
namespace {

// Three launches and a wait, five times over; prints the time spent in each wait.
void wait_for_stream(const Driver& driver) {
  Session s(driver);
  for (int step = 0; step < 5; ++step) {
    for (int i = 0; i < 3; ++i) s.launch(s.stream);
    const auto start = Clock::now();
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
    std::printf("wait_ms %.3f\n", ms_since(start));
  }
}

void wait_for_device(const Driver& driver) {
  Session s(driver);
  s.launch(nullptr);
  const auto start = Clock::now();
  CHECK_CU(s.cu.cuCtxSynchronize());
  std::printf("wait_ms %.3f\n", ms_since(start));
}

// The GPU empties, the host works for 20 ms, then the next launch comes.
void idle_after_wait(const Driver& driver) {
  Session s(driver);
  CUstream other = nullptr;
  CHECK_CU(s.cu.cuStreamCreate(&other, kStreamNonBlocking));
  s.launch(s.stream);
  CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
  const auto start = Clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  s.launch(s.stream);
  std::printf("idle_ms %.3f\n", ms_since(start));
  s.launch(other);  // from here on the wait for one stream proves nothing
  CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  s.launch(s.stream);
}

void copies(const Driver& driver) {
  Session s(driver);
  constexpr size_t kBytes = 1 << 20;
  CUdeviceptr device = 0;
  void* pinned = nullptr;
  std::vector<char> pageable(kBytes), registered(kBytes);
  CHECK_CU(s.cu.cuMemAlloc_v2(&device, kBytes));
  CHECK_CU(s.cu.cuMemAllocHost_v2(&pinned, kBytes));
  CHECK_CU(s.cu.cuMemHostRegister_v2(registered.data(), kBytes, 0));
  CHECK_CU(s.cu.cuMemcpyHtoDAsync_v2(device, pinned, kBytes, s.stream));             // counted
  CHECK_CU(s.cu.cuMemcpyHtoDAsync_v2(device, registered.data(), kBytes, s.stream));  // counted
  CHECK_CU(s.cu.cuMemcpyHtoDAsync_v2(device, pageable.data(), 1024, s.stream));      // staged: counted
  CHECK_CU(s.cu.cuMemcpyHtoDAsync_v2(device, pageable.data(), kBytes, s.stream));    // blocks
  CHECK_CU(s.cu.cuMemcpyDtoHAsync_v2(pageable.data(), device, 64, s.stream));        // blocks
  CHECK_CU(s.cu.cuMemcpyHtoD_v2(device, pinned, kBytes));                            // blocks
  CHECK_CU(s.cu.cuMemcpyDtoH_v2(pageable.data(), device, kBytes));                   // blocks
  CHECK_CU(s.cu.cuMemcpyAsync(device, reinterpret_cast<CUdeviceptr>(pageable.data()), kBytes, s.stream));  // blocks
  CHECK_CU(s.cu.cuMemHostUnregister(registered.data()));
  CHECK_CU(s.cu.cuMemcpyHtoDAsync_v2(device, registered.data(), kBytes, s.stream));  // pageable again: blocks
  CHECK_CU(s.cu.cuMemFreeHost(pinned));
  CHECK_CU(s.cu.cuMemFree_v2(device));
}

// Kernels are looked up again and again, as libraries do. Two of them have to be loaded: the first call of all, and one
// that comes when the time is well known.
void look_ups(const Driver& driver) {
  Session s(driver);
  CUfunction kernel = nullptr;
  for (const char* name : {"loads_4000us", "loads_6000us"}) {
    const auto start = Clock::now();
    CHECK_CU(s.cu.cuModuleGetFunction(&kernel, nullptr, name));
    std::printf("loading_ms %.4f\n", ms_since(start));
    for (int i = 0; i < 1000; ++i) CHECK_CU(s.cu.cuModuleGetFunction(&kernel, nullptr, "busy_0us"));
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
}

// Legacy and per-thread entry points side by side: each call must reach its own function.
void both_streams(const Driver& legacy) {
  Session s(legacy);
  const Driver own = open_driver(Way::kProcAddressPerThread);
  for (int i = 0; i < 3; ++i) s.launch(nullptr);
  for (int i = 0; i < 5; ++i) CHECK_CU(own.cuLaunchKernel(s.kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  CHECK_CU(own.cuStreamSynchronize(nullptr));
  CHECK_CU(s.cu.cuStreamSynchronize(nullptr));
  auto calls = reinterpret_cast<uint64_t (*)(const char*)>(dlsym(legacy.handle, "fakeCalls"));
  for (const char* name : {"cuLaunchKernel", "cuLaunchKernel_ptsz", "cuStreamSynchronize", "cuStreamSynchronize_ptsz"})
    std::printf("%s %llu\n", name, static_cast<unsigned long long>(calls(name)));
}

// One name, two versions with different arguments.
void versions(const Driver& driver) {
  Session s(driver);
  auto get = reinterpret_cast<GetProcAddress>(dlsym(driver.handle, "cuGetProcAddress_v2"));
  CUresult (*newer)(CUcontext) = nullptr;
  CHECK_CU(get("cuCtxSynchronize", reinterpret_cast<void**>(&newer), 13000, 0, nullptr));
  CHECK_CU(newer(&s));
  CHECK_CU(driver.cuCtxSynchronize());
  auto calls = reinterpret_cast<uint64_t (*)(const char*)>(dlsym(driver.handle, "fakeCalls"));
  for (const char* name : {"cuCtxSynchronize", "cuCtxSynchronize_v2"})
    std::printf("%s %llu\n", name, static_cast<unsigned long long>(calls(name)));
}

void threads(const Driver& driver) {
  Session s(driver);
  std::vector<std::thread> all;
  for (int t = 0; t < 4; ++t)
    all.emplace_back([&] {
      CUstream stream = nullptr;
      CHECK_CU(s.cu.cuStreamCreate(&stream, kStreamNonBlocking));
      for (int i = 0; i < 50; ++i) s.launch(stream);
      CHECK_CU(s.cu.cuStreamSynchronize(stream));
    });
  for (auto& thread : all) thread.join();
}

[[gnu::noinline]] int odd_wait(const Session& s) { return CHECK_CU(s.cu.cuStreamSynchronize(s.stream)), 1; }
[[gnu::noinline]] int even_wait(const Session& s) { return CHECK_CU(s.cu.cuStreamSynchronize(s.stream)), 2; }

// One thread after the other, three waits each: those of odd numbers on one line, the others on another.
void short_threads(const Driver& driver) {
  Session s(driver);
  for (int number = 0; number < 2000; ++number)
    std::thread([&] {
      std::printf("tid %d\n", static_cast<int>(gettid()));
      volatile int sum = 0;
      for (int i = 0; i < 3; ++i) {
        s.launch(s.stream);
        sum = sum + (number % 2 ? odd_wait(s) : even_wait(s));
      }
    }).join();
}

void killed_among_threads(const Driver& driver) {
  short_threads(driver);
  std::fflush(stdout);
  std::thread([] { kill(getpid(), SIGKILL); }).join();
}

// The child of a fork goes on with CUDA calls (it may not, but some do): its parent's trace must not change by them.
void fork_after_init(const Driver& driver) {
  Session s(driver);
  s.launch(s.stream);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 100; ++i) s.launch(s.stream);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  s.launch(s.stream);
  CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
  std::printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

// An exec'd child is a program of its own, with a trace of its own.
void exec_child(const Driver& driver) {
  Session s(driver);
  s.launch(s.stream);
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "client", "dlsym", "wait_for_device", static_cast<char*>(nullptr));
    _exit(91);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

void killed(const Driver& driver) {
  Session s(driver);
  for (int i = 0; i < 1000; ++i) s.launch(s.stream);
  std::fflush(stdout);
  kill(getpid(), SIGKILL);
}

// Enough sites to fill more than one chunk: every call has a stack depth of its own.
[[gnu::noinline]] int nest(const Session& s, int depth) {
  if (depth == 0) return CHECK_CU(s.cu.cuStreamSynchronize(s.stream)), 1;
  volatile int below = nest(s, depth - 1);
  return below + 1;
}
void many_records(const Driver& driver) {
  Session s(driver);
  for (int round = 0; round < 200; ++round)
    for (int depth = 0; depth < 30; ++depth) nest(s, depth);
  std::printf("waits %d\n", 200 * 30);
}

[[gnu::noinline]] int launch_above(const Session& s, unsigned bytes) {
  auto* room = static_cast<volatile char*>(__builtin_alloca(bytes));
  room[0] = 1;
  s.launch(s.stream);
  return room[0];
}

// One line, its frame at ever other heights of the stack: more places than a thread keeps, twice over.
void moving_frame(const Driver& driver) {
  Session s(driver);
  int launches = 0;
  const volatile int rounds = 2;  // volatile: a loop that is unrolled has two call sites
  for (int round = 0; round < rounds; ++round)
    for (unsigned bytes = 16; bytes <= 16 * 5000; bytes += 16) launches += launch_above(s, bytes);
  std::printf("launches %d\n", launches);
}

void work_for(double ms) {
  for (const auto start = Clock::now(); ms_since(start) < ms;) {
  }
}

// Six launches from one line, 0.1 ms apart, and then 1 ms of the host's own work before the wait. Prints how long that
// work took from the last launch on: more than that on a busy machine.
void short_bursts(const Driver& driver) {
  Session s(driver);
  for (int step = 0; step < 60; ++step) {
    Clock::time_point launched;
    for (int i = 0; i < 6; ++i) {
      s.launch(s.stream);
      launched = Clock::now();
      work_for(0.1);
    }
    work_for(1);
    std::printf("own_ms %.4f\n", ms_since(launched));
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
  }
}

// More waits than a trace of a few megabytes holds.
void fill_trace(const Driver& driver) {
  Session s(driver);
  for (int i = 0; i < 60000; ++i) CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
}

// Of this process, in KB.
long resident_kb() {
  long pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * 4;
}

// Each wait is listed: some 10 MB of trace after the first thousand.
void many_waits(const Driver& driver) {
  Session s(driver);
  long before = 0;
  for (int i = 0; i < 150000; ++i) {
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
    if (i == 1000) before = resident_kb();
  }
  std::printf("grown_kb %ld\n", resident_kb() - before);
}

// For a second and a half.
void long_waits(const Driver& driver) {
  Session s(driver);
  for (const auto start = Clock::now(); ms_since(start) < 1500;
       std::this_thread::sleep_for(std::chrono::milliseconds(5)))
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
}

void capture(const Driver& driver) {
  Session s(driver);
  CUgraph graph = nullptr;
  CHECK_CU(s.cu.cuStreamBeginCapture_v2(s.stream, 0));
  s.launch(s.stream);
  CHECK_CU(s.cu.cuStreamEndCapture(s.stream, &graph));
  s.launch(s.stream);
  CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
  errno = 42;
  s.launch(s.stream);
  std::printf("errno %d\n", errno);
}

void init_only(const Driver& driver) { CHECK_CU(driver.cuInit(0)); }
void no_init(const Driver&) { std::printf("no cuInit\n"); }

struct Scenario {
  const char* name;
  void (*run)(const Driver&);
};
const Scenario kScenarios[] = {{"wait_for_stream", wait_for_stream},
                               {"wait_for_device", wait_for_device},
                               {"wait_for_event", wait_for_event},
                               {"spin_on_query", spin_on_query},
                               {"handle_used_again", handle_used_again},
                               {"recorded_by_turns", recorded_by_turns},
                               {"idle_after_wait", idle_after_wait},
                               {"copies", copies},
                               {"sends_again", sends_again},
                               {"sends_each_step", sends_each_step},
                               {"sends_what_is_left_alone", sends_what_is_left_alone},
                               {"sends_where_reading_is_refused", sends_where_reading_is_refused},
                               {"steps_without_waits", steps_without_waits},
                               {"graphs_without_waits", graphs_without_waits},
                               {"steps_with_waits", steps_with_waits},
                               {"steps_with_waits_by_turns", steps_with_waits_by_turns},
                               {"copies_in_an_inner_loop", copies_in_an_inner_loop},
                               {"graphs_in_an_inner_loop", graphs_in_an_inner_loop},
                               {"waits_in_an_inner_loop", waits_in_an_inner_loop},
                               {"waits_until_solved", waits_until_solved},
                               {"kernels_by_turns", kernels_by_turns},
                               {"thousands_of_kernels", thousands_of_kernels},
                               {"look_ups", look_ups},
                               {"both_streams", both_streams},
                               {"versions", versions},
                               {"threads", threads},
                               {"racing_threads", racing_threads},
                               {"short_threads", short_threads},
                               {"killed_among_threads", killed_among_threads},
                               {"left_waits", left_waits},
                               {"left_waits_on_signal_stack", left_waits_on_signal_stack},
                               {"left_copy", left_copy},
                               {"cancelled_wait", cancelled_wait},
                               {"calls_within_waits", calls_within_waits},
                               {"calls_within_waits_on_signal_stack", calls_within_waits_on_signal_stack},
                               {"fork_after_init", fork_after_init},
                               {"exec_child", exec_child},
                               {"killed", killed},
                               {"many_records", many_records},
                               {"moving_frame", moving_frame},
                               {"short_bursts", short_bursts},
                               {"capture", capture},
                               {"closed_and_written", closed_and_written},
                               {"pipe_after_closing", pipe_after_closing},
                               {"descriptor_storm", descriptor_storm},
                               {"few_descriptors", few_descriptors},
                               {"process_state", process_state},
                               {"raw_clone", raw_clone},
                               {"executes_itself", executes_itself},
                               {"handler_waits", handler_waits},
                               {"cuts_the_trace", cuts_the_trace},
                               {"locks_its_memory", locks_its_memory},
                               {"long_waits", long_waits},
                               {"fill_trace", fill_trace},
                               {"many_waits", many_waits},
                               {"init_only", init_only},
                               {"no_init", no_init}};

}  // namespace

bool run_scenario(const Driver& driver, const char* name) {
  for (const Scenario& scenario : kScenarios)
    if (std::strcmp(scenario.name, name) == 0) return scenario.run(driver), true;
  return false;
}

}  // namespace client
