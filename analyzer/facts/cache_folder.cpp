#include "analyzer/facts/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

namespace syncsniff::facts {
namespace {

constexpr int64_t kDay = 24 * 3600;
constexpr int64_t kDraftSeconds = 3600;  // a run that has been writing one file for so long was killed
constexpr const char* kTidied = "tidied";
constexpr std::string_view kSuffix = ".facts";
constexpr size_t kNameLength = 16 + kSuffix.size();

// Days that lie ahead are as good as past: somebody has set the clock.
bool older_than(int64_t seconds, const timespec& then) {
  const int64_t age = int64_t{time(nullptr)} - then.tv_sec;
  return age < -kDay || age > seconds;
}

// A folder that others also write to keeps what is theirs.
bool is_ours(std::string_view name) {
  return name.size() >= kNameLength &&
         name.substr(0, 16).find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         name.substr(16, kSuffix.size()) == kSuffix && (name.size() == kNameLength || name[kNameLength] == '.');
}

void touch(const std::string& path) { utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW); }

struct Entry {
  std::string path;
  uint64_t bytes;
  timespec used;
};

// Removes what is too old on its way.
std::vector<Entry> entries_in(const std::string& folder, const CacheLimits& limits) {
  std::vector<Entry> out;
  DIR* const stream = opendir(folder.c_str());
  if (!stream) return out;
  while (const dirent* const item = readdir(stream)) {
    const std::string_view name = item->d_name;
    struct stat info {};
    if (!is_ours(name) || fstatat(dirfd(stream), item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(info.st_mode)) continue;
    if (older_than(name.size() == kNameLength ? limits.unused_seconds : kDraftSeconds, info.st_mtim))
      unlinkat(dirfd(stream), item->d_name, 0);
    else if (name.size() == kNameLength)
      out.push_back({folder + "/" + item->d_name, static_cast<uint64_t>(info.st_size), info.st_mtim});
  }
  closedir(stream);
  return out;
}

}  // namespace

std::string entry_name(uint64_t key_hash) {
  char name[17];
  std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(key_hash));
  return name + std::string(kSuffix);
}

void write_entry(const std::string& path, const std::string& bytes) {
  std::string draft = path + ".XXXXXX";
  const int fd = mkostemp(draft.data(), O_CLOEXEC);
  if (fd < 0) return;
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = write(fd, bytes.data() + done, bytes.size() - done);
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  const bool whole = close(fd) == 0 && done == bytes.size();
  if (!whole || rename(draft.c_str(), path.c_str()) != 0) unlink(draft.c_str());
}

void note_use(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) == 0 && older_than(kDay, info.st_mtim)) touch(path);
}

void tidy_cache(const std::string& folder, const CacheLimits& limits) {
  if (folder.empty()) return;
  const std::string mark = folder + "/" + kTidied;
  struct stat info {};
  if (stat(mark.c_str(), &info) == 0 && !older_than(kDay, info.st_mtim)) return;
  // Before the work: runs that start meanwhile leave it to this one.
  const int fd = open(mark.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (fd < 0) return;
  close(fd);
  touch(mark);

  std::vector<Entry> entries = entries_in(folder, limits);
  uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  if (total <= limits.bytes) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
  });
  for (size_t i = 0; i < entries.size() && total > limits.bytes; ++i) {
    unlink(entries[i].path.c_str());
    total -= entries[i].bytes;
  }
}

}  // namespace syncsniff::facts
