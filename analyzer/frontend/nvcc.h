// nvcc's command line told in gcc's options: what its host pass would hand to the host compiler.
// Device code generation, linking and output fall away here; what gcc's options mean is host_options.h's business.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::frontend {

struct NvccCall {
  std::vector<std::string> host_arguments;  // gcc-style, inputs among them
  std::vector<std::string> ignored;         // words that say nothing to a host pass
  std::vector<std::string> options_files;   // read on the way
  std::string language;                     // c | c++ | cu as -x says; empty: by extension
  bool per_thread_default_stream = false;
};

// Errors: std::runtime_error naming an options file that cannot be read.
NvccCall read_nvcc_arguments(const std::vector<std::string>& arguments, const std::string& directory);

}  // namespace syncsniff::frontend
