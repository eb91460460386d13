#include "instrument/reader/symbolizer.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "instrument/reader/elf_file.h"
#include "rules/subprocess.h"

namespace syncsniff::reader {
namespace {

constexpr int kNewestVersion = 25, kOldestVersion = 11;  // versions of llvm-symbolizer-N that distributions ship

std::string find_symbolizer() {
  if (const char* chosen = std::getenv("SYNCSNIFF_SYMBOLIZER"); chosen != nullptr && *chosen != '\0') {
    const std::string name = chosen;
    if (name == "none") return "";
    return name.find('/') != std::string::npos ? name : find_on_path(name);
  }
  std::vector<std::string> names{"llvm-symbolizer"};
  for (int version = kNewestVersion; version >= kOldestVersion; --version)
    names.push_back("llvm-symbolizer-" + std::to_string(version));
  names.insert(names.end(), {"addr2line", "x86_64-linux-gnu-addr2line", "llvm-addr2line"});
  for (const auto& name : names)
    if (std::string path = find_on_path(name); !path.empty()) return path;
  return "";
}

std::vector<std::string> symbolizer_command(const std::string& program, const std::string& object) {
  const std::string name = program.substr(program.rfind('/') + 1);
  if (name.find("addr2line") != std::string::npos) return {program, "-a", "-i", "-f", "-C", "-e", object};
  return {program,      "--addresses",        "--inlining",     "--functions=linkage",
          "--demangle", "--output-style=GNU", "--obj=" + object};
}

// "file:line (discriminator 3)" -> file, line
void parse_place(const std::string& text, SymbolFrame& frame) {
  const size_t colon = text.rfind(':', text.find(" (disc"));
  if (colon == std::string::npos) return;
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), frame.line);
  if (text.compare(0, 2, "??") != 0 && frame.line != 0) frame.file = text.substr(0, colon);
  if (frame.file.empty()) frame.line = 0;
}

std::string hex_text(uint64_t value) {
  char digits[24];
  return "0x" + std::string(digits, std::to_chars(digits, digits + sizeof digits, value, 16).ptr);
}

}  // namespace

void SymbolSource::hint(const std::string& line) {
  if (std::find(hints_.begin(), hints_.end(), line) == hints_.end()) hints_.push_back(line);
}

ProcessSymbolizer::ProcessSymbolizer() : program_(find_symbolizer()) {}

SymbolMap ProcessSymbolizer::lookup(const Module& module, const std::vector<uint64_t>& addresses) {
  if (addresses.empty()) return {};
  if (program_.empty()) {
    hint("no symbolizer found, so addresses stay numbers; install llvm (llvm-symbolizer) or binutils (addr2line)");
    return {};
  }
  const auto facts = read_elf_facts(module.path);
  if (!facts) {
    hint(module.path + ": not readable here, so its lines are unknown; report on the machine that ran it");
    return {};
  }
  if (!module.build_id.empty() && facts->build_id != module.build_id) {
    hint(module.path + ": rebuilt since the run (other build-id), so its lines are unknown; run again");
    return {};
  }
  std::string input, output;
  for (uint64_t address : addresses) input += hex_text(address) + "\n";
  if (!run_program(symbolizer_command(program_, module.path), input, &output)) {
    hint(module.path + ": " + program_ + " failed on it; set SYNCSNIFF_SYMBOLIZER to another symbolizer");
    return {};
  }
  return parse_symbolizer_output(output);
}

SymbolMap parse_symbolizer_output(const std::string& text) {
  SymbolMap symbols;
  std::vector<SymbolFrame>* chain = nullptr;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 2, "0x") == 0) {
      uint64_t address = 0;
      std::from_chars(line.data() + 2, line.data() + line.size(), address, 16);
      chain = &symbols[address];
      chain->clear();
      continue;
    }
    std::string place;
    if (chain == nullptr || line.empty() || !std::getline(lines, place)) continue;
    SymbolFrame frame;
    if (line != "??") frame.function = line;
    parse_place(place, frame);
    if (!frame.function.empty() || frame.line != 0) chain->push_back(std::move(frame));
  }
  return symbols;
}

}  // namespace syncsniff::reader
