#include "instrument/sampler/python_frames.h"

#include <algorithm>

namespace syncsniff::sampler {
namespace {

constexpr uint8_t kOwnedByGenerator = 1;
constexpr unsigned kMostFrames = 48, kMostSteps = 4 * kMostFrames;  // as the shim's

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

}  // namespace

PythonChain walk_python(Snapshot& memory, const trace::PythonLayout& layout, uint64_t thread, uint32_t tid,
                        PythonCodes& codes) {
  PythonChain chain;
  if (!find_head(memory, layout, thread, tid, chain)) return {};
  uint64_t at = chain.head;
  for (unsigned steps = 0; at != 0 && steps < kMostSteps && chain.frames.size() < kMostFrames; ++steps) {
    Raw raw;
    if (!read_frame(memory, layout, at, raw)) break;
    const uint64_t here = at;
    at = raw.previous;
    chain.is_whole = at != 0 || raw.owner != kOwnedByGenerator;
    if (raw.owner >= trace::kPythonOwnedByCStack || raw.code == 0) continue;
    const uint32_t number = codes.number_of(memory, raw.code);
    if (number == 0) continue;
    const uint64_t offset = raw.instruction - (raw.code + layout.code_bytes);
    if (offset > codes.instruction_bytes(number)) continue;  // not begun yet
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

}  // namespace syncsniff::sampler
