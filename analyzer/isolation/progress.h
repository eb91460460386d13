// The step of its task that a worker is at, stored in memory that it shares with its parent: it can be read after the
// worker has crashed or was killed. Knows nothing of what the steps are.
#pragma once

#include <atomic>
#include <cstddef>

namespace syncsniff::isolation {

class Progress {
 public:
  // Errors: std::bad_alloc.
  explicit Progress(size_t steps);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // In the worker. Step 0 begins when the object is made; a step may begin more than once, and its times add up.
  void begin(size_t step);
  // The time since the last begin() belongs to no step: the worker was waiting.
  void leave_out_wait();
  // In the parent, after the worker has ended.
  size_t last() const { return static_cast<size_t>(last_.load()); }
  size_t longest() const;  // the step with the most time by the clock; the last one counts until now

 private:
  using Number = std::atomic<long long>;

  const size_t steps_;
  Number* const shared_;
  Number& last_;      // step
  Number& began_ns_;  // when the last step began
  Number* spent_ns_;  // on each step, without the last step's time since it began
};

}  // namespace syncsniff::isolation
