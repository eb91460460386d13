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
  // `directory` empty: no unit has a preamble. `texts` and `apis` must outlive this object.
  UnitPreambles(const std::string& directory, const SourceTexts& texts, const ApiTable& apis)
      : directory_(directory), texts_(texts), apis_(apis) {}

  // To be called before the workers start, for each unit that will be parsed. `read_before`: an earlier run read the
  // unit, which suggests that a user is editing it.
  void add(size_t unit, const frontend::UnitCommand& command, const std::string& root, bool read_before);
  // The order in which to read the units: those that make preambles first, those that wait for one last.
  std::vector<size_t> order(const std::vector<size_t>& units, unsigned jobs);

  // In a worker. Null: the unit is read without a preamble.
  const facts::KeptPreamble* of(size_t unit, const frontend::UnitCommand& command, const std::string& root);

 private:
  struct Group {
    size_t number = 0;
    std::vector<size_t> units;
    bool read_before = false;  // at least one of them
    bool worth_making = false;
    std::vector<std::string> headers;
  };

  const facts::KeptPreamble* make(const std::vector<std::string>& headers, const frontend::UnitCommand& command,
                                  const std::string& root);

  const std::string directory_;
  const SourceTexts& texts_;
  const ApiTable& apis_;
  std::map<std::string, Group> groups_;  // units that begin with the same headers, by the key of their preamble
  std::map<size_t, Group*> group_of_;
  std::map<std::string, std::vector<std::string>> heavy_;  // the part of a list of headers that is worth a preamble
  std::unique_ptr<isolation::Claims> makers_;
  std::unique_ptr<facts::PreambleStore> store_;
};

}  // namespace syncsniff
