// Translates nvcc's command line into gcc's options: those that its host pass would give to the host compiler. Options
// for device code, linking and output are dropped here; host_options.h interprets the remaining ones.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::frontend {

struct NvccCall {
  std::vector<std::string> host_arguments;  // gcc-style, inputs among them
  std::vector<std::string> ignored;         // words without a meaning for a host pass
  std::vector<std::string> options_files;   // those that were read
  std::string language;                     // c | c++ | cu as -x says; empty: by extension
  bool per_thread_default_stream = false;
};

// Errors: std::runtime_error naming an options file that cannot be read.
NvccCall read_nvcc_arguments(const std::vector<std::string>& arguments, const std::string& directory);

}  // namespace syncsniff::frontend
