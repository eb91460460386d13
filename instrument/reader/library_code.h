// Whose code is it, the user's or a library's? Decided here alone: by the name of an object, by where a source file
// stands, and before both by what the user says.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules/path_glob.h"

namespace syncsniff::reader {

// Is this object, or this source file, a library's, if the user says nothing of it?
bool is_library_module(const std::string& path);
bool is_library_source(const std::string& file);
// Is it of a framework that everybody's calls go through (PyTorch, JAX, CuPy, NumPy), or of Python itself?
bool is_framework_source(const std::string& file);

enum class Whose : uint8_t { kUsers, kLibrarys };

// --user-code=GLOB or --library-code=GLOB.
struct CodePattern {
  Whose whose = Whose::kUsers;
  PathGlob glob;
  size_t paths = 0;  // how many files and objects of the trace it matches
};
std::string option_text(const CodePattern& pattern);  // "--user-code=mylib"

// The border between both. A frame is known by its source file or by its object; of several patterns that match one of
// them the last counts. A pattern that matches the object alone leaves the headers of other libraries in it theirs.
class CodeBorder {
 public:
  void add(Whose whose, const std::string& glob);  // throws PatternError
  const std::vector<CodePattern>& patterns() const { return patterns_; }
  bool is_library_object(const std::string& path);
  // `file`, `object`: empty, not known. A native frame without a line is the CUDA runtime's, or tells nothing.
  bool is_library_frame(const std::string& file, const std::string& object, uint32_t line);
  bool is_library_python(const std::string& file);

 private:
  int last_match(const std::string& path);  // index of the pattern; -1: none

  std::vector<CodePattern> patterns_;
  std::unordered_map<std::string, int> known_;
};

}  // namespace syncsniff::reader
