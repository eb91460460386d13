// A file system that records what is read through it, and which paths were not found. Includes, `__has_include` and
// `-I` folders that do not exist all pass through here, so no other code has to know how Clang searches.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "analyzer/facts/unit_inputs.h"

namespace syncsniff::facts {

class FileLog {
 public:
  FileLog();
  void found(llvm::StringRef path, const llvm::vfs::Status& status);
  void read(llvm::StringRef path, llvm::StringRef content);
  void missed(llvm::StringRef path) { absent_.insert(path); }
  void unreadable() { complete_ = false; }
  // Sorted by path.
  UnitInputs inputs() const;
  // Files that were read and for which may_be_adopted() holds.
  const std::vector<std::string>& with_gpu_work() const { return with_gpu_work_; }

 private:
  llvm::StringMap<llvm::vfs::Status> found_;  // regular files that were looked at, and folders that were opened
  llvm::StringMap<UnitInputs::File> read_;
  llvm::StringSet<> absent_;
  std::vector<std::string> with_gpu_work_;
  int64_t began_ns_;
  bool complete_ = true;
};

// `log` must outlive the file system and the files opened through it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_watched_files(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, FileLog& log);

}  // namespace syncsniff::facts
