// Files whose contents are in memory, for the file systems that layer them over those of the disk.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <memory>

namespace syncsniff::facts {

// The status of a regular file of `bytes` bytes, without times.
llvm::vfs::Status memory_file_status(const llvm::Twine& path, llvm::sys::fs::UniqueID identity, uint64_t bytes);

// `content` must outlive everything that is read from it.
std::unique_ptr<llvm::vfs::File> open_memory_file(llvm::vfs::Status status, llvm::StringRef content);

}  // namespace syncsniff::facts
