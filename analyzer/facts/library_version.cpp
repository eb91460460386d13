#include "analyzer/facts/library_version.h"

#include <clang/Lex/MacroInfo.h>

#include <cstdio>

namespace syncsniff::facts {

using namespace clang;

// The number in `#define NAME 2`; -1 if there is no such definition.
static int number_of(const Preprocessor& preprocessor, StringRef name) {
  const IdentifierInfo* identifier = preprocessor.getIdentifierInfo(name);
  const MacroInfo* macro = preprocessor.getMacroInfo(identifier);
  if (!macro || macro->getNumTokens() != 1 || !macro->getReplacementToken(0).is(tok::numeric_constant)) return -1;
  int number = -1;
  const bool is_number = !StringRef(preprocessor.getSpelling(macro->getReplacementToken(0))).getAsInteger(10, number);
  return is_number ? number : -1;
}

int torch_version(const Preprocessor& preprocessor) {
  const int major = number_of(preprocessor, "TORCH_VERSION_MAJOR");
  const int minor = number_of(preprocessor, "TORCH_VERSION_MINOR");
  return major < 0 || minor < 0 ? 0 : 100 * major + minor;
}

bool is_since(int version, const std::string& first) {
  int major = 0, minor = 0;
  if (std::sscanf(first.c_str(), "%d.%d", &major, &minor) != 2) return false;
  return version == 0 || version >= 100 * major + minor;
}

}  // namespace syncsniff::facts
