// Which units of a run are read with a preamble, which of them makes it, and in which order they are read.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/facts/preamble_store.h"
#include "analyzer/frontend/command.h"
#include "analyzer/isolation/claims.h"
#include "analyzer/source_texts.h"

namespace syncsniff {

class UnitPreambles {
 public:
  // `directory` empty: no unit has one. `texts` and `apis` outlive this object.
  UnitPreambles(const std::string& directory, const SourceTexts& texts, const ApiTable& apis)
      : directory_(directory), texts_(texts), apis_(apis) {}

  // Before the workers start: the unit with this number is about to be parsed. `read_before`: by an earlier run, so
  // that somebody is at work on it.
  void add(size_t unit, const frontend::UnitCommand& command, const std::string& root, bool read_before);
  // The units in the order in which to read them: the makers of preambles first, who waits for them last.
  std::vector<size_t> order(const std::vector<size_t>& units, unsigned jobs);

  // In a worker. Nothing: the unit is read without.
  const facts::KeptPreamble* of(size_t unit, const frontend::UnitCommand& command, const std::string& root);

 private:
  struct Group {
    size_t number = 0;
    std::vector<size_t> units;
    bool read_before = false;  // one of them at least
    bool worth_making = false;
    std::vector<std::string> headers;
  };

  const facts::KeptPreamble* make(const std::vector<std::string>& headers, const frontend::UnitCommand& command,
                                  const std::string& root);

  const std::string directory_;
  const SourceTexts& texts_;
  const ApiTable& apis_;
  std::map<std::string, Group> groups_;  // of units that begin alike, by the key of their preamble
  std::map<size_t, Group*> group_of_;
  std::map<std::string, std::vector<std::string>> heavy_;  // the part of a row of headers that is worth a preamble
  std::unique_ptr<isolation::Claims> makers_;
  std::unique_ptr<facts::PreambleStore> store_;
};

}  // namespace syncsniff
