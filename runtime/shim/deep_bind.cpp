#include "runtime/shim/deep_bind.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "runtime/shim/resolve.h"

namespace syncsniff::shim {
namespace {

struct Dynamic {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const ElfW(Rela) * tables[2] = {nullptr, nullptr};
  size_t counts[2] = {0, 0};
  bool has_search_path = false;
};

Dynamic read_dynamic(const link_map* map) noexcept {
  Dynamic d;
  size_t plt_bytes = 0, rela_bytes = 0;
  for (const ElfW(Dyn)* entry = map->l_ld; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB:
        d.symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
        break;
      case DT_STRTAB:
        d.strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
        break;
      case DT_JMPREL:
        d.tables[0] = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr);
        break;
      case DT_PLTRELSZ:
        plt_bytes = entry->d_un.d_val;
        break;
      case DT_RELA:
        d.tables[1] = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr);
        break;
      case DT_RELASZ:
        rela_bytes = entry->d_un.d_val;
        break;
      case DT_RPATH:
      case DT_RUNPATH:
        d.has_search_path = true;
        break;
      default:
        break;
    }
  }
  d.counts[0] = d.tables[0] != nullptr ? plt_bytes / sizeof(ElfW(Rela)) : 0;
  d.counts[1] = d.tables[1] != nullptr ? rela_bytes / sizeof(ElfW(Rela)) : 0;
  return d;
}

// Import slots may be in pages that were made read-only after relocation (PT_GNU_RELRO), but in no other read-only
// pages.
struct Relro {
  uintptr_t begin = 0, end = 0;
};

int find_relro(dl_phdr_info* info, size_t, void* argument) noexcept {
  auto* wanted = static_cast<std::pair<const link_map*, Relro>*>(argument);
  if (info->dlpi_addr != wanted->first->l_addr || std::strcmp(info->dlpi_name, wanted->first->l_name) != 0) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_GNU_RELRO) continue;
    wanted->second.begin = info->dlpi_addr + header.p_vaddr;
    wanted->second.end = wanted->second.begin + header.p_memsz;
  }
  return 1;
}

void store_slot(const Relro& relro, void** slot, void* value) noexcept {
  const auto page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(slot);
  void* page = reinterpret_cast<void*>(address & ~(page_bytes - 1));
  const bool read_only = address >= relro.begin && address < (relro.end & ~(page_bytes - 1));
  if (read_only && mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0) return;
  *slot = value;
  if (read_only) mprotect(page, page_bytes, PROT_READ);
}

void mend(const link_map* map) noexcept {
  const Dynamic d = read_dynamic(map);
  if (d.symbols == nullptr || d.strings == nullptr) return;
  std::pair<const link_map*, Relro> relro{map, {}};
  dl_iterate_phdr(find_relro, &relro);
  for (int t = 0; t < 2; ++t) {
    for (size_t i = 0; i < d.counts[t]; ++i) {
      const ElfW(Rela)& rela = d.tables[t][i];
      const auto type = ELF64_R_TYPE(rela.r_info);
      if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
      const ElfW(Sym)& symbol = d.symbols[ELF64_R_SYM(rela.r_info)];
      if (symbol.st_shndx != SHN_UNDEF) continue;
      if (void* ours = own_export(d.strings + symbol.st_name))
        store_slot(relro.second, reinterpret_cast<void**>(map->l_addr + rela.r_offset), ours);
    }
  }
}

const link_map* map_of(const void* address) noexcept {
  Dl_info info{};
  link_map* map = nullptr;
  return dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 ? map : nullptr;
}

const link_map* last_map(const link_map* any) noexcept {
  while (any->l_next != nullptr) any = any->l_next;
  return any;
}

}  // namespace

void* open_deep_bound(const char* file, int flags, const void* caller) noexcept {
  const link_map* calling = map_of(caller);
  if (file == nullptr || calling == nullptr) return nullptr;
  // A bare name is searched along the caller's RUNPATH, which works only if the caller itself calls dlopen.
  if (std::strchr(file, '/') == nullptr && read_dynamic(calling).has_search_path) return nullptr;
  const link_map* before = last_map(calling);
  void* handle = real_dlopen(file, flags);
  if (handle == nullptr) return nullptr;
  for (const link_map* map = before->l_next; map != nullptr; map = map->l_next) mend(map);
  return handle;
}

}  // namespace syncsniff::shim
