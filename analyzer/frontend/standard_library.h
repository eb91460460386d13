// Which of the installed GCCs' C++ standard libraries Clang should use.
#pragma once

#include <string>

namespace syncsniff::frontend {

// A GCC folder for --gcc-install-dir when the newest one, which Clang takes by itself, has no C++ headers
// (libgcc-N-dev without libstdc++-N-dev). Empty: leave the choice to Clang.
std::string gcc_install_directory();

}  // namespace syncsniff::frontend
