// A program under test: one source, or a folder of them, with a compile database made for it.
// Runs the whole analysis on it, as `syncsniff check` would.
#pragma once

#include <string>
#include <vector>

#include "rules/finding.h"

namespace syncsniff::test {

// A folder that is gone with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  // Writes a file, and the folders above it; returns its whole path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

// The sources (not the headers) of a file or folder, sorted.
std::vector<std::string> sources_of(const std::string& path);
// The same with headers.
std::vector<std::string> texts_of(const std::string& path);

// compile_commands.json for these sources, written into `folder`: nvcc for .cu, g++ for .cpp, cc for .c. Each gets -I of
// its own folder and LibTorch's stand-in headers as system headers, and `flags`.
void write_database(const std::string& folder, const std::vector<std::string>& sources,
                    const std::vector<std::string>& flags = {});

// Throws what analyse() throws. `cache`: a folder to keep facts in; empty: none.
FindingsDocument analyse_sources(const std::vector<std::string>& sources, const std::vector<std::string>& flags = {},
                                 int max_level = 1, const std::string& cache = {});

// Whether CUDA's toolkit, or what stands in for it, has this header.
bool has_cuda_header(const std::string& name);

}  // namespace syncsniff::test
