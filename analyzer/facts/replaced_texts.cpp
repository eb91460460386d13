#include "analyzer/facts/replaced_texts.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

#include <filesystem>
#include <set>

#include "analyzer/facts/memory_file.h"

namespace syncsniff::facts {
namespace {

namespace vfs = llvm::vfs;

class ReplacedTexts : public vfs::ProxyFileSystem {
 public:
  ReplacedTexts(llvm::IntrusiveRefCntPtr<vfs::FileSystem> below, const SourceTexts& texts)
      : ProxyFileSystem(std::move(below)), texts_(texts) {
    std::set<llvm::StringRef> seen;  // each folder is looked up once, however many texts are in it
    for (const auto& [path, text] : texts) {
      names_.insert(llvm::sys::path::filename(path).str());
      for (auto folder = llvm::sys::path::parent_path(path);
           !folder.empty() && seen.insert(folder).second && !ProxyFileSystem::exists(folder);
           folder = llvm::sys::path::parent_path(folder))
        folders_.insert(folder.str());
    }
  }

  llvm::ErrorOr<vfs::Status> status(const llvm::Twine& path) override {
    const auto text = find(path);
    if (text != texts_.end()) return status_of(path, *text);
    auto below = ProxyFileSystem::status(path);
    return below || folders_.empty() ? below : status_of_folder(path, std::move(below));
  }
  bool exists(const llvm::Twine& path) override { return find(path) != texts_.end() || ProxyFileSystem::exists(path); }
  llvm::ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const auto text = find(path);
    if (text == texts_.end()) return ProxyFileSystem::openFileForRead(path);
    return open_memory_file(status_of(path, *text), text->second);
  }
  std::error_code getRealPath(const llvm::Twine& path, llvm::SmallVectorImpl<char>& out) override {
    const auto text = find(path);
    if (text == texts_.end()) return ProxyFileSystem::getRealPath(path, out);
    out.assign(text->first.begin(), text->first.end());
    return {};
  }

 private:
  // Compares names first: most files that Clang looks for have a name that no text has, and cost nothing more.
  SourceTexts::const_iterator find(const llvm::Twine& path) {
    llvm::SmallString<256> whole;
    path.toVector(whole);
    if (names_.count(llvm::sys::path::filename(whole).str()) == 0 || makeAbsolute(whole)) return texts_.end();
    std::error_code error;
    const auto real = std::filesystem::weakly_canonical(std::string(whole), error);
    return error ? texts_.end() : texts_.find(real.string());
  }

  // A folder that no longer exists on disk exists for the texts in it: Clang looks up a file's folder first.
  llvm::ErrorOr<vfs::Status> status_of_folder(const llvm::Twine& path, llvm::ErrorOr<vfs::Status> otherwise) {
    llvm::SmallString<256> whole;
    path.toVector(whole);
    if (makeAbsolute(whole)) return otherwise;
    std::error_code error;
    const auto folder = folders_.find(std::filesystem::weakly_canonical(std::string(whole), error).string());
    if (error || folder == folders_.end()) return otherwise;
    const auto [known, fresh] = identities_.try_emplace(*folder);
    if (fresh) known->second = vfs::getNextVirtualUniqueID();
    return vfs::Status(path, known->second, {}, 0, 0, 0, llvm::sys::fs::file_type::directory_file,
                       llvm::sys::fs::perms::all_all);
  }

  // A file has the same identity each time, by which Clang knows that it has already read it.
  vfs::Status status_of(const llvm::Twine& path, const SourceTexts::value_type& text) {
    const auto [known, fresh] = identities_.try_emplace(text.first);
    if (fresh) {
      const auto on_disk = ProxyFileSystem::status(text.first);
      known->second = on_disk ? on_disk->getUniqueID() : vfs::getNextVirtualUniqueID();
    }
    return memory_file_status(path, known->second, text.second.size());
  }

  const SourceTexts& texts_;
  std::set<std::string> names_;
  std::set<std::string> folders_;  // folders of texts that do not exist on disk
  std::map<std::string, llvm::sys::fs::UniqueID> identities_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<vfs::FileSystem> with_replaced_texts(llvm::IntrusiveRefCntPtr<vfs::FileSystem> below,
                                                              const SourceTexts& texts) {
  return llvm::makeIntrusiveRefCnt<ReplacedTexts>(std::move(below), texts);
}

}  // namespace syncsniff::facts
