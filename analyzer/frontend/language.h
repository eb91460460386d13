// In which language a file is read: by the -x of its command, else by its extension and the compiler of the command.
#pragma once

#include <string>

#include "analyzer/frontend/arguments.h"
#include "analyzer/frontend/command.h"
#include "rules/source_names.h"

namespace syncsniff::frontend {

using syncsniff::file_kind;
using syncsniff::FileKind;
using syncsniff::is_header;

// `named` is the value of -x as gcc, clang or nvcc spell it; empty or "none": by extension.
Language language_of(const std::string& file, const std::string& named, const CompilerCall& call);

// The value of -x for Clang.
std::string clang_language(Language language);

}  // namespace syncsniff::frontend
