#include "analyzer/facts/launch_spelling.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include "analyzer/content_hash.h"

namespace syncsniff::facts {
namespace {

constexpr const char* kBlanks = " \t";

// For two of `bracket` at `at`, followed by blanks and a third one: the offset of the third, else npos.
size_t third_bracket(llvm::StringRef text, size_t at, char bracket) {
  if (at > 0 && text[at - 1] == bracket) return llvm::StringRef::npos;
  const size_t third = text.find_first_not_of(kBlanks, at + 2);
  const bool joined_later = third != llvm::StringRef::npos && third > at + 2 && text[third] == bracket &&
                            (third + 1 == text.size() || text[third + 1] != bracket);
  return joined_later ? third : llvm::StringRef::npos;
}

// `operator<< <char>(...)` has template arguments and is no launch.
bool is_operator_name(llvm::StringRef before) { return before.rtrim(kBlanks).ends_with("operator"); }

void join(std::string& text, size_t at, size_t third) {
  text[third] = ' ';
  text[at + 2] = text[at];
}

// Joins the end of a launch's configuration that is written apart: the first `>>>` or `>> >` in its statement.
void join_end(std::string& text, size_t from) {
  const size_t end = std::min(text.find(';', from), text.size());
  for (size_t at = text.find(">>", from); at < end; at = text.find(">>", at + 1)) {
    if (text.compare(at, 3, ">>>") == 0) return;
    const size_t third = third_bracket(text, at, '>');
    if (third != std::string::npos) return join(text, at, third);
  }
}

class JoinedFile : public llvm::vfs::File {
 public:
  JoinedFile(std::unique_ptr<llvm::vfs::File> below, std::string path, ContentHashes& hashes)
      : below_(std::move(below)), path_(std::move(path)), hashes_(hashes) {}
  llvm::ErrorOr<llvm::vfs::Status> status() override { return below_->status(); }
  llvm::ErrorOr<std::string> getName() override { return below_->getName(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t size, bool with_end,
                                                               bool changes) override {
    auto buffer = below_->getBuffer(name, size, with_end, changes);
    std::string joined;
    if (buffer) hashes_[path_] = content_hash((*buffer)->getBuffer());
    if (!buffer || !join_launch_brackets((*buffer)->getBuffer(), joined)) return buffer;
    return llvm::MemoryBuffer::getMemBufferCopy(joined, (*buffer)->getBufferIdentifier());
  }
  std::error_code close() override { return below_->close(); }

 private:
  std::unique_ptr<llvm::vfs::File> below_;
  const std::string path_;
  ContentHashes& hashes_;
};

class JoinedLaunches : public llvm::vfs::ProxyFileSystem {
 public:
  JoinedLaunches(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, std::string root, std::string main_file,
                 ContentHashes& hashes)
      : ProxyFileSystem(std::move(below)), root_(std::move(root)), main_file_(std::move(main_file)), hashes_(hashes) {}

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    llvm::SmallString<256> absolute;
    path.toVector(absolute);
    if (!file || makeAbsolute(absolute)) return file;
    llvm::sys::path::remove_dots(absolute, true);
    if (!is_projects(absolute)) return file;
    return std::make_unique<JoinedFile>(std::move(*file), std::string(absolute), hashes_);
  }

 private:
  bool is_projects(llvm::StringRef path) const {
    return path == main_file_ || (!root_.empty() && path.starts_with(root_));
  }

  std::string root_, main_file_;
  ContentHashes& hashes_;
};

}  // namespace

bool join_launch_brackets(llvm::StringRef text, std::string& joined) {
  joined.clear();
  for (size_t at = text.find("<<"); at != llvm::StringRef::npos; at = text.find("<<", at + 1)) {
    const size_t third = third_bracket(text, at, '<');
    const bool apart = third != llvm::StringRef::npos && !is_operator_name(text.take_front(at));
    const bool together = text.substr(at).starts_with("<<<");
    if (!apart && !together) continue;
    if (joined.empty()) joined = text.str();
    if (apart) join(joined, at, third);
    join_end(joined, at + 3);
  }
  return joined != text && !joined.empty();
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_joined_launches(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, std::string root, std::string main_file,
    ContentHashes& hashes) {
  return llvm::makeIntrusiveRefCnt<JoinedLaunches>(std::move(below), std::move(root), std::move(main_file), hashes);
}

}  // namespace syncsniff::facts
