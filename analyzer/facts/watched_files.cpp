#include "analyzer/facts/watched_files.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "analyzer/content_hash.h"
#include "analyzer/facts/adopted_headers.h"

namespace syncsniff::facts {
namespace {

namespace vfs = llvm::vfs;

class WatchedFile : public vfs::File {
 public:
  WatchedFile(std::unique_ptr<vfs::File> below, std::string path, FileLog& log)
      : below_(std::move(below)), path_(std::move(path)), log_(log) {}
  llvm::ErrorOr<vfs::Status> status() override { return below_->status(); }
  llvm::ErrorOr<std::string> getName() override { return below_->getName(); }
  // Hashed before the parser sees it: an edit during the parse changes the file, but not this hash.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t size, bool with_end,
                                                               bool changes) override {
    auto buffer = below_->getBuffer(name, size, with_end, changes);
    if (buffer)
      log_.read(path_, (*buffer)->getBuffer());
    else
      log_.unreadable();
    return buffer;
  }
  std::error_code close() override { return below_->close(); }

 private:
  std::unique_ptr<vfs::File> below_;
  const std::string path_;
  FileLog& log_;
};

class WatchedFiles : public vfs::ProxyFileSystem {
 public:
  WatchedFiles(llvm::IntrusiveRefCntPtr<vfs::FileSystem> below, FileLog& log)
      : ProxyFileSystem(std::move(below)), log_(log) {}

  llvm::ErrorOr<vfs::Status> status(const llvm::Twine& path) override {
    auto status = ProxyFileSystem::status(path);
    const llvm::SmallString<256> whole = absolute(path);
    if (!status)
      log_.missed(whole);
    else if (status->isRegularFile())
      log_.found(whole, *status);
    return status;
  }

  llvm::ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    const llvm::SmallString<256> whole = absolute(path);
    if (!file) {
      // No permission to read it, or no descriptor left: the file exists all the same.
      if (ProxyFileSystem::status(path))
        log_.unreadable();
      else
        log_.missed(whole);
      return file;
    }
    if (const auto status = (*file)->status()) log_.found(whole, *status);
    return std::make_unique<WatchedFile>(std::move(*file), std::string(whole), log_);
  }

 private:
  llvm::SmallString<256> absolute(const llvm::Twine& path) {
    llvm::SmallString<256> whole;
    path.toVector(whole);
    if (makeAbsolute(whole)) log_.unreadable();
    return whole;
  }

  FileLog& log_;
};

template <class Map>
std::vector<std::string> sorted_keys(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& entry : map) keys.push_back(entry.getKey().str());
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

FileLog::FileLog()
    : began_ns_(
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
              .count()) {}

void FileLog::found(llvm::StringRef path, const vfs::Status& status) { found_.try_emplace(path, status); }

void FileLog::read(llvm::StringRef path, llvm::StringRef content) {
  const UnitInputs::File file{path.str(), content.size(), content_hash({content.data(), content.size()})};
  const auto [known, fresh] = read_.try_emplace(path, file);
  // Two contents of one path: the facts belong to neither of them alone.
  if (!fresh && known->second.hash != file.hash) unreadable();
  if (fresh && may_be_adopted(path, content)) with_gpu_work_.push_back(file.path);
}

UnitInputs FileLog::inputs() const {
  UnitInputs out;
  out.began_ns = began_ns_;
  out.complete = complete_;
  std::map<llvm::sys::fs::UniqueID, const UnitInputs::File*> by_identity;
  for (const auto& entry : read_) {
    out.read.push_back(entry.second);
    if (const auto status = found_.find(entry.getKey()); status != found_.end())
      by_identity.emplace(status->second.getUniqueID(), &entry.second);
  }
  for (const auto& entry : found_) {
    if (read_.count(entry.getKey()) != 0) continue;
    // Clang reads a file once, however many links lead to it; each link may later lead to another file.
    const auto same = by_identity.find(entry.second.getUniqueID());
    if (same != by_identity.end())
      out.read.push_back({entry.getKey().str(), same->second->size, same->second->hash});
    else
      (entry.second.isDirectory() ? out.folders : out.present).push_back(entry.getKey().str());
  }
  std::sort(out.read.begin(), out.read.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  std::sort(out.present.begin(), out.present.end());
  std::sort(out.folders.begin(), out.folders.end());
  out.absent = sorted_keys(absent_);
  return out;
}

llvm::IntrusiveRefCntPtr<vfs::FileSystem> with_watched_files(llvm::IntrusiveRefCntPtr<vfs::FileSystem> below,
                                                             FileLog& log) {
  return llvm::makeIntrusiveRefCnt<WatchedFiles>(std::move(below), log);
}

}  // namespace syncsniff::facts
