// Resolves stacks: each frame's function, file and line, and which frame is the user's own (decided by library_code.h).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "instrument/reader/library_code.h"
#include "instrument/reader/step_part.h"
#include "instrument/reader/symbolizer.h"
#include "instrument/reader/trace.h"

namespace syncsniff::reader {

struct Frame {
  std::string function, file;  // empty: unknown
  uint32_t line = 0;
  std::string module;   // path of the object; empty for Python
  uint64_t offset = 0;  // in the object
  bool python = false;
  bool library = false;  // CUDA, PyTorch, the C and C++ libraries, Python itself, installed packages
};

struct ResolvedStack {
  std::vector<Frame> frames;  // innermost first; native, then Python
  int user = -1;              // the user's line; -1: none known
};

// One line of the user's source or, without symbols, one position in an object.
struct Place {
  std::string file;   // without symbols: the object's path
  uint32_t line = 0;  // 0: unknown
  std::string function;
  uint64_t offset = 0;  // in the object, where line is 0
  bool operator==(const Place& other) const {
    return file == other.file && line == other.line && offset == other.offset;
  }
};

class Places {
 public:
  // Resolves every stack of the trace; queries `source` only for addresses of objects that may be the user's.
  Places(const Trace& trace, SymbolSource& source, CodeBorder border = {});

  const ResolvedStack& stack(uint32_t id) const;  // an unknown id gives an empty stack
  Place user_place(uint32_t id) const;
  // Beneath the user's line, the innermost Python line of an installed package that is not framework machinery: if the
  // user calls a library's trainer.train(), the line of its loop. Empty if there is none.
  Place inner_place(uint32_t id) const;
  // True if the user's line is the program's own. For a thread that runs only libraries (a loader's, autograd's),
  // user_place() is the library's innermost Python line, and this is false unless the whole program is an installed
  // package.
  bool is_programs(uint32_t id) const;
  // Decided by the innermost frame that belongs to a known part: a closure that an optimizer calls is a forward and a
  // backward pass. But everything that a data loader calls is loading, since torchvision's transforms are modules, too.
  StepPart part(uint32_t id) const;
  Updates updates(uint32_t id) const;  // decided by the innermost frame that shows it
  const std::unordered_map<uint64_t, std::vector<SymbolFrame>>& symbols() const { return symbols_; }
  const std::vector<CodePattern>& code_patterns() const { return border_.patterns(); }

 private:
  void symbolise(const Trace& trace, SymbolSource& source);
  ResolvedStack resolve(const Trace& trace, const Stack& stack);
  int first_nameless(const std::vector<Frame>& frames);
  int find_user(const std::vector<Frame>& frames);

  CodeBorder border_;
  bool has_user_code_ = false;                                      // some stack has a line that is not a library's
  std::unordered_map<uint64_t, std::vector<SymbolFrame>> symbols_;  // by return address
  std::unordered_map<uint32_t, ResolvedStack> stacks_;
};

std::string place_text(const Place& place);  // "train.cu:12", "train+0x4f0", "unknown place"
// The function's name; empty for `<module>`, the top-level code of a Python file.
std::string function_text(const Place& place);
std::string place_and_function(const Place& place);  // "train.py:12 Trainer.step", "train.py:80"

// Adds kSymbol records to the trace file, so that it can be reported on a machine without the program. Does nothing if
// it has some. Returns false if the file cannot be extended; it stays readable.
bool append_symbols(const std::string& path, const Places& places);

}  // namespace syncsniff::reader
