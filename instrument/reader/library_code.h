// Decides whether code is the user's or a library's: first by --user-code and --library-code, then by the name of the
// object and the path of the source file.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules/path_glob.h"

namespace syncsniff::reader {

// True if this object, or this source file, is a library's by default, regardless of options.
bool is_library_module(const std::string& path);
bool is_library_source(const std::string& file);
// True if the file belongs to a framework that all calls go through (PyTorch, JAX, CuPy, NumPy), or to Python itself.
bool is_framework_source(const std::string& file);

enum class Whose : uint8_t { kUsers, kLibrarys };

// --user-code=GLOB or --library-code=GLOB.
struct CodePattern {
  Whose whose = Whose::kUsers;
  PathGlob glob;
  size_t paths = 0;  // how many files and objects of the trace it matches
};
std::string option_text(const CodePattern& pattern);  // "--user-code=mylib"

// The border between user code and library code. A frame is matched by its source file or its object; of several
// matching patterns the last one counts. A pattern that matches only the object does not apply to other libraries'
// headers that are compiled into it.
class CodeBorder {
 public:
  void add(Whose whose, const std::string& glob);  // throws PatternError
  const std::vector<CodePattern>& patterns() const { return patterns_; }
  bool is_library_object(const std::string& path);
  // `file`, `object`: empty if unknown. A native frame without a line is the CUDA runtime's, or of unknown origin.
  bool is_library_frame(const std::string& file, const std::string& object, uint32_t line);
  bool is_library_python(const std::string& file);

 private:
  int last_match(const std::string& path);  // index of the pattern; -1: none

  std::vector<CodePattern> patterns_;
  std::unordered_map<std::string, int> known_;
};

}  // namespace syncsniff::reader
