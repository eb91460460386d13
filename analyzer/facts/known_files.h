// The current state of paths on disk. Asks the file system at most once a path and run and reads each file at most
// once, for all threads: the units of one program share nearly all of their headers.
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
  // A number made of size, times and inode: while it is the same, so is the content. 0: the file changed so shortly
  // before it was looked at that a further change may leave the same times.
  uint64_t stamp = 0;
  uint64_t link = 0;  // if the path is a symbolic link: hash of the path that it leads to; facts name files by that
  int64_t changed_ns = 0;  // when the file or its inode was last changed
};

// `now_ns`: the system's clock when the content that the stamp stands for was read.
FileState state_of(const std::string& path, int64_t now_ns);

int64_t system_clock_ns();

class KnownFiles {
 public:
  // `texts` replace files on disk, have no stamp, and must outlive this object.
  explicit KnownFiles(const SourceTexts& texts);

  FileState state(const std::string& path);
  // Nothing if the file cannot be read.
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

  // Several locks, since every thread asks for thousands of paths per unit.
  struct Shard {
    std::mutex lock;
    std::unordered_map<std::string, Known> files;
  };
  std::array<Shard, 16> shards_;
  const SourceTexts& texts_;
  std::set<std::string> names_;  // the last component of each path in texts_
};

}  // namespace syncsniff::facts
