// The objects, programs and libraries, that are mapped into a process.
#pragma once

#include <cstdint>

namespace syncsniff::sampler {

class Objects {
 public:
  virtual ~Objects() = default;
  // The begin of the object that an address lies in; 0: of none.
  virtual uint64_t module_of(uint64_t address) const = 0;
};

}  // namespace syncsniff::sampler
