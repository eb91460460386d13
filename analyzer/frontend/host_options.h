// gcc's and clang's options, read with Clang's own option table and reduced to those that affect parsing.
// Unknown options, warnings, code generation, linking and dependency output are dropped.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::frontend {

// One folder to search for headers, in the order given; `path` is absolute.
struct IncludeDirectory {
  std::string option;  // -I | -iquote | -isystem | -idirafter | -cxx-isystem
  std::string path;
};

struct HostOptions {
  std::string language;  // value of the last -x before an input, as gcc spells it; empty: by extension
  std::string standard;  // value of -std; empty: none given or none that Clang knows
  std::vector<IncludeDirectory> includes;
  std::vector<std::string> forced;  // -include/-imacros and their files, in order
  std::vector<std::string> macros;  // -D/-U with their values, in order
  std::vector<std::string> flags;   // other options that are kept
  std::vector<std::string> ignored;
  std::string cuda_path;  // clang's --cuda-path
  bool openmp = false;
  bool per_thread_default_stream = false;  // requested by a macro
  bool chooses_library = false;            // sysroot, target, toolchain or libc++: leave the standard library to it
};

// Relative paths in `arguments` start at `directory`. Never throws for unusual options: it drops them.
HostOptions read_host_arguments(const std::vector<std::string>& arguments, const std::string& directory);

}  // namespace syncsniff::frontend
