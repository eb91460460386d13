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

// Number of loads and unloads at the last scan.
unsigned long long g_loads = 0, g_unloads = 0;
HashTable<bool, 13> g_seen;

// Libraries without lines of the user: installed Python packages, and these by file name up to ".so" or, for a program,
// up to its version. All others count as the user's.
constexpr const char* kPackageFolders[] = {"/site-packages/", "/dist-packages/", "/lib-dynload/"};
constexpr const char* kLibraries[] = {"libcuda",
                                      "libcudart",
                                      "libcublas",
                                      "libcublasLt",
                                      "libcudnn",
                                      "libcudnn_graph",
                                      "libcudnn_ops",
                                      "libcudnn_cnn",
                                      "libcufft",
                                      "libcurand",
                                      "libcusolver",
                                      "libcusparse",
                                      "libnccl",
                                      "libtorch",
                                      "libtorch_cpu",
                                      "libtorch_cuda",
                                      "libtorch_cuda_linalg",
                                      "libtorch_python",
                                      "libc10",
                                      "libc10_cuda",
                                      "libstdc++",
                                      "libc",
                                      "libpython3",
                                      "python3"};
struct Mapped {
  uint64_t begin, end;
};
Mapped g_libraries[512];
unsigned g_library_count = 0;

bool is_library(const char* path) noexcept {
  for (const char* folder : kPackageFolders)
    if (std::strstr(path, folder) != nullptr) return true;
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash != nullptr ? slash + 1 : path;
  for (const char* library : kLibraries) {
    const size_t length = std::strlen(library);
    if (std::strncmp(name, library, length) == 0 && (name[length] == '\0' || name[length] == '.')) return true;
  }
  return false;
}

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
  if (scan->first) g_library_count = 0;
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
  if (g_library_count < sizeof(g_libraries) / sizeof(g_libraries[0]) && is_library(path))
    g_libraries[g_library_count++] = {record.begin, record.end};
  const char* build_id = "";
  find_build_id(info, &build_id, &record.build_id_bytes);
  const size_t path_bytes = std::strlen(path);
  const uint64_t hash = mix_text(mix(mix(19, record.begin), record.end), build_id, record.build_id_bytes);
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

uint64_t frames_in_libraries(const NativeStack& stack) noexcept {
  uint64_t found = 0;
  for (unsigned i = 0; i < stack.frames; ++i) {
    for (unsigned k = 0; k < g_library_count; ++k) {
      if (stack.address[i] - g_libraries[k].begin >= g_libraries[k].end - g_libraries[k].begin) continue;
      found |= uint64_t{1} << i;
      break;
    }
  }
  return found;
}

}  // namespace syncsniff::shim
