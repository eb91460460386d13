#include "instrument/reader/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "instrument/reader/text_fields.h"

namespace syncsniff::reader {
namespace {

constexpr size_t kMaxNoteBytes = 1 << 20;
constexpr unsigned kMaxProgramHeaders = 4096;

bool read_at(std::ifstream& file, uint64_t offset, char* into, size_t size) {
  file.clear();
  return file.seekg(static_cast<std::streamoff>(offset)) && file.read(into, static_cast<std::streamsize>(size));
}

std::string build_id_in(const std::string& notes) {
  size_t at = 0;
  while (at + sizeof(Elf64_Nhdr) <= notes.size()) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data() + at, sizeof note);
    const size_t name = at + sizeof note;
    const size_t text = name + ((size_t{note.n_namesz} + 3) & ~size_t{3});
    const size_t next = text + ((size_t{note.n_descsz} + 3) & ~size_t{3});
    if (next > notes.size() || next <= at) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && notes.compare(name, 3, "GNU") == 0)
      return to_hex(std::string_view(notes).substr(text, note.n_descsz));
    at = next;
  }
  return "";
}

}  // namespace

std::optional<ElfFacts> read_elf_facts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!file || !read_at(file, 0, reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  ElfFacts facts;
  facts.machine = header.e_machine;
  facts.is_64 = header.e_ident[EI_CLASS] == ELFCLASS64;
  if (!facts.is_64) return facts;
  file.seekg(0, std::ios::end);
  facts.is_whole =
      header.e_shoff + uint64_t{header.e_shentsize} * header.e_shnum <= static_cast<uint64_t>(file.tellg());
  for (unsigned i = 0; i < std::min<unsigned>(header.e_phnum, kMaxProgramHeaders); ++i) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + uint64_t{i} * sizeof segment, reinterpret_cast<char*>(&segment),
                 sizeof segment)) {
      facts.cut_off = true;
      break;
    }
    if (segment.p_type == PT_INTERP) facts.has_interpreter = true;
    if (segment.p_type != PT_NOTE || segment.p_filesz > kMaxNoteBytes || !facts.build_id.empty()) continue;
    std::string notes(segment.p_filesz, '\0');
    if (read_at(file, segment.p_offset, notes.data(), notes.size())) facts.build_id = build_id_in(notes);
  }
  return facts;
}

}  // namespace syncsniff::reader
