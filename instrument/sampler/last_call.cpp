#include "instrument/sampler/last_call.h"

#include <algorithm>

namespace syncsniff::sampler {
namespace {

// No stack of 40 frames is this large; an address further up is not taken for a frame.
constexpr uint32_t kFarthestFrame = 64u << 20;
constexpr size_t kMostKnownAddresses = 1u << 16;

// True if an x86-64 call instruction ends right before the return address. `before`: the 7 bytes before it.
bool ends_a_call(const unsigned char (&before)[7]) {
  const auto byte = [&](int back) { return before[7 - back]; };
  const auto register_form = [](unsigned char mode, unsigned char first) { return (mode & 0xf8) == first; };
  if (byte(5) == 0xe8) return true;  // relative call
  if (byte(2) == 0xff && register_form(byte(1), 0xd0)) return true;
  if (byte(2) == 0xff && register_form(byte(1), 0x10) && byte(1) != 0x14 && byte(1) != 0x15) return true;
  if (byte(3) == 0xff && (byte(2) == 0x14 || (register_form(byte(2), 0x50) && byte(2) != 0x54))) return true;
  if (byte(4) == 0xff && byte(3) == 0x54) return true;
  if (byte(6) == 0xff && (byte(5) == 0x15 || (register_form(byte(5), 0x90) && byte(5) != 0x94))) return true;
  return byte(7) == 0xff && byte(6) == 0x94;
}

}  // namespace

bool read_call(Snapshot& memory, const trace::HookLayout& layout, uint64_t place, LastCall& call) {
  uint8_t frames = 0;
  if (place == 0 || !memory.load(place + layout.place_frame, call.frame) ||
      !memory.load(place + layout.place_return_address, call.return_address) ||
      !memory.load(place + layout.place_stack, call.stack) || !memory.load(place + layout.place_frames, frames) ||
      frames > layout.most_frames)
    return false;
  call.offsets.resize(frames);
  if (!memory.read(place + layout.place_offsets, call.offsets.data(), frames * sizeof(uint32_t))) return false;
  std::sort(call.offsets.begin(), call.offsets.end());
  return frames != 0 && call.offsets.back() < kFarthestFrame;
}

bool ReturnAddresses::holds(uint64_t address) {
  if (known_.size() == kMostKnownAddresses) known_.clear();
  const auto [entry, is_new] = known_.try_emplace(address, false);
  if (!is_new) return entry->second;
  unsigned char before[7];
  if (objects_.module_of(address) == 0 || !memory_.read(address - sizeof before, before, sizeof before)) return false;
  return entry->second = ends_a_call(before);
}

std::vector<uint64_t> frames_since(Snapshot& memory, const LastCall& call, const std::vector<uint64_t>& recorded,
                                   uint32_t most_frames, ReturnAddresses& addresses) {
  if (recorded.size() != call.offsets.size()) return {};
  for (size_t i = recorded.size(); i-- > 0;) {
    uint64_t word = 0;
    if (!memory.load(call.frame - sizeof word + call.offsets[i], word)) return {};
    if (word == recorded[i]) continue;
    // If the stack was only recorded in part, nothing shows that the outermost recorded frame still exists.
    if (i + 1 == recorded.size() && recorded.size() >= most_frames) return {};
    std::vector<uint64_t> frames;
    if (addresses.holds(word) && addresses.are_of_one_object(word, recorded[i])) frames.push_back(word);
    frames.insert(frames.end(), recorded.begin() + static_cast<std::ptrdiff_t>(i) + 1, recorded.end());
    return frames;
  }
  return recorded;
}

}  // namespace syncsniff::sampler
