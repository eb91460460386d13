// Files of which Clang is to read another text than the one on the disk.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include "analyzer/source_texts.h"

namespace syncsniff::facts {

// `below` with these texts, which must outlive the file system. A file that is not on the disk is there, too.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_replaced_texts(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, const SourceTexts& texts);

}  // namespace syncsniff::facts
