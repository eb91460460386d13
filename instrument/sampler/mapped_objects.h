// The objects that any process has mapped, from /proc/PID/maps.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

#include "instrument/sampler/objects.h"

namespace syncsniff::sampler {

struct MappedObject {
  std::string path;
  uint64_t begin = 0, end = 0;  // including the zero-initialised data after it
};

class MappedObjects : public Objects {
 public:
  explicit MappedObjects(pid_t pid);  // reads the current mappings
  uint64_t module_of(uint64_t address) const override;
  const MappedObject* at(uint64_t address) const;              // nullptr: there is none at this address
  const MappedObject* of_path(const std::string& path) const;  // nullptr: it is not mapped

 private:
  void take_line(const std::string& line);

  std::map<uint64_t, MappedObject> objects_;  // by begin
};

}  // namespace syncsniff::sampler
