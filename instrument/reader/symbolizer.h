// Resolves addresses to functions and lines with a symbolizer that runs as a subprocess (llvm-symbolizer or addr2line).
// Does not read DWARF itself.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "instrument/reader/trace.h"

namespace syncsniff::reader {

using SymbolMap =
    std::map<uint64_t, std::vector<SymbolFrame>>;  // address in the object -> inline chain, innermost first

class SymbolSource {
 public:
  virtual ~SymbolSource() = default;
  // `addresses` are relative to the object. An address without a symbol is missing from the result.
  virtual SymbolMap lookup(const Module& module, const std::vector<uint64_t>& addresses) = 0;
  // One line for each thing that could not be symbolised, with a remedy.
  const std::vector<std::string>& hints() const { return hints_; }

 protected:
  void hint(const std::string& line);
  std::vector<std::string> hints_;
};

class ProcessSymbolizer : public SymbolSource {
 public:
  ProcessSymbolizer();  // searches PATH; SYNCSNIFF_SYMBOLIZER names another program, or "none" for no symbolizer
  SymbolMap lookup(const Module& module, const std::vector<uint64_t>& addresses) override;
  const std::string& program() const { return program_; }

 private:
  std::string program_;
};

// Parses the output of `addr2line -a -i -f -C` and of `llvm-symbolizer --output-style=GNU -a -i -f -C`.
SymbolMap parse_symbolizer_output(const std::string& text);

}  // namespace syncsniff::reader
