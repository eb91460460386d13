#include "runtime/shim/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "runtime/shim/api_info.h"
#include "runtime/shim/board.h"
#include "runtime/shim/command_line.h"
#include "runtime/shim/cupti_timeline.h"
#include "runtime/shim/driver.h"
#include "runtime/shim/modules.h"
#include "runtime/shim/resolve.h"
#include "runtime/shim/site_table.h"
#include "runtime/shim/thread_clock.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/mutex_held.h"
#include "runtime/trace/signals_held.h"

namespace syncsniff::shim {
namespace {

constexpr uint64_t kDefaultLimitMb = 1024;
constexpr int kMostNames = 1000;

std::atomic<bool> g_opened{false};
char g_path[4096], g_base[4096];  // static, since a program's stack may be as small as 64 KiB (ulimit -s)
pthread_mutex_t g_names_mutex = PTHREAD_MUTEX_INITIALIZER;  // protects all interning below
HashTable<uint32_t, 17> g_stacks;
HashTable<uint32_t, 16> g_strings, g_codes;
uint32_t g_stack_ids = 0, g_string_ids = 0, g_code_ids = 0;
std::atomic<bool> g_api_named[kApiCount];

struct Lock {
  const trace::SignalsHeld signals_held;  // from before the mutex is locked until after it is unlocked
  const trace::MutexHeld names_held{g_names_mutex};
};

uint64_t limit_bytes() noexcept {
  const char* text = getenv("SYNCSNIFF_TRACE_LIMIT_MB");
  const uint64_t mb = text != nullptr ? strtoull(text, nullptr, 10) : 0;
  return (mb != 0 ? mb : kDefaultLimitMb) << 20;
}

// The first process takes the name itself; if the name exists, later ones append their process id, and a number after
// an exec.
int open_free_name(const char* base) noexcept {
  int error = EEXIST;
  for (int attempt = 0; error == EEXIST && attempt < kMostNames; ++attempt) {
    const int n = attempt == 0   ? snprintf(g_path, sizeof(g_path), "%s", base)
                  : attempt == 1 ? snprintf(g_path, sizeof(g_path), "%s.%d", base, getpid())
                                 : snprintf(g_path, sizeof(g_path), "%s.%d.%d", base, getpid(), attempt - 1);
    if (n <= 0 || static_cast<size_t>(n) >= sizeof(g_path)) return ENAMETOOLONG;
    error = trace_file().open(g_path, limit_bytes());
  }
  return error;
}

// Creates the trace in the folder that `syncsniff run` made for this run alone. If that is gone or not writable (the
// launcher has ended, the program runs as another user now), creates it under the trace's own name.
int create_file(const char* path) noexcept {
  if (const char* full = getenv("SYNCSNIFF_TEST_FULL_AFTER")) trace_file().set_full_after(strtoull(full, nullptr, 10));
  const char* const folder = getenv("SYNCSNIFF_TRACE_FOLDER");
  const char* const slash = std::strrchr(path, '/');
  const int n = folder == nullptr ? -1 : snprintf(g_base, sizeof(g_base), "%s%s", folder, slash ? slash : path);
  if (n <= 0 || slash == nullptr || static_cast<size_t>(n) >= sizeof(g_base)) return open_free_name(path);
  const int error = open_free_name(g_base);
  const bool is_barred = error == ENOENT || error == ENOTDIR || error == EACCES || error == EPERM || error == EROFS;
  return is_barred ? open_free_name(path) : error;
}

const char* reason_of(int error) noexcept {
  switch (error) {
    case ENOMEM:
      return "the limits on its memory (ulimit -v, ulimit -l) leave no room for a trace";
    case EFBIG:
      return "the file size limit (ulimit -f) leaves no room for a trace";
    case ENOSPC:
    case EDQUOT:
      return "the disk was full";
    case EAGAIN:
      return "no thread could be started to make the trace (ulimit -u)";
    default:
      return "the trace's folder cannot be written in";
  }
}

// Leaves the reason for the launcher, as the target of a symbolic link: that needs no descriptor and may be any text.
void leave_failure_reason(int error) noexcept {
  const char* const folder = getenv("SYNCSNIFF_TRACE_FOLDER");
  if (folder == nullptr) return;
  const int n = snprintf(g_base, sizeof(g_base), "%s/why.%d", folder, getpid());
  if (n > 0 && static_cast<size_t>(n) < sizeof(g_base)) [[maybe_unused]]
    const int result = symlink(reason_of(error), g_base);
}

// Rank variables of torchrun and similar launchers, Open MPI, MPICH, PMIx, Slurm.
uint32_t rank_and_one() noexcept {
  for (const char* name : {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    const char* const text = getenv(name);
    char* end = nullptr;
    const unsigned long rank = text != nullptr ? strtoul(text, &end, 10) : 0;
    if (end != text && end != nullptr && *end == '\0' && rank < UINT32_MAX) return static_cast<uint32_t>(rank) + 1;
  }
  return 0;
}

void fill_header() noexcept {
  trace::FileHeader* header = trace_file().header();
  const ssize_t length = readlink("/proc/self/exe", header->executable, sizeof(header->executable) - 1);
  if (length > 0) header->executable[length] = '\0';
  write_command_line(header->command_line, sizeof(header->command_line) - 1);
  header->driver_version = static_cast<uint32_t>(driver_version());
  header->rank_and_one = rank_and_one();
  header->timeline_mode = static_cast<uint32_t>(timeline_wanted());
}

void tell_bound(ThreadState& thread) noexcept {
  char text[128];
  snprintf(text, sizeof(text), "the program's memory limit (ulimit -v) leaves %u MB for the trace",
           static_cast<unsigned>(trace_file().limit_bytes() >> 20));
  write_note(thread, text);
}

uint32_t code_id(ThreadState& thread, const PythonFrame& frame) noexcept {
  uint32_t* known = g_codes.find(frame.identity);
  if (known == nullptr) return 0;
  if (*known != 0) return *known;
  static PythonCode code;  // protected by the mutex
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

// All zeros, so that it is in anonymous memory (bss); the kernel would not wipe file-backed memory for a child.
constinit Recording g_recording{};
static_assert(sizeof(Recording) == kPageBytes);

void open_trace() noexcept {
  if (g_opened.exchange(true)) return;
  const char* path = getenv("SYNCSNIFF_TRACE");
  if (path == nullptr || path[0] == '\0') return;
  resolve_driver();
  if (const int error = create_file(path)) return leave_failure_reason(error);
  // Fails before Linux 4.14: then only the fork handlers do this.
  madvise(&g_recording, sizeof(g_recording), MADV_WIPEONFORK);
  fill_header();
  const char* python_note = find_python();
  g_recording.python = has_python();
  publish_board();
  start_clock();
  g_recording.every_call.store(timeline_wanted() == Timeline::kFull, std::memory_order_relaxed);
  set_recording(true);
  ThreadState* thread = enter();
  if (thread == nullptr) return;
  if (python_note != nullptr) write_note(*thread, python_note);
  if (trace_file().bound() == trace::Bound::kAddressSpace) tell_bound(*thread);
  record_modules(*thread);
  write_devices(*thread);
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
  // A range's name is looked up at each push, so known names take no lock.
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
