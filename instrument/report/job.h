// One job: a summary of each of its processes, and the whole report of one of them (see ranks.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "instrument/report/gates.h"
#include "instrument/report/loaded_run.h"
#include "instrument/report/ranks.h"

namespace syncsniff::report {

struct Job {
  std::unique_ptr<LoadedRun> shown;
  std::vector<Rank> ranks;  // processes that used a GPU; empty: none did
};

// Traces without GPU work are skipped if others have some. Throws std::runtime_error with a message of one line.
// `embed_symbols`: also write the symbols into the traces. `notes`: added to the report's notes.
Job read_job(const std::vector<std::string>& paths, const StaticSide& side, const Reading& reading, bool embed_symbols,
             std::vector<std::string> notes);

// One line for each process and gate that fails. A gate holds for every process of a job: the one that is shown may
// keep a limit that another one exceeds. A figure that no process knows, or a numbered rank does not, fails, too.
std::vector<std::string> failed_gates(const Job& job, const std::vector<Gate>& gates);

}  // namespace syncsniff::report
