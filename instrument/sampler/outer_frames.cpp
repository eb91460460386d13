#include "instrument/sampler/outer_frames.h"

#include <algorithm>
#include <cstring>

namespace syncsniff::sampler {
namespace {

constexpr uint64_t kWord = sizeof(uint64_t), kStackPage = 4096;
// Room for the thread-local storage of all libraries, above the outermost frame.
constexpr uint64_t kAboveRoot = 64 << 10;
constexpr uint64_t kBelowRoot = 24 << 10;    // how much of a stack is read
constexpr uint64_t kLargestFrame = 8 << 10;  // a frame with more local variables ends the walk
constexpr size_t kMostOuterFrames = 48;      // of a sample
// For the outermost frame; more than one, since a thread that has just begun has none yet.
constexpr unsigned kMostSearches = 16;

}  // namespace

// Reads the words from `high` down, as far as they are readable. Returns false if none is. `high` may be any address:
// while a process executes another program, /proc/PID/stat gives the end of its arguments as the start of the stack.
bool OuterFrames::take(uint64_t high, uint64_t bytes) {
  high -= high % kWord;
  std::vector<Range> pages;  // from the highest down, since below the stack's end nothing is readable
  uint64_t begin = high;
  while (high - begin < bytes && begin > kStackPage) {
    const uint64_t page = (begin - 1) / kStackPage * kStackPage;
    pages.push_back({page, begin - page});
    begin = page;
  }
  std::vector<char> read(high - begin);
  const size_t whole = memory_.read(pages.data(), pages.size(), read.data());
  begin_ = whole != 0 ? pages[whole - 1].address : high;
  words_.resize((high - begin_) / kWord);
  const char* from = read.data();
  for (size_t i = 0; i < whole; from += pages[i++].bytes)
    std::memcpy(&words_[(pages[i].address - begin_) / kWord], from, pages[i].bytes);
  return whole != 0;
}

uint64_t OuterFrames::word(uint64_t address) const {
  const uint64_t index = (address - begin_) / kWord;
  return address >= begin_ && index < words_.size() ? words_[index] : 0;
}

// The function that the call before a return address calls, also if it goes through a PLT entry to another object. 0:
// the call is indirect, or not known.
uint64_t OuterFrames::target_of_call(uint64_t return_address) {
  unsigned char call[5];
  if (!memory_.read(return_address - sizeof call, call, sizeof call) || call[0] != 0xe8) return 0;
  int32_t by = 0;
  std::memcpy(&by, call + 1, sizeof by);
  const uint64_t target = return_address + static_cast<uint64_t>(int64_t{by});
  if (table_.begins_function(target)) return target;
  unsigned char entry[16];
  if (!memory_.read(target, entry, sizeof entry)) return 0;
  for (size_t i = 0; i + 6 <= sizeof entry; ++i) {  // jmp *offset(%rip)
    if (entry[i] != 0xff || entry[i + 1] != 0x25) continue;
    std::memcpy(&by, entry + i + 2, sizeof by);
    uint64_t function = 0;
    memory_.read(target + i + 6 + static_cast<uint64_t>(int64_t{by}), &function, sizeof function);
    return table_.begins_function(function) ? function : 0;
  }
  return 0;
}

// True if the sizes match exactly: before a call the stack pointer is one word above where the call puts its return
// address.
bool OuterFrames::is_exact(const Frame& frame, const FrameRule& rule, const Frame& caller) {
  return rule.base == FrameRule::Base::kStackPointer && frame.at + rule.offset == caller.at;
}

// Finds the highest return address below a frame's own, within the largest frame size, for which `accept` holds.
template <class Accept>
bool OuterFrames::find_below(const Frame& frame, Frame& found, Accept accept) {
  const uint64_t lowest = std::max(begin_, frame.at - kLargestFrame);
  for (uint64_t at = frame.at - kWord; at >= lowest; at -= kWord) {
    found = {at, word(at)};
    if (addresses_.holds(found.return_address) && accept(found)) return true;
  }
  return false;
}

bool OuterFrames::has_exact_callee(const Frame& frame) {
  Frame callee;
  return find_below(frame, callee,
                    [&](const Frame& one) { return is_exact(one, table_.at_call(one.return_address), frame); });
}

bool OuterFrames::is_called_from(const Frame& frame, const Frame& caller) {
  const FrameRule rule = table_.at_call(frame.return_address);
  const bool is_exact = OuterFrames::is_exact(frame, rule, caller);
  const bool has_frame_pointer = rule.base == FrameRule::Base::kFramePointer && rule.offset == 2 * kWord;
  if (!is_exact && !has_frame_pointer) return false;
  const uint64_t called = target_of_call(caller.return_address);
  if (called != 0) return called == rule.function || table_.jumps_to(called, rule.function);
  if (is_exact) return true;
  // A function with a frame pointer stores its caller's right below its return address. The table does not give the
  // size of its frame; but the function that it calls saves the frame pointer first, or has an exact frame itself.
  const uint64_t frame_pointer = caller.at - kWord;
  return word(frame.at - kWord) == frame_pointer || has_exact_callee(frame);
}

bool OuterFrames::find_next(const Frame& caller, Frame& next) {
  return find_below(caller, next, [&](const Frame& one) { return is_called_from(one, caller); });
}

// Finds the outermost frame: the highest word that is a return address and whose function has a frame of the right
// size.
bool OuterFrames::find_root(Frame& root, Frame& next) {
  if (top_ == 0 || searches_ == kMostSearches) return false;
  ++searches_;
  if (!take(top_, kAboveRoot + kBelowRoot)) return false;
  for (uint64_t at = begin_ + (words_.size() - 1) * kWord; at > begin_; at -= kWord) {
    root = {at, word(at)};
    if (!addresses_.holds(root.return_address) || !find_next(root, next)) continue;
    root_ = at;
    return true;
  }
  return false;
}

std::vector<uint64_t> OuterFrames::read(uint64_t stack_pointer) {
  Frame frame, next;
  if (root_ == 0) {
    if (!find_root(frame, next)) return {};
  } else {
    if (!take(root_ + kWord, kBelowRoot)) return {};
    frame = {root_, word(root_)};
    if (!addresses_.holds(frame.return_address) || !find_next(frame, next)) return {};
  }
  std::vector<uint64_t> frames{frame.return_address};
  for (bool goes_on = true; goes_on && next.at >= stack_pointer; goes_on = find_next(frame, next)) {
    frame = next;
    frames.push_back(frame.return_address);
  }
  std::reverse(frames.begin(), frames.end());
  if (frames.size() > kMostOuterFrames) frames.resize(kMostOuterFrames);
  return frames;
}

}  // namespace syncsniff::sampler
