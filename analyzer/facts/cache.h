// Facts of units kept on disk, so that a second run parses only what changed. An entry is used while every file that
// the unit read has the size and time that it had; a damaged or foreign entry is as good as none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/frontend/command.h"

namespace syncsniff::facts {

class FactsCache {
 public:
  // `directory` empty: no cache. `tables`: anything that changes when the API tables do.
  FactsCache(std::string directory, std::string tables);

  std::optional<UnitFacts> load(const frontend::UnitCommand& command) const;
  // `dependencies`: every file that the unit read. Failing to write is no error: the next run parses again.
  void store(const frontend::UnitCommand& command, const UnitFacts& unit,
             const std::vector<std::string>& dependencies) const;

 private:
  std::string path_of(const frontend::UnitCommand& command) const;
  std::string directory_, tables_;
};

// $XDG_CACHE_HOME/syncsniff, else ~/.cache/syncsniff; empty where neither variable is set.
std::string default_cache_directory();

}  // namespace syncsniff::facts
