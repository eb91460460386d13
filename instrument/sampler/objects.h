// The objects, programs and libraries, that are mapped into a process.
#pragma once

#include <cstdint>

namespace syncsniff::sampler {

class Objects {
 public:
  virtual ~Objects() = default;
  // The start address of the object that contains `address`; 0: there is none.
  virtual uint64_t module_of(uint64_t address) const = 0;
};

}  // namespace syncsniff::sampler
