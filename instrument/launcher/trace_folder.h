// Where the traces of one run lie while its programs run: a hidden folder beside the output that nobody else can look
// into, so that what happens to a file of the trace's own name (`> t.sstrace`) cannot cut a trace that is in use.
#pragma once

#include <time.h>

#include <string>

namespace syncsniff::launcher {

class TraceFolder {
 public:
  // Makes .NAME.XXXXXX beside `output`, which is DIR/NAME. Throws LaunchError.
  explicit TraceFolder(const std::string& output);
  ~TraceFolder() { remove_if_empty(); }
  void remove_if_empty() const;
  // Is it gone, or is what lay in it? True only while nothing lies in it; asked before the launcher itself takes the
  // traces out.
  bool has_lost_its_traces() const;
  TraceFolder(const TraceFolder&) = delete;
  TraceFolder& operator=(const TraceFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  timespec made_{};  // of the folder's last change; one later than that is a file that came or went
};

}  // namespace syncsniff::launcher
