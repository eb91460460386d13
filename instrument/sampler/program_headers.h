// Reads the program headers of an object from the memory of the process that has mapped it.
#pragma once

#include <elf.h>

#include <cstdint>
#include <vector>

#include "instrument/sampler/remote_memory.h"

namespace syncsniff::sampler {

// Headers of the object mapped at `module`; empty: it is no 64-bit ELF object, or cannot be read.
std::vector<Elf64_Phdr> read_program_headers(RemoteMemory& memory, uint64_t module);
// `bias`: what must be added to the object's own addresses. Returns false if the object has no loaded segment.
bool find_load_bias(const std::vector<Elf64_Phdr>& headers, uint64_t module, uint64_t& bias);

}  // namespace syncsniff::sampler
