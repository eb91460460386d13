#include "analyzer/content_hash.h"

#include <llvm/Support/xxhash.h>

namespace syncsniff {

uint64_t content_hash(std::string_view content) {
  return llvm::xxh3_64bits(llvm::StringRef(content.data(), content.size()));
}

}  // namespace syncsniff
