#include "instrument/sampler/thread_reader.h"

#include <utility>

namespace syncsniff::sampler {
namespace {

// A thread that makes a call every few us changes while it is read: after this many tries the sample is given up.
constexpr int kMostLooks = 3;

}  // namespace

bool ThreadReader::read_again(ProcessView& view, const trace::BoardThread& thread, uint64_t python_head, Heads& heads) {
  const trace::HookLayout& hooks = view.board.hooks;
  const Range ranges[] = {{thread.slot + hooks.slot_frame, sizeof(uint64_t)},
                          {thread.state + hooks.state_last_place, sizeof(uint64_t)},
                          {python_head, sizeof(uint64_t)}};
  const size_t count = python_head != 0 ? 3 : 2;
  uint64_t words[3] = {};
  if (view.memory.read(ranges, count, reinterpret_cast<char*>(words)) != count) return false;
  heads = {words[0], words[1], words[2]};
  return true;
}

bool ThreadReader::look_once(ProcessView& view, TraceTail& trace, const trace::BoardThread& thread, Look& out,
                             PythonWalks& walks, bool& is_still) {
  out = {};
  const trace::HookLayout& hooks = view.board.hooks;
  snapshot_.take(view.memory);
  Heads heads;
  uint64_t return_address = 0;
  if (!snapshot_.load(thread.slot + hooks.slot_frame, heads.call) ||
      !snapshot_.load(thread.slot + hooks.slot_return_address, return_address) ||
      !snapshot_.load(thread.state + hooks.state_last_place, heads.place))
    return false;
  out.has_called = heads.place != 0;
  LastCall last;
  const bool has_last = read_call(snapshot_, hooks, heads.place, last);
  is_still = true;
  if (heads.call != 0) {
    out.in_call = true;
    walks = {};
    // A hook looks up its place first, except for calls that concern handles or marks.
    if (has_last && last.frame == heads.call && last.return_address == return_address) out.call_stack = last.stack;
    return true;
  }
  PythonChain chain = walk_python(snapshot_, view.board.python, thread.python_thread, tid_, view.codes);
  heads.python = chain.head;
  if (has_last) {
    out.call_stack = last.stack;
    if (const std::vector<uint64_t>* const recorded = trace.stack(last.stack)) {
      out.native = frames_since(snapshot_, last, *recorded, hooks.most_frames, view.addresses);
      out.is_after_call = out.native == *recorded;
    }
  }
  Heads now;
  is_still = chain.is_whole && snapshot_.is_of_one_moment() && read_again(view, thread, chain.head_address, now) &&
             now == heads;
  if (is_still) walks = {};  // no further walk has to agree with this one
  walks.add(std::move(chain));
  return true;
}

bool ThreadReader::look(ProcessView& view, TraceTail& trace, const trace::BoardThread& thread, Look& out) {
  PythonWalks walks;
  bool is_still = false;
  for (int i = 0; i < kMostLooks && !is_still; ++i)
    if (!look_once(view, trace, thread, out, walks, is_still)) return false;
  out.python = walks.frames();
  return true;
}

int ThreadReader::read_state(const trace::Board& board, trace::HostState& state) {
  return state_file_.read({board.python_runtime[0], board.python_runtime[1]}, state);
}

}  // namespace syncsniff::sampler
