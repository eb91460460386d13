// Two device buffers for the input: one is filled on a stream of its own while the step works on the other.
#pragma once

#include <array>

#include "common/data.h"
#include "common/device_buffer.h"

namespace good {

class InputPipeline {
 public:
  explicit InputPipeline(std::size_t floats);
  ~InputPipeline();
  InputPipeline(const InputPipeline&) = delete;
  InputPipeline& operator=(const InputPipeline&) = delete;

  // Enqueues the copy of a pinned batch; work enqueued on `stream` from here on sees it. The device waits, not the
  // host.
  const float* load(const HostBatch& batch, cudaStream_t stream);
  // To be called when the last reader of what load() returned has been enqueued on `stream`.
  void release(cudaStream_t stream);

 private:
  struct Slot {
    explicit Slot(std::size_t floats) : input(floats) {}
    DeviceBuffer<float> input;
    cudaEvent_t filled = nullptr, free = nullptr;
  };
  cudaStream_t copies_ = nullptr;
  std::array<Slot, 2> slots_;
  int current_ = 0;
};

}  // namespace good
