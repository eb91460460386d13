// nvcc takes `step << <blocks, 256> >> (x)`, as editors lay it out that know no launches; Clang wants `<<<` and `>>>`.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <cstdint>
#include <map>
#include <string>

namespace syncsniff::facts {

// Joins the brackets of launches in a source; every other byte stays where it is. False: there was nothing to join.
bool join_launch_brackets(llvm::StringRef text, std::string& joined);

// By absolute path: content_hash() of what stood in the file when it was read, launches as written.
using ContentHashes = std::map<std::string, uint64_t>;

// `below`, where the sources under `root` and `main_file` (absolute paths) are read with their launches joined. What
// was read of them is told in `hashes`, which must outlive the file system.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_joined_launches(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, std::string root, std::string main_file,
    ContentHashes& hashes);

}  // namespace syncsniff::facts
