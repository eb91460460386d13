#include "instrument/launcher/no_trace.h"

#include <csignal>
#include <cstring>

#include "instrument/launcher/status.h"

namespace syncsniff::launcher {
namespace {

std::string ended(const ChildEnd& end) {
  if (end.signal == 0) return "exited with status " + std::to_string(end.exit_status);
  return "was ended by signal " + std::to_string(end.signal) + " (" + strsignal(end.signal) + ")";
}

}  // namespace

std::string no_trace_line(const std::string& command, const ChildEnd& end, bool gpu_visible) {
  const std::string known = command + ": " + ended(end) + " and no trace was written";
  if (!gpu_visible)
    return known + "; no NVIDIA device file (/dev/nvidiactl) is visible here: run it on a machine with a GPU";
  return known +
         "; it never started CUDA, or what did was given a clean environment or is a setuid or static program: give "
         "`syncsniff run` the program that uses the GPU";
}

std::string signal_line(const std::string& command, const ChildEnd& end) {
  if (end.signal == 0 || end.signal == SIGINT || end.signal == SIGPIPE) return {};
  const bool is_fault = end.signal == SIGSEGV || end.signal == SIGABRT || end.signal == SIGBUS ||
                        end.signal == SIGILL || end.signal == SIGFPE;
  return command + ": " + ended(end) +
         (is_fault ? "; `syncsniff run --timeline=off` records without CUPTI, to see whether that makes a difference"
                   : "");
}

std::string removed_trace_line(const std::string& command, const ChildEnd& end, const std::string& folder) {
  return command + ": " + ended(end) + ", and its trace is gone: " + folder +
         ", where it lay while the program ran, was emptied or removed; leave that folder alone and run it again";
}

int no_trace_status(const ChildEnd& end, bool gpu_visible) {
  return gpu_visible && end.exit_status != 0 ? end.exit_status : kCouldNotDoIt;
}

}  // namespace syncsniff::launcher
