#include "instrument/launcher/environment.h"

#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "instrument/launcher/preflight.h"
#include "instrument/reader/elf_file.h"
#include "rules/regular_file.h"

extern char** environ;

namespace syncsniff::launcher {
namespace {

std::string value_of(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& entry : environment)
    if (entry.size() > name.size() && entry.compare(0, name.size(), name) == 0 && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
  return "";
}

void set(std::vector<std::string>& environment, const std::string& name, const std::string& value) {
  std::erase_if(environment,
                [&](const std::string& entry) { return entry.compare(0, name.size() + 1, name + "=") == 0; });
  environment.push_back(name + "=" + value);
}

// Checks a library here, since the dynamic loader reports little: it ignores a broken one, or crashes if the file is
// truncated.
std::string checked(std::string path) {
  const auto facts = reader::read_elf_facts(path);
  if (!facts || !facts->is_whole)
    throw LaunchError(path + ": not a library, or cut short; build or install syncsniff again");
  return path;
}

}  // namespace

std::string shim_path() {
  if (const char* chosen = std::getenv("SYNCSNIFF_SHIM"); chosen != nullptr && *chosen != '\0') {
    if (access(chosen, R_OK) != 0) throw LaunchError(std::string(chosen) + ": not readable; unset SYNCSNIFF_SHIM");
    if (const std::string problem = why_not_regular(chosen); !problem.empty())
      throw LaunchError(std::string(chosen) + ": " + problem + "; unset SYNCSNIFF_SHIM");
    return checked(chosen);
  }
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  const std::string program(self, length > 0 ? static_cast<size_t>(length) : 0);
  const std::string root = program.substr(0, program.rfind('/')) + "/..";
  // This program is in bin in a build tree, and in libexec/syncsniff in an installed one. In a wheel the shim is beside
  // it, since `pip --target` installs no data below lib.
  for (const std::string& top : {root, root + "/.."})
    for (const char* folder :
         {"/lib/syncsniff/", "/lib64/syncsniff/", "/lib/x86_64-linux-gnu/syncsniff/", "/libexec/syncsniff/"}) {
      const std::string candidate = top + folder + "libsyncsniff_shim.so";
      char real[PATH_MAX];
      if (access(candidate.c_str(), R_OK) != 0 || realpath(candidate.c_str(), real) == nullptr) continue;
      return checked(real);
    }
  throw LaunchError(
      root + "/lib/syncsniff/libsyncsniff_shim.so: missing; build with -DSYNCSNIFF_RUN=ON or install syncsniff again");
}

std::vector<std::string> program_environment(const std::vector<std::string>& current, const Recording& recording) {
  const std::string& shim = recording.shim;
  std::vector<std::string> environment = current;
  const std::string preloaded = value_of(current, "LD_PRELOAD");
  set(environment, "LD_PRELOAD", preloaded.empty() ? shim : shim + ":" + preloaded);
  set(environment, "SYNCSNIFF_TRACE", recording.trace);
  set(environment, "SYNCSNIFF_TRACE_FOLDER", recording.folder);
  set(environment, "SYNCSNIFF_TIMELINE", recording.timeline);
  set(environment, "SYNCSNIFF_BUDGET", recording.budget);
  if (recording.full_command_line) set(environment, "SYNCSNIFF_FULL_COMMAND_LINE", "1");
  // NVTX loads the library that this variable names, which receives the ranges; a tool that the user has set is not
  // replaced.
  if (value_of(current, "NVTX_INJECTION64_PATH").empty()) set(environment, "NVTX_INJECTION64_PATH", shim);
  return environment;
}

std::vector<std::string> current_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  return environment;
}

}  // namespace syncsniff::launcher
