// The device-resident work list of a set of tensors: built once, used every step by the ops of multi_tensor.cuh.
// Errors come back as cudaError_t; nothing here throws CUDA errors or exits. (Host tables may throw std::bad_alloc.)
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "syncsniff/detail/chunk_reduce.cuh"
#include "syncsniff/detail/chunk_table.h"

namespace syncsniff::multi_tensor {

// T: float, __half or __nv_bfloat16. The plan holds addresses: the tensors must stay where they are while it is used.
//
// Allocates: one block of device memory in build() (24 bytes a tensor, 16 a chunk, and 4 for each chunk and 8 for each
// tensor of workspace), freed by the destructor; the ops allocate nothing.
// Streams: the workspace is the plan's own, so the launches of one plan must be ordered among themselves (one stream,
// or events). Two plans may run at the same time. Once built it can be used under stream capture.
template <typename T>
class Plan {
 public:
  Plan() = default;
  Plan(Plan&& other) noexcept { swap(other); }
  Plan& operator=(Plan&& other) noexcept {
    Plan(std::move(other)).swap(*this);
    return *this;
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() {
    if (block_ != nullptr) static_cast<void>(cudaFree(block_));  // waits for the device: destroy outside the loop
  }

  // data[i]: device pointer to elements[i] elements, aligned to sizeof(T); any further alignment will do, 16 bytes is
  // fastest. elements[i] may be 0 (then data[i] may be null), count may be 0. The current device must be the tensors'.
  // chunk_bytes: a multiple of 16; 0: chosen from the sizes.
  // Set-up, not for the loop: allocates, copies the table on `stream` and waits for that stream.
  // cudaErrorInvalidValue: a null or misaligned pointer, a bad chunk_bytes, or over 2^31 chunks.
  cudaError_t build(const T* const* data, const std::uint64_t* elements, std::size_t count, cudaStream_t stream,
                    std::uint32_t chunk_bytes = 0);

  std::size_t tensor_count() const { return table_.tensor_count; }
  std::size_t chunk_count() const { return table_.chunk_count; }
  std::uint64_t total_bytes() const { return total_bytes_; }

  // For the ops.
  const detail::ReduceTable& table() const { return table_; }
  unsigned grid_blocks() const { return grid_blocks_; }
  bool built() const { return block_ != nullptr; }

 private:
  void swap(Plan& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(table_, other.table_);
    std::swap(total_bytes_, other.total_bytes_);
    std::swap(grid_blocks_, other.grid_blocks_);
  }
  cudaError_t upload(const detail::ChunkTable& host, cudaStream_t stream);

  void* block_ = nullptr;
  detail::ReduceTable table_{};
  std::uint64_t total_bytes_ = 0;
  unsigned grid_blocks_ = 0;
};

template <typename T>
cudaError_t Plan<T>::build(const T* const* data, const std::uint64_t* elements, std::size_t count, cudaStream_t stream,
                           std::uint32_t chunk_bytes) {
  if (chunk_bytes % detail::kVectorBytes != 0) return cudaErrorInvalidValue;
  if (count != 0 && (data == nullptr || elements == nullptr)) return cudaErrorInvalidValue;
  detail::ChunkTable host;
  const auto untyped = reinterpret_cast<const void* const*>(data);
  if (detail::build_chunk_table(untyped, elements, count, sizeof(T), chunk_bytes, host) !=
      detail::ChunkTableError::kNone) {
    return cudaErrorInvalidValue;
  }
  int device = 0;
  int multiprocessors = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  if (error != cudaSuccess) return error;

  Plan fresh;  // so that a failure leaves *this as it was
  error = fresh.upload(host, stream);
  if (error != cudaSuccess) return error;
  const unsigned resident = static_cast<unsigned>(multiprocessors * detail::kReduceBlocksPerSm);
  const auto chunks = static_cast<unsigned>(host.chunks.size());
  swap(fresh);
  grid_blocks_ = chunks == 0 ? 1 : (chunks < resident ? chunks : resident);
  total_bytes_ = 0;
  for (std::size_t i = 0; i < count; ++i) total_bytes_ += elements[i] * sizeof(T);
  return cudaSuccess;
}

template <typename T>
cudaError_t Plan<T>::upload(const detail::ChunkTable& host, cudaStream_t stream) {
  const std::size_t tensor_bytes = host.tensors.size() * sizeof(detail::TensorEntry);
  const std::size_t chunk_bytes = host.chunks.size() * sizeof(detail::ChunkEntry);
  const std::size_t table_bytes = tensor_bytes + chunk_bytes;
  const std::size_t words = host.chunks.size() + 2 * host.tensors.size() + 1;
  cudaError_t error = cudaMalloc(&block_, table_bytes + words * sizeof(float));
  if (error != cudaSuccess) return error;

  char* base = static_cast<char*>(block_);  // chunk entries first: cudaMalloc's alignment makes them 16-byte loads
  table_.chunks = reinterpret_cast<const detail::ChunkEntry*>(base);
  table_.tensors = reinterpret_cast<const detail::TensorEntry*>(base + chunk_bytes);
  table_.of_chunk = reinterpret_cast<float*>(base + table_bytes);
  table_.of_tensor = table_.of_chunk + host.chunks.size();
  table_.tensor_tickets = reinterpret_cast<unsigned*>(table_.of_tensor + host.tensors.size());
  table_.grid_ticket = table_.tensor_tickets + host.tensors.size();
  table_.tensor_count = static_cast<std::uint32_t>(host.tensors.size());
  table_.chunk_count = static_cast<std::uint32_t>(host.chunks.size());

  error = cudaMemsetAsync(base + table_bytes, 0, words * sizeof(float), stream);
  if (error == cudaSuccess && chunk_bytes != 0) {
    error = cudaMemcpyAsync(base, host.chunks.data(), chunk_bytes, cudaMemcpyHostToDevice, stream);
  }
  if (error == cudaSuccess && tensor_bytes != 0) {
    error = cudaMemcpyAsync(base + chunk_bytes, host.tensors.data(), tensor_bytes, cudaMemcpyHostToDevice, stream);
  }
  // `host` goes away, and the launches may come from another stream.
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

}  // namespace syncsniff::multi_tensor
