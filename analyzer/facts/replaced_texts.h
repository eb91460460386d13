// Files for which Clang reads another text than the one on disk.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include "analyzer/source_texts.h"

namespace syncsniff::facts {

// `below` with these texts, which must outlive the file system. Files that are not on disk exist in it, too.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_replaced_texts(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, const SourceTexts& texts);

}  // namespace syncsniff::facts
