#include "instrument/report/job.h"

#include <algorithm>
#include <utility>

#include "instrument/report/report_command.h"

namespace syncsniff::report {
namespace {

bool are_apart(const Rank& a, const Rank& b) { return a.end_ns < b.begin_ns || b.end_ns < a.begin_ns; }

}  // namespace

Job read_job(const std::vector<std::string>& paths, const StaticSide& side, const Reading& reading, bool embed_symbols,
             std::vector<std::string> notes) {
  std::vector<Rank> ranks;
  std::unique_ptr<LoadedRun> shown;
  for (const std::string& path : paths) {
    // Only one of the traces is kept in memory completely: traces may be large.
    std::unique_ptr<LoadedRun> loaded = load_run(path, side, reading, embed_symbols);
    Rank rank = summarise(loaded->report);
    if (!rank.used_gpu && paths.size() > 1) {
      if (shown == nullptr) shown = std::move(loaded);
      continue;
    }
    ranks.push_back(std::move(rank));
    if (telling_rank(ranks) == ranks.size() - 1) shown = std::move(loaded);
  }
  // Now all ranks are known, and the one to show may be an earlier one.
  const size_t telling = ranks.empty() ? 0 : telling_rank(ranks);
  if (!ranks.empty() && shown->trace.path != ranks[telling].trace)
    shown = load_run(ranks[telling].trace, side, reading);
  for (const Rank& rank : ranks)
    if (rank.trace != shown->trace.path)
      notes.push_back(report_command({rank.trace}, {}, reading) + " shows " + name_of(rank));
  if (ranks.empty())  // no process launched anything: the user may mean any of them
    for (const std::string& path : paths)
      if (path != shown->trace.path) notes.push_back(report_command({path}, {}, reading) + " shows another process");
  // A launcher that starts one program after another has such processes, too, so it is said only where the user chose.
  for (const Rank& rank : ranks)
    if (!embed_symbols && are_apart(rank, ranks[telling])) {
      notes.push_back(name_of(rank) + " ran at another time than " + name_of(ranks[telling]) +
                      ": if they are not of one run, give each a report of its own");
      break;
    }
  shown->report.notes.insert(shown->report.notes.end(), notes.begin(), notes.end());
  return {std::move(shown), std::move(ranks)};
}

std::vector<std::string> failed_gates(const Job& job, const std::vector<Gate>& gates) {
  if (job.ranks.size() <= 1) return failed_gates(job.shown->report, gates);
  std::vector<std::string> failed;
  for (const Gate& gate : gates) {
    const auto figure = [&](const Rank& rank) { return rank.figures.at(gate.figure); };
    const bool is_known = std::ranges::any_of(job.ranks, [&](const Rank& rank) { return figure(rank).has_value(); });
    if (!is_known) failed.push_back(unknown_line(gate, "this run"));
    for (const Rank& rank : job.ranks) {
      const std::optional<double> value = figure(rank);
      if (value && fails(gate, *value)) failed.push_back(failure_line(gate, *value) + ", " + name_of(rank));
      // A process that its launcher gave no number may be one that only started the ranks.
      if (!value && is_known && rank.rank) failed.push_back(unknown_line(gate, name_of(rank)));
    }
  }
  return failed;
}

}  // namespace syncsniff::report
