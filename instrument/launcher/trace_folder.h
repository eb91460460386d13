// The folder for the traces of one run while its programs run: a hidden folder beside the output that other users
// cannot access. With it, truncating a file with the trace's own name (`> t.sstrace`) cannot truncate a trace in use.
#pragma once

#include <time.h>

#include <string>

namespace syncsniff::launcher {

class TraceFolder {
 public:
  // Creates .NAME.XXXXXX beside `output`, which is DIR/NAME. Throws LaunchError.
  explicit TraceFolder(const std::string& output);
  ~TraceFolder() { remove_if_empty(); }
  void remove_if_empty() const;
  // True if somebody removed the folder or the traces in it. To be called before the launcher moves the traces away,
  // since the folder is empty afterwards.
  bool has_lost_its_traces() const;
  TraceFolder(const TraceFolder&) = delete;
  TraceFolder& operator=(const TraceFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  timespec made_{};  // time of the folder's last change; a later change means that a file was added or removed
};

}  // namespace syncsniff::launcher
