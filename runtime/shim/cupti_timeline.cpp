#include "runtime/shim/cupti_timeline.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include <atomic>
#include <cstring>
#include <utility>

#include "runtime/shim/activity_buffers.h"
#include "runtime/shim/cupti_stay.h"
#include "runtime/shim/cupti_switch.h"
#include "runtime/shim/enqueuers.h"
#include "runtime/shim/gpu_activity.h"
#include "runtime/shim/graph_gate.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/streams.h"
#include "runtime/shim/thread_state.h"
#include "runtime/shim/window_budget.h"

namespace syncsniff::shim {
namespace {

constexpr size_t kThreadStackBytes = 1 << 20;  // independent of `ulimit -s`, since CUPTI's code runs on this stack
constexpr uint64_t kFlushEveryNs = 200000000;
// If the program uses all processors it has, each wake-up of this thread takes one from it for about 50 us.
constexpr uint64_t kClosedTickNs = 20000000, kLongestTickNs = 100000000, kOpenTickNs = 5000000;
// Work that was enqueued in a window may end after it; that is waited for at most this long.
constexpr uint64_t kSettleNs = 50000000;
// Only records show how many kernels a graph has, and CUPTI returns them only when asked. Asking makes one step of a
// JAX program 3 ms longer (H100).
constexpr uint64_t kLookAtGraphsNs = 20000000, kLookAtKnownGraphsNs = 100000000;
// A flush takes 0.3 to 1.6 ms (H200).
constexpr uint64_t kFetchEveryNs = 20000000;
// A graph call that waits for room in the launch queue returns within one graph's time. If it does not, the program's
// graph calls were held for nothing, and are not held again for ten times as long.
constexpr uint64_t kLongestHoldNs = 500000000;
uint64_t hold_again_ns(uint64_t held_since_ns) noexcept {
  const uint64_t now_ns = trace::monotonic_ns();
  return now_ns + 10 * (now_ns - held_since_ns);
}
// For a program that never waits, a window's work counts as finished when no record has come for this long plus four
// times its longest kernel.
constexpr uint64_t kQuietNs = 200000000;
constexpr double kDefaultBudget = 2;  // percent

std::atomic<bool> g_running{false}, g_stopping{false};
pthread_t g_thread;

double budget_share() noexcept {
  const char* text = getenv("SYNCSNIFF_BUDGET");
  return (text != nullptr ? strtod(text, nullptr) : kDefaultBudget) / 100;
}

ActivityCount write_pair_and_activity() noexcept {
  ThreadState* thread = enter();
  if (thread != nullptr) write_clock_pair(*thread);
  const ActivityCount written = write_activity(thread);
  if (thread != nullptr) leave();
  return written;
}

// Returns false if the process ends or its own profiler has started.
bool sleep_for(uint64_t ns) noexcept {
  trace_file().keep_ahead();
  if (!g_stopping.load()) wait_for_activity(ns);
  return !g_stopping.load() && !has_yielded();
}

bool uses_graphs() noexcept { return graph_use() != GraphUse::kNone; }

uint64_t launches_so_far() noexcept {
  uint64_t sum = 0;
  for (uint32_t device = 0; device < kMaxDevices; ++device) sum += all_begun(device);
  return sum;
}

uint64_t recorded_so_far() noexcept {
  uint64_t sum = launches_so_far();
  for (uint32_t device = 0; device < kMaxDevices; ++device) sum -= std::min(sum, all_unrecorded(device));
  return sum;
}

// The work that was enqueued in a window. That it has ended is known from the program's own waits, or once there are
// records of as many calls as enqueued something while the window was certainly open.
struct WindowWork {
  WorkMark mark{};
  uint64_t end_ns = 0;     // end of the window
  uint64_t enqueued = 0;   // number of calls that CUPTI has records of
  ActivityCount recorded;  // so far

  bool has_ended() const noexcept {
    const uint64_t known = uses_graphs() ? recorded.calls : recorded.records;
    return shim::has_ended(mark) || known >= enqueued;
  }
};

// Writes the records that CUPTI has returned, and with `flushes` asks for them first. Returns their number.
uint64_t fetch_records(WindowWork& work, bool flushes = true) noexcept {
  if (flushes) flush_gpu_side();
  const ActivityCount more = write_pair_and_activity();
  work.recorded.records += more.records;
  work.recorded.calls += more.calls;
  return more.records;
}

// Waits until the window's work has ended, but for at most kSettleNs, since each launch is slower meanwhile. Most
// programs' work ends within milliseconds, so records are requested at once, and then rarely. Returns false if the
// process ends.
bool settle(WindowWork& work) noexcept {
  bool going = true, is_fetched = false;
  uint64_t fetch_ns = 0;
  while (going && !work.has_ended() && trace::monotonic_ns() < work.end_ns + kSettleNs) {
    going = sleep_for(kOpenTickNs);
    const uint64_t now_ns = trace::monotonic_ns();
    is_fetched = now_ns >= fetch_ns;
    if (is_fetched) fetch_ns = now_ns + kFetchEveryNs;
    fetch_records(work, is_fetched);
  }
  if (!is_fetched) fetch_records(work);
  return going;
}

// Records until the open window must be closed, then waits for its work. Returns false if the process ends.
bool record_window(WindowBudget& budget, uint64_t first_ns, WindowWork& work) noexcept {
  auto now = [&] { return trace::monotonic_ns() - first_ns; };
  const uint64_t launches_before = launches_so_far(), recorded_before = recorded_so_far();
  const uint64_t look_every_ns = budget.knows_graphs() ? kLookAtKnownGraphsNs : kLookAtGraphsNs;
  uint64_t launches = launches_before, looked_ns = now();
  bool going = true;
  work = {};
  // The window begins only now that CUPTI is attached: the program launched in the meantime.
  budget.open(looked_ns, launches_before);
  while (going && !budget.must_close(now(), launches, work.recorded.records)) {
    going = sleep_for(kOpenTickNs);
    const uint64_t before = std::exchange(launches, launches_so_far());
    if (going && launches != before) window_has_enqueued();
    const bool flushes = uses_graphs() && now() - looked_ns >= look_every_ns;
    if (flushes) looked_ns = now();
    fetch_records(work, flushes);
  }
  close_window();
  const uint64_t end_ns = now();
  work.end_ns = first_ns + end_ns;
  work.enqueued = recorded_so_far() - recorded_before;
  work.mark = mark_work();
  if (going) going = settle(work);
  budget.close(end_ns, launches, work.recorded.records);
  return going;
}

enum class Opened : uint8_t { kYes, kNotNow, kNever };

// Attaches CUPTI while no graph call is in the driver, and opens a window.
Opened attach_and_open(uint64_t launches) noexcept {
  if (!can_load_cupti()) return Opened::kNever;
  const bool comes = !is_attached(), holds = comes && may_hold_graphs();
  if (holds && !close_graph_gate(kLongestHoldNs)) return Opened::kNotNow;
  const bool is_open = (!comes || attach()) && open_window(launches);
  if (holds) open_graph_gate();
  return is_open ? Opened::kYes : Opened::kNever;
}

// Decides when CUPTI is detached after a window. While it is attached each launch takes longer, whether it records or
// not: 7 to 10 % of a step of llm.c on an H200. So it is detached once the records of the window's work are there and
// the launches since then, plus those before the next window may open, lose as much time as attaching it again will
// cost. A window in a start-up that launches little is then followed by another one without attaching in between, which
// took 200 ms with two GPUs.
class Departure {
 public:
  void window_closed(const WindowWork& work, uint64_t launches) noexcept {
    work_ = work;
    last_record_ns_ = trace::monotonic_ns();
    is_recorded_ = false;
    stay_.begin(launches);
  }
  // `ahead`: number of launches before the next window may open.
  void leave_when_due(WindowBudget& budget, AttachCost& attach_cost, uint64_t launches, uint64_t ahead) noexcept {
    if (!may_detach()) return stop_recording_for_good();
    if (trace::monotonic_ns() < next_try_ns_) return;
    if (!is_recorded_) is_recorded_ = all_is_recorded(budget);
    if (!is_recorded_) return;
    if (!records_until_it_leaves() && stay_.lost_ns(launches + ahead) < attach_cost.attach_ns()) return;
    const uint64_t begin_ns = trace::monotonic_ns();
    if (close_graph_gate(kLongestHoldNs)) {
      budget.add_records(detach());
      open_graph_gate();
      attach_cost.detached(trace::monotonic_ns() - begin_ns);
    } else {
      next_try_ns_ = hold_again_ns(begin_ns);
    }
    budget.spend(stay_.charge_ns(launches) + trace::monotonic_ns() - begin_ns);
  }
  // CUPTI was not detached before the next window. If it cannot be detached, nothing is charged, since fewer windows
  // would not change that.
  void charge_stay(WindowBudget& budget, uint64_t launches) noexcept {
    if (may_detach()) budget.spend(stay_.charge_ns(launches));
  }

 private:
  bool all_is_recorded(WindowBudget& budget) noexcept {
    if (work_.has_ended()) return true;
    const uint64_t records = fetch_records(work_);
    budget.add_records(records);
    const uint64_t now_ns = trace::monotonic_ns();
    if (records != 0) last_record_ns_ = now_ns;
    if (work_.has_ended()) return true;
    const ActivityProgress progress = activity_progress();
    if (now_ns - last_record_ns_ > kQuietNs + 4 * progress.longest_ns) return true;
    // Recording continues and shows that the device has reached work enqueued after the window.
    return records_until_it_leaves() && progress.latest_begin_ns > work_.end_ns + kSettleNs;
  }

  WindowWork work_;
  bool is_recorded_ = false;
  AttachedCost stay_;
  uint64_t last_record_ns_ = 0, next_try_ns_ = 0;
};

void record_windows() noexcept {
  WindowBudget budget(budget_share());
  AttachCost attach_cost;
  Departure departure;
  uint64_t first_ns = 0, next_try_ns = 0, tick_ns = kClosedTickNs;
  while (sleep_for(tick_ns)) {
    const uint64_t launches = launches_so_far(), now = trace::monotonic_ns();
    if (launches == 0) continue;
    if (first_ns == 0) first_ns = now;
    budget.pass(now - first_ns, launches, is_attached() ? 0 : attach_cost.total_ns(uses_graphs()));
    if (is_attached())
      departure.leave_when_due(budget, attach_cost, launches, budget.launches_ahead(now - first_ns, launches));
    tick_ns = is_attached() ? kClosedTickNs
                            : std::clamp(budget.saving_ns(now - first_ns, launches), kClosedTickNs, kLongestTickNs);
    if (!budget.may_open(now - first_ns, launches) || now < next_try_ns) continue;
    const bool comes = !is_attached();
    const Opened opened = attach_and_open(launches);
    if (opened == Opened::kNever) return;
    const uint64_t came_ns = trace::monotonic_ns();
    if (opened == Opened::kNotNow) {
      next_try_ns = hold_again_ns(now);
      budget.spend(came_ns - now);  // for the time that the program's graph calls were held
      continue;
    }
    WindowWork work;
    if (!record_window(budget, first_ns, work)) return;
    if (comes)
      budget.spend(attach_cost.attached(came_ns - now, uses_graphs()));
    else
      departure.charge_stay(budget, launches);
    const uint64_t after = launches_so_far();
    departure.window_closed(work, after);
    departure.leave_when_due(budget, attach_cost, after,
                             budget.launches_ahead(trace::monotonic_ns() - first_ns, after));
  }
}

void record_all() noexcept {
  bool going = true;
  do {
    going = sleep_for(kFlushEveryNs);
    flush_gpu_side();
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
  // No signal for the program may be delivered to our thread or to those that CUPTI starts from it. Faults are not
  // blocked: a handler of the program could not report them.
  sigset_t all, before;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kThreadStackBytes);
  const int error = pthread_create(&g_thread, &attributes, work, nullptr);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error == 0;
}

// A full timeline is one window from here to the end.
bool start_full() noexcept { return can_load_cupti() && attach_for_all() && open_window(0); }

}  // namespace

bool is_timeline_running() noexcept { return g_running.load(); }

Timeline timeline_wanted() noexcept {
  static const Timeline kWanted = [] {
    const char* mode = getenv("SYNCSNIFF_TIMELINE");
    if (mode == nullptr) return Timeline::kOff;
    if (std::strcmp(mode, "full") == 0) return Timeline::kFull;
    return std::strcmp(mode, "windows") == 0 ? Timeline::kWindows : Timeline::kOff;
  }();
  return kWanted;
}

void start_timeline() noexcept {
  if (timeline_wanted() == Timeline::kOff || has_yielded()) return;
  if (timeline_wanted() == Timeline::kFull && !start_full()) return;
  if (!start_thread()) return close_window();
  g_running.store(true);
  stop_before_cupti_ends();
}

void stop_timeline() noexcept {
  // A forked child has neither the thread nor the right to use CUPTI.
  if (!trace_file().owned() || !g_running.exchange(false)) return;
  end_recording();
  g_stopping.store(true);
  wake_activity();
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 10;
  pthread_timedjoin_np(g_thread, nullptr, &until);
}

}  // namespace syncsniff::shim
