#include "runtime/shim/cupti_timeline.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include <atomic>
#include <cstring>

#include "runtime/shim/enqueuers.h"
#include "runtime/shim/gpu_activity.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/streams.h"
#include "runtime/shim/thread_state.h"
#include "runtime/shim/window_budget.h"

namespace syncsniff::shim {
namespace {

constexpr size_t kThreadStackBytes = 1 << 20;  // whatever `ulimit -s` says: CUPTI runs on it
constexpr uint64_t kFlushEveryNs = 200000000;
constexpr uint64_t kClosedTickNs = 20000000, kOpenTickNs = 5000000;
// What a window has put on the device may end after it.
constexpr uint64_t kSettleNs = 50000000;
constexpr double kDefaultBudget = 2;  // percent
constexpr const char* kRefused = "no GPU timeline: CUPTI refused to record kernels and copies";

std::atomic<bool> g_running{false}, g_yielded{false}, g_stopping{false};
std::atomic<bool> g_attached{false};  // CUPTI may hold buffers of ours
std::atomic<bool> g_had_window{false};
std::atomic<bool> g_graph_made{false};
pthread_t g_thread;
// Held while the activity is switched: the program's profiler comes on a thread of its own.
pthread_mutex_t g_switch = PTHREAD_MUTEX_INITIALIZER;
trace::WindowRecord* g_window = nullptr;  // the open one; under g_switch

void note(const char* text) noexcept {
  if (ThreadState* thread = enter()) {
    write_note(*thread, text);
    leave();
  }
}

double budget_share() noexcept {
  const char* text = getenv("SYNCSNIFF_BUDGET");
  return (text != nullptr ? strtod(text, nullptr) : kDefaultBudget) / 100;
}

void write_pair_and_activity(uint64_t* records = nullptr) noexcept {
  ThreadState* thread = enter();
  if (thread != nullptr) write_clock_pair(*thread);
  const uint64_t written = write_activity(thread);
  if (records != nullptr) *records = written;
  if (thread != nullptr) leave();
}

// Calls are listed before the GPU's side is recorded and until after it: each recorded kernel has its launch.
bool open_window(uint64_t launches) noexcept {
  pthread_mutex_lock(&g_switch);
  bool open = false;
  if (!g_yielded.load()) {
    g_recording.every_call.store(true, std::memory_order_relaxed);
    open = enable_activity();
    ThreadState* const thread = open ? enter() : nullptr;
    if (thread != nullptr) {
      trace::WindowRecord record{};
      record.type = static_cast<uint16_t>(trace::RecordType::kWindow);
      record.begin_ns = trace::monotonic_ns();
      record.launches = launches;
      g_window = thread->writer.append(record);
      g_had_window.store(true);
      write_clock_pair(*thread);
      leave();
    }
    __atomic_add_fetch(&trace_file().header()->window_turn, 1, __ATOMIC_RELEASE);
    if (!open && timeline_wanted() == Timeline::kWindows)
      g_recording.every_call.store(false, std::memory_order_relaxed);
  }
  pthread_mutex_unlock(&g_switch);
  return open;
}

// Under g_switch.
void close_window() noexcept {
  if (g_window == nullptr) return;
  g_window->end_ns = trace::monotonic_ns();
  g_window = nullptr;
  disable_activity();
  if (timeline_wanted() == Timeline::kWindows) g_recording.every_call.store(false, std::memory_order_relaxed);
  __atomic_add_fetch(&trace_file().header()->window_turn, 1, __ATOMIC_RELEASE);
}

void switch_off() noexcept {
  pthread_mutex_lock(&g_switch);
  if (!g_yielded.load()) close_window();
  pthread_mutex_unlock(&g_switch);
}

void flush() noexcept {
  pthread_mutex_lock(&g_switch);
  if (!g_yielded.load()) flush_activity(false);
  pthread_mutex_unlock(&g_switch);
}

// False: the process ends, or its own profiler came.
bool sleep_for(uint64_t ns) noexcept {
  if (!g_stopping.load()) wait_for_activity(ns);
  return !g_stopping.load() && !g_yielded.load();
}

uint64_t launches_so_far() noexcept {
  uint64_t sum = 0;
  for (uint32_t device = 0; device < kMaxDevices; ++device) sum += all_begun(device);
  return sum;
}

// One window, and what it has put on the device.
bool record_window(WindowBudget& budget, uint64_t first_ns) noexcept {
  auto now = [&] { return trace::monotonic_ns() - first_ns; };
  uint64_t launches = launches_so_far(), records = 0, part = 0;
  budget.open(now(), launches);
  if (!open_window(launches)) return note(kRefused), false;
  bool going = true;
  while (going && !budget.must_close(now(), launches = launches_so_far())) {
    going = sleep_for(kOpenTickNs);
    write_pair_and_activity(&part);
    records += part;
  }
  const uint64_t end_ns = now();
  switch_off();
  if (going) going = sleep_for(kSettleNs);
  flush();
  write_pair_and_activity(&part);
  budget.close(end_ns, launches, records + part);
  return going;
}

// Handlers run latest first. CUPTI registers its own when it is loaded and when it is first used: each time ours must
// come after, or the flush at exit would reach a CUPTI that has ended. A second call of it does nothing.
void stop_before_cupti_ends() noexcept { atexit(stop_timeline); }

// The first records after the first enabling are not all there: those are thrown away.
bool attach() noexcept {
  if (const char* why = load_activity()) return note(why), false;
  stop_before_cupti_ends();
  pthread_mutex_lock(&g_switch);
  const char* why = nullptr;
  const bool is_ours = !g_yielded.load();
  if (is_ours && (why = attach_activity()) == nullptr) {
    g_attached.store(true);
    if (enable_activity())
      disable_activity();
    else
      why = kRefused;
  }
  pthread_mutex_unlock(&g_switch);
  if (why != nullptr) note(why);
  if (!is_ours || why != nullptr) return false;
  stop_before_cupti_ends();
  flush();
  write_activity(nullptr);
  return true;
}

// As long as CUPTI is in the process each launch takes longer, whether it records or not: 7 to 10 % of a step of llm.c
// on an H200. So it leaves after a window, as soon as the program's own waits have proved the end of `work`: what the
// window put on the device. Where there are graphs it stays: one that was launched between the end of the window and
// this moment, with CUPTI in the process and not recording, would fail at its next launch (CUDA 13.0).
bool detach_after(const WorkMark& work) noexcept {
  if (g_graph_made.load() || !can_detach_activity() || !has_ended(work)) return false;
  pthread_mutex_lock(&g_switch);
  const bool leaves = !g_yielded.load() && !g_graph_made.load();
  if (leaves) {
    flush_activity(true);  // a buffer that CUPTI holds when it leaves is lost
    ThreadState* const thread = enter();
    write_activity(thread);
    if (thread != nullptr) leave();
    detach_activity();
    g_attached.store(false);
  }
  pthread_mutex_unlock(&g_switch);
  return leaves;
}

void record_windows() noexcept {
  WindowBudget budget(budget_share());
  uint64_t first_ns = 0;
  WorkMark work{};
  while (sleep_for(kClosedTickNs)) {
    const uint64_t launches = launches_so_far(), now = trace::monotonic_ns();
    if (launches == 0) continue;
    if (first_ns == 0) first_ns = now;
    if (g_attached.load()) detach_after(work);
    if (!budget.may_open(now - first_ns, launches)) continue;
    const bool comes_again = !g_attached.load() && g_had_window.load();
    if (!g_attached.load() && !attach()) return;
    const uint64_t attach_ns = trace::monotonic_ns() - now;
    if (!record_window(budget, first_ns)) return;
    if (comes_again) budget.spend(attach_ns);
    work = mark_work();
  }
}

void record_all() noexcept {
  bool going = true;
  do {
    going = sleep_for(kFlushEveryNs);
    flush();
    write_pair_and_activity();
  } while (going);
}

void* work(void*) noexcept {
  pthread_setname_np(pthread_self(), "syncsniff");
  if (timeline_wanted() == Timeline::kFull)
    record_all();
  else
    record_windows();
  return nullptr;
}

bool start_thread() noexcept {
  // No signal of the program's may end up in our thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kThreadStackBytes);
  const int error = pthread_create(&g_thread, &attributes, work, nullptr);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error == 0;
}

// A full timeline is one window, from here to the end.
bool start_full() noexcept {
  const char* why = load_activity();
  if (why == nullptr) why = attach_activity();
  if (why != nullptr) return note(why), false;
  g_attached.store(true);
  if (open_window(0)) return true;
  note(kRefused);
  return false;
}

}  // namespace

Timeline timeline_wanted() noexcept {
  static const Timeline wanted = [] {
    const char* mode = getenv("SYNCSNIFF_TIMELINE");
    if (mode == nullptr) return Timeline::kOff;
    if (std::strcmp(mode, "full") == 0) return Timeline::kFull;
    return std::strcmp(mode, "windows") == 0 ? Timeline::kWindows : Timeline::kOff;
  }();
  return wanted;
}

void start_timeline() noexcept {
  if (timeline_wanted() == Timeline::kOff || g_yielded.load()) return;
  if (timeline_wanted() == Timeline::kFull && !start_full()) return;
  if (!start_thread()) return switch_off();
  g_running.store(true);
  stop_before_cupti_ends();
}

void stop_timeline() noexcept {
  // A forked child has neither the thread nor a right to CUPTI.
  if (!trace_file().owned() || !g_running.exchange(false)) return;
  pthread_mutex_lock(&g_switch);
  if (!g_yielded.load() && g_window != nullptr) {
    flush_activity(true);
    close_window();
  }
  pthread_mutex_unlock(&g_switch);
  g_stopping.store(true);
  wake_activity();
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 10;
  pthread_timedjoin_np(g_thread, nullptr, &until);
}

void graph_is_made() noexcept {
  if (timeline_wanted() == Timeline::kOff || g_graph_made.exchange(true)) return;
  // One that is made while CUPTI leaves would be made half with it: the first waits until it has left.
  pthread_mutex_lock(&g_switch);
  pthread_mutex_unlock(&g_switch);
}

void yield_timeline() noexcept {
  if (timeline_wanted() == Timeline::kOff) return;
  pthread_mutex_lock(&g_switch);
  const bool first = !g_yielded.exchange(true), was_on = first && g_attached.load();
  // All our buffers come back before the other client's callbacks take our place: CUPTI keeps some between windows.
  if (was_on) {
    flush_activity(true);
    close_window();
  }
  pthread_mutex_unlock(&g_switch);
  if (first && g_running.load())
    note(was_on || g_had_window.load()
             ? "the GPU timeline ends here: the program's own profiler asked for CUPTI, and it comes first"
             : "no GPU timeline: the program's own profiler asked for CUPTI before the first window, and it comes "
               "first");
}

}  // namespace syncsniff::shim
