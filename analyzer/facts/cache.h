// Facts of units kept on disk, so that a second run parses only what changed. An entry is used while every file that
// the unit read has the content that it had, and nothing lies where the parser looked in vain; a damaged or foreign
// entry is as good as none.
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

// A unit as it was read before, and the files among those that it reads that are not the same any more.
struct StaleUnit {
  UnitFacts unit;
  std::set<std::string> changed;  // links resolved
  bool of_other_state = false;    // it was read in the state that `other_state` of FactsCache describes
};

class FactsCache {
 public:
  // `directory` empty: no cache. `tables`: anything that changes when the API tables do. `texts`: what units read in
  // place of files; facts of a unit that reads one have an entry beside the one of the files on the disk.
  // `other_state`: files that differ in the state that this one is compared with, as they are there; what is known of a
  // unit in that state stands in for it first (load_stale).
  FactsCache(std::string directory, std::string tables, SourceTexts texts = {}, SourceTexts other_state = {});
  ~FactsCache();

  // `root`: of the unit's project, which decides whose functions have facts. Safe on several threads at once.
  std::optional<UnitFacts> load(const frontend::UnitCommand& command, const std::string& root) const;
  // The same, without its code; the code of an entry that has an outline may still be damaged.
  std::optional<UnitOutline> load_outline(const frontend::UnitCommand& command, const std::string& root) const;
  // The facts of an earlier state of the unit's headers: of the one before the change, where they are kept, and not of
  // something that was tried and thrown away since. Nothing where the unit itself has changed, or is not known.
  std::optional<StaleUnit> load_stale(const frontend::UnitCommand& command, const std::string& root) const;
  // Whether an earlier run stored facts of the unit; they may be out of date by now.
  bool has_seen(const frontend::UnitCommand& command, const std::string& root) const;
  // Failing to write is no error: the next run parses again. `of_preamble`: what the preamble depends on that the unit
  // was read with.
  void store(const frontend::UnitCommand& command, const std::string& root, const UnitFacts& unit,
             const UnitInputs& inputs, const std::vector<Dependency>& of_preamble = {}) const;

 private:
  std::string key_of(const frontend::UnitCommand& command, const std::string& root, bool replaced) const;
  std::string path_of(const std::string& key) const;
  std::string path_before(const std::string& key) const;
  void keep_what_was(const std::string& key) const;
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
