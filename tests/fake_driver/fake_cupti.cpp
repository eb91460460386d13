// A libcupti.so.13 at the C ABI: hands out one kernel (FAKE_CUPTI_KERNELS: so many; FAKE_CUPTI_KERNEL_MS: so long), one
// copy and one set record a flush, and minds who is its client. Kernels begin at the flush; with
// FAKE_CUPTI_KERNEL_EVERY_US so far from one another since recording began. Record layouts are those of CUDA 13.0,
// written by offset.
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fake_driver/event_log.h"

#define FAKE_API extern "C" __attribute__((visibility("default")))

namespace {

using Request = void (*)(uint8_t**, size_t*, size_t*);
using Complete = void (*)(void*, uint32_t, uint8_t*, size_t, size_t);

constexpr unsigned kKernel = 10, kCopy = 1, kSet = 2;
constexpr size_t kKernelBytes = 216, kCopyBytes = 96, kSetBytes = 88;
constexpr int kMaxLimitReached = 12;
// CUPTI's clock, some way off CLOCK_MONOTONIC.
constexpr uint64_t kClockOffset = 1000000000000ull;

Request g_request = nullptr;
Complete g_complete = nullptr;
bool g_enabled[64];
uint64_t g_recording_since = 0;
bool g_pending[64];  // work that was recorded before its kind was disabled comes with the next flush

// As the real one does, it ends with the process: by a handler that is registered when it is loaded, and another at its
// first use. Whoever calls it after that crashes.
bool g_ended = false;
void end() { g_ended = true; }
[[maybe_unused]] const int g_registered_when_loaded = std::atexit(end);
void register_when_used() { [[maybe_unused]] static const int registered = std::atexit(end); }
void abort_if_ended() {
  if (g_ended) std::abort();
}

// A client that says that its buffers are zeroed must keep its word: the real one leaves gaps between records as they
// are.
bool g_wants_zeroed = false;
uint8_t* request_buffer() {
  uint8_t* buffer = nullptr;
  size_t bytes = 0, records = 0;
  g_request(&buffer, &bytes, &records);
  if (g_wants_zeroed && buffer != nullptr && std::any_of(buffer, buffer + bytes, [](uint8_t b) { return b != 0; }))
    std::abort();
  return buffer;
}

// Between flushes CUPTI holds a buffer that it has asked for; only a forced flush gives it back. To another client it
// would be an unknown one.
uint8_t* g_held = nullptr;
void hold_buffer() {
  if (g_held == nullptr && g_request != nullptr) g_held = request_buffer();
}

uint64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec) + kClockOffset;
}

// Coming and leaving take milliseconds, in which the program goes on.
void take_time(long ms = 3) {
  const timespec time{0, ms * 1000000};
  nanosleep(&time, nullptr);
}

template <class T>
void put(uint8_t* record, unsigned offset, T value) {
  std::memcpy(record + offset, &value, sizeof(value));
}

bool is_due(unsigned kind) {
  const bool pending = g_pending[kind];
  g_pending[kind] = false;
  return pending || g_enabled[kind];
}

size_t write_records(uint8_t* at) {
  static uint32_t calls = 0;
  size_t used = 0;
  const char* kernels = std::getenv("FAKE_CUPTI_KERNELS");
  const char* ms = std::getenv("FAKE_CUPTI_KERNEL_MS");
  const uint64_t length_ns = ms != nullptr ? std::strtoull(ms, nullptr, 10) * 1000000 : 5000;
  const char* every_us = std::getenv("FAKE_CUPTI_KERNEL_EVERY_US");
  const uint64_t apart_ns = every_us != nullptr ? std::strtoull(every_us, nullptr, 10) * 1000 : 0;
  const long count = is_due(kKernel) ? kernels != nullptr ? std::atol(kernels) : 1 : 0;
  for (long i = 0; i < count; ++i) {
    uint8_t* record = at + used;
    std::memset(record, 0, kKernelBytes);
    put(record, 0, kKernel);
    const uint64_t begin = apart_ns != 0 ? g_recording_since + static_cast<uint64_t>(i) * apart_ns : now();
    put(record, 16, begin);
    put(record, 24, begin + length_ns);
    put(record, 48, 7u);
    put(record, 52, 3u), put(record, 56, 1u), put(record, 60, 1u);
    put(record, 64, 256u), put(record, 68, 1u), put(record, 72, 1u);
    put(record, 92, ++calls);  // each kernel is of a launch of its own
    put(record, 104, "_Z4stepPf");
    used += kKernelBytes;
  }
  if (is_due(kCopy)) {
    uint8_t* record = at + used;
    std::memset(record, 0, kCopyBytes);
    put(record, 0, kCopy);
    put(record, 4, uint8_t{1});
    put(record, 8, uint64_t{4096});
    put(record, 16, now());
    put(record, 24, now() + 700);
    used += kCopyBytes;
  }
  if (is_due(kSet)) {
    uint8_t* record = at + used;
    std::memset(record, 0, kSetBytes);
    put(record, 0, kSet);
    put(record, 8, uint64_t{64});
    put(record, 16, now());
    put(record, 24, now() + 300);
    used += kSetBytes;
  }
  return used;
}

}  // namespace

FAKE_API int cuptiActivityRegisterCallbacks(Request request, Complete complete) {
  if (std::getenv("FAKE_CUPTI_HELD") != nullptr) return 39;
  fake::log_event("attach");
  const char* ms = std::getenv("FAKE_CUPTI_COMES_MS");
  take_time(ms != nullptr ? std::atol(ms) : 3);
  g_request = request;
  g_complete = complete;
  return 0;
}
FAKE_API int cuptiActivitySetAttribute(int attribute, size_t* bytes, void* value) {
  constexpr int kZeroedOut = 5;
  if (attribute == kZeroedOut && *bytes == 1) g_wants_zeroed = *static_cast<uint8_t*>(value) != 0;
  return 0;
}
FAKE_API int cuptiActivityEnable(uint32_t kind) {
  abort_if_ended();
  register_when_used();
  hold_buffer();
  g_enabled[kind % 64] = true;
  g_recording_since = now();
  if (kind == kKernel) fake::log_event("record");
  return 0;
}
FAKE_API int cuptiActivityDisable(uint32_t kind) {
  abort_if_ended();
  if (kind == kKernel) fake::log_event("stop");
  g_pending[kind % 64] = g_enabled[kind % 64];
  return g_enabled[kind % 64] = false, 0;
}
// The real one frees what it holds; whatever it had not handed back by then is lost.
FAKE_API int cuptiFinalize() {
  abort_if_ended();
  take_time();
  g_request = nullptr;
  g_complete = nullptr;
  std::memset(g_enabled, 0, sizeof g_enabled);
  std::memset(g_pending, 0, sizeof g_pending);
  g_wants_zeroed = false;
  fake::log_event(g_held == nullptr ? "finalize" : "finalize with a buffer held");
  return 0;
}
FAKE_API int cuptiGetVersion(uint32_t* version) {
  const char* wanted = std::getenv("FAKE_CUPTI_VERSION");
  return *version = wanted != nullptr ? static_cast<uint32_t>(std::atoi(wanted)) : 130001u, 0;
}
FAKE_API int cuptiSubscribe(void** subscriber, void*, void*) {
  return *subscriber = g_enabled, g_held != nullptr ? 39 : 0;
}
FAKE_API int cuptiGetTimestamp(uint64_t* timestamp) {
  abort_if_ended();
  return *timestamp = now(), 0;
}

FAKE_API int cuptiActivityFlushAll(uint32_t flags) {
  abort_if_ended();
  if (g_request == nullptr) return 0;
  if ((flags & 1) != 0 && g_held != nullptr) {
    g_complete(nullptr, 0, g_held, 0, 0);
    g_held = nullptr;
  }
  if (uint8_t* const buffer = request_buffer()) g_complete(nullptr, 0, buffer, 0, write_records(buffer));
  return 0;
}

FAKE_API int cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid, uint8_t** record) {
  uint8_t* next = buffer;
  if (*record != nullptr) {
    uint32_t kind;
    std::memcpy(&kind, *record, sizeof(kind));
    next = *record + (kind == kKernel ? kKernelBytes : kind == kCopy ? kCopyBytes : kSetBytes);
  }
  if (next >= buffer + valid) return kMaxLimitReached;
  *record = next;
  return 0;
}
