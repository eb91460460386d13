#include "analyzer/facts/regular_files.h"

#include <llvm/ADT/SmallString.h>
#include <unistd.h>

#include <cerrno>

#include "rules/regular_file.h"

namespace syncsniff::facts {
namespace {

// LLVM reads nothing from a file with a size of 0. Files in /proc have that size whatever they contain, and some cannot
// be read at all (/proc/self/mem: EIO): neither is an empty source.
std::error_code why_not_empty(const std::string& path) {
  std::string problem;
  const int fd = open_regular_file(path, problem);
  if (fd < 0) return {};  // the open that follows returns the reason
  char byte = 0;
  ssize_t got = 0;
  while ((got = ::read(fd, &byte, 1)) < 0 && errno == EINTR) {
  }
  const int error = got < 0 ? errno : got > 0 ? ENOTSUP : 0;
  close(fd);
  return {error, std::generic_category()};
}

class RegularFiles : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    auto found = ProxyFileSystem::status(path);
    if (found && !found->isRegularFile() && !found->isDirectory())
      return std::make_error_code(std::errc::no_such_file_or_directory);
    return found;
  }
  // Checked before the file is opened, since opening a pipe waits for its writer.
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const auto found = status(path);
    if (!found) return found.getError();
    if (found->isRegularFile() && found->getSize() == 0) {
      llvm::SmallString<256> absolute;
      path.toVector(absolute);
      if (!makeAbsolute(absolute))
        if (const std::error_code error = why_not_empty(std::string(absolute))) return error;
    }
    return ProxyFileSystem::openFileForRead(path);
  }
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> regular_files_of(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below) {
  return llvm::makeIntrusiveRefCnt<RegularFiles>(std::move(below));
}

}  // namespace syncsniff::facts
