// Page-locked host blocks that are used again instead of freed: allocating one costs as much as a training step, and
// freeing one waits for the device. Host code, C++17, CUDA alone.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "syncsniff/detail/event.h"
#include "syncsniff/detail/size_class.h"
#include "syncsniff/pinned_allocator.h"

namespace syncsniff {

namespace detail {
struct PoolBlock {
  void* data = nullptr;
  std::size_t size_class = 0;
  bool lent = false;
  std::unique_ptr<Event> event;  // made at the first release with a stream, kept for the next
};
}  // namespace detail

// A block that a pool has lent. Copyable like a pointer; give it back once, to the pool it came from.
class PinnedBlock {
 public:
  PinnedBlock() = default;
  void* data() const { return block_ == nullptr ? nullptr : block_->data; }
  // Usable bytes: what was asked for, rounded up to the block's size class.
  std::size_t capacity() const { return block_ == nullptr ? 0 : detail::bytes_of_class(block_->size_class); }
  explicit operator bool() const { return block_ != nullptr; }

 private:
  friend class PinnedPool;
  explicit PinnedBlock(detail::PoolBlock* block) : block_(block) {}
  detail::PoolBlock* block_ = nullptr;
};

// Thread-safe. In the steady state, where every size class has a block to spare, acquire() and release() make no CUDA
// call for blocks that only the host used; with a stream it is one event record and, later, one query, and one more for
// each block of that size that was released before it and is still in flight.
// The streams of release() must be of one device, that of the first such call's current device.
class PinnedPool {
 public:
  // max_bytes: acquire() throws rather than hold more than this in all; 0: no limit but the system's.
  explicit PinnedPool(std::size_t max_bytes = 0) : max_bytes_(max_bytes) {}
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;
  // Frees all blocks, lent or not, after their events: waits for the device. Not for the loop.
  ~PinnedPool() {
    for (detail::PoolBlock& block : blocks_) free_memory(block);
  }

  // At least `bytes` (> 0) of pinned memory, aligned to a page, contents unspecified. Only where no block of that size
  // is free a new one is allocated, which takes milliseconds; if that fails, or would pass max_bytes, idle blocks of
  // other sizes are freed first (which waits). Throws PinnedBadAlloc (a std::bad_alloc).
  PinnedBlock acquire(std::size_t bytes);

  // The host is done with the block and the device was not given it, or is known to be done: it is lent again at once.
  void release(PinnedBlock block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (take_back(block)) lists_[block.block_->size_class].idle.push_back(block.block_);
  }
  // The device may still use the block until `stream` gets here: it is lent again after that, found out by a query,
  // never by waiting. On an error the block stays lent: give it back again, or leave it to the pool's destructor.
  // cudaErrorStreamCaptureUnsupported if the stream is being captured.
  cudaError_t release(PinnedBlock block, cudaStream_t stream);

  // Frees every idle block whose device work is done: waits for the device. Not for the loop.
  void trim() {
    const std::lock_guard<std::mutex> lock(mutex_);
    trim_locked();
  }

  // All blocks, and those that are lent; the rest is idle or waits for its event.
  std::size_t bytes_held() const { return locked(held_); }
  std::size_t bytes_lent() const { return locked(lent_); }

 private:
  struct Lists {
    std::vector<detail::PoolBlock*> idle;     // the last one in is the first one out: it is in the cache
    std::vector<detail::PoolBlock*> pending;  // in the order of their releases
  };

  std::size_t locked(const std::size_t& figure) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return figure;
  }
  bool take_back(PinnedBlock block) {
    if (block.block_ == nullptr || !block.block_->lent) return false;  // given back before
    block.block_->lent = false;
    lent_ -= block.capacity();
    return true;
  }
  detail::PoolBlock* find(std::size_t size_class);
  detail::PoolBlock* allocate(std::size_t size_class);
  void reserve(std::size_t size_class);
  void trim_locked();
  static void free_memory(detail::PoolBlock& block) {
    if (block.data == nullptr) return;
    const detail::RelaxedCapture relaxed;
    if (block.event) static_cast<void>(detail::wait_for(*block.event));
    static_cast<void>(cudaFreeHost(block.data));
    block.data = nullptr;
  }

  mutable std::mutex mutex_;
  std::size_t max_bytes_;
  std::size_t held_ = 0, lent_ = 0;
  std::deque<detail::PoolBlock> blocks_;   // they stay where they are
  std::vector<detail::PoolBlock*> empty_;  // blocks without memory, after a trim
  std::array<Lists, detail::kSizeClasses> lists_;
};

inline PinnedBlock PinnedPool::acquire(std::size_t bytes) {
  const std::size_t size_class = detail::class_of_bytes(bytes);
  if (size_class == detail::kSizeClasses) throw PinnedBadAlloc("cudaHostAlloc", cudaErrorMemoryAllocation);
  const std::lock_guard<std::mutex> lock(mutex_);
  detail::PoolBlock* block = find(size_class);
  if (block == nullptr) block = allocate(size_class);
  block->lent = true;
  lent_ += detail::bytes_of_class(size_class);
  return PinnedBlock(block);
}

inline cudaError_t PinnedPool::release(PinnedBlock block, cudaStream_t stream) {
  cudaError_t code = detail::not_captured(stream);
  if (code != cudaSuccess) return code;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (block.block_ == nullptr || !block.block_->lent) return cudaSuccess;
  try {
    if (!block.block_->event) block.block_->event = std::make_unique<detail::Event>();
  } catch (const CudaError& error) {
    return error.code();
  } catch (const std::bad_alloc&) {
    return cudaErrorMemoryAllocation;
  }
  code = cudaEventRecord(block.block_->event->get(), stream);
  if (code != cudaSuccess) return code;
  take_back(block);
  lists_[block.block_->size_class].pending.push_back(block.block_);
  return cudaSuccess;
}

inline detail::PoolBlock* PinnedPool::find(std::size_t size_class) {
  Lists& lists = lists_[size_class];
  detail::PoolBlock* block = nullptr;
  if (!lists.idle.empty()) {
    block = lists.idle.back();
    lists.idle.pop_back();
    return block;
  }
  // All are asked, as their streams differ in pace: a query takes about a microsecond, a new block milliseconds.
  for (std::size_t i = 0; i < lists.pending.size(); ++i) {
    bool done = false;
    if (detail::is_done(*lists.pending[i]->event, done) != cudaSuccess || !done) continue;
    block = lists.pending[i];
    lists.pending.erase(lists.pending.begin() + static_cast<std::ptrdiff_t>(i));
    return block;
  }
  return nullptr;
}

inline detail::PoolBlock* PinnedPool::allocate(std::size_t size_class) {
  const std::size_t bytes = detail::bytes_of_class(size_class);
  const auto over = [&] { return max_bytes_ != 0 && (bytes > max_bytes_ || held_ > max_bytes_ - bytes); };
  if (over()) trim_locked();
  if (over()) throw PinnedBadAlloc("PinnedPool max_bytes", cudaErrorMemoryAllocation);
  reserve(size_class);
  const detail::RelaxedCapture relaxed;
  void* data = nullptr;
  cudaError_t code = cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
  if (code == cudaErrorMemoryAllocation) {
    trim_locked();
    static_cast<void>(cudaGetLastError());
    code = cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
  }
  if (code != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    throw PinnedBadAlloc("cudaHostAlloc", code);
  }
  detail::PoolBlock* block = empty_.back();
  empty_.pop_back();
  block->data = data;
  block->size_class = size_class;
  held_ += bytes;
  return block;
}

// A block without memory in empty_, and room for every block on each list it may come to: neither release() nor
// trim_locked() allocates, so neither can lose a block half way.
inline void PinnedPool::reserve(std::size_t size_class) {
  if (empty_.empty()) {
    empty_.reserve(blocks_.size() + 1);
    empty_.push_back(&blocks_.emplace_back());
  }
  lists_[size_class].idle.reserve(blocks_.size());
  lists_[size_class].pending.reserve(blocks_.size());
}

inline void PinnedPool::trim_locked() {
  const auto drop = [&](detail::PoolBlock* block) {
    held_ -= detail::bytes_of_class(block->size_class);
    free_memory(*block);
    empty_.push_back(block);
  };
  for (Lists& lists : lists_) {
    for (detail::PoolBlock* block : lists.idle) drop(block);
    lists.idle.clear();
    std::size_t kept = 0;
    for (detail::PoolBlock* block : lists.pending) {
      bool done = false;
      if (detail::is_done(*block->event, done) == cudaSuccess && done) {
        drop(block);
      } else {
        lists.pending[kept++] = block;
      }
    }
    lists.pending.resize(kept);
  }
}

}  // namespace syncsniff
