#include "rules/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <vector>

#include "rules/file_limit.h"
#include "rules/regular_file.h"

namespace syncsniff {
namespace {

std::string remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; free some space there";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; make it writable";
    case EISDIR:
      return "; give a file's name";
    case ENOENT:
    case ENOTDIR:
      return "; make its folder first";
    case EFBIG:
      return "; " + write_remedy(error, "");
    default:
      return "";
  }
}

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::runtime_error(path + ": " + std::strerror(error) + remedy(error));
}

bool write_all(int fd, const std::string& content) {
  for (size_t done = 0; done < content.size();) {
    ssize_t count = ::write(fd, content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

void write_straight(const std::string& path, const std::string& content) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) fail(path, errno);
  bool whole = write_all(fd, content);
  int error = errno;
  if (::close(fd) != 0 && whole) fail(path, errno);
  if (!whole) fail(path, error);
}

mode_t default_mode() {
  mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// The file at the end of a chain of links, whether it exists or not; a plain path stays as it is.
std::string link_target(const std::string& path) {
  std::filesystem::path target = path;
  std::error_code error;
  for (int hops = 0; hops < 40 && std::filesystem::is_symlink(target, error); ++hops) {
    std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target.string();
}

// The kernel removes file capabilities from a file when it is written, and a new file has none.
constexpr char kCapabilities[] = "security.capability";

// Nothing if they cannot be read.
std::optional<std::vector<std::string>> attributes_of(const std::string& path) {
  std::vector<std::string> names;
  const ssize_t room = ::listxattr(path.c_str(), nullptr, 0);
  if (room < 0 && errno == ENOTSUP) return names;
  if (room < 0) return std::nullopt;
  std::string list(static_cast<size_t>(room), '\0');
  const ssize_t bytes = ::listxattr(path.c_str(), list.data(), list.size());
  if (bytes < 0) return std::nullopt;
  for (const char *name = list.data(), *const end = name + bytes; name < end; name += std::strlen(name) + 1)
    names.emplace_back(name);
  return names;
}

template <class Get>
std::optional<std::string> attribute(const Get& get) {
  const ssize_t room = get(nullptr, 0);
  if (room < 0) return std::nullopt;
  std::string value(static_cast<size_t>(room), '\0');
  const ssize_t bytes = get(value.data(), value.size());
  if (bytes < 0) return std::nullopt;
  value.resize(static_cast<size_t>(bytes));
  return value;
}

std::optional<std::string> attribute_of(const std::string& path, const char* name) {
  return attribute([&](void* out, size_t room) { return ::getxattr(path.c_str(), name, out, room); });
}

bool is_security(const std::string& name) { return name.rfind("security.", 0) == 0; }

// Hard links, owners and access lists belong to the file itself, so a new file in its place would lose them.
bool must_keep_its_inode(const std::string& path, const struct stat& old) {
  if (old.st_nlink > 1) return true;
  const auto names = attributes_of(path);
  return !names || !std::all_of(names->begin(), names->end(), is_security);
}

// Whether the draft has the same labels as the file. A label that the folder gives to each of its files (SELinux) is
// already on the draft; any other label would be lost with the old file.
bool has_its_labels(int draft, const std::string& path) {
  const auto names = attributes_of(path);
  return names && std::all_of(names->begin(), names->end(), [&](const std::string& name) {
           if (name == kCapabilities) return true;
           return attribute([&](void* out, size_t room) { return ::fgetxattr(draft, name.c_str(), out, room); }) ==
                  attribute_of(path, name.c_str());
         });
}

bool give_capabilities(int fd, const std::optional<std::string>& capabilities) {
  return !capabilities || ::fsetxattr(fd, kCapabilities, capabilities->data(), capabilities->size(), 0) == 0;
}

// Throws unless this process may set the file's capabilities again after writing. Tests that by setting them to their
// present value.
void require_capabilities_to_stay(const std::string& path) {
  const auto capabilities = attribute_of(path, kCapabilities);
  if (capabilities && ::setxattr(path.c_str(), kCapabilities, capabilities->data(), capabilities->size(), 0) != 0)
    throw std::runtime_error(path + ": has file capabilities, which only root can keep on a file that is written; " +
                             "take them away with `setcap -r`, or do it as root");
}

bool replace_content(int fd, const std::string& content) {
  return ::lseek(fd, 0, SEEK_SET) == 0 && write_all(fd, content) &&
         ::ftruncate(fd, static_cast<off_t>(content.size())) == 0 && ::fsync(fd) == 0;
}

// Disk space is reserved before the first byte is written, and the old text is restored if writing still fails.
void write_in_place(const std::string& path, const std::string& content) {
  std::string problem;
  const std::optional<std::string> before = read_regular_file(path, problem);
  const std::optional<std::string> capabilities = attribute_of(path, kCapabilities);
  const int fd = before ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC) : -1;
  if (fd < 0) fail(path, errno);
  int error = content.size() > before->size() ? ::posix_fallocate(fd, 0, static_cast<off_t>(content.size())) : 0;
  if (error == 0 && !replace_content(fd, content)) error = errno;
  if (error != 0) replace_content(fd, *before);
  if (!give_capabilities(fd, capabilities) && error == 0) error = errno;
  ::close(fd);
  if (error != 0) fail(path, error);
}

struct Draft {
  int fd = -1;
  std::string name;  // empty: it has no name yet
};

// Opens a temporary file, without a name if the file system allows it: a killed process then leaves nothing behind.
Draft make_draft(const std::filesystem::path& folder, const std::string& pattern) {
  Draft draft;
  draft.fd = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (draft.fd >= 0) return draft;
  draft.name = pattern;
  draft.fd = ::mkostemp(draft.name.data(), O_CLOEXEC);
  return draft;
}

// Gives the nameless file a temporary name. It is needed because rename() can replace an existing file and linkat()
// cannot.
bool give_name(Draft& draft, const std::string& pattern) {
  const std::string self = "/proc/self/fd/" + std::to_string(draft.fd);
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = pattern.substr(0, pattern.size() - 6) + std::to_string(100000 + (::getpid() + attempt) % 900000);
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      draft.name = std::move(name);
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

// Removes drafts left by a process that was killed between naming a draft and renaming it into place.
void remove_old_drafts(const std::filesystem::path& folder, const std::string& prefix) {
  std::error_code error;
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.size() != prefix.size() + 6 || name.rfind(prefix, 0) != 0) continue;
    if (const auto time = entry.last_write_time(error); !error && now - time > std::chrono::minutes(1))
      std::filesystem::remove(entry.path(), error);
  }
}

void write_and_rename(const std::string& path, const std::string& target, const struct stat* old,
                      const std::string& content) {
  const std::filesystem::path whole = target;
  const std::string prefix = "." + whole.filename().string() + ".syncsniff-";
  const std::string pattern = (whole.parent_path() / (prefix + "XXXXXX")).string();
  remove_old_drafts(whole.parent_path(), prefix);
  Draft draft = make_draft(whole.parent_path(), pattern);
  if (draft.fd < 0) fail(path, errno);
  bool good = write_all(draft.fd, content);
  if (good && old && !has_its_labels(draft.fd, target)) {
    ::close(draft.fd);
    if (!draft.name.empty()) ::unlink(draft.name.c_str());
    return write_in_place(target, content);
  }
  // The owner is set first, since changing it removes the set-user bits.
  const bool another_owner = old && (old->st_uid != ::geteuid() || old->st_gid != ::getegid());
  const bool owned = good && (!another_owner || ::fchown(draft.fd, old->st_uid, old->st_gid) == 0);
  good = owned && ::fchmod(draft.fd, old ? old->st_mode & 07777 : default_mode()) == 0 &&
         (!old || give_capabilities(draft.fd, attribute_of(target, kCapabilities))) && ::fsync(draft.fd) == 0 &&
         (!draft.name.empty() || give_name(draft, pattern)) && ::rename(draft.name.c_str(), target.c_str()) == 0;
  const int error = errno;
  ::close(draft.fd);
  if (good) return;
  if (!draft.name.empty()) ::unlink(draft.name.c_str());
  if (another_owner && !owned && error == EPERM) return write_in_place(target, content);
  fail(path, error);
}

}  // namespace

void write_file_atomically(const std::string& path, const std::string& content) {
  struct stat old{};
  bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_straight(path, content);
  // A rename would replace even a read-only file, so this is checked here.
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(path, errno);
  const std::string target = link_target(path);
  if (exists) require_capabilities_to_stay(target);
  if (exists && must_keep_its_inode(target, old)) return write_in_place(target, content);
  write_and_rename(path, target, exists ? &old : nullptr, content);
}

}  // namespace syncsniff
