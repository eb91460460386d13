// Where the traces of one run lie while its programs run: a hidden folder beside the output that nobody else can look
// into, so that what happens to a file of the trace's own name (`> t.sstrace`) cannot cut a trace that is in use.
#pragma once

#include <string>

namespace syncsniff::launcher {

class TraceFolder {
 public:
  // Makes .NAME.XXXXXX beside `output`, which is DIR/NAME. Throws LaunchError.
  explicit TraceFolder(const std::string& output);
  ~TraceFolder() { remove_if_empty(); }
  void remove_if_empty() const;
  TraceFolder(const TraceFolder&) = delete;
  TraceFolder& operator=(const TraceFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace syncsniff::launcher
