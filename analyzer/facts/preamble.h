// The foreign headers that units include first, parsed once with their bodies skipped, as Clang's precompiled header. A
// unit that begins with them is read from their end on, and its facts are the same as without the preamble.
#pragma once

#include <clang/Basic/FileEntry.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts/cache_entry.h"
#include "analyzer/facts/facts.h"
#include "analyzer/frontend/command.h"
#include "analyzer/source_texts.h"

namespace syncsniff::facts {

struct Preamble {
  struct Header {
    std::string name;  // as an #include in angle brackets has it
    std::string path;  // where it was found, symbolic links resolved
  };
  std::vector<Header> headers;
  // False: units cannot begin with these headers (one is missing or has an error, includes a header of the project, or
  // has to be read again wherever it is included). Kept anyway, so that making it is not tried again before one of its
  // files changes.
  bool usable = false;
  std::vector<uint32_t> names;         // identifier_hash() of each name that the headers mention, sorted
  std::vector<SourceContent> sources;  // of files below the project's folder, as in UnitFacts
  std::vector<Dependency> dependencies;
  std::vector<UnreadLibrary> unread_libraries;
};

uint32_t identifier_hash(llvm::StringRef name);
// The path with symbolic links resolved. For a file that it has not opened, Clang removes `..` as if there were no
// links.
std::string real_path_of(clang::FileEntryRef file);

// The source from which Clang makes the precompiled header, and the paths under which Clang sees both.
std::string preamble_text(const std::vector<std::string>& headers);
inline constexpr const char* kPreambleSource = "/syncsniff-leading-includes";
inline constexpr const char* kPreambleFile = "/syncsniff-leading-includes.pch";

// A preamble to read a unit with. The objects that it refers to must outlive the reading.
struct PreambleUse {
  const Preamble& preamble;
  llvm::StringRef text, precompiled;
};

struct MadePreamble {
  Preamble preamble;
  llvm::SmallVector<char, 0> precompiled;
};
// Nothing if a file changed in the meantime, or if one of `texts` replaces it: the result may not be kept.
std::optional<MadePreamble> make_preamble(const frontend::UnitCommand& command, const std::string& project_root,
                                          const std::vector<std::string>& headers, const SourceTexts& texts,
                                          const ApiTable& apis);

}  // namespace syncsniff::facts
