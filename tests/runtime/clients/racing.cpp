#include "tests/runtime/clients/racing.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "tests/runtime/clients/session.h"

namespace client {
namespace {

using Launches = std::vector<std::pair<Clock::time_point, Clock::time_point>>;

void work(const Session& s, CUstream stream, unsigned seed, Launches& launches) {
  std::mt19937 random(seed);
  CUevent event = nullptr;
  CHECK_CU(s.cu.cuEventCreate(&event, 0));
  for (int round = 0; round < 200; ++round) {
    for (unsigned i = random() % 3; i > 0; --i) {
      const auto from = Clock::now();
      s.launch(stream);
      launches.emplace_back(from, Clock::now());
    }
    switch (random() % 4) {
      case 0:
        CHECK_CU(s.cu.cuStreamSynchronize(stream));
        break;
      case 1:
        CHECK_CU(s.cu.cuCtxSynchronize());
        break;
      case 2:
        CHECK_CU(s.cu.cuEventRecord(event, stream));
        CHECK_CU(s.cu.cuEventSynchronize(event));
        break;
      default:
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 800));
    }
  }
}

double ns(Clock::time_point time) { return std::chrono::duration<double, std::nano>(time.time_since_epoch()).count(); }

}  // namespace

void racing_threads(const Driver& driver) {
  const Session s(driver);
  CUstream other = nullptr;
  CHECK_CU(s.cu.cuStreamCreate(&other, kStreamNonBlocking));
  // As on a machine whose cores are busy: threads are interrupted at any place.
  std::atomic<bool> done{false};
  std::vector<std::jthread> others(std::thread::hardware_concurrency() + 2);
  for (auto& thread : others)
    thread = std::jthread([&] {
      while (!done.load(std::memory_order_relaxed)) {
      }
    });
  Launches launches[3];
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 3; ++t)
    threads.emplace_back(work, std::cref(s), t < 2 ? s.stream : other, t + 1, std::ref(launches[t]));
  for (auto& thread : threads) thread.join();
  done = true;
  for (const Launches& of_one : launches)
    for (const auto& [from, back] : of_one) std::printf("kernel_from %.0f\nkernel_back %.0f\n", ns(from), ns(back));
}

}  // namespace client
