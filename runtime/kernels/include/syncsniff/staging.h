// Host to device without the host waiting: StagedCopy for data that lies in pageable memory, Prefetcher (prefetcher.h)
// for batches that are made for the purpose. Host code, C++17, CUDA alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "syncsniff/detail/event.h"
#include "syncsniff/detail/memory.h"
#include "syncsniff/prefetcher.h"

namespace syncsniff {

// What a StagedCopy waits for on the device before it writes the destination.
enum class CopyAfter {
  kConsumer,  // all that the consumer stream was given before: it may still be using the destination
  kNothing,   // the destination is free: the copy runs beside the consumer's work
};

// Copies through a ring of pinned slots, on a stream of its own. The source may be any host memory, pageable above all:
// cudaMemcpyAsync from that waits inside the call (8.7 ms for 64 MiB on an H200, against 7 us from pinned memory).
//
// Costs the host one memcpy. When all slots are still being copied from, the host waits for the oldest (host_waits()
// counts them): size the ring so that slots * slot_bytes holds what is copied between two points where it is idle.
//
// Allocates, in the constructor: the slots, an event each, one stream of the current device. CudaError if that fails,
// or if slots * slot_bytes is no size_t (cudaErrorInvalidValue). One thread at a time.
class StagedCopy {
 public:
  explicit StagedCopy(std::size_t slot_bytes = std::size_t{4} << 20, std::size_t slots = 4)
      : slot_bytes_(slot_bytes == 0 ? 1 : slot_bytes),
        slots_(slots == 0 ? 1 : slots),
        staging_(detail::checked_product(slot_bytes_, slots_, "StagedCopy slots")) {
    for (std::size_t i = 0; i < slots_; ++i) copied_.emplace_back();
  }
  StagedCopy(const StagedCopy&) = delete;
  StagedCopy& operator=(const StagedCopy&) = delete;
  ~StagedCopy() { static_cast<void>(cudaStreamSynchronize(stream_.get())); }  // waits for the copies from its slots

  // Copies `bytes` from host_source to device_destination. What `consumer` is given after this call sees the new bytes;
  // host_source may be rewritten or freed as soon as it returns.
  // cudaErrorStreamCaptureUnsupported if the consumer is being captured. If the end of a copy could not be marked, that
  // error comes back from here on: its slot may be in use for as long as nobody knows.
  cudaError_t copy(void* device_destination, const void* host_source, std::size_t bytes, cudaStream_t consumer,
                   CopyAfter after = CopyAfter::kConsumer);

  std::uint64_t host_waits() const { return host_waits_; }

 private:
  cudaError_t copy_slot(char* destination, const char* source, std::size_t bytes);

  std::size_t slot_bytes_, slots_;
  detail::PinnedArray<char> staging_;
  std::vector<detail::Event> copied_;
  detail::Event consumer_here_;
  detail::Stream stream_;
  std::size_t next_ = 0;
  std::uint64_t host_waits_ = 0;
  cudaError_t status_ = cudaSuccess;
};

inline cudaError_t StagedCopy::copy(void* device_destination, const void* host_source, std::size_t bytes,
                                    cudaStream_t consumer, CopyAfter after) {
  cudaError_t code = status_ == cudaSuccess ? detail::not_captured(consumer) : status_;
  if (code != cudaSuccess || bytes == 0) return code;
  if (after == CopyAfter::kConsumer) {
    code = cudaEventRecord(consumer_here_.get(), consumer);
    if (code == cudaSuccess) code = cudaStreamWaitEvent(stream_.get(), consumer_here_.get(), 0);
  }
  std::size_t last = 0;
  for (std::size_t at = 0; at < bytes && code == cudaSuccess; at += slot_bytes_) {
    const std::size_t left = bytes - at;
    last = next_;
    code = copy_slot(static_cast<char*>(device_destination) + at, static_cast<const char*>(host_source) + at,
                     left < slot_bytes_ ? left : slot_bytes_);
  }
  if (code != cudaSuccess) return code;
  return cudaStreamWaitEvent(consumer, copied_[last].get(), 0);
}

inline cudaError_t StagedCopy::copy_slot(char* destination, const char* source, std::size_t bytes) {
  const detail::Event& copied = copied_[next_];
  bool done = false;
  cudaError_t code = detail::is_done(copied, done);  // true for an event that was never recorded
  if (code == cudaSuccess && !done) {
    ++host_waits_;
    code = detail::wait_for(copied);
  }
  if (code != cudaSuccess) return code;
  char* slot = staging_.data() + next_ * slot_bytes_;
  std::memcpy(slot, source, bytes);
  code = cudaMemcpyAsync(destination, slot, bytes, cudaMemcpyHostToDevice, stream_.get());
  if (code != cudaSuccess) return code;
  status_ = cudaEventRecord(copied.get(), stream_.get());
  if (status_ == cudaSuccess) next_ = (next_ + 1) % slots_;
  return status_;
}

}  // namespace syncsniff
