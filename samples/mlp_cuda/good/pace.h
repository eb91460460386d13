// Keeps the host a few steps ahead of the device, no more: the device marks in pinned memory that a step is done, and
// looking there is no CUDA call. Without it the full launch queue would hold the host back, inside a launch.
#pragma once

#include <cuda_runtime.h>
#include <syncsniff/readback.h>

#include <chrono>
#include <cstdint>

namespace good {

class Pace {
 public:
  // Enqueues the mark of one more step, the first being step 0. `loss`: of that step, on the device.
  void mark(const float* loss, cudaStream_t stream);

  // Sleeps until the device has done `step`; at once if it is negative. Gives up after kPatience, since a device that
  // failed marks no more steps: the next CUDA call tells why. One thread at a time.
  void sleep_until_done(std::int64_t step) const;

 private:
  static constexpr std::chrono::microseconds kNap{20};  // about 70 us asleep: Linux adds 50 of timer slack
  static constexpr std::chrono::milliseconds kPatience{500};

  syncsniff::GraphScalar<float> done_;
};

}  // namespace good
