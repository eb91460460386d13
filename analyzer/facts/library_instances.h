// Members of class templates that only the library's code calls: of Buffer<float> in std::make_unique<Buffer<float>>(n)
// the constructor, the destructor, and the virtual functions; of std::vector<float, Pinned<float>> the allocator's
// methods. A compiler instantiates them when it meets std::make_unique's body, which is skipped here as all bodies of
// foreign headers are.
#pragma once

#include <clang/AST/DeclGroup.h>
#include <clang/Sema/Sema.h>

#include "analyzer/facts/project_files.h"

namespace syncsniff::facts {

// Requests the members that the project's functions in `group` need; Clang instantiates them at the unit's end.
void ask_for_library_instances(clang::DeclGroupRef group, const ProjectFiles& project, clang::Sema& sema);

}  // namespace syncsniff::facts
