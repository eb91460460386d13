// Facts of units kept on disk, so that a second run parses only what changed. An entry is used while every file that
// the unit read has the same content and no file has appeared where the parser found none. A damaged or foreign entry
// is ignored.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/cache_entry.h"
#include "analyzer/facts/facts.h"
#include "analyzer/facts/known_files.h"
#include "analyzer/facts/outline.h"
#include "analyzer/facts/unit_inputs.h"
#include "analyzer/frontend/command.h"
#include "analyzer/source_texts.h"

namespace syncsniff::facts {

// The facts of a unit from an earlier reading, and those of its files that have changed since.
struct StaleUnit {
  UnitFacts unit;
  std::set<std::string> changed;  // symbolic links resolved
  bool of_other_state = false;    // it was read in the state described by `other_state` of FactsCache
};

class FactsCache {
 public:
  // `directory` empty: no cache. `tables`: anything that changes when the API tables do. `texts`: texts that units read
  // in place of files; facts of a unit that reads one have an entry of their own beside the one for the files on disk.
  // `other_state`: the files that differ in the state with which this one is compared, as they are in that state;
  // load_stale() prefers facts of that state.
  FactsCache(std::string directory, std::string tables, SourceTexts texts = {}, SourceTexts other_state = {});
  ~FactsCache();

  // `root`: the folder of the unit's project, which decides which functions have facts. Safe on several threads at
  // once.
  std::optional<UnitFacts> load(const frontend::UnitCommand& command, const std::string& root) const;
  // The same without the unit's code. The code of an entry that has an outline may still be damaged.
  std::optional<UnitOutline> load_outline(const frontend::UnitCommand& command, const std::string& root) const;
  // The facts of an earlier state of the unit's headers: those of the state before the change if they are kept, rather
  // than those of an edit that was tried and undone since. Nothing if the unit itself has changed or is unknown.
  std::optional<StaleUnit> load_stale(const frontend::UnitCommand& command, const std::string& root) const;
  // Whether an earlier run stored facts of the unit; they may be out of date by now.
  bool has_seen(const frontend::UnitCommand& command, const std::string& root) const;
  // A failed write is no error: the next run parses again. `of_preamble`: the dependencies of the preamble that the
  // unit was read with.
  void store(const frontend::UnitCommand& command, const std::string& root, const UnitFacts& unit,
             const UnitInputs& inputs, const std::vector<Dependency>& of_preamble = {}) const;

 private:
  std::string key_of(const frontend::UnitCommand& command, const std::string& root, bool replaced) const;
  std::string path_of(const std::string& key) const;
  std::string path_before(const std::string& key) const;
  void keep_previous_entry(const std::string& key) const;
  template <class Load>
  auto of_either_key(const frontend::UnitCommand& command, const std::string& root, Load load) const;
  std::optional<UnitFacts> load(const std::string& path, const std::string& key) const;
  std::optional<UnitOutline> load_outline(const std::string& path, const std::string& key) const;
  std::optional<StaleUnit> load_stale(const std::string& path, const std::string& key, const std::string& file) const;
  std::optional<EntryHead> head_that_holds(const std::string& path, std::string_view& bytes,
                                           const std::string& key) const;
  std::string directory_, tables_;
  SourceTexts texts_, other_state_;
  std::unique_ptr<KnownFiles> files_, files_of_other_;
  std::unique_ptr<FreshBlocks> blocks_;
};

// $XDG_CACHE_HOME/syncsniff, else ~/.cache/syncsniff; empty where neither variable is set.
std::string default_cache_directory();

}  // namespace syncsniff::facts
