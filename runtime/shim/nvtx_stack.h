// A thread's open NVTX push ranges.
#pragma once

#include <cstdint>

namespace syncsniff::shim {

struct NvtxStack {
  static constexpr unsigned kDepth = 64;
  struct Open {
    uint64_t begin_ns;
    uint32_t name, color;
  };
  uint32_t depth;  // may pass kDepth: what is deeper is counted, not recorded
  Open open[kDepth];
};

}  // namespace syncsniff::shim
