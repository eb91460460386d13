// Around a launch, and around what a library looks up for one. A step of training makes some hundred launches, at 5 us
// each, and the program's own work in between takes the caches: what these cost is the lines of code and data that they
// fetch. So they are straight, whatever happens seldom lies elsewhere, and what they touch lies together (ThreadState).
#include "runtime/shim/polls.h"
#include "runtime/shim/records.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {
namespace {

[[gnu::noinline]] void list_launch(Call& call, const CallSite& site, uint64_t object, int result,
                                   uint64_t end_ns) noexcept {
  list_call(call, site, object, flags_of(call, kApis[site.api], result), result, end_ns);
}

[[gnu::cold, gnu::noinline]] void list_load(Call& call, const CallSite& site, int result, uint64_t end_ns) noexcept {
  close_poll(*call.thread);
  find_place(call, site);
  call.stream = call.bytes = 0;
  call.per_thread = call.waits = call.blocked = call.work.capturing = false;
  call.work.device = 0;
  call.src = call.dst = trace::HostMemory::kUnknown;
  list_call(call, site, 0, flags_of(call, kApis[site.api], result), result, end_ns);
  call.thread->burst = nullptr;
}

}  // namespace

[[gnu::hot, gnu::flatten]] bool begin_load(Call& call, const CallSite& site) noexcept {
  call.thread = enter(site.return_address, site.frame);
  if (call.thread == nullptr) return false;
  call.begin_ns = call.thread->clock.now_ns();
  return true;
}

[[gnu::hot, gnu::flatten]] void end_load(Call& call, const CallSite& site, int result) noexcept {
  const uint64_t end_ns = call.thread->clock.now_ns();
  if (__builtin_expect(end_ns - call.begin_ns >= kListedNs, 0)) list_load(call, site, result, end_ns);
  leave();
}

[[gnu::hot, gnu::flatten]] bool begin_launch(Call& call, const CallSite& site, uint64_t stream,
                                             bool per_thread) noexcept {
  ThreadState* const thread = enter(site.return_address, site.frame);
  if (__builtin_expect(thread == nullptr, 0)) return pass_work(stream, per_thread), false;
  call.thread = thread;
  call.place = nullptr;
  call.stream = stream;
  call.bytes = 0;
  call.per_thread = per_thread;
  call.waits = call.blocked = false;
  call.src = call.dst = trace::HostMemory::kUnknown;
  call.begin_ns = thread->clock.now_ns();
  begin_work(*thread, stream, per_thread, call.begin_ns, call.work);
  thread->places.expect();
  return true;
}

[[gnu::hot, gnu::flatten]] void end_launch(Call& call, const CallSite& site, uint64_t object, Enqueues what,
                                           bool is_mark, int result) noexcept {
  ThreadState& thread = *call.thread;
  end_work(thread, call.begin_ns, call.work);
  const uint64_t end_ns = thread.clock.now_ns();
  close_poll(thread);
  if (call.place == nullptr) find_place_here(call, site);
  if (__builtin_expect(call.work.ends_idle, 0)) write_idle(call);
  count_site(call, site, object, end_ns);
  add_to_burst(call, what, end_ns);
  if (__builtin_expect(is_mark || g_recording.full_timeline, 0)) list_launch(call, site, object, result, end_ns);
  if (__builtin_expect(is_mark, 0)) thread.burst = nullptr;
  leave();
}

}  // namespace syncsniff::shim
