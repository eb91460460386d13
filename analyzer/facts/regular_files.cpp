#include "analyzer/facts/regular_files.h"

namespace syncsniff::facts {
namespace {

class RegularFiles : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    auto found = ProxyFileSystem::status(path);
    if (found && !found->isRegularFile() && !found->isDirectory())
      return std::make_error_code(std::errc::no_such_file_or_directory);
    return found;
  }
  // Asked before the file is opened: to open a pipe is to wait for its writer.
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    if (auto found = status(path); !found) return found.getError();
    return ProxyFileSystem::openFileForRead(path);
  }
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> regular_files_of(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below) {
  return llvm::makeIntrusiveRefCnt<RegularFiles>(std::move(below));
}

}  // namespace syncsniff::facts
