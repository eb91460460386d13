#include "tests/fake_driver/engine.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/fake_driver/fake_control.h"

namespace fake {
namespace {

struct Range {
  uint64_t bytes;
  Kind kind;
};

struct State {
  std::mutex mutex;
  std::vector<Stream*> streams;
  std::map<uintptr_t, Range> ranges;
  std::map<std::string, uint64_t> calls;
  Stream legacy;
};
State& state() {
  static auto* s = new State;  // never destroyed: calls may come after main
  return *s;
}

unsigned from_environment(const char* name, unsigned fallback) {
  const char* text = std::getenv(name);
  return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : fallback;
}

std::atomic<unsigned> g_kernel_us{from_environment("FAKE_CUDA_KERNEL_US", 1000)};
std::atomic<unsigned> g_copy_us{from_environment("FAKE_CUDA_COPY_US", 500)};
// Counting costs a map and a lock; a benchmark turns it off.
const bool g_counting = from_environment("FAKE_CUDA_COUNT", 1) != 0;
thread_local Stream* t_own = nullptr;

}  // namespace

uint64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

void sleep_until(uint64_t when_ns) {
  const timespec t{static_cast<time_t>(when_ns / 1000000000u), static_cast<long>(when_ns % 1000000000u)};
  while (now_ns() < when_ns) clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
}

Stream* make_stream(bool blocking) {
  auto* stream = new Stream;
  stream->blocking = blocking;
  std::lock_guard lock(state().mutex);
  state().streams.push_back(stream);
  return stream;
}

void destroy_stream(Stream* stream) {
  std::lock_guard lock(state().mutex);
  auto& all = state().streams;
  // Its work goes on: the legacy stream, which nobody destroys, remembers how long.
  state().legacy.busy_until = std::max(state().legacy.busy_until, stream->busy_until);
  all.erase(std::remove(all.begin(), all.end(), stream), all.end());
  delete stream;
}

bool is_legacy(const Stream* stream) { return stream == &state().legacy; }

Stream* stream_of(void* handle, bool per_thread) {
  const auto value = reinterpret_cast<uintptr_t>(handle);
  if (value == 1 || (value == 0 && !per_thread)) return &state().legacy;
  if (value > 2) return static_cast<Stream*>(handle);
  if (t_own == nullptr) t_own = make_stream(true);
  return t_own;
}

uint64_t enqueue(Stream* stream, uint64_t ns) {
  std::lock_guard lock(state().mutex);
  if (stream->capturing) return 0;
  uint64_t start = std::max(now_ns(), stream->busy_until);
  if (is_legacy(stream)) {
    for (const Stream* other : state().streams)
      if (other->blocking) start = std::max(start, other->busy_until);
  } else if (stream->blocking) {
    start = std::max(start, state().legacy.busy_until);
  }
  return stream->busy_until = start + ns;
}

uint64_t device_busy_until() {
  std::lock_guard lock(state().mutex);
  uint64_t until = state().legacy.busy_until;
  for (const Stream* stream : state().streams) until = std::max(until, stream->busy_until);
  return until;
}

void adopt(void* address, uint64_t bytes, Kind kind) {
  std::lock_guard lock(state().mutex);
  state().ranges[reinterpret_cast<uintptr_t>(address)] = {bytes, kind};
}

void* allocate(uint64_t bytes, Kind kind) {
  void* address = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (address != nullptr) adopt(address, bytes, kind);
  return address;
}

bool release(void* address, bool adopted) {
  {
    std::lock_guard lock(state().mutex);
    if (state().ranges.erase(reinterpret_cast<uintptr_t>(address)) == 0) return false;
  }
  if (!adopted) std::free(address);
  return true;
}

Kind kind_of(const void* address) {
  const auto value = reinterpret_cast<uintptr_t>(address);
  std::lock_guard lock(state().mutex);
  auto it = state().ranges.upper_bound(value);
  if (it == state().ranges.begin()) return Kind::kNone;
  --it;
  return value < it->first + it->second.bytes ? it->second.kind : Kind::kNone;
}

void count(const char* symbol) {
  if (!g_counting) return;
  std::lock_guard lock(state().mutex);
  ++state().calls[symbol];
}

uint64_t counted(const char* symbol) {
  std::lock_guard lock(state().mutex);
  const auto it = state().calls.find(symbol);
  return it != state().calls.end() ? it->second : 0;
}

unsigned kernel_us() { return g_kernel_us; }
unsigned copy_us() { return g_copy_us; }

}  // namespace fake

#define FAKE_API extern "C" __attribute__((visibility("default")))
FAKE_API uint64_t fakeCalls(const char* symbol) { return fake::counted(symbol); }
FAKE_API void fakeSetKernelUs(unsigned us) { fake::g_kernel_us = us; }
FAKE_API void fakeSetCopyUs(unsigned us) { fake::g_copy_us = us; }
