#include "good/input_pipeline.h"

namespace good {

InputPipeline::InputPipeline(std::size_t floats) : slots_{Slot(floats), Slot(floats)} {
  CUDA_CHECK(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking));
  for (Slot& slot : slots_) {
    CUDA_CHECK(cudaEventCreateWithFlags(&slot.filled, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&slot.free, cudaEventDisableTiming));
  }
}

InputPipeline::~InputPipeline() {
  for (Slot& slot : slots_) {
    cudaEventDestroy(slot.filled);
    cudaEventDestroy(slot.free);
  }
  cudaStreamDestroy(copies_);
}

const float* InputPipeline::load(const HostBatch& batch, cudaStream_t stream) {
  Slot& slot = slots_[static_cast<std::size_t>(current_)];
  CUDA_CHECK(cudaStreamWaitEvent(copies_, slot.free, 0));  // never recorded yet: no wait
  CUDA_CHECK(cudaMemcpyAsync(slot.input.data(), batch.pixels, batch.pixel_bytes, cudaMemcpyHostToDevice, copies_));
  CUDA_CHECK(cudaEventRecord(slot.filled, copies_));
  CUDA_CHECK(cudaStreamWaitEvent(stream, slot.filled, 0));
  return slot.input.data();
}

void InputPipeline::release(cudaStream_t stream) {
  CUDA_CHECK(cudaEventRecord(slots_[static_cast<std::size_t>(current_)].free, stream));
  current_ = 1 - current_;
}

}  // namespace good
