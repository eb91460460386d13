#include "runtime/shim/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "runtime/shim/api_info.h"
#include "runtime/shim/cupti_timeline.h"
#include "runtime/shim/driver.h"
#include "runtime/shim/modules.h"
#include "runtime/shim/resolve.h"
#include "runtime/shim/site_table.h"
#include "runtime/shim/thread_clock.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/signals_held.h"

namespace syncsniff::shim {
namespace {

constexpr uint64_t kDefaultLimitMb = 1024;

std::atomic<bool> g_opened{false};
pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;  // over all interning below
HashTable<uint32_t, 17> g_stacks;
HashTable<uint32_t, 16> g_strings, g_codes;
uint32_t g_stack_ids = 0, g_string_ids = 0, g_code_ids = 0;
std::atomic<bool> g_api_named[kApiCount];

class Lock {
 public:
  Lock() noexcept { pthread_mutex_lock(&g_mutex); }
  ~Lock() { pthread_mutex_unlock(&g_mutex); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  const trace::SignalsHeld signals_held_;  // first: taken before the mutex, given back after it
};

size_t read_whole(const char* path, char* out, size_t room) noexcept {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  size_t used = 0;
  for (ssize_t got; used < room && (got = read(file, out + used, room - used)) > 0;) used += static_cast<size_t>(got);
  close(file);
  return used;
}

uint64_t limit_bytes() noexcept {
  const char* text = getenv("SYNCSNIFF_TRACE_LIMIT_MB");
  const uint64_t mb = text != nullptr ? strtoull(text, nullptr, 10) : 0;
  return (mb != 0 ? mb : kDefaultLimitMb) << 20;
}

// The first process takes the path itself; whoever finds it taken adds its process id (and a number after an exec).
bool create_file(const char* path) noexcept {
  if (const char* full = getenv("SYNCSNIFF_TEST_FULL_AFTER")) trace_file().set_full_after(strtoull(full, nullptr, 10));
  if (trace_file().open(path, limit_bytes())) return true;
  char own[4096];
  for (int attempt = 0; errno == EEXIST && attempt < 16; ++attempt) {
    const int n = attempt == 0 ? snprintf(own, sizeof(own), "%s.%d", path, getpid())
                               : snprintf(own, sizeof(own), "%s.%d.%d", path, getpid(), attempt);
    if (n <= 0 || static_cast<size_t>(n) >= sizeof(own)) return false;
    if (trace_file().open(own, limit_bytes())) return true;
  }
  return false;
}

void fill_header() noexcept {
  trace::FileHeader* header = trace_file().header();
  const ssize_t length = readlink("/proc/self/exe", header->executable, sizeof(header->executable) - 1);
  if (length > 0) header->executable[length] = '\0';
  read_whole("/proc/self/cmdline", header->command_line, sizeof(header->command_line) - 1);
  header->driver_version = static_cast<uint32_t>(driver_version());
  header->timeline_mode = timeline_wanted() ? 2 : 0;
}

uint32_t code_id(ThreadState& thread, const PythonFrame& frame) noexcept {
  uint32_t* known = g_codes.find(frame.identity);
  if (known == nullptr) return 0;
  if (*known != 0) return *known;
  static PythonCode code;  // under the mutex
  if (!read_python_code(frame.code, code)) return 0;
  trace::PythonCodeRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kPythonCode);
  record.file_bytes = static_cast<uint16_t>(code.file.bytes);
  record.name_bytes = static_cast<uint16_t>(code.name.bytes);
  record.python_version = python_version();
  record.code = g_code_ids + 1;
  if (code.file.bytes + code.name.bytes + code.linetable.bytes > trace::ChunkWriter::kLargestPayload)
    code.linetable.bytes = 0;
  record.linetable_bytes = static_cast<uint32_t>(code.linetable.bytes);
  record.first_line = code.first_line;
  const void* parts[] = {code.file.data, code.name.data, code.linetable.data};
  const size_t sizes[] = {code.file.bytes, code.name.bytes, code.linetable.bytes};
  if (!thread.writer.append_with_payload(record, parts, sizes, 3)) return 0;
  return *known = ++g_code_ids;
}

}  // namespace

constinit Recording g_recording{};

void open_trace() noexcept {
  if (g_opened.exchange(true)) return;
  const char* path = getenv("SYNCSNIFF_TRACE");
  if (path == nullptr || path[0] == '\0') return;
  resolve_driver();
  if (!create_file(path)) return;
  fill_header();
  const char* python_note = find_python();
  g_recording.python = has_python();
  start_clock();
  g_recording.full_timeline = timeline_wanted();
  set_recording(true);
  ThreadState* thread = enter();
  if (thread == nullptr) return;
  if (python_note != nullptr) write_note(*thread, python_note);
  record_modules(*thread);
  leave();
  start_timeline();
}

uint32_t intern_stack(ThreadState& thread, NativeStack& native, const PythonWalk& python) noexcept {
  const uint64_t hash = mix(native.hash(), python.hash);
  Lock lock;
  record_modules(thread);
  native.in_libraries = frames_in_libraries(native);
  uint32_t* known = g_stacks.find(hash);
  if (known == nullptr) return 0;
  if (*known != 0) return *known;
  uint32_t frames[2 * kMaxPythonFrames];
  unsigned python_frames = 0;
  for (unsigned i = 0; i < python.count; ++i) {
    const uint32_t code = code_id(thread, python.frames[i]);
    if (code == 0) continue;
    frames[2 * python_frames] = code;
    frames[2 * python_frames + 1] = python.frames[i].instruction;
    ++python_frames;
  }
  trace::StackRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kStack);
  record.native_frames = static_cast<uint16_t>(native.frames);
  record.python_frames = static_cast<uint16_t>(python_frames);
  record.stack = g_stack_ids + 1;
  const void* parts[] = {native.address, frames};
  const size_t sizes[] = {native.frames * sizeof(uint64_t), python_frames * 2 * sizeof(uint32_t)};
  record.payload_bytes = static_cast<uint32_t>(sizes[0] + sizes[1]);
  if (!thread.writer.append_with_payload(record, parts, sizes, 2)) return 0;
  return *known = ++g_stack_ids;
}

uint32_t intern_string(ThreadState& thread, const char* text, size_t bytes) noexcept {
  const uint64_t hash = mix_text(17, text, bytes);
  // A range is named at each push: what is known costs no lock.
  if (const uint32_t id = g_strings.look_up(hash)) return id;
  Lock lock;
  uint32_t* known = g_strings.find(hash);
  if (known == nullptr) return 0;
  if (*known != 0) return *known;
  if (!thread.writer.append_text(trace::RecordType::kString, g_string_ids + 1, text, bytes)) return 0;
  __atomic_store_n(known, ++g_string_ids, __ATOMIC_RELEASE);
  return g_string_ids;
}

uint16_t api_id(ThreadState& thread, unsigned api) noexcept {
  const auto id = static_cast<uint16_t>(api + 1);
  if (g_api_named[api].load(std::memory_order_relaxed)) return id;
  const trace::SignalsHeld signals_held;
  if (!g_api_named[api].exchange(true))
    thread.writer.append_text(trace::RecordType::kApiName, id, kApis[api].name, std::strlen(kApis[api].name));
  return id;
}

void describe_thread(ThreadState& thread) noexcept {
  char name[17] = {};
  prctl(PR_GET_NAME, name);
  thread.writer.append_text(trace::RecordType::kThread, thread.tid, name, std::strlen(name));
}

void write_note(ThreadState& thread, const char* text) noexcept {
  thread.writer.append_text(trace::RecordType::kNote, 0, text, std::strlen(text));
}

}  // namespace syncsniff::shim
