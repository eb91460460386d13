// What lies at a path now. Asks the file system once a path and run, and reads a file once at most, from any thread:
// units of one program share nearly all of their headers.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "analyzer/source_texts.h"

namespace syncsniff::facts {

struct FileState {
  enum class Kind : uint8_t { kNothing, kFile, kFolder };  // a pipe or a device is nothing: Clang does not see it
  Kind kind = Kind::kNothing;
  uint64_t size = 0;
  // Stands for size, times and inode: while it stays, so does the content. 0: the file was changed so shortly before
  // it was looked at that a further change may leave the same times.
  uint64_t stamp = 0;
  int64_t changed_ns = 0;  // when the file or its inode was last changed
};

// `now_ns`: the system's clock when what the stamp is to stand for was read.
FileState state_of(const std::string& path, int64_t now_ns);

int64_t system_clock_ns();

class KnownFiles {
 public:
  // `texts` stand in for files, and have no stamp. They outlive this object.
  explicit KnownFiles(const SourceTexts& texts);

  FileState state(const std::string& path);
  // Nothing where it cannot be read.
  std::optional<uint64_t> hash(const std::string& path);
  const std::string* text_of(const std::string& path) const;

 private:
  struct Known {
    FileState state;
    const std::string* text = nullptr;
    std::once_flag hashed;
    std::optional<uint64_t> hash;
  };
  Known& known(const std::string& path);

  // Several locks: every thread asks for thousands of paths a unit.
  struct Shard {
    std::mutex lock;
    std::unordered_map<std::string, Known> files;
  };
  std::array<Shard, 16> shards_;
  const SourceTexts& texts_;
  std::set<std::string> names_;  // the last component of each path in texts_
};

}  // namespace syncsniff::facts
