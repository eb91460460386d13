// The device-resident work list of a set of tensors: built once, used every step by the ops of multi_tensor.cuh.
// Errors come back as cudaError_t; nothing here throws CUDA errors or exits. (Host tables may throw std::bad_alloc.)
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "syncsniff/detail/chunk_map.cuh"
#include "syncsniff/detail/chunk_reduce.cuh"
#include "syncsniff/detail/chunk_table.h"
#include "syncsniff/detail/launch.cuh"
#include "syncsniff/detail/pointer_update.cuh"
#include "syncsniff/detail/sent_addresses.h"

namespace syncsniff::multi_tensor {

// T: float, __half or __nv_bfloat16. The plan holds addresses: the tensors stay where they are while it is used, or
// update() tells it where they went. The ops that write take it that no two tensors overlap: elements that are there
// twice race.
//
// Allocates: one block of device memory in build() (28 bytes a tensor and 36 a chunk; a chunk is
// up to 256 KiB of a tensor), freed by the destructor; the ops allocate nothing.
// Streams: the workspace is the plan's own, so the launches of one plan must be ordered among themselves (one stream,
// or events): two at the same time give wrong results or wait for each other for ever. Two plans may run at once. Once
// built it can be used under stream capture.
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
  // The ops that write need memory that may be written, whatever the const here says.
  // chunk_bytes: a multiple of 16, at most a GiB; 0: chosen from the sizes.
  // Set-up, not for the loop: allocates, copies the table on `stream` and waits for that stream. A second build() frees
  // the table before it: a graph that was captured with that must not be replayed.
  // cudaErrorInvalidValue: a null or misaligned pointer, a bad chunk_bytes, or over 2^25 chunks.
  cudaError_t build(const T* const* data, const std::uint64_t* elements, std::size_t count, cudaStream_t stream,
                    std::uint32_t chunk_bytes = 0);

  // The same tensors at other addresses, from this point of `stream` on. Waits for nothing: the addresses that changed
  // travel as kernel arguments, one small launch for each 330 of them (none when all are where they were).
  // data: tensor_count() pointers as in build(). May be captured: each replay then sets the addresses of the capture,
  // and from the first capture on every update() sends all, since nobody knows what was replayed.
  // cudaErrorInvalidValue: a null or misaligned pointer; the plan is then as it was.
  cudaError_t update(const T* const* data, cudaStream_t stream);

  std::size_t tensor_count() const { return table_.tensor_count; }
  std::size_t chunk_count() const { return table_.chunk_count; }
  std::uint64_t total_bytes() const { return table_.elements * sizeof(T); }
  std::uint64_t elements(std::size_t tensor) const { return elements_[tensor]; }

  // For the ops.
  const detail::ReduceTable& table() const { return table_; }
  detail::MapTable map_table() const { return {table_.chunks, table_.chunk_count, map_parts_}; }
  unsigned reduce_blocks() const { return table_.chunk_count == 0 ? 1 : table_.chunk_count; }
  unsigned map_blocks(unsigned most) const {
    const std::uint32_t parts = table_.chunk_count * map_parts_;
    return parts == 0 ? 1 : (parts < most ? parts : most);
  }
  float* scratch() const { return scratch_; }
  bool built() const { return block_ != nullptr; }

 private:
  static constexpr std::uint32_t kMostChunkBytes = 1u << 30;

  void swap(Plan& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(table_, other.table_);
    std::swap(scratch_, other.scratch_);
    std::swap(map_parts_, other.map_parts_);
    std::swap(addresses_, other.addresses_);
    elements_.swap(other.elements_);
  }
  cudaError_t upload(const detail::ChunkTable& host, cudaStream_t stream);

  void* block_ = nullptr;
  detail::ReduceTable table_{};
  std::uint32_t map_parts_ = 1;
  float* scratch_ = nullptr;  // one float, for ops of two launches
  detail::SentAddresses addresses_;
  std::vector<std::uint64_t> elements_;
};

// A list beside a plan's: the gradients, momenta or inputs that go with its tensors, one by one, of the same sizes. It
// may name the plan's own tensors, but only each beside itself; any other overlap with what an op writes is a race.
// Allocates 8 bytes of device memory a tensor in build(), freed by the destructor (which waits for the device).
// Streams: its launches must be ordered with those of the ops that use it.
template <typename T>
class List {
 public:
  List() = default;
  List(List&& other) noexcept { swap(other); }
  List& operator=(List&& other) noexcept {
    List(std::move(other)).swap(*this);
    return *this;
  }
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  ~List() {
    if (device_ != nullptr) static_cast<void>(cudaFree(device_));
  }

  // data[i]: device pointer to as many elements as the plan's tensor i has, aligned to sizeof(T); null where that is
  // empty. Set-up: allocates and waits. A second build() is to graphs what that of a Plan is.
  cudaError_t build(const T* const* data, std::size_t count, cudaStream_t stream);
  // Other addresses, from this point of `stream` on; as Plan::update().
  cudaError_t update(const T* const* data, cudaStream_t stream);

  std::size_t tensor_count() const { return addresses_.count(); }
  T* const* device() const { return reinterpret_cast<T**>(const_cast<void**>(device_)); }
  bool built() const { return device_ != nullptr; }

 private:
  void swap(List& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(addresses_, other.addresses_);
  }
  const void** device_ = nullptr;
  detail::SentAddresses addresses_;
};

namespace internal {

template <typename T>
bool aligned(const T* const* data, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (reinterpret_cast<std::uintptr_t>(data[i]) % sizeof(T) != 0) return false;
  }
  return true;
}

}  // namespace internal

template <typename T>
cudaError_t Plan<T>::build(const T* const* data, const std::uint64_t* elements, std::size_t count, cudaStream_t stream,
                           std::uint32_t chunk_bytes) {
  if (chunk_bytes % detail::kVectorBytes != 0 || chunk_bytes > kMostChunkBytes) return cudaErrorInvalidValue;
  if (count != 0 && (data == nullptr || elements == nullptr)) return cudaErrorInvalidValue;
  detail::ChunkTable host;
  const auto untyped = reinterpret_cast<const void* const*>(data);
  if (detail::build_chunk_table(untyped, elements, count, sizeof(T), chunk_bytes, host) !=
      detail::ChunkTableError::kNone) {
    return cudaErrorInvalidValue;
  }
  Plan fresh;  // so that a failure leaves *this as it was
  const cudaError_t error = fresh.upload(host, stream);
  if (error != cudaSuccess) return error;
  fresh.addresses_ = detail::SentAddresses(untyped, count);
  if (count != 0) fresh.elements_.assign(elements, elements + count);
  swap(fresh);
  return cudaSuccess;
}

template <typename T>
cudaError_t Plan<T>::upload(const detail::ChunkTable& host, cudaStream_t stream) {
  const std::size_t tensor_bytes = host.tensors.size() * sizeof(detail::TensorEntry);
  const std::size_t chunk_bytes = host.chunks.size() * sizeof(detail::ChunkEntry);
  const std::size_t table_bytes = tensor_bytes + chunk_bytes;
  const std::size_t words = host.chunks.size() + 3 * host.tensors.size() + 2;
  cudaError_t error = cudaMalloc(&block_, table_bytes + words * sizeof(float));
  if (error != cudaSuccess) return error;

  char* base = static_cast<char*>(block_);  // chunk entries first: cudaMalloc's alignment makes them 16-byte loads
  table_.chunks = reinterpret_cast<const detail::ChunkEntry*>(base);
  table_.tensors = reinterpret_cast<const detail::TensorEntry*>(base + chunk_bytes);
  table_.of_tensor = reinterpret_cast<std::uint64_t*>(base + table_bytes);
  table_.of_chunk = reinterpret_cast<float*>(table_.of_tensor + host.tensors.size());
  table_.tensor_tickets = reinterpret_cast<unsigned*>(table_.of_chunk + host.chunks.size());
  table_.launches = table_.tensor_tickets + host.tensors.size();
  scratch_ = reinterpret_cast<float*>(table_.launches + 1);
  table_.tensor_count = static_cast<std::uint32_t>(host.tensors.size());
  table_.chunk_count = static_cast<std::uint32_t>(host.chunks.size());
  for (const detail::TensorEntry& tensor : host.tensors) table_.elements += tensor.elements;
  map_parts_ = (host.chunk_bytes + detail::kMapPartBytes - 1) / detail::kMapPartBytes;
  if (map_parts_ > detail::kMostParts) map_parts_ = detail::kMostParts;

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

template <typename T>
cudaError_t Plan<T>::update(const T* const* data, cudaStream_t stream) {
  if (!built() || (data == nullptr && tensor_count() != 0)) return cudaErrorInvalidValue;
  if (!internal::aligned(data, tensor_count())) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < tensor_count(); ++i) {
    if (data[i] == nullptr && elements_[i] != 0) return cudaErrorInvalidValue;
  }
  return addresses_.send(reinterpret_cast<const void* const*>(data), stream, [&](const detail::MovedTensors& moved) {
    return detail::launch(detail::move_tensors_kernel<T>, moved.count, 128, stream, moved, table_.tensors,
                          const_cast<detail::ChunkEntry*>(table_.chunks), nullptr);
  });
}

template <typename T>
cudaError_t List<T>::build(const T* const* data, std::size_t count, cudaStream_t stream) {
  if ((count != 0 && data == nullptr) || !internal::aligned(data, count)) return cudaErrorInvalidValue;
  List fresh;
  fresh.addresses_ = detail::SentAddresses(reinterpret_cast<const void* const*>(data), count);
  const std::size_t bytes = count * sizeof(void*);
  cudaError_t error = cudaMalloc(reinterpret_cast<void**>(&fresh.device_), bytes != 0 ? bytes : 1);
  if (error == cudaSuccess && bytes != 0) {
    error = cudaMemcpyAsync(fresh.device_, fresh.addresses_.data(), bytes, cudaMemcpyHostToDevice, stream);
  }
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  if (error == cudaSuccess) swap(fresh);
  return error;
}

template <typename T>
cudaError_t List<T>::update(const T* const* data, cudaStream_t stream) {
  if (!built() || (data == nullptr && tensor_count() != 0)) return cudaErrorInvalidValue;
  if (!internal::aligned(data, tensor_count())) return cudaErrorInvalidValue;
  return addresses_.send(reinterpret_cast<const void* const*>(data), stream, [&](const detail::MovedTensors& moved) {
    return detail::launch(detail::move_tensors_kernel<T>, moved.count, 32, stream, moved, nullptr, nullptr, device_);
  });
}

}  // namespace syncsniff::multi_tensor
