// Facts of units kept on disk, so that a second run parses only what changed. An entry is used while every file that
// the unit read has the size and time that it had; a damaged or foreign entry is as good as none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/frontend/command.h"
#include "analyzer/source_texts.h"

namespace syncsniff::facts {

class FactsCache {
 public:
  // `directory` empty: no cache. `tables`: anything that changes when the API tables do. `texts`: what units read in
  // place of files; facts of a unit that reads one have an entry beside the one of the files on the disk.
  FactsCache(std::string directory, std::string tables, SourceTexts texts = {});

  std::optional<UnitFacts> load(const frontend::UnitCommand& command) const;
  // `dependencies`: every file that the unit read. Failing to write is no error: the next run parses again.
  void store(const frontend::UnitCommand& command, const UnitFacts& unit,
             const std::vector<std::string>& dependencies) const;

 private:
  std::string path_of(const frontend::UnitCommand& command, bool replaced) const;
  std::optional<UnitFacts> load(const frontend::UnitCommand& command, const std::string& path) const;
  std::string directory_, tables_;
  SourceTexts texts_;
};

// $XDG_CACHE_HOME/syncsniff, else ~/.cache/syncsniff; empty where neither variable is set.
std::string default_cache_directory();

}  // namespace syncsniff::facts
