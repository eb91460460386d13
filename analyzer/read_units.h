// Units -> facts: from the cache if nothing has changed, else by Clang in worker processes, so that a unit that crashes
// Clang or our code loses only its own facts.
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
  std::string tables;           // a text that changes when the API tables do, since facts depend on them
  unsigned jobs = 1;
  isolation::Limits limits;
  SourceTexts texts;        // read in place of files
  SourceTexts other_state;  // files that differ in the state with which this one is compared, with their texts there
  std::set<std::string> of_interest;  // files, links resolved: only programs with one need their code; empty: all do
  ProgressLine* progress = nullptr;
  KeptUnits* kept_units = nullptr;  // if given, not every unit has to be read; receives what was saved
  bool verbose = false;             // says on stderr what is read and what is ignored
};

// The result for a unit that could not be read, or was left out: no facts, and the reason.
facts::UnitFacts failed_unit(const std::string& file, const std::string& why);

// Of each unit: whether its source, or a header of the project that it includes, is one of `files`.
std::vector<bool> units_with(const std::set<std::string>& files, const std::vector<facts::UnitFacts>& units);

// One entry per command, in their order. A unit that could not be read has `fatal` set and the reason in `errors`. With
// `of_interest`, a cached unit that is in no program of interest is returned without functions, flows and turns.
std::vector<facts::UnitFacts> read_units(const std::vector<frontend::CompileCommand>& commands,
                                         const ReadOptions& options, const ApiTable& apis);

}  // namespace syncsniff
