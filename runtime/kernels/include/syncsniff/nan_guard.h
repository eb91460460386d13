// Stops a run whose numbers became NaN or infinite, without the host waiting each step to hear that they have not.
// Host code, C++17, CUDA alone. The test of a whole tensor is a kernel: nan_guard.cuh.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "syncsniff/detail/memory.h"
#include "syncsniff/detail/non_finite.h"
#include "syncsniff/readback.h"

namespace syncsniff {

struct NonFinite {
  std::uint64_t step;        // the step in which it arose
  std::uint64_t noticed_at;  // the step given to the check() that heard of it
};

class NonFiniteError : public std::runtime_error {
 public:
  explicit NonFiniteError(const NonFinite& found)
      : std::runtime_error("NaN or infinity at step " + std::to_string(found.step) + ", noticed at step " +
                           std::to_string(found.noticed_at)),
        found_(found) {}
  std::uint64_t step() const noexcept { return found_.step; }
  std::uint64_t noticed_at() const noexcept { return found_.noticed_at; }

 private:
  NonFinite found_;
};

// What check() does when a step's result is still out max_lag steps later, the device being that far behind.
enum class WhenLate {
  kGoOn,  // never waits; the report comes with the first check() after the result has
  kWait,  // waits for that one result: max_lag holds always, and the device has max_lag steps left to work on
};

// A step: test on the device (or compute a flag of your own), one 4-byte copy, check(step). Three ways to feed it:
//   test_finite(guard, tensor, n, step, stream) of nan_guard.cuh for each tensor, then read_flag(step, stream)
//   read_flag(step, stream, flag): your own device word, not 0 if something is wrong; best left set once it is
//   read_value(device_float, step, stream): a loss or norm that is on the device anyway; no kernel at all
//
// Allocates, in the constructor: 4 bytes of device memory, (2 * max_lag + 2) * reads_per_step pinned words and events;
// waits there for the default stream; throws CudaError. One thread at a time; streams of the device that was current in
// the constructor. Under stream capture only test_finite() works: capture that, and call read_flag() after each launch
// of the graph.
class NanGuard {
 public:
  using Callback = std::function<void(const NonFinite&)>;
  static constexpr std::uint64_t kStepOfReading = std::numeric_limits<std::uint64_t>::max();

  // reads_per_step: how many read_...() calls a step makes; the ring is made for that many.
  explicit NanGuard(std::uint32_t max_lag = 8, WhenLate when_late = WhenLate::kGoOn, std::uint32_t reads_per_step = 1);

  // In place of the exception: check() calls it, once until reset(), and returns false.
  void on_non_finite(Callback callback) { callback_ = std::move(callback); }

  // Enqueues the 4-byte copy of the guard's own flag, or of yours (device memory), as it is when `stream` gets here.
  // If the device is a whole ring of copies behind, this one is left out (skipped()); with WhenLate::kWait it waits for
  // the oldest copy instead. Else it never waits. Steps below 2^62.
  //
  // What a copy left out costs: nothing where test_finite() stamps the guard's flag with the step. Where the flag or
  // the value has no step of its own, the report has that of the first copy made that saw it; and of a value, or a flag
  // that you clear again, a NaN may never be seen at all.
  cudaError_t read_flag(std::uint64_t step, cudaStream_t stream) { return enqueue(flag(), step, kStamp, stream); }
  cudaError_t read_flag(std::uint64_t step, cudaStream_t stream, const std::uint32_t* device_flag) {
    return enqueue(device_flag, step, kFlag, stream);
  }
  // The same for one fp32 value in device memory, which the host tests when it arrives.
  cudaError_t read_value(const float* device_value, std::uint64_t step, cudaStream_t stream) {
    static_assert(sizeof(float) == sizeof(std::uint32_t), "copied as a word");
    return enqueue(reinterpret_cast<const std::uint32_t*>(device_value), step, kValue, stream);
  }

  // Looks at the results that have arrived; `step` is the current one. Steps do not decrease, but from a reset() on
  // they may start anywhere, as after going back to a checkpoint. True: nothing wrong. A NaN that a copy of step s saw
  // is told at the latest by check(s + max_lag): if the copy has arrived by then (WhenLate::kGoOn), or always
  // (WhenLate::kWait, which leaves none out). Throws NonFiniteError, once; or calls the callback, once; returns false
  // from then on. Throws CudaError if a copy failed.
  bool check(std::uint64_t step);
  // Waits for all results, then as check(): for the end of the run.
  bool finish(std::uint64_t step) {
    detail::throw_on_error(words_.drain(), "cudaEventSynchronize");
    return check(step);
  }

  // To go on after a report, say from a checkpoint: clears the guard's flag when `stream` gets here, and forgets every
  // result enqueued before. Never waits.
  cudaError_t reset(cudaStream_t stream) {
    forgotten_ = words_.lag() + words_.unread();
    found_.reset();
    reported_ = false;
    return cudaMemsetAsync(flag_.data(), 0, sizeof(std::uint32_t), stream);
  }

  // The guard's device word: 0, or stamp_of() the first step that went wrong. Kernels of yours may set it.
  std::uint32_t* flag() const { return static_cast<std::uint32_t*>(flag_.data()); }
  // Steps from 2^32 - 2 on, and kStepOfReading, get the stamp that means "the step of the read_flag() that saw it".
  static constexpr std::uint32_t stamp_of(std::uint64_t step) {
    return step < kUnstamped - 1 ? static_cast<std::uint32_t>(step) + 1 : kUnstamped;
  }

  std::uint32_t max_lag() const { return max_lag_; }
  // Copies that had not arrived when last looked at, and copies left out.
  std::size_t lag() const { return words_.lag(); }
  std::uint64_t skipped() const { return skipped_; }
  unsigned multiprocessors() const { return multiprocessors_; }  // of the guard's device

 private:
  // A word travels with step and kind as its number, which grows with the step.
  enum Kind : std::uint64_t { kStamp = 0, kFlag = 1, kValue = 2 };
  static constexpr unsigned kStepShift = 2;
  static constexpr std::uint64_t kKindMask = 3;
  static constexpr std::uint32_t kUnstamped = std::numeric_limits<std::uint32_t>::max();

  cudaError_t enqueue(const std::uint32_t* device_word, std::uint64_t step, Kind kind, cudaStream_t stream);
  void take_arrived();
  static std::optional<std::uint64_t> bad_step(const StepValue<std::uint32_t>& word);

  std::uint32_t max_lag_;
  WhenLate when_late_;
  detail::DeviceBlock flag_;  // outlives the copies that read it: words_ waits for them first
  DeferredScalar<std::uint32_t> words_;
  Callback callback_;
  std::optional<std::uint64_t> found_;
  std::size_t forgotten_ = 0;  // how many of the next words to be popped are from before the last reset()
  std::uint64_t skipped_ = 0;
  unsigned multiprocessors_ = 1;
  bool reported_ = false;
};

inline NanGuard::NanGuard(std::uint32_t max_lag, WhenLate when_late, std::uint32_t reads_per_step)
    : max_lag_(max_lag == 0 ? 1 : max_lag),
      when_late_(when_late),
      flag_(sizeof(std::uint32_t)),
      words_(detail::checked_product(2 * static_cast<std::size_t>(max_lag_) + 2,
                                     reads_per_step == 0 ? 1 : reads_per_step, "NanGuard max_lag")) {
  int device = 0, count = 0;
  detail::throw_on_error(cudaGetDevice(&device), "cudaGetDevice");
  detail::throw_on_error(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
                         "cudaDeviceGetAttribute");
  if (count > 1) multiprocessors_ = static_cast<unsigned>(count);
  flag_.clear(sizeof(std::uint32_t));
}

inline cudaError_t NanGuard::enqueue(const std::uint32_t* device_word, std::uint64_t step, Kind kind,
                                     cudaStream_t stream) {
  if (when_late_ == WhenLate::kWait) static_cast<void>(words_.wait_for_lag(words_.slots() - 1));
  take_arrived();
  if (words_.lag() == words_.slots()) {  // given to words_, it would give up a result that has arrived since
    cudaError_t code = words_.status();
    if (code == cudaSuccess) code = detail::not_captured(stream);
    if (code == cudaSuccess) ++skipped_;
    return code;
  }
  return words_.enqueue(device_word, step << kStepShift | kind, stream);
}

// Leaves nothing unread: so the ring is full only of words in flight.
inline void NanGuard::take_arrived() {
  while (const auto word = words_.pop()) {
    if (forgotten_ != 0) {
      --forgotten_;
    } else if (const std::optional<std::uint64_t> step = bad_step(*word); step && (!found_ || *step < *found_)) {
      found_ = step;
    }
    if (words_.unread() == 0) return;  // to ask twice in a row for what is not there is to spin
  }
}

inline bool NanGuard::check(std::uint64_t step) {
  take_arrived();
  if (when_late_ == WhenLate::kWait && step >= max_lag_) {
    static_cast<void>(words_.wait_for_step(((step - max_lag_ + 1) << kStepShift) - 1));  // error: see below
    take_arrived();
  }
  if (found_ && !reported_) {
    reported_ = true;
    const NonFinite found{*found_, step};
    if (!callback_) throw NonFiniteError(found);
    callback_(found);
  }
  detail::throw_on_error(words_.status(), "cudaEventQuery");
  return !found_;
}

inline std::optional<std::uint64_t> NanGuard::bad_step(const StepValue<std::uint32_t>& word) {
  const std::uint64_t step = word.step >> kStepShift;
  switch (word.step & kKindMask) {
    case kValue:
      return detail::is_non_finite_fp32(word.value) ? std::optional<std::uint64_t>(step) : std::nullopt;
    case kFlag:
      return word.value != 0 ? std::optional<std::uint64_t>(step) : std::nullopt;
    default:
      if (word.value == 0) return std::nullopt;
      return word.value == kUnstamped ? step : std::uint64_t{word.value} - 1;
  }
}

}  // namespace syncsniff
