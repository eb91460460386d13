// What the facts of a unit depend on besides its command: the files that the parser read, with their content, and the
// paths where it found nothing. Plain data; watched_files.h collects it, cache.h checks it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace syncsniff::facts {

struct UnitInputs {
  struct File {
    std::string path;  // absolute, as the parser named it; symbolic links and `..` are resolved again on every use
    uint64_t size = 0;
    uint64_t hash = 0;  // content_hash() of the bytes that the parser got
  };
  std::vector<File> read;
  std::vector<std::string> present;  // regular files that were found but not read: `__has_include(<a.h>)`
  std::vector<std::string> folders;  // folders that were opened in place of a file
  std::vector<std::string> absent;   // paths without a file: a header that appears there may change the facts
  int64_t began_ns = 0;              // when the first of them was looked at, by the system's clock
  bool complete = true;              // false: some input could not be read, so equal inputs prove nothing
};

}  // namespace syncsniff::facts
