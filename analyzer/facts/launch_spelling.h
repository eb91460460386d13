// nvcc takes `step << <blocks, 256> >> (x)`, as editors lay it out that know no launches; Clang wants `<<<` and `>>>`.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <string>

namespace syncsniff::facts {

// Joins the brackets of launches in a source; every other byte stays where it is. False: there was nothing to join.
bool join_launch_brackets(llvm::StringRef text, std::string& joined);

// `below`, where the sources under `root` and `main_file` (absolute paths) are read with their launches joined.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_joined_launches(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, std::string root, std::string main_file);

}  // namespace syncsniff::facts
