#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "rules/api_facts.h"

namespace syncsniff {

std::string data_directory() {
  namespace fs = std::filesystem;
  std::error_code error;
  const char* named = std::getenv("SYNCSNIFF_DATA_DIR");
  if (named != nullptr && *named != '\0') {
    if (fs::is_directory(fs::path(named) / "rules", error)) return named;
    throw std::runtime_error(std::string("SYNCSNIFF_DATA_DIR=") + named + ": holds no rules/ folder; unset it");
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = program.parent_path();
  const fs::path data = (folder / "../share/syncsniff").lexically_normal();
  // The driver is in bin, an installed part in libexec/syncsniff.
  for (const fs::path& candidate : {data, (folder / "../../share/syncsniff").lexically_normal()})
    if (fs::is_directory(candidate / "rules", error)) return candidate.string();
  throw std::runtime_error(data.string() +
                           ": no rules/ folder there; install syncsniff whole, or set SYNCSNIFF_DATA_DIR");
}

}  // namespace syncsniff
