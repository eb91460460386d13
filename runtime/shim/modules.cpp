#include "runtime/shim/modules.h"

#include <link.h>

#include <cstring>

#include "runtime/shim/recorder.h"
#include "runtime/shim/site_table.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {
namespace {

struct Scan {
  ThreadState* thread;
  bool first;
};

// How many loads and unloads there had been at the last scan.
unsigned long long g_loads = 0, g_unloads = 0;
HashTable<bool, 13> g_seen;

void find_build_id(const dl_phdr_info* info, const char** id, uint16_t* bytes) noexcept {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
    const char* end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof(note));
      const char* name = at + sizeof(note);
      const char* description = name + ((note.n_namesz + 3) & ~3u);
      if (description + note.n_descsz > end) break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        *id = description;
        *bytes = static_cast<uint16_t>(note.n_descsz);
        return;
      }
      at = description + ((note.n_descsz + 3) & ~3u);
    }
  }
}

int record_module(dl_phdr_info* info, size_t, void* argument) noexcept {
  auto* scan = static_cast<Scan*>(argument);
  if (scan->first && info->dlpi_adds == g_loads && info->dlpi_subs == g_unloads) return 1;
  g_loads = info->dlpi_adds;
  g_unloads = info->dlpi_subs;
  const bool executable = scan->first;  // the first object is the program itself, and has no name
  scan->first = false;
  trace::ModuleRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kModule);
  record.load_bias = info->dlpi_addr;
  record.begin = ~0ull;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const uint64_t begin = info->dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
    if (begin < record.begin) record.begin = begin;
    if (end > record.end) record.end = end;
  }
  const char* path = executable ? trace_file().header()->executable : info->dlpi_name;
  if (path == nullptr || path[0] == '\0' || record.end == 0) return 0;
  const char* build_id = "";
  find_build_id(info, &build_id, &record.build_id_bytes);
  const size_t path_bytes = std::strlen(path);
  uint64_t hash = mix(mix(19, record.begin), record.end);
  for (uint16_t i = 0; i < record.build_id_bytes; ++i) hash = mix(hash, static_cast<unsigned char>(build_id[i]));
  bool* seen = g_seen.find(hash);
  if (seen == nullptr || *seen) return 0;
  record.path_bytes = static_cast<uint32_t>(path_bytes);
  const void* parts[] = {build_id, path};
  const size_t sizes[] = {record.build_id_bytes, path_bytes};
  *seen = scan->thread->writer.append_with_payload(record, parts, sizes, 2);
  return 0;
}

}  // namespace

void record_modules(ThreadState& thread) noexcept {
  Scan scan{&thread, true};
  dl_iterate_phdr(record_module, &scan);
}

}  // namespace syncsniff::shim
