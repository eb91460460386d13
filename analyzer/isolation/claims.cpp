#include "analyzer/isolation/claims.h"

#include <signal.h>
#include <unistd.h>

#include <thread>

#include "analyzer/isolation/shared_memory.h"

namespace syncsniff::isolation {
namespace {

constexpr pid_t kFinished = -1;
constexpr std::chrono::milliseconds kBetweenClaims{10};

}  // namespace

Claims::Claims(size_t count) : count_(count), takers_(share<std::atomic<pid_t>>(count)) {}

Claims::~Claims() { unshare(takers_, count_); }

bool Claims::take(size_t claim) {
  pid_t nobody = 0;
  return takers_[claim].compare_exchange_strong(nobody, getpid());
}

void Claims::finish(size_t claim) { takers_[claim] = kFinished; }

void Claims::wait(size_t claim, std::chrono::seconds patience) const {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (pid_t taker; (taker = takers_[claim]) > 0 && taker != getpid() && kill(taker, 0) == 0;) {
    if (std::chrono::steady_clock::now() >= deadline) return;
    std::this_thread::sleep_for(kBetweenClaims);
  }
}

}  // namespace syncsniff::isolation
