#include "analyzer/facts/known_files.h"

#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string_view>

#include "analyzer/content_hash.h"
#include "rules/regular_file.h"

namespace syncsniff::facts {
namespace {

namespace fs = std::filesystem;

// Two changes within one tick of a file system's clock have the same time: 2 s on FAT, 4 ms on ext4. A server's clock
// may also be a little behind ours.
constexpr int64_t kTickNs = 2'000'000'000;

// 0: the path is no link.
uint64_t link_of(const std::string& path, const struct stat& own) {
  if (!S_ISLNK(own.st_mode)) return 0;
  std::error_code error;
  return content_hash(fs::weakly_canonical(path, error).string()) | 1;
}

int64_t ns(const timespec& time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

}  // namespace

int64_t system_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

FileState state_of(const std::string& path, int64_t now_ns) {
  FileState out;
  struct stat info{};
  if (lstat(path.c_str(), &info) != 0) return out;
  out.link = link_of(path, info);
  if (out.link != 0 && stat(path.c_str(), &info) != 0) return {};
  if (S_ISDIR(info.st_mode)) out.kind = FileState::Kind::kFolder;
  if (!S_ISREG(info.st_mode)) return out;
  out.kind = FileState::Kind::kFile;
  out.size = static_cast<uint64_t>(info.st_size);
  // The time of the inode's change cannot be set back: a copy that keeps size and modification time still has another
  // one.
  out.changed_ns = ns(info.st_ctim);
  if (out.changed_ns >= now_ns - kTickNs) return out;
  const int64_t parts[] = {info.st_size, ns(info.st_mtim), out.changed_ns, static_cast<int64_t>(info.st_ino)};
  out.stamp = content_hash({reinterpret_cast<const char*>(parts), sizeof parts}) | 1;
  return out;
}

KnownFiles::KnownFiles(const SourceTexts& texts) : texts_(texts) {
  for (const auto& [path, text] : texts) names_.insert(fs::path(path).filename().string());
}

const std::string* KnownFiles::text_of(const std::string& path) const {
  if (names_.empty() || names_.count(path.substr(path.rfind('/') + 1)) == 0) return nullptr;
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  const auto text = error ? texts_.end() : texts_.find(real.string());
  return text == texts_.end() ? nullptr : &text->second;
}

KnownFiles::Known& KnownFiles::known(const std::string& path) {
  Shard& shard = shards_[std::hash<std::string>()(path) % shards_.size()];
  std::lock_guard guard(shard.lock);
  const auto [entry, fresh] = shard.files.try_emplace(path);
  Known& known = entry->second;
  if (!fresh) return known;
  known.text = text_of(path);
  known.state = state_of(path, system_clock_ns());
  if (known.text) known.state = {FileState::Kind::kFile, known.text->size(), 0, known.state.link, 0};
  return known;
}

FileState KnownFiles::state(const std::string& path) { return known(path).state; }

std::optional<uint64_t> KnownFiles::hash(const std::string& path) {
  Known& file = known(path);
  std::call_once(file.hashed, [&] {
    std::string problem;
    if (file.text)
      file.hash = content_hash(*file.text);
    else if (const std::optional<std::string> text = read_regular_file(path, problem))
      file.hash = content_hash(*text);
  });
  return file.hash;
}

}  // namespace syncsniff::facts
