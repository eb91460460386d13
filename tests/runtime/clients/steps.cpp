#include "tests/runtime/clients/steps.h"

#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "tests/runtime/clients/session.h"

namespace client {
namespace {

constexpr int kSteps = 30;

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

// No rhythm: the same numbers in each run.
class Dice {
 public:
  unsigned roll(unsigned sides) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>(state_ >> 40) % sides;
  }

 private:
  uint64_t state_ = 1;
};

struct Buffers {
  static constexpr size_t kBytes = 4096;
  CUdeviceptr device = 0;
  void* pinned = nullptr;

  explicit Buffers(const Session& s) {
    CHECK_CU(s.cu.cuMemAlloc_v2(&device, kBytes));
    CHECK_CU(s.cu.cuMemAllocHost_v2(&pinned, kBytes));
  }
};

void copy_in(const Session& s, const Buffers& buffers) {
  CHECK_CU(s.cu.cuMemcpyHtoDAsync_v2(buffers.device, buffers.pinned, buffers.kBytes, s.stream));
}
void copy_out(const Session& s, const Buffers& buffers) {
  CHECK_CU(s.cu.cuMemcpyDtoHAsync_v2(buffers.pinned, buffers.device, buffers.kBytes, s.stream));
}
void launch_five(const Session& s) {
  for (int i = 0; i < 5; ++i) s.launch(s.stream);
}

// `end` ends the step that has the number it is given.
template <class End>
void steps_of_two_copies(const Session& s, int steps, End end) {
  const Buffers buffers(s);
  for (int step = 0; step < steps; ++step) {
    copy_in(s, buffers);
    launch_five(s);
    copy_out(s, buffers);
    end(step);
  }
}

// `round` is one of four within a step.
template <class Round>
void steps_of_rounds(const Session& s, Round round) {
  const Buffers buffers(s);
  for (int step = 0; step < kSteps; ++step) {
    for (int i = 0; i < 4; ++i) {
      round(buffers);
      launch_five(s);
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    copy_out(s, buffers);
    pause();
  }
}

}  // namespace

void steps_without_waits(const Driver& driver) {
  const Session s(driver);
  steps_of_two_copies(s, 2 * kSteps, [](int step) {
    if (step < kSteps) pause();
  });
}

void graphs_without_waits(const Driver& driver) {
  const Session s(driver);
  for (int step = 0; step < 2 * kSteps; ++step) {
    CHECK_CU(s.cu.cuGraphLaunch(nullptr, s.stream));
    if (step < kSteps) pause();
  }
}

void steps_with_waits(const Driver& driver) {
  const Session s(driver);
  steps_of_two_copies(s, kSteps, [&](int) {
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
    pause();
  });
}

void steps_with_waits_by_turns(const Driver& driver) {
  const Session s(driver);
  Dice dice;
  steps_of_two_copies(s, 2 * kSteps, [&](int) {
    if (dice.roll(2) == 0)
      CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
    else
      CHECK_CU(s.cu.cuCtxSynchronize());
    pause();
  });
}

void copies_in_an_inner_loop(const Driver& driver) {
  const Session s(driver);
  steps_of_rounds(s, [&](const Buffers& buffers) { copy_in(s, buffers); });
}

void graphs_in_an_inner_loop(const Driver& driver) {
  const Session s(driver);
  steps_of_rounds(s, [&](const Buffers&) { CHECK_CU(s.cu.cuGraphLaunch(nullptr, s.stream)); });
}

void waits_in_an_inner_loop(const Driver& driver) {
  const Session s(driver);
  steps_of_rounds(s, [&](const Buffers& buffers) {
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
    copy_in(s, buffers);
  });
}

void waits_until_solved(const Driver& driver) {
  const Session s(driver);
  const Buffers buffers(s);
  Dice dice;
  for (int step = 0; step < kSteps; ++step) {
    copy_in(s, buffers);
    for (unsigned rounds = 3 + dice.roll(6); rounds != 0; --rounds) {
      CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
      launch_five(s);
    }
    pause();
  }
}

void kernels_by_turns(const Driver& driver) {
  const Session s(driver);
  constexpr const char* kNames[] = {"busy_0us", "busy_1us", "busy_2us"};
  CUfunction kernels[3] = {};
  int counts[3] = {};
  for (int i = 0; i < 3; ++i) CHECK_CU(s.cu.cuModuleGetFunction(&kernels[i], nullptr, kNames[i]));
  Dice dice;
  for (int i = 0; i < 4000; ++i) {
    const unsigned turn = i % 64 < 40 ? i % 2 : dice.roll(3);  // mostly by turns
    ++counts[turn];
    s.launch(kernels[turn], s.stream);
  }
  for (int i = 0; i < 3; ++i) std::printf("kernel_%d %d\n", i, counts[i]);
}

void thousands_of_kernels(const Driver& driver) {
  const Session s(driver);
  std::vector<CUfunction> kernels(5000);
  for (CUfunction& kernel : kernels) CHECK_CU(s.cu.cuModuleGetFunction(&kernel, nullptr, "busy_0us"));
  for (int round = 0; round < 4; ++round)
    for (CUfunction kernel : kernels) s.launch(kernel, s.stream);
}

}  // namespace client
