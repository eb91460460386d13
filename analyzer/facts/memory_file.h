// Files whose contents lie in memory, for the file systems that put them over those of the disk.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <memory>

namespace syncsniff::facts {

// Of a regular file of `bytes` that has no times.
llvm::vfs::Status memory_file_status(const llvm::Twine& path, llvm::sys::fs::UniqueID identity, uint64_t bytes);

// `content` outlives what is read of it.
std::unique_ptr<llvm::vfs::File> open_memory_file(llvm::vfs::Status status, llvm::StringRef content);

}  // namespace syncsniff::facts
