#include "instrument/sampler/mapped_objects.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>

namespace syncsniff::sampler {

MappedObjects::MappedObjects(pid_t pid) {
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  for (std::string line; std::getline(maps, line);) take_line(line);
}

// Parses "7f12a000-7f12b000 r-xp 00001000 fe:01 1234    /usr/lib/libfoo.so". The parts of an object are consecutive and
// start at the file's first byte; its zero-initialised data has no file.
void MappedObjects::take_line(const std::string& line) {
  uint64_t begin = 0, end = 0, offset = 0;
  int path_at = 0;
  if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &begin, &end, &offset,
                  &path_at) != 3)
    return;
  const std::string path = line.substr(std::min(static_cast<size_t>(path_at), line.size()));
  MappedObject* const before = objects_.empty() ? nullptr : &objects_.rbegin()->second;
  if (before != nullptr && (path == before->path ? offset != 0 : path.empty() && begin == before->end))
    before->end = end;
  else if (path.starts_with("/") && offset == 0)
    objects_[begin] = {path, begin, end};
}

const MappedObject* MappedObjects::at(uint64_t address) const {
  const auto next = objects_.upper_bound(address);
  if (next == objects_.begin()) return nullptr;
  const MappedObject& object = std::prev(next)->second;
  return address < object.end ? &object : nullptr;
}

uint64_t MappedObjects::module_of(uint64_t address) const {
  const MappedObject* const object = at(address);
  return object != nullptr ? object->begin : 0;
}

const MappedObject* MappedObjects::of_path(const std::string& path) const {
  const auto found =
      std::find_if(objects_.begin(), objects_.end(), [&](const auto& entry) { return entry.second.path == path; });
  return found != objects_.end() ? &found->second : nullptr;
}

}  // namespace syncsniff::sampler
