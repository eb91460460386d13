// Files that are on no disk: the source from which a preamble is made, and the preamble itself.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <string>

namespace syncsniff::facts {

using VirtualFiles = std::map<std::string, llvm::StringRef>;  // by absolute path

// `below` with these files added. Their contents must outlive the file system and the files opened through it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_virtual_files(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, VirtualFiles files);

}  // namespace syncsniff::facts
