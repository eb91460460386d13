#include "analyzer/isolation/progress.h"

#include <chrono>

#include "analyzer/isolation/shared_memory.h"

namespace syncsniff::isolation {
namespace {

// Comparable between processes, since they have the same clock.
long long now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Progress::Progress(size_t steps)
    : steps_(steps),
      shared_(share<Number>(steps + 2)),
      last_(shared_[0]),
      began_ns_(shared_[1]),
      spent_ns_(shared_ + 2) {
  began_ns_ = now_ns();
}

Progress::~Progress() { unshare(shared_, steps_ + 2); }

void Progress::begin(size_t step) {
  const long long now = now_ns();
  spent_ns_[last()] += now - began_ns_;
  began_ns_ = now;
  last_ = static_cast<long long>(step);
}

void Progress::leave_out_wait() { began_ns_ = now_ns(); }

size_t Progress::longest() const {
  const auto spent = [&](size_t step) { return spent_ns_[step] + (step == last() ? now_ns() - began_ns_ : 0); };
  size_t longest = 0;
  for (size_t step = 1; step < steps_; ++step)
    if (spent(step) > spent(longest)) longest = step;
  return longest;
}

}  // namespace syncsniff::isolation
