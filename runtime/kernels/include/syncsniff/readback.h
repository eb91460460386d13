// Numbers that come back from the device some steps late, so that no step waits for them. Host code, C++17, CUDA alone.
// Constructors throw CudaError; what belongs in the loop returns cudaError_t or an empty optional, and never waits.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "syncsniff/detail/cuda_error.h"
#include "syncsniff/detail/event.h"
#include "syncsniff/detail/memory.h"
#include "syncsniff/detail/ring.h"
#include "syncsniff/detail/sequenced.h"

namespace syncsniff {

template <typename T>
struct StepValue {
  std::uint64_t step;
  T value;
};

// One value a step, read back through a ring of pinned slots with an event each.
//
// When the ring is full, enqueue() still does not wait. An arrived value that nobody popped makes room (the oldest
// goes; overwritten() counts them: of no interest to those who only ask for latest()). If all slots are in flight, that
// is if the device is slots() values behind, this value is not read back (skipped() counts them).
//
// Allocates, in the constructor: `slots` pinned values and as many events. One thread at a time; streams of the device
// that was current in the constructor. Values are taken in the order of enqueue(), also if their streams differ.
// Not under stream capture, where events cannot be asked afterwards: see GraphScalar below.
template <typename T>
class DeferredScalar {
  static_assert(std::is_trivially_copyable_v<T>, "the value is copied as bytes");

 public:
  explicit DeferredScalar(std::size_t slots = 16) : ring_(slots == 0 ? 1 : slots), values_(ring_.capacity()) {
    steps_.resize(ring_.capacity());
    events_.reserve(ring_.capacity());
    for (std::size_t i = 0; i < ring_.capacity(); ++i) events_.emplace_back();
  }
  DeferredScalar(const DeferredScalar&) = delete;
  DeferredScalar& operator=(const DeferredScalar&) = delete;
  // Waits for the copies in flight, and freeing pinned memory waits for the device: not for the loop.
  ~DeferredScalar() { static_cast<void>(drain()); }

  // Copies *device_value as it will be when `stream` gets here. The device may overwrite it after that point of the
  // stream. `step` is handed back with the value; without it: the number of calls before this one.
  // cudaErrorStreamCaptureUnsupported if the stream is being captured; else what CUDA says, now or of an earlier copy.
  cudaError_t enqueue(const T* device_value, std::uint64_t step, cudaStream_t stream);
  cudaError_t enqueue(const T* device_value, cudaStream_t stream) { return enqueue(device_value, calls_, stream); }

  // The newest value that has arrived, popped or not; empty before the first. Never waits.
  std::optional<StepValue<T>> latest() {
    poll();
    return latest_;
  }
  // The oldest value that has arrived and was not popped before; empty if there is none. Never waits.
  std::optional<StepValue<T>> pop();

  // Waits until all values enqueued so far can be popped: for the end of the run.
  cudaError_t drain() { return wait_for_lag(0); }
  // Waits until at most `values` of them are still on their way.
  cudaError_t wait_for_lag(std::size_t values) {
    poll();
    wait_until_in_flight(values);
    return status_;
  }
  // Waits until the values enqueued with a step up to `step` have arrived. With a step some way back it bounds how far
  // the host runs ahead, and leaves the device the steps since then to work on.
  cudaError_t wait_for_step(std::uint64_t step) {
    poll();
    // From the newest back: in a run that returned to a checkpoint, the oldest may have the largest step.
    std::size_t newer = 0;
    while (newer < ring_.in_flight() && steps_[ring_.newest_in_flight(newer)] > step) ++newer;
    wait_until_in_flight(newer);
    return status_;
  }

  std::size_t slots() const { return ring_.capacity(); }
  // Values enqueued that had not arrived when last looked at, by any of the calls above.
  std::size_t lag() const { return ring_.in_flight(); }
  // Values that had arrived by then and were not popped. While there are any, pop() asks the device nothing.
  std::size_t unread() const { return ring_.unread(); }
  std::optional<std::uint64_t> latest_step() const {
    return latest_ ? std::optional<std::uint64_t>(latest_->step) : std::nullopt;
  }
  std::uint64_t overwritten() const { return overwritten_; }
  std::uint64_t skipped() const { return skipped_; }
  // The first error of an event or of a copy under way; from then on nothing arrives any more.
  cudaError_t status() const { return status_; }

 private:
  void poll() {
    bool done = true;
    while (ring_.in_flight() != 0 && status_ == cudaSuccess) {
      status_ = detail::is_done(events_[ring_.oldest_in_flight()], done);
      if (!done) return;
      take_oldest();
    }
  }
  void wait_until_in_flight(std::size_t values) {
    // syncsniff: allow(sync-in-loop) asked for, and a NanGuard asks only with WhenLate::kWait
    while (ring_.in_flight() > values && status_ == cudaSuccess) wait_oldest();
  }
  void wait_oldest() {
    status_ = detail::wait_for(events_[ring_.oldest_in_flight()]);
    if (status_ == cudaSuccess) take_oldest();
  }
  void take_oldest() {
    const std::size_t slot = ring_.oldest_in_flight();
    latest_.emplace(StepValue<T>{steps_[slot], values_[slot]});
    ring_.arrive();
  }

  detail::Ring ring_;
  detail::PinnedArray<T> values_;
  std::vector<std::uint64_t> steps_;
  std::vector<detail::Event> events_;
  std::optional<StepValue<T>> latest_;
  std::uint64_t calls_ = 0, overwritten_ = 0, skipped_ = 0;
  cudaError_t status_ = cudaSuccess;
};

template <typename T>
cudaError_t DeferredScalar<T>::enqueue(const T* device_value, std::uint64_t step, cudaStream_t stream) {
  if (status_ != cudaSuccess) return status_;
  cudaError_t code = detail::not_captured(stream);
  if (code != cudaSuccess) return code;
  ++calls_;
  if (ring_.full()) {
    poll();
    if (ring_.unread() == 0) {
      ++skipped_;
      return status_;
    }
    ring_.read();
    ++overwritten_;
  }
  const std::size_t slot = ring_.next_slot();
  code = cudaMemcpyAsync(&values_[slot], device_value, sizeof(T), cudaMemcpyDeviceToHost, stream);
  if (code != cudaSuccess) return code;
  status_ = cudaEventRecord(events_[slot].get(), stream);  // if it fails, nobody knows when the slot is free again
  if (status_ != cudaSuccess) return status_;
  steps_[slot] = step;
  ring_.push();
  return cudaSuccess;
}

template <typename T>
std::optional<StepValue<T>> DeferredScalar<T>::pop() {
  if (ring_.unread() == 0) poll();
  if (ring_.unread() == 0) return std::nullopt;
  const std::size_t slot = ring_.oldest_unread();
  ring_.read();
  return StepValue<T>{steps_[slot], values_[slot]};
}

// The same for a step that is captured into a graph: a kernel of one thread (publish() of readback.cuh) writes the
// value and its number straight into pinned memory, so neither an event nor a changing argument is needed, and reading
// it makes no CUDA call. A value's step is the number of publish()es that ran before it, replays included.
//
// The device never waits for the host: a value that was not read before `slots` newer ones came is lost (missed()).
// Allocates, in the constructor: `slots` pinned values and 8 bytes of device memory; waits there for the default
// stream. One thread at a time reads; the launches of one GraphScalar must be ordered among themselves.
template <typename T>
class GraphScalar {
  static_assert(std::is_trivially_copyable_v<T>, "the value is copied as bytes");

 public:
  explicit GraphScalar(std::size_t slots = 16)
      : slots_(slots == 0 ? 1 : slots, cudaHostAllocPortable | cudaHostAllocMapped), counter_(sizeof(std::uint64_t)) {
    counter_.clear(sizeof(std::uint64_t));
    view_.capacity = slots == 0 ? 1 : slots;
    for (std::size_t i = 0; i < view_.capacity; ++i) slots_[i].sequence = 0;
    void* mapped = nullptr;
    detail::throw_on_error(cudaHostGetDevicePointer(&mapped, slots_.data(), 0), "cudaHostGetDevicePointer");
    view_.slots = static_cast<detail::SequencedSlot<T>*>(mapped);
    view_.counter = static_cast<std::uint64_t*>(counter_.data());
  }
  GraphScalar(const GraphScalar&) = delete;
  GraphScalar& operator=(const GraphScalar&) = delete;
  ~GraphScalar() = default;  // cudaFree waits for the device, so that no launch writes to what is gone

  // As those of DeferredScalar, each without a CUDA call.
  std::optional<StepValue<T>> latest() const { return value_of(detail::read_newest(slots_.data(), view_.capacity)); }
  std::optional<StepValue<T>> pop() {
    return value_of(detail::read_next(slots_.data(), view_.capacity, next_, missed_));
  }
  std::uint64_t missed() const { return missed_; }

  // For publish().
  const detail::SequencedView<T>& view() const { return view_; }

 private:
  static std::optional<StepValue<T>> value_of(const std::optional<detail::Sequenced<T>>& read) {
    if (!read) return std::nullopt;
    return StepValue<T>{read->sequence - 1, read->value};
  }

  detail::PinnedArray<detail::SequencedSlot<T>> slots_;
  detail::DeviceBlock counter_;  // freed before slots_
  detail::SequencedView<T> view_{};
  std::uint64_t next_ = 1, missed_ = 0;
};

}  // namespace syncsniff
