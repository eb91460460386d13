// What Clang may open: a pipe or a device that an #include names would keep it waiting for ever.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

namespace syncsniff::facts {

// `below`, where anything but a regular file or a folder is not there, and a file that cannot be read is no empty one.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> regular_files_of(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below);

}  // namespace syncsniff::facts
