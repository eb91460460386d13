// A CUDA runtime without a device, linked in place of cudart: streams are queues that run when a test says so.
// A test fails if the code under test waits where it must not, or copies asynchronously from memory that is not pinned.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string>

namespace fake_cuda {

// Forgets all work, counts and planned failures. Memory, streams and events that are alive stay valid.
void reset();

// Runs at most `count` operations of `stream`; stops at a wait for an event that is not done. Returns how many ran.
std::size_t run(cudaStream_t stream, std::size_t count = 1);
// Runs all streams until nothing can go on.
void run_all();
// A kernel: `body` runs when the stream gets to it.
void launch(cudaStream_t stream, std::function<void()> body);

// Calls of this name since reset(), in all threads.
std::size_t calls(const std::string& api);
std::size_t calls();
// Calls that made the host wait.
std::size_t waits();
// The next call of `api` returns `code` and does nothing.
void fail_next(const std::string& api, cudaError_t code);

bool is_pinned(const void* data);
std::size_t pinned_blocks();

// While it lives, a call that waits, made on this thread, fails the test.
class ForbidWaiting {
 public:
  ForbidWaiting();
  ~ForbidWaiting();
};

}  // namespace fake_cuda
