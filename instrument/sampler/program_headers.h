// The program headers of an object, read in the memory of the process that it is mapped into.
#pragma once

#include <elf.h>

#include <cstdint>
#include <vector>

#include "instrument/sampler/remote_memory.h"

namespace syncsniff::sampler {

// Of the object whose mapping begins at `module`; empty: that is no 64-bit ELF object, or cannot be read.
std::vector<Elf64_Phdr> read_program_headers(RemoteMemory& memory, uint64_t module);
// What is to be added to the object's own addresses. False: it has nothing that is loaded.
bool find_load_bias(const std::vector<Elf64_Phdr>& headers, uint64_t module, uint64_t& bias);

}  // namespace syncsniff::sampler
