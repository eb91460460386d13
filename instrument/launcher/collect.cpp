#include "instrument/launcher/collect.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "instrument/launcher/traces.h"
#include "instrument/reader/file_header.h"
#include "instrument/reader/mark_exit.h"

namespace syncsniff::launcher {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNames = 1000;

// True if that process has mapped the file at `path`. Compares only the names of the folder and the file, since in a
// container the rest of the path may differ.
bool is_mapped(const std::string& path, uint32_t pid) {
  const fs::path file = fs::absolute(path).lexically_normal();
  const std::string wanted = "/" + file.parent_path().filename().string() + "/" + file.filename().string();
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.size() >= wanted.size() && line.compare(line.size() - wanted.size(), wanted.size(), wanted) == 0)
      return true;
  return false;
}

// Renames without replacing. Returns 0 or an errno; EEXIST: `to` exists.
int move_to_free(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // For file systems without RENAME_NOREPLACE: link() does not replace another file either.
  if (link(from.c_str(), to.c_str()) != 0) return errno;
  unlink(from.c_str());
  return 0;
}

class Collector {
 public:
  Collector(const std::string& output, const ChildEnd& end) : output_(output), end_(end) {}

  // Moves a trace out of the run's folder, unless its process still runs.
  void take(const std::string& path) {
    const auto header = reader::read_file_header(path);
    if (header && still_runs(path, header->pid)) return;
    const std::string suffix = fs::path(path).filename().string().substr(fs::path(output_).filename().string().size());
    if (!header) return note_nothing_recorded(path, output_ + suffix);
    const std::string moved = move(path, output_ + suffix);
    settle(moved, *header);
  }

  // Handles a trace that a process wrote under its final name because it could not reach the run's folder.
  void take_in_place(const std::string& path) {
    const auto header = reader::read_file_header(path);
    if (header && !still_runs(path, header->pid)) settle(path, *header);
  }

  void note_why_nothing(const fs::path& link) {
    std::error_code error;
    const std::string reason = fs::read_symlink(link, error).string();
    if (error) return;
    collected_.notes.push_back("process " + link.extension().string().substr(1) + " recorded nothing: " + reason);
    fs::remove(link, error);
  }

  Collected finish() {
    sort_by_records(collected_.traces);
    return std::move(collected_);
  }

 private:
  bool still_runs(const std::string& path, uint32_t pid) {
    if (!is_mapped(path, pid)) return false;
    collected_.some_still_run = true;
    collected_.notes.push_back("process " + std::to_string(pid) + " still runs, and writes its trace at " + path);
    return true;
  }

  // Removes such a file, whose apparent size is 1 GiB although it has only one page of content, and notes that.
  void note_nothing_recorded(const std::string& path, const std::string& wanted) {
    std::error_code error;
    fs::remove(path, error);
    collected_.notes.push_back(wanted +
                               ": its process was ended before it had started the trace: nothing was recorded");
  }

  // A process that did not end its trace may still be writing it, whatever /proc shows: it may be in a container,
  // belong to another user, or have lost its first thread. Truncating a mapped file would kill it (SIGBUS), so the
  // trace that is reported is a copy, and the process keeps the file, unlinked.
  void settle(const std::string& path, const trace::FileHeader& header) {
    const bool has_ended = header.end_monotonic_ns != 0 || header.pid == static_cast<uint32_t>(end_.pid);
    if (has_ended) {
      reader::trim_trace(path);
    } else if (const int error = reader::replace_by_copy(path); error != 0) {
      collected_.notes.push_back("process " + std::to_string(header.pid) + " may still write its trace at " + path +
                                 ", and no copy could be made: " + std::strerror(error));
      collected_.some_still_run = true;
      return;
    }
    if (end_.signal == 0) reader::mark_exit(path, end_.pid);
    collected_.traces.push_back(path);
  }

  // Returns the name that the file has now.
  std::string move(const std::string& from, const std::string& wanted) {
    std::string name = wanted;
    int error = EEXIST;
    for (int i = 2; (error = move_to_free(from, name)) == EEXIST && i < kMostNames; ++i)
      name = wanted + "." + std::to_string(i);
    if (error != 0) {
      collected_.notes.push_back("the trace stays at " + from + ": " + std::strerror(error));
      return from;
    }
    if (name != wanted)
      collected_.notes.push_back(wanted + " was made by another program meanwhile: the trace is " + name);
    return name;
  }

  const std::string& output_;
  const ChildEnd& end_;
  Collected collected_;
};

}  // namespace

Collected collect_traces(const std::string& folder, const std::string& output, const std::vector<std::string>& older,
                         const ChildEnd& end) {
  Collector collector(output, end);
  // This comes before traces are moved to these names.
  for (const std::string& path : find_traces(output, older)) collector.take_in_place(path);
  const std::string inner = (fs::path(folder) / fs::path(output).filename()).string();
  for (const std::string& path : find_traces(inner)) collector.take(path);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.is_symlink() && entry.path().stem() == "why") collector.note_why_nothing(entry.path());
  return collector.finish();
}

}  // namespace syncsniff::launcher
