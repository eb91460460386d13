// The fake device: streams whose work completes in order after a set time. No thread: a stream is the moment until
// which it is busy, a wait sleeps until then. Kernels do nothing; copies copy at once.
#pragma once

#include <cstdint>

namespace fake {

struct Stream {
  uint64_t busy_until = 0;
  bool blocking = true;  // takes part in the legacy stream's order
  bool capturing = false;
};

struct Event {
  uint64_t done_at = 0;
};

uint64_t now_ns();
void sleep_until(uint64_t when_ns);

// Stream of a handle as an entry point of that kind takes it: 0 default, 1 legacy, 2 per thread.
Stream* stream_of(void* handle, bool per_thread);
Stream* make_stream(bool blocking);
void destroy_stream(Stream* stream);
bool is_legacy(const Stream* stream);

// Adds work of `ns` to the stream; when it will end.
uint64_t enqueue(Stream* stream, uint64_t ns);
uint64_t device_busy_until();

enum class Kind { kNone, kDevice, kPinned, kManaged };
void* allocate(uint64_t bytes, Kind kind);
void adopt(void* address, uint64_t bytes, Kind kind);  // cuMemHostRegister
bool release(void* address, bool adopted);
Kind kind_of(const void* address);

void count(const char* symbol);
uint64_t counted(const char* symbol);

unsigned kernel_us();
unsigned copy_us();

}  // namespace fake
