// Which language a file is read in: the -x of its command, else its extension and the compiler that is to read it.
#pragma once

#include <string>

#include "analyzer/frontend/arguments.h"
#include "analyzer/frontend/command.h"

namespace syncsniff::frontend {

enum class FileKind { kUnknown, kC, kCxx, kCuda, kCHeader, kCxxHeader, kCudaHeader };

FileKind file_kind(const std::string& file);
bool is_header(FileKind kind);

// `asked` is -x's value in gcc's, clang's or nvcc's words; empty or "none": by extension.
Language language_of(const std::string& file, const std::string& named, const CompilerCall& call);

// -x's value for Clang.
std::string clang_language(Language language);

}  // namespace syncsniff::frontend
