// The next batches, filled by the host and copied to the device while the device works on this one.
// Host code, C++17, CUDA alone (and a thread, if asked for).
#pragma once

#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "syncsniff/detail/event.h"
#include "syncsniff/detail/memory.h"

namespace syncsniff {

struct PrefetchOptions {
  std::size_t max_bytes = 0;  // of one batch
  std::size_t buffers = 3;    // 2 or more: one that is worked on, the others being filled and copied
  bool worker_thread = true;  // false: next() itself calls the fill function
};

struct PrefetchedBatch {
  void* data = nullptr;     // device memory, aligned to 256 bytes; null: the data has ended
  std::size_t bytes = 0;    // as the fill function said
  std::uint64_t index = 0;  // from 0 on
};

// A ring of `buffers` pairs of a pinned and a device block, copied on a non-blocking stream of its own.
//
// The device never waits for more than it must: a copy starts when the consumer is done with the batch `buffers` before
// it. The host waits in next() in two cases only (host_waits() counts them): the fill function is slower than the
// device, or the host is so far ahead that the pinned block it would fill, that of the batch `buffers` before, is still
// waiting to be copied. That is between `buffers` and twice as many steps, all of them queued on the device: it does
// not idle for it.
//
// Allocates, in the constructor: buffers * max_bytes of pinned and as much of device memory, two events each, a stream.
// CudaError if that fails, or if the product is no size_t (cudaErrorInvalidValue); std::invalid_argument if max_bytes
// is 0 or there is no fill function; std::system_error if there is no thread to be had.
class Prefetcher {
 public:
  // Writes batch number `index` to `pinned`, at most `capacity` bytes, and returns how many; 0: there is none, and it
  // is not called again. Called in the order of the batches, on the worker thread if there is one. If it throws, next()
  // throws the same after the batches before.
  using Fill = std::function<std::size_t(std::uint64_t index, void* pinned, std::size_t capacity)>;

  Prefetcher(const PrefetchOptions& options, Fill fill);
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;
  // Waits for a fill function that is running, then, in cudaFree, for the device: consumers may still use the last
  // batch.
  ~Prefetcher();

  // Hands out the next batch: what `consumer` is given from now on sees it whole. The batch handed out before is given
  // up: what its consumer stream was given before this call may still use it, nothing later. (If other streams use it
  // too, make its consumer wait for them first.) `consumer` may differ from call to call, but the one of the call
  // before must still exist: it is given an event. One thread at a time.
  // cudaErrorStreamCaptureUnsupported if either of the two is being captured: nothing is given up then, and a later
  // call goes on. cudaErrorInvalidValue if the fill function returned more than the capacity.
  cudaError_t next(cudaStream_t consumer, PrefetchedBatch& batch);

  // How often next() had to wait for a fill or for a pinned block; the first batch counts too.
  std::uint64_t host_waits() const { return host_waits_; }

 private:
  struct Buffer {
    detail::Event copied{cudaEventBlockingSync};  // whoever waits for it has nothing to hurry for
    detail::Event consumed;
    std::size_t bytes = 0;
  };
  // Batches so far: given up by the consumer <= handed out <= loaded <= given up + buffers.
  struct Progress {
    std::uint64_t given_up = 0, handed_out = 0, loaded = 0;
    bool ended = false, stop = false;
    cudaError_t error = cudaSuccess;
    std::exception_ptr exception;
  };

  static std::size_t buffers_of(const PrefetchOptions& options) { return options.buffers < 2 ? 2 : options.buffers; }
  static Fill&& usable(const PrefetchOptions& options, Fill&& fill) {
    if (options.max_bytes == 0 || !fill) {
      throw std::invalid_argument("Prefetcher: needs max_bytes and a fill function");
    }
    return std::move(fill);
  }
  // max_bytes rounded up to 256.
  static std::size_t stride_of(const PrefetchOptions& options) {
    const std::size_t rows = options.max_bytes / 256 + (options.max_bytes % 256 != 0 ? 1 : 0);
    return detail::checked_product(rows, 256, "Prefetcher max_bytes");
  }

  bool room() const { return !now_.ended && now_.loaded < now_.given_up + buffers_.size(); }
  void* pinned_of(std::uint64_t batch) { return pinned_.data() + batch % buffers_.size() * stride_; }
  void* device_of(std::uint64_t batch) {
    return static_cast<char*>(device_.data()) + batch % buffers_.size() * stride_;
  }
  Buffer& buffer_of(std::uint64_t batch) { return buffers_[static_cast<std::size_t>(batch % buffers_.size())]; }

  cudaError_t give_up_current();
  cudaError_t wait_for_pinned(std::uint64_t batch);
  std::size_t fill_and_copy(std::uint64_t batch, cudaError_t& code, std::exception_ptr& exception);
  void load_one(std::unique_lock<std::mutex>& lock);
  void load_here(std::unique_lock<std::mutex>& lock);
  void work();

  std::size_t capacity_, stride_;
  Fill fill_;
  detail::PinnedArray<char> pinned_;
  detail::DeviceBlock device_;
  std::vector<Buffer> buffers_;  // after the memory: a count that is absurd fails there
  detail::Stream copies_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Progress now_;                     // guarded by mutex_
  cudaStream_t consumer_ = nullptr;  // of the batch handed out last
  std::uint64_t host_waits_ = 0;
  int cuda_device_ = 0;
  std::thread worker_;  // last: it uses all the rest
};

inline Prefetcher::Prefetcher(const PrefetchOptions& options, Fill fill)
    : capacity_(options.max_bytes),
      stride_(stride_of(options)),
      fill_(usable(options, std::move(fill))),
      pinned_(detail::checked_product(stride_, buffers_of(options), "Prefetcher buffers")),
      device_(stride_ * buffers_of(options)),
      buffers_(buffers_of(options)) {
  detail::throw_on_error(cudaGetDevice(&cuda_device_), "cudaGetDevice");
  if (options.worker_thread) worker_ = std::thread([this] { work(); });
}

inline Prefetcher::~Prefetcher() {
  if (worker_.joinable()) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      now_.stop = true;
    }
    changed_.notify_all();
    worker_.join();
  }
  static_cast<void>(cudaStreamSynchronize(copies_.get()));
}

inline cudaError_t Prefetcher::next(cudaStream_t consumer, PrefetchedBatch& batch) {
  batch = PrefetchedBatch{};
  cudaError_t code = detail::not_captured(consumer);
  if (code == cudaSuccess) code = give_up_current();
  if (code != cudaSuccess) return code;

  std::unique_lock<std::mutex> lock(mutex_);
  if (!worker_.joinable()) load_here(lock);
  const auto ready = [this] { return now_.loaded > now_.handed_out || now_.ended; };
  if (!ready()) {
    ++host_waits_;
    changed_.wait(lock, ready);
  }
  if (now_.loaded == now_.handed_out) {
    if (now_.exception) std::rethrow_exception(now_.exception);
    return now_.error;
  }
  const std::uint64_t index = now_.handed_out;
  code = cudaStreamWaitEvent(consumer, buffer_of(index).copied.get(), 0);
  if (code != cudaSuccess) return code;
  ++now_.handed_out;
  consumer_ = consumer;
  batch = PrefetchedBatch{device_of(index), buffer_of(index).bytes, index};
  return cudaSuccess;
}

// Marks the point of the consumer stream from which the batch handed out last may be overwritten.
inline cudaError_t Prefetcher::give_up_current() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (now_.given_up == now_.handed_out) return cudaSuccess;
  cudaError_t code = detail::not_captured(consumer_);  // the event would go into the graph, and mark nothing here
  if (code == cudaSuccess) code = cudaEventRecord(buffer_of(now_.given_up).consumed.get(), consumer_);
  if (code != cudaSuccess) return code;
  ++now_.given_up;
  lock.unlock();
  changed_.notify_all();
  return cudaSuccess;
}

// Waits, on the host, until the batch whose pinned block this one takes has been copied.
inline cudaError_t Prefetcher::wait_for_pinned(std::uint64_t batch) {
  const detail::Event& copied = buffer_of(batch).copied;
  bool done = false;
  const cudaError_t code = detail::is_done(copied, done);  // true for an event that was never recorded
  return code == cudaSuccess && !done ? detail::wait_for(copied) : code;
}

// Without the mutex: nobody else touches a buffer that is given up. Returns the bytes; 0: no batch, or an error.
inline std::size_t Prefetcher::fill_and_copy(std::uint64_t batch, cudaError_t& code, std::exception_ptr& exception) {
  Buffer& buffer = buffer_of(batch);
  code = wait_for_pinned(batch);
  if (code != cudaSuccess) return 0;
  std::size_t bytes = 0;
  try {
    bytes = fill_(batch, pinned_of(batch), capacity_);
  } catch (...) {
    exception = std::current_exception();
    return 0;
  }
  if (bytes > capacity_) code = cudaErrorInvalidValue;
  if (bytes == 0 || code != cudaSuccess) return 0;
  if (batch >= buffers_.size()) code = cudaStreamWaitEvent(copies_.get(), buffer.consumed.get(), 0);
  if (code == cudaSuccess) {
    code = cudaMemcpyAsync(device_of(batch), pinned_of(batch), bytes, cudaMemcpyHostToDevice, copies_.get());
  }
  if (code == cudaSuccess) code = cudaEventRecord(buffer.copied.get(), copies_.get());
  buffer.bytes = bytes;
  return code == cudaSuccess ? bytes : 0;
}

inline void Prefetcher::load_one(std::unique_lock<std::mutex>& lock) {
  const std::uint64_t batch = now_.loaded;
  lock.unlock();
  cudaError_t code = cudaSuccess;
  std::exception_ptr exception;
  const std::size_t bytes = fill_and_copy(batch, code, exception);
  lock.lock();
  if (bytes != 0) {
    ++now_.loaded;
  } else {
    now_.ended = true;
    now_.error = code;
    now_.exception = exception;
  }
}

// Without a worker: one batch if there is none to hand out, and then as many as need no wait.
inline void Prefetcher::load_here(std::unique_lock<std::mutex>& lock) {
  while (room()) {
    bool done = true;
    if (now_.loaded >= buffers_.size() && detail::is_done(buffer_of(now_.loaded).copied, done) == cudaSuccess &&
        !done) {
      if (now_.loaded > now_.handed_out) return;
      ++host_waits_;
    }
    load_one(lock);
  }
}

inline void Prefetcher::work() {
  const detail::RelaxedCapture relaxed;  // the training thread may be capturing meanwhile
  std::unique_lock<std::mutex> lock(mutex_);
  now_.error = cudaSetDevice(cuda_device_);
  now_.ended = now_.error != cudaSuccess;
  while (!now_.stop && !now_.ended) {
    if (room()) {
      load_one(lock);
      changed_.notify_all();
    } else {
      changed_.wait(lock);
    }
  }
  changed_.notify_all();
}

}  // namespace syncsniff
