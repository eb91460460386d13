#include "analyzer/isolation/claims.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <thread>

namespace syncsniff::isolation {
namespace {

constexpr pid_t kFinished = -1;
constexpr std::chrono::milliseconds kBetweenLooks{10};

size_t bytes_of(size_t count) { return std::max<size_t>(1, count) * sizeof(std::atomic<pid_t>); }

std::atomic<pid_t>* share(size_t count) {
  void* const memory = mmap(nullptr, bytes_of(count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const shared = static_cast<std::atomic<pid_t>*>(memory);
  std::uninitialized_value_construct_n(shared, count);
  return shared;
}

}  // namespace

Claims::Claims(size_t count) : count_(count), takers_(share(count)) {}

Claims::~Claims() { munmap(takers_, bytes_of(count_)); }

bool Claims::take(size_t claim) {
  pid_t nobody = 0;
  return takers_[claim].compare_exchange_strong(nobody, getpid());
}

void Claims::finish(size_t claim) { takers_[claim] = kFinished; }

void Claims::wait(size_t claim, std::chrono::seconds patience) const {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (pid_t taker; (taker = takers_[claim]) > 0 && taker != getpid() && kill(taker, 0) == 0;) {
    if (std::chrono::steady_clock::now() >= deadline) return;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace syncsniff::isolation
