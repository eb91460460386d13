#include "analyzer/facts/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <vector>

namespace syncsniff::facts {
namespace {

constexpr int64_t kHour = 3600;
constexpr int64_t kDay = 24 * kHour;
constexpr int64_t kDraftSeconds = kHour;  // a run that has been writing one file for this long was killed
constexpr const char* kTidied = "tidied";
constexpr std::string_view kFacts = ".facts", kPreamble = ".preamble";

// A time more than a day in the future counts as old, too: the clock was changed.
bool older_than(int64_t seconds, const timespec& then) {
  const int64_t age = int64_t{time(nullptr)} - then.tv_sec;
  return age < -kDay || age > seconds;
}

struct Name {
  std::string_view suffix;  // empty: not a file of the cache
  bool is_draft = false;
};

// In a folder that other programs also write to, their files are left alone.
Name name_of(std::string_view name) {
  if (name.substr(0, 16).find_first_not_of("0123456789abcdef") != std::string_view::npos || name.size() < 16) return {};
  for (const std::string_view suffix : {kFacts, kPreamble}) {
    if (name.substr(16, suffix.size()) != suffix) continue;
    const std::string_view rest = name.substr(16 + suffix.size());
    if (rest.empty() || rest[0] == '.') return {suffix, !rest.empty()};
  }
  return {};
}

void touch(const std::string& path) { utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW); }

struct CacheFile {
  std::string path;
  std::string_view suffix;
  uint64_t bytes;
  timespec used;
};

// Removes entries that are too old along the way.
std::vector<CacheFile> entries_in(const std::string& folder, const CacheLimits& limits) {
  std::vector<CacheFile> out;
  DIR* const stream = opendir(folder.c_str());
  if (!stream) return out;
  while (const dirent* const item = readdir(stream)) {
    const Name name = name_of(item->d_name);
    struct stat info{};
    if (name.suffix.empty() || fstatat(dirfd(stream), item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(info.st_mode)) continue;
    if (older_than(name.is_draft ? kDraftSeconds : limits.unused_seconds, info.st_mtim))
      unlinkat(dirfd(stream), item->d_name, 0);
    else if (!name.is_draft)
      out.push_back({folder + "/" + item->d_name, name.suffix, static_cast<uint64_t>(info.st_size), info.st_mtim});
  }
  closedir(stream);
  return out;
}

// Removes the longest unused entries first.
void shrink(std::vector<CacheFile> entries, uint64_t most) {
  uint64_t total = 0;
  for (const CacheFile& entry : entries) total += entry.bytes;
  if (total <= most) return;
  std::sort(entries.begin(), entries.end(), [](const CacheFile& a, const CacheFile& b) {
    return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
  });
  for (size_t i = 0; i < entries.size() && total > most; ++i) {
    unlink(entries[i].path.c_str());
    total -= entries[i].bytes;
  }
}

std::string hexadecimal(uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

}  // namespace

bool can_write_cache(const std::string& folder) {
  namespace fs = std::filesystem;
  fs::path existing(folder);
  std::error_code error;
  while (!fs::exists(existing, error) && existing.has_parent_path() && existing != existing.parent_path())
    existing = existing.parent_path();
  return fs::is_directory(existing, error) && access(existing.c_str(), W_OK | X_OK) == 0;
}

std::string entry_name(uint64_t key_hash) { return hexadecimal(key_hash) + std::string(kFacts); }
std::string preamble_name(uint64_t key_hash) { return hexadecimal(key_hash) + std::string(kPreamble); }

void write_entry(const std::string& path, std::initializer_list<std::string_view> parts) {
  std::string draft = path + ".XXXXXX";
  const int fd = mkostemp(draft.data(), O_CLOEXEC);
  if (fd < 0) return;
  const bool written =
      std::all_of(parts.begin(), parts.end(), [&](std::string_view part) { return write_all(fd, part); });
  if (close(fd) != 0 || !written || rename(draft.c_str(), path.c_str()) != 0) unlink(draft.c_str());
}

void note_use(const std::string& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) == 0 && older_than(kDay, info.st_mtim)) touch(path);
}

void tidy_cache(const std::string& folder, const CacheLimits& limits) {
  if (folder.empty()) return;
  const std::string mark = folder + "/" + kTidied;
  struct stat info{};
  if (stat(mark.c_str(), &info) == 0 && !older_than(kHour, info.st_mtim)) return;
  // Written before the work, so that runs that start meanwhile skip it.
  const int fd = open(mark.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (fd < 0) return;
  close(fd);
  touch(mark);

  shrink(entries_in(folder, limits), limits.bytes);
}

void bound_preambles(const std::string& folder, const CacheLimits& limits) {
  std::vector<CacheFile> preambles = entries_in(folder, limits);
  std::erase_if(preambles, [](const CacheFile& entry) { return entry.suffix != kPreamble; });
  shrink(std::move(preambles), limits.preamble_bytes);
}

}  // namespace syncsniff::facts
