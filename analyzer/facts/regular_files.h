// The files that Clang may open: a pipe or a device that an #include names would block it for ever.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

namespace syncsniff::facts {

// `below`, in which only regular files and folders exist, and an unreadable file is an error, not an empty file.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> regular_files_of(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below);

}  // namespace syncsniff::facts
