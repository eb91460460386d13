#include "analyzer/facts/virtual_files.h"

#include <llvm/ADT/SmallString.h>

#include "analyzer/facts/memory_file.h"

namespace syncsniff::facts {
namespace {

namespace vfs = llvm::vfs;

class WithVirtualFiles : public vfs::ProxyFileSystem {
 public:
  WithVirtualFiles(llvm::IntrusiveRefCntPtr<vfs::FileSystem> below, VirtualFiles files)
      : ProxyFileSystem(std::move(below)), files_(std::move(files)) {
    for (const auto& file : files_) identities_[file.first] = vfs::getNextVirtualUniqueID();
  }

  llvm::ErrorOr<vfs::Status> status(const llvm::Twine& path) override {
    const auto file = find(path);
    return file == files_.end() ? ProxyFileSystem::status(path) : status_of(*file);
  }
  bool exists(const llvm::Twine& path) override { return find(path) != files_.end() || ProxyFileSystem::exists(path); }
  llvm::ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const auto file = find(path);
    if (file == files_.end()) return ProxyFileSystem::openFileForRead(path);
    return open_memory_file(status_of(*file), file->second);
  }
  std::error_code getRealPath(const llvm::Twine& path, llvm::SmallVectorImpl<char>& out) override {
    const auto file = find(path);
    if (file == files_.end()) return ProxyFileSystem::getRealPath(path, out);
    out.assign(file->first.begin(), file->first.end());
    return {};
  }

 private:
  VirtualFiles::const_iterator find(const llvm::Twine& path) const {
    llvm::SmallString<256> storage;
    return files_.find(path.toStringRef(storage).str());
  }
  vfs::Status status_of(const VirtualFiles::value_type& file) const {
    return memory_file_status(file.first, identities_.at(file.first), file.second.size());
  }

  const VirtualFiles files_;
  std::map<std::string, llvm::sys::fs::UniqueID> identities_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<vfs::FileSystem> with_virtual_files(llvm::IntrusiveRefCntPtr<vfs::FileSystem> below,
                                                             VirtualFiles files) {
  return llvm::makeIntrusiveRefCnt<WithVirtualFiles>(std::move(below), std::move(files));
}

}  // namespace syncsniff::facts
