#include "tests/runtime/clients/events.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "tests/runtime/clients/session.h"

namespace client {
namespace {

// A session with an event, which is recorded after a launch.
struct EventSession : Session {
  CUevent event = nullptr;

  explicit EventSession(const Driver& driver) : Session(driver) {
    CHECK_CU(cu.cuEventCreate(&event, 0));
    launch(stream);
    CHECK_CU(cu.cuEventRecord(event, stream));
  }
};

}  // namespace

void wait_for_event(const Driver& driver) {
  EventSession s(driver);
  const auto start = Clock::now();
  CHECK_CU(s.cu.cuEventSynchronize(s.event));
  std::printf("wait_ms %.3f\n", ms_since(start));
  s.launch(s.stream);  // ends the idle time
  CHECK_CU(s.cu.cuEventRecord(s.event, s.stream));
  s.launch(s.stream);  // the event is not the last thing on its stream any more
  CHECK_CU(s.cu.cuEventSynchronize(s.event));
  CHECK_CU(s.cu.cuStreamWaitEvent(s.stream, s.event, 0));
  s.launch(s.stream);
  CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
}

void spin_on_query(const Driver& driver) {
  EventSession s(driver);
  const auto start = Clock::now();
  int asks = 0;
  do ++asks;
  while (s.cu.cuEventQuery(s.event) == kCudaNotReady);
  std::printf("wait_ms %.3f\nasks %d\n", ms_since(start), asks);
  s.cu.cuEventQuery(s.event);  // one look is no spin
}

void handle_used_again(const Driver& driver) {
  EventSession s(driver);
  const CUevent first = s.event;
  CHECK_CU(s.cu.cuEventDestroy_v2(s.event));
  CHECK_CU(s.cu.cuEventCreate(&s.event, 0));
  CHECK_CU(s.cu.cuEventSynchronize(s.event));  // returns at once, while the kernel runs
  std::printf("same %d\n", s.event == first ? 1 : 0);
  CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
}

void recorded_by_turns(const Driver& driver) {
  Session s(driver);
  CUstream empty = nullptr;
  CUevent event = nullptr;
  CHECK_CU(s.cu.cuStreamCreate(&empty, kStreamNonBlocking));
  CHECK_CU(s.cu.cuEventCreate(&event, 0));
  s.launch(empty);
  CHECK_CU(s.cu.cuStreamSynchronize(empty));
  CUfunction slow = nullptr;
  CHECK_CU(s.cu.cuModuleGetFunction(&slow, nullptr, "busy_400000us"));
  CHECK_CU(s.cu.cuLaunchKernel(slow, 1, 1, 1, 32, 1, 1, 0, s.stream, nullptr, nullptr));
  std::atomic<bool> done{false};
  std::thread recorder([&] {
    while (!done) {
      CHECK_CU(s.cu.cuEventRecord(event, s.stream));
      CHECK_CU(s.cu.cuEventRecord(event, empty));
    }
  });
  const auto start = Clock::now();
  while (ms_since(start) < 300) s.cu.cuEventQuery(event);
  done = true;
  recorder.join();
  s.launch(empty);  // ends what idle time is claimed
}

}  // namespace client
