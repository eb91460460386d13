#include "runtime/shim/cupti_switch.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "runtime/shim/cupti_timeline.h"
#include "runtime/shim/enqueuers.h"
#include "runtime/shim/gpu_activity.h"
#include "runtime/shim/graph_gate.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/errno_kept.h"
#include "runtime/trace/mutex_held.h"

namespace syncsniff::shim {
namespace {

constexpr const char* kRefused = "no GPU timeline: CUPTI refused to record kernels and copies";

std::atomic<bool> g_yielded{false}, g_attached{false}, g_had_window{false};

pthread_mutex_t g_switch_mutex = PTHREAD_MUTEX_INITIALIZER;
// g_window and g_records are protected by the mutex.
trace::WindowRecord* g_window = nullptr;  // the open one
bool g_records = false;                   // CUPTI records the GPU's work
std::atomic<uint64_t> g_enqueued_ns{0};   // when the program was last seen to have enqueued something in the window

void note(const char* text) noexcept {
  if (ThreadState* thread = enter()) {
    write_note(*thread, text);
    leave();
  }
}

// The functions from here on must be called with the mutex locked.
bool start_recording() noexcept { return g_records = enable_activity(records_transfers()); }

void stop_recording() noexcept {
  if (g_records) disable_activity();
  g_records = false;
}

void list_every_call(bool listed) noexcept {
  if (listed || timeline_wanted() == Timeline::kWindows)
    g_recording.every_call.store(listed, std::memory_order_relaxed);
}

// Wakes the launcher, which waits on this futex for a window to open or close.
void turn_window() noexcept {
  uint64_t* const turn = &trace_file().header()->window_turn;
  __atomic_add_fetch(turn, 1, __ATOMIC_RELEASE);
  const trace::ErrnoKept errno_kept;
  syscall(SYS_futex, turn, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void begin_window(ThreadState& thread, uint64_t launches) noexcept {
  trace::WindowRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kWindow);
  record.begin_ns = trace::monotonic_ns();
  record.launches = launches;
  g_enqueued_ns.store(record.begin_ns, std::memory_order_relaxed);
  g_window = thread.writer.append(record);
  g_had_window.store(true);
  write_clock_pair(thread);
}

void end_window(uint64_t end_ns = trace::monotonic_ns()) noexcept {
  if (g_window == nullptr) return;
  g_window->end_ns = end_ns;
  trace_file().updated_once_more(g_window);
  g_window = nullptr;
  if (!records_until_it_leaves()) stop_recording();
  list_every_call(false);
  turn_window();
}

}  // namespace

void stop_before_cupti_ends() noexcept { atexit(stop_timeline); }

bool has_yielded() noexcept { return g_yielded.load(); }
bool is_attached() noexcept { return g_attached.load(); }
bool had_window() noexcept { return g_had_window.load(); }

bool can_load_cupti() noexcept {
  const char* const why = load_activity();
  if (why != nullptr) note(why);
  return why == nullptr;
}

// The first records after the first enabling are incomplete, so they are thrown away.
bool attach() noexcept {
  stop_before_cupti_ends();
  const char* why = nullptr;
  bool is_ours = false;
  {
    const trace::MutexHeld held(g_switch_mutex);
    is_ours = !g_yielded.load();
    if (is_ours && (why = attach_activity()) == nullptr) {
      g_attached.store(true);
      if (!start_recording()) why = kRefused;
      stop_recording();
    }
  }
  if (why != nullptr) note(why);
  if (!is_ours || why != nullptr) return false;
  stop_before_cupti_ends();
  flush_gpu_side();
  write_activity(nullptr);
  return true;
}

bool attach_for_all() noexcept {
  const char* const why = attach_activity();
  if (why != nullptr) return note(why), false;
  g_attached.store(true);
  return true;
}

uint64_t detach() noexcept {
  const trace::MutexHeld held(g_switch_mutex);
  if (g_yielded.load() || !may_detach()) return 0;
  stop_recording();
  flush_activity(true);  // a buffer that CUPTI holds when it is detached is lost
  ThreadState* const thread = enter();
  const uint64_t records = write_activity(thread).records;
  if (thread != nullptr) leave();
  detach_activity();
  g_attached.store(false);
  return records;
}

bool may_detach() noexcept {
  return can_detach_activity() && (graph_use() == GraphUse::kNone || records_until_it_leaves());
}

bool may_hold_graphs() noexcept { return devices_used() <= 1; }

bool records_until_it_leaves() noexcept {
  return graph_use() == GraphUse::kLaunched && can_detach_from_graphs() && may_hold_graphs();
}

bool open_window(uint64_t launches) noexcept {
  bool is_open = false, is_ours = false;
  {
    const trace::MutexHeld held(g_switch_mutex);
    is_ours = !g_yielded.load();
    if (is_ours) {
      list_every_call(true);
      is_open = start_recording();
      ThreadState* const thread = is_open ? enter() : nullptr;
      if (thread != nullptr) {
        begin_window(*thread, launches);
        leave();
      }
      turn_window();
      if (!is_open) list_every_call(false);
    }
  }
  if (is_ours && !is_open) note(kRefused);
  return is_open;
}

void close_window() noexcept {
  const trace::MutexHeld held(g_switch_mutex);
  if (!g_yielded.load()) end_window();
}

void stop_recording_for_good() noexcept {
  const trace::MutexHeld held(g_switch_mutex);
  if (!g_yielded.load()) stop_recording();
}

void end_recording() noexcept {
  const trace::MutexHeld held(g_switch_mutex);
  if (g_yielded.load()) return;
  if (g_window != nullptr) {
    flush_activity(true);
    // A program that ends gives the GPU no more work; that is not idle time of its steps.
    end_window(timeline_wanted() == Timeline::kWindows ? g_enqueued_ns.load(std::memory_order_relaxed)
                                                       : trace::monotonic_ns());
  }
  stop_recording();
}

void window_has_enqueued() noexcept { g_enqueued_ns.store(trace::monotonic_ns(), std::memory_order_relaxed); }

void flush_gpu_side() noexcept {
  const trace::MutexHeld held(g_switch_mutex);
  if (!g_yielded.load()) flush_activity(false);
}

bool records_transfers() noexcept { return graph_use() == GraphUse::kNone; }

void first_graph_comes() noexcept {
  if (timeline_wanted() == Timeline::kOff) return;
  const trace::ErrnoKept errno_kept;
  {
    const trace::MutexHeld held(g_switch_mutex);
    if (g_yielded.load()) return;
    const bool starts = timeline_wanted() == Timeline::kWindows && records_until_it_leaves();
    if (g_attached.load() && g_records)
      disable_transfers();
    else if (g_attached.load() && starts)
      start_recording();
  }
  note("the GPU timeline has kernels alone, without copies and memsets: the program uses CUDA graphs");
}

void yield_timeline() noexcept {
  if (timeline_wanted() == Timeline::kOff) return;
  bool first = false, was_on = false;
  {
    const trace::MutexHeld held(g_switch_mutex);
    first = !g_yielded.exchange(true);
    was_on = first && g_attached.load();
    // All our buffers must come back before the other client's callbacks replace ours: CUPTI keeps some between
    // windows.
    if (was_on) {
      flush_activity(true);
      end_window();
      stop_recording();
    }
  }
  if (first && is_timeline_running())
    note(was_on || had_window()
             ? "the GPU timeline ends here: the program's own profiler asked for CUPTI, and it comes first"
             : "no GPU timeline: the program's own profiler asked for CUPTI before the first window, and it comes "
               "first");
}

}  // namespace syncsniff::shim
