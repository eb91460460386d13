// nvcc accepts `step << <blocks, 256> >> (x)`, as formatters that do not know launches write it; Clang needs `<<<` and
// `>>>`.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <cstdint>
#include <map>
#include <string>

namespace syncsniff::facts {

// Joins the brackets of launches; every other byte keeps its offset. Returns false if there was nothing to join.
bool join_launch_brackets(llvm::StringRef text, std::string& joined);

// By absolute path: content_hash() of the file's content when it was read, before brackets were joined.
using ContentHashes = std::map<std::string, uint64_t>;

// `below`, but the sources under `root` and `main_file` (absolute paths) are read with their launch brackets joined.
// Adds the hash of each source that was read to `hashes`, which must outlive the file system.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_joined_launches(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, std::string root, std::string main_file,
    ContentHashes& hashes);

}  // namespace syncsniff::facts
