#include "analyzer/facts/build_stamp.h"

#include <clang/Basic/Version.h>
#include <elf.h>
#include <link.h>

#include <cstring>
#include <optional>

#include "analyzer/content_hash.h"
#include "rules/regular_file.h"

namespace syncsniff::facts {
namespace {

constexpr size_t up(size_t bytes) { return (bytes + 3) & ~size_t{3}; }

// The build id in the notes of one segment, which the linker computes from the program's content.
std::string build_id_in(const char* at, size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const size_t name = sizeof note, content = name + up(note.n_namesz), end = content + up(note.n_descsz);
    if (end > bytes) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(at + name, "GNU", 4) == 0)
      return {at + content, note.n_descsz};
    at += end;
    bytes -= end;
  }
  return {};
}

int look_at_program(dl_phdr_info* info, size_t, void* out) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const std::string id =
        build_id_in(reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz);
    if (!id.empty()) *static_cast<std::string*>(out) = id;
  }
  return 1;  // stop: the program comes first, its libraries after it
}

}  // namespace

const std::string& build_stamp() {
  static const std::string stamp = [] {
    std::string id;
    dl_iterate_phdr(look_at_program, &id);
    std::string problem;
    if (id.empty()) {
      if (const std::optional<std::string> program = read_regular_file("/proc/self/exe", problem))
        id = std::to_string(content_hash(*program));
    }
    return "syncsniff-facts-2 " + clang::getClangFullVersion() + " " + id;
  }();
  return stamp;
}

}  // namespace syncsniff::facts
