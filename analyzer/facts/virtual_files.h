// Files that are on no disk: the source that a preamble is made of, and the preamble itself.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <string>

namespace syncsniff::facts {

using VirtualFiles = std::map<std::string, llvm::StringRef>;  // by absolute path

// `below`, where these files are there, too. Their contents outlive the file system and what is opened through it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_virtual_files(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, VirtualFiles files);

}  // namespace syncsniff::facts
