// Units -> facts: from the cache where nothing has changed, else by Clang in worker processes, so that a unit that
// crashes Clang or us costs its own facts and no other's.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/frontend/command.h"
#include "analyzer/isolation/worker_pool.h"
#include "analyzer/progress_line.h"
#include "analyzer/source_texts.h"

namespace syncsniff {

struct ReadOptions {
  std::string cache_directory;  // empty: none
  std::string tables;           // changes when the API tables do: facts are found with them
  unsigned jobs = 1;
  isolation::Limits limits;
  SourceTexts texts;  // read in place of files
  ProgressLine* progress = nullptr;
  bool verbose = false;  // says on stderr what is read and what was ignored
};

// What stands for a unit that could not be read, or was left out: no facts, and why.
facts::UnitFacts failed_unit(const std::string& file, const std::string& why);

// One entry a command, in their order. A unit that could not be read has `fatal` set and says why in `errors`.
std::vector<facts::UnitFacts> read_units(const std::vector<frontend::CompileCommand>& commands,
                                         const ReadOptions& options, const ApiTable& apis);

}  // namespace syncsniff
