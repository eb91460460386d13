#include "runtime/shim/activity_buffers.h"

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include <cstring>

#include "runtime/shim/recorder.h"
#include "runtime/trace/mutex_held.h"

namespace syncsniff::shim {
namespace {

constexpr size_t kBufferBytes = 4 << 20;
constexpr unsigned kMaxBuffers = 64;
constexpr unsigned kReady = 2;
constexpr uint64_t kSecondNs = 1000000000;

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t g_wake = PTHREAD_COND_INITIALIZER;
// Protected by g_mutex.
ActivityBuffer g_filled[kMaxBuffers];
uint8_t* g_empty[kMaxBuffers];
unsigned g_filled_count = 0, g_empty_count = 0;
bool g_woken = false;

// The kernel gives zeroed pages. `flags`: MAP_POPULATE or 0.
uint8_t* new_buffer(int flags) noexcept {
  void* memory = mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return memory != MAP_FAILED ? static_cast<uint8_t*>(memory) : nullptr;
}

bool add_empty(uint8_t* data) noexcept {
  const trace::MutexHeld held(g_mutex);
  if (g_empty_count == kMaxBuffers) return false;
  g_empty[g_empty_count++] = data;
  return true;
}

bool needs_more() noexcept {
  const trace::MutexHeld held(g_mutex);
  return g_empty_count < kReady;
}

}  // namespace

void activity_buffer_requested(uint8_t** buffer, size_t* bytes, size_t* records) noexcept {
  uint8_t* data = nullptr;
  {
    const trace::MutexHeld held(g_mutex);
    if (g_empty_count > 0) data = g_empty[--g_empty_count];
  }
  if (data == nullptr) data = new_buffer(0);
  *buffer = data;
  *bytes = data != nullptr ? kBufferBytes : 0;
  *records = 0;
}

void activity_buffer_completed(void*, uint32_t, uint8_t* buffer, size_t, size_t valid) noexcept {
  const trace::MutexHeld held(g_mutex);
  if (g_filled_count < kMaxBuffers)
    g_filled[g_filled_count++] = {buffer, valid};
  else
    munmap(buffer, kBufferBytes), trace_file().count_dropped();
  pthread_cond_signal(&g_wake);
}

void keep_activity_buffers_ready() noexcept {
  while (needs_more()) {
    uint8_t* const data = new_buffer(MAP_POPULATE);
    if (data == nullptr || !add_empty(data)) return;
  }
}

ActivityBuffer take_activity_buffer() noexcept {
  const trace::MutexHeld held(g_mutex);
  return g_filled_count > 0 ? g_filled[--g_filled_count] : ActivityBuffer{};
}

void reuse_activity_buffer(ActivityBuffer buffer) noexcept {
  std::memset(buffer.data, 0, kBufferBytes);
  if (!add_empty(buffer.data)) munmap(buffer.data, kBufferBytes);
}

void wait_for_activity(uint64_t ns) noexcept {
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  const uint64_t nanoseconds = static_cast<uint64_t>(until.tv_nsec) + ns;
  until.tv_sec += static_cast<time_t>(nanoseconds / kSecondNs);
  until.tv_nsec = static_cast<long>(nanoseconds % kSecondNs);
  const trace::MutexHeld held(g_mutex);
  if (!g_woken && g_filled_count == 0) pthread_cond_timedwait(&g_wake, &g_mutex, &until);
  g_woken = false;
}

void wake_activity() noexcept {
  const trace::MutexHeld held(g_mutex);
  g_woken = true;
  pthread_cond_signal(&g_wake);
}

}  // namespace syncsniff::shim
