// Reads the few facts about an ELF file that the run side needs: build-id, interpreter, machine. Reads only headers and
// notes; a symbolizer reads symbols and lines.
#pragma once

#include <optional>
#include <string>

namespace syncsniff::reader {

struct ElfFacts {
  unsigned machine = 0;  // e_machine; 62: x86-64
  bool is_64 = false;
  bool cut_off = false;          // the file ends before its program headers do
  bool is_whole = false;         // the file contains all of its section headers, which come last
  bool has_interpreter = false;  // PT_INTERP: the dynamic loader starts it, so LD_PRELOAD works
  std::string build_id;          // lower-case hex; empty: none
};

// nullopt: no ELF file, or not readable.
std::optional<ElfFacts> read_elf_facts(const std::string& path);

}  // namespace syncsniff::reader
