#include "analyzer/frontend/standard_library.h"

#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace syncsniff::frontend {
namespace {

namespace fs = std::filesystem;

std::string search() {
  std::error_code none;
  int newest = -1, newest_usable = -1;
  fs::path usable;
  const std::string machine = llvm::Triple(llvm::sys::getDefaultTargetTriple()).getArchName().str();
  for (const auto& triple : fs::directory_iterator("/usr/lib/gcc", none)) {
    if (!triple.path().filename().string().starts_with(machine)) continue;  // that of a cross compiler
    std::error_code inner;
    for (const auto& version : fs::directory_iterator(triple.path(), inner)) {
      const std::string name = version.path().filename().string();
      const int major = std::atoi(name.c_str());
      if (major <= 0 || !fs::exists(version.path() / "crtbegin.o", inner)) continue;
      newest = std::max(newest, major);
      if (major <= newest_usable || !fs::exists(fs::path("/usr/include/c++") / name / "vector", inner)) continue;
      newest_usable = major;
      usable = version.path();
    }
  }
  return newest_usable >= 0 && newest_usable != newest ? usable.string() : std::string();
}

}  // namespace

std::string gcc_install_directory() {
  static const std::string kFound = search();
  return kFound;
}

}  // namespace syncsniff::frontend
