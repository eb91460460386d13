// Which language a file is read in: the -x of its command, else its extension and the compiler that is to read it.
#pragma once

#include <string>

#include "analyzer/frontend/arguments.h"
#include "analyzer/frontend/command.h"
#include "analyzer/source_names.h"

namespace syncsniff::frontend {

using syncsniff::file_kind;
using syncsniff::FileKind;
using syncsniff::is_header;

// `asked` is -x's value in gcc's, clang's or nvcc's words; empty or "none": by extension.
Language language_of(const std::string& file, const std::string& named, const CompilerCall& call);

// -x's value for Clang.
std::string clang_language(Language language);

}  // namespace syncsniff::frontend
