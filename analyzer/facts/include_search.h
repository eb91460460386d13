// Which file an #include names, by the folders of a command: an estimate that costs no parse. Whoever relies on it has
// Clang's own answer to compare it with.
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

// The folders that Clang searches because an environment variable names them (CPATH and its like), as one text.
std::string folders_of_environment();

class IncludeSearch {
 public:
  explicit IncludeSearch(const frontend::UnitCommand& command);

  std::vector<std::string> folders() const;  // in the order in which they are searched
  // Nothing where no folder of the command has it: a header of the machine's own, or one that is missing.
  std::optional<IncludedFile> find(const std::string& name, bool angled, const std::string& includer) const;

 private:
  struct Folder {
    std::string path;
    IncludedFile::Where where;
  };
  std::vector<Folder> folders_;
};

}  // namespace syncsniff::facts
