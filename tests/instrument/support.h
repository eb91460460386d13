// Shared by the tests of the run side: traces from text, symbols from a table, programs run with their output kept.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/text_twin.h"
#include "instrument/reader/trace.h"

namespace syncsniff::test {

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline reader::Trace trace_of(const std::string& text) {
  const std::string bytes = reader::undump_trace(text, "text");
  return reader::read_trace_bytes(bytes.data(), bytes.size(), "text");
}

// Symbols come from the trace's own `symbol` lines; nothing is asked of the machine.
class NoSymbols : public reader::SymbolSource {
 public:
  reader::SymbolMap lookup(const reader::Module&, const std::vector<uint64_t>&) override { return {}; }
};

inline reader::Places places_of(const reader::Trace& trace) {
  NoSymbols none;
  return reader::Places(trace, none);
}

// A module, and stacks 1..n whose user's line is train.cu:<line> with line = 10 * stack.
inline std::string plain_stacks(int count) {
  std::ostringstream text;
  text << "module bias=0x10000 begin=0x10000 end=0x90000 path=\"/home/u/train\"\n";
  for (int i = 1; i <= count; ++i) {
    const int address = 0x10000 + 0x100 * i;
    text << "stack id=" << i << " native=0x" << std::hex << address << std::dec << "\n"
         << "symbol address=0x" << std::hex << address << std::dec << " line=" << 10 * i
         << " function=\"step(int)\" file=\"/home/u/src/train.cu\"\n";
  }
  return text.str();
}

struct Ran {
  int status = 0;  // as a shell tells it
  std::string out, err;
};

// A new empty folder, gone when the test program ends: ctest runs cases side by side.
inline std::string fresh_folder() {
  struct Made {
    std::vector<std::string> folders;
    ~Made() {
      std::error_code ignored;
      for (const std::string& folder : folders) std::filesystem::remove_all(folder, ignored);
    }
  };
  static Made made;
  char name[] = "/tmp/syncsniff_test_XXXXXX";
  return made.folders.emplace_back(mkdtemp(name));
}

// Runs a shell command line in a folder; standard output and error are kept apart.
inline Ran shell(const std::string& command, const std::string& folder) {
  const std::string out = folder + "/.out", err = folder + "/.err";
  const int status =
      std::system(("cd '" + folder + "' && { " + command + "\n} >'" + out + "' 2>'" + err + "' </dev/null").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out), read_file(err)};
}

}  // namespace syncsniff::test
