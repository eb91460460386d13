// Units -> facts: from the cache where nothing has changed, else by Clang in worker processes, so that a unit that
// crashes Clang or us costs its own facts and no other's.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/frontend/command.h"
#include "analyzer/isolation/worker_pool.h"
#include "analyzer/kept_units.h"
#include "analyzer/progress_line.h"
#include "analyzer/source_texts.h"

namespace syncsniff {

struct ReadOptions {
  std::string cache_directory;  // empty: none
  std::string tables;           // changes when the API tables do: facts are found with them
  unsigned jobs = 1;
  isolation::Limits limits;
  SourceTexts texts;        // read in place of files
  SourceTexts other_state;  // files that differ in the state that this one is compared with, as they are there
  std::set<std::string> of_interest;  // files, links resolved: programs without one of them need no code; empty: all do
  ProgressLine* progress = nullptr;
  KeptUnits* kept_units = nullptr;  // where not each unit has to be read; what was done is noted there
  bool verbose = false;             // says on stderr what is read and what was ignored
};

// What stands for a unit that could not be read, or was left out: no facts, and why.
facts::UnitFacts failed_unit(const std::string& file, const std::string& why);

// Of each unit: whether its source, or a header of the project that it includes, is one of `files`.
std::vector<bool> units_with(const std::set<std::string>& files, const std::vector<facts::UnitFacts>& units);

// One entry a command, in their order. A unit that could not be read has `fatal` set and says why in `errors`. With
// `of_interest` a unit that the cache knows and no program of interest has comes without functions, flows and turns.
std::vector<facts::UnitFacts> read_units(const std::vector<frontend::CompileCommand>& commands,
                                         const ReadOptions& options, const ApiTable& apis);

}  // namespace syncsniff
