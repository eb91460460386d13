#include "instrument/sampler/program_headers.h"

#include <algorithm>
#include <cstring>

namespace syncsniff::sampler {
namespace {

constexpr size_t kMostHeaders = 64;
constexpr uint64_t kSegmentPage = 4096;

}  // namespace

std::vector<Elf64_Phdr> read_program_headers(RemoteMemory& memory, uint64_t module) {
  Elf64_Ehdr elf;
  if (!memory.read(module, &elf, sizeof elf) || std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 ||
      elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_phentsize != sizeof(Elf64_Phdr) || elf.e_phnum == 0 ||
      elf.e_phnum > kMostHeaders)
    return {};
  std::vector<Elf64_Phdr> headers(elf.e_phnum);
  if (!memory.read(module + elf.e_phoff, headers.data(), headers.size() * sizeof headers[0])) return {};
  return headers;
}

bool find_load_bias(const std::vector<Elf64_Phdr>& headers, uint64_t module, uint64_t& bias) {
  const auto first =
      std::find_if(headers.begin(), headers.end(), [](const Elf64_Phdr& one) { return one.p_type == PT_LOAD; });
  if (first == headers.end()) return false;
  bias = module - first->p_vaddr / kSegmentPage * kSegmentPage;
  return true;
}

}  // namespace syncsniff::sampler
