#include "runtime/shim/board.h"

#include <cstddef>

#include "runtime/shim/python_frames.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/board.h"

namespace syncsniff::shim {
namespace {

trace::Board g_board;

// Marks an entry as taken while its thread fills it, so that no other thread takes it.
constexpr uint32_t kTaken = ~uint32_t{0};

trace::HookLayout hook_layout() noexcept {
  trace::HookLayout layout{};
  layout.slot_frame = offsetof(ThreadSlot, frame);
  layout.slot_return_address = offsetof(ThreadSlot, return_address);
  layout.state_last_place = offsetof(ThreadState, places) + PlaceCache::offset_of_last();
  layout.place_frame = offsetof(CallPlace, frame);
  layout.place_return_address = offsetof(CallPlace, return_address);
  layout.place_stack = offsetof(CallPlace, stack);
  layout.place_frames = offsetof(CallPlace, frames);
  layout.place_offsets = offsetof(CallPlace, offset);
  layout.place_bytes = sizeof(CallPlace);
  layout.most_frames = kMaxNativeFrames;
  return layout;
}

}  // namespace

void publish_board() noexcept {
  trace::FileHeader* const header = trace_file().header();
  g_board.start_monotonic_ns = header->start_monotonic_ns;
  g_board.bytes = sizeof(g_board);
  g_board.hooks = hook_layout();
  describe_python(g_board);
  __atomic_store_n(&header->board, reinterpret_cast<uint64_t>(&g_board), __ATOMIC_RELEASE);
}

void put_on_board(ThreadState& thread) noexcept {
  for (trace::BoardThread& entry : g_board.threads) {
    uint32_t free = 0;
    if (!__atomic_compare_exchange_n(&entry.tid, &free, kTaken, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) continue;
    entry.slot = reinterpret_cast<uint64_t>(&t_slot);
    entry.state = reinterpret_cast<uint64_t>(&thread);
    thread.on_board = &entry;
    update_python_thread(thread);
    __atomic_store_n(&entry.tid, thread.tid, __ATOMIC_RELEASE);
    return;
  }
}

void take_off_board(ThreadState& thread) noexcept {
  if (thread.on_board == nullptr) return;
  __atomic_store_n(&thread.on_board->tid, 0, __ATOMIC_RELEASE);
  thread.on_board = nullptr;
}

void update_python_thread(const ThreadState& thread) noexcept {
  if (thread.on_board != nullptr) thread.on_board->python_thread = reinterpret_cast<uint64_t>(this_python_thread());
}

}  // namespace syncsniff::shim
