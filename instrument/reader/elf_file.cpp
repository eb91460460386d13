#include "instrument/reader/elf_file.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "instrument/reader/text_fields.h"
#include "rules/regular_file.h"

namespace syncsniff::reader {
namespace {

constexpr size_t kMaxNoteBytes = 1 << 20;
constexpr unsigned kMaxProgramHeaders = 4096;

class File {
 public:
  explicit File(const std::string& path) {
    std::string ignored;
    descriptor_ = open_regular_file(path, ignored);
  }
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool read_at(uint64_t offset, void* into, size_t size) const {
    return descriptor_ >= 0 && pread(descriptor_, into, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
  }
  uint64_t size() const {
    struct stat info{};
    return fstat(descriptor_, &info) == 0 ? static_cast<uint64_t>(info.st_size) : 0;
  }

 private:
  int descriptor_ = -1;
};

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
  const File file(path);
  Elf64_Ehdr header;
  if (!file.read_at(0, &header, sizeof header)) return std::nullopt;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  ElfFacts facts;
  facts.machine = header.e_machine;
  facts.is_64 = header.e_ident[EI_CLASS] == ELFCLASS64;
  if (!facts.is_64) return facts;
  facts.is_whole = header.e_shoff + uint64_t{header.e_shentsize} * header.e_shnum <= file.size();
  for (unsigned i = 0; i < std::min<unsigned>(header.e_phnum, kMaxProgramHeaders); ++i) {
    Elf64_Phdr segment;
    if (!file.read_at(header.e_phoff + uint64_t{i} * sizeof segment, &segment, sizeof segment)) {
      facts.cut_off = true;
      break;
    }
    if (segment.p_type == PT_INTERP) facts.has_interpreter = true;
    if (segment.p_type != PT_NOTE || segment.p_filesz > kMaxNoteBytes || !facts.build_id.empty()) continue;
    std::string notes(segment.p_filesz, '\0');
    if (file.read_at(segment.p_offset, notes.data(), notes.size())) facts.build_id = build_id_in(notes);
  }
  return facts;
}

}  // namespace syncsniff::reader
