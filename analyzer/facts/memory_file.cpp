#include "analyzer/facts/memory_file.h"

#include <llvm/Support/MemoryBuffer.h>

namespace syncsniff::facts {
namespace {

namespace vfs = llvm::vfs;

class MemoryFile : public vfs::File {
 public:
  MemoryFile(vfs::Status status, llvm::StringRef content) : status_(std::move(status)), content_(content) {}
  llvm::ErrorOr<vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t, bool with_end,
                                                               bool) override {
    // A preamble has 100 MB, and is read without copying it.
    if (with_end) return llvm::MemoryBuffer::getMemBufferCopy(content_, name);
    return llvm::MemoryBuffer::getMemBuffer(content_, name.str(), false);
  }
  std::error_code close() override { return {}; }

 private:
  vfs::Status status_;
  llvm::StringRef content_;
};

}  // namespace

vfs::Status memory_file_status(const llvm::Twine& path, llvm::sys::fs::UniqueID identity, uint64_t bytes) {
  using namespace llvm::sys::fs;
  return {path, identity, {}, 0, 0, bytes, file_type::regular_file, perms::all_read};
}

std::unique_ptr<vfs::File> open_memory_file(vfs::Status status, llvm::StringRef content) {
  return std::make_unique<MemoryFile>(std::move(status), content);
}

}  // namespace syncsniff::facts
