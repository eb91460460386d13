#include "instrument/sampler/python_frames.h"

#include <algorithm>
#include <utility>

namespace syncsniff::sampler {
namespace {

constexpr uint8_t kOwnedByGenerator = 1;
constexpr size_t kMostPythonFrames = 48;    // per sample, as in the shim
constexpr size_t kMostListedThreads = 128;  // in one direction of the list
constexpr unsigned kMostSteps = 1000;       // Python's own limit of recursion

struct Raw {
  uint64_t code = 0, previous = 0, instruction = 0;
  uint8_t owner = 0;
};

bool read_frame(Snapshot& memory, const trace::PythonLayout& layout, uint64_t frame, Raw& raw) {
  return memory.load(frame + layout.frame_code, raw.code) && memory.load(frame + layout.frame_previous, raw.previous) &&
         memory.load(frame + layout.frame_instruction, raw.instruction) &&
         memory.load(frame + layout.frame_owner, raw.owner);
}

bool find_head(Snapshot& memory, const trace::PythonLayout& layout, uint64_t thread, uint32_t tid, PythonChain& chain) {
  uint64_t native_id = 0, frame = 0;
  if (thread == 0 || !memory.load(thread + layout.thread_native_id, native_id) || native_id != tid) return false;
  chain.head_address = thread + layout.thread_frame;
  if (layout.through_cframe != 0) {
    if (!memory.load(chain.head_address, frame) || frame == 0) return false;
    chain.head_address = frame + layout.cframe_frame;
  }
  return memory.load(chain.head_address, chain.head);
}

// Adds the threads that follow in one direction of the list.
void follow(RemoteMemory& memory, const trace::PythonLayout& layout, uint64_t thread, unsigned link,
            std::unordered_map<uint32_t, uint64_t>& threads) {
  for (size_t i = 0; i < kMostListedThreads && thread != 0; ++i) {
    uint64_t words[2] = {};  // native thread id, and address of the next thread
    const Range ranges[] = {{thread + layout.thread_native_id, sizeof(uint64_t)}, {thread + link, sizeof(uint64_t)}};
    if (memory.read(ranges, 2, reinterpret_cast<char*>(words)) != 2) return;
    if (words[0] != 0 && words[0] <= UINT32_MAX) threads[static_cast<uint32_t>(words[0])] = thread;
    thread = words[1];
  }
}

}  // namespace

std::unordered_map<uint32_t, uint64_t> python_threads(RemoteMemory& memory, const trace::PythonLayout& layout,
                                                      uint64_t thread) {
  std::unordered_map<uint32_t, uint64_t> threads;
  if (thread == 0 || layout.version == 0) return threads;
  follow(memory, layout, thread, trace::kPythonPreviousThread, threads);
  follow(memory, layout, thread, trace::kPythonNextThread, threads);
  return threads;
}

PythonChain walk_python(Snapshot& memory, const trace::PythonLayout& layout, uint64_t thread, uint32_t tid,
                        PythonCodes& codes) {
  PythonChain chain;
  if (!find_head(memory, layout, thread, tid, chain)) return {};
  uint64_t at = chain.head;
  for (unsigned steps = 0; at != 0; ++steps) {
    Raw raw;
    if (steps == kMostSteps || !read_frame(memory, layout, at, raw)) {
      chain.is_whole = false;
      break;
    }
    const uint64_t here = at;
    at = raw.previous;
    chain.is_whole = at != 0 || raw.owner != kOwnedByGenerator;
    if (raw.owner >= trace::kPythonOwnedByCStack || raw.code == 0) continue;
    const uint32_t number = codes.number_of(memory, raw.code);
    if (number == 0) continue;
    const uint64_t offset = raw.instruction - (raw.code + layout.code_bytes);
    if (offset > codes.instruction_bytes(number)) continue;  // the frame has not begun to run
    chain.frames.push_back({here, number, static_cast<uint32_t>(offset)});
  }
  return chain;
}

std::vector<PythonFrame> common_outer(const std::vector<PythonFrame>& earlier, const std::vector<PythonFrame>& later) {
  size_t common = 0;
  while (common < std::min(earlier.size(), later.size()) &&
         earlier[earlier.size() - 1 - common].is_same(later[later.size() - 1 - common]))
    ++common;
  return {later.end() - static_cast<std::ptrdiff_t>(common), later.end()};
}

void PythonWalks::add(PythonChain chain) {
  if (!chain.is_whole) return;
  before_ = std::exchange(last_, std::move(chain.frames));
  ++whole_;
}

std::vector<PythonFrame> PythonWalks::frames() const {
  std::vector<PythonFrame> frames = whole_ < 2 ? last_ : common_outer(before_, last_);
  if (frames.size() > kMostPythonFrames) frames.resize(kMostPythonFrames);
  return frames;
}

}  // namespace syncsniff::sampler
