// Which file an #include names, by the include folders of a command: an estimate that needs no parse. Its users compare
// it with the files that Clang opened.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/frontend/command.h"

namespace syncsniff::facts {

struct IncludedFile {
  enum class Where : uint8_t { kBesideIncluder, kQuoteFolder, kUserFolder, kSystemFolder };
  std::string path;
  Where where = Where::kUserFolder;
};

// The folders that Clang searches because an environment variable (CPATH and the like) names them, as one text.
std::string folders_of_environment();

class IncludeSearch {
 public:
  explicit IncludeSearch(const frontend::UnitCommand& command);

  std::vector<std::string> folders() const;  // in search order
  // Nothing if no folder of the command has it: it is a system header, or missing.
  std::optional<IncludedFile> find(const std::string& name, bool angled, const std::string& includer) const;

 private:
  struct Folder {
    std::string path;
    IncludedFile::Where where;
  };
  std::vector<Folder> folders_;
};

}  // namespace syncsniff::facts
