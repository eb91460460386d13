// Which of a list's addresses have to be sent to the device before it is used again. Host code, C++17, CUDA alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncsniff::detail {

inline constexpr int kMovedPerLaunch = 330;  // 4,000 of the 4,096 bytes that a kernel's arguments may take

struct MovedTensors {
  const void* data[kMovedPerLaunch];
  std::uint32_t tensor[kMovedPerLaunch];
  std::uint32_t count;
};
static_assert(sizeof(MovedTensors) <= 4000, "room for the other arguments");

// The addresses that the device has, as far as the host can know.
class SentAddresses {
 public:
  SentAddresses() = default;
  SentAddresses(const void* const* data, std::size_t count) {
    if (count != 0) known_.assign(data, data + count);
  }
  std::size_t count() const { return known_.size(); }
  const void* const* data() const { return known_.data(); }

  // Calls launch(MovedTensors) for the addresses that differ from what the device has. A graph sets those of its
  // capture whenever it is replayed, if ever: once `stream` was seen capturing, all are sent each time.
  template <typename Launch>
  cudaError_t send(const void* const* data, cudaStream_t stream, Launch launch) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaError_t code = cudaStreamIsCapturing(stream, &status);
    if (code != cudaSuccess) return code;
    if (status != cudaStreamCaptureStatusNone) certain_ = false;
    MovedTensors moved;
    moved.count = 0;
    for (std::size_t i = 0; i < known_.size() && code == cudaSuccess; ++i) {
      if (certain_ && data[i] == known_[i]) continue;
      moved.data[moved.count] = data[i];
      moved.tensor[moved.count++] = static_cast<std::uint32_t>(i);
      known_[i] = data[i];
      if (moved.count < kMovedPerLaunch) continue;
      code = launch(moved);
      moved.count = 0;
    }
    if (moved.count != 0 && code == cudaSuccess) code = launch(moved);
    if (code != cudaSuccess) certain_ = false;
    return code;
  }

 private:
  std::vector<const void*> known_;
  bool certain_ = true;
};

}  // namespace syncsniff::detail
