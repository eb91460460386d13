// A thread's open NVTX push ranges, for one kind of domain: the default one, or all others.
#pragma once

#include <cstdint>

namespace syncsniff::shim {

// Steps are recognised by the outermost name that occurs often. Once there is one, deeper ranges of its thread are no
// longer recorded, whatever name they are within: a program that names each of its functions has about a hundred ranges
// a step.
struct NvtxStack {
  static constexpr unsigned kDepth = 64, kNames = 8, kNamedDepths = 8;
  static constexpr uint32_t kOften = 64;
  struct Open {
    uint64_t begin_ns;
    uint32_t name, color, domain;  // domain: string id of its name; 0: the default domain
  };
  struct Seen {
    uint32_t name, count;
  };
  uint32_t depth;  // depth of the next range; may exceed kDepth
  uint32_t often;  // number of depths at or above the one where a name occurred often; 0: none yet
  Open open[kDepth];
  Seen seen[kNamedDepths][kNames];

  bool is_recorded(unsigned at) const noexcept { return at < (often != 0 ? often : kDepth); }
  void count(unsigned at, uint32_t name) noexcept {
    if (at >= kNamedDepths) return;
    for (Seen& one : seen[at]) {
      if (one.count == 0) one.name = name;
      if (one.name != name) continue;
      if (++one.count == kOften) often = at + 1;
      return;
    }
  }
};

}  // namespace syncsniff::shim
