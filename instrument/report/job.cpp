#include "instrument/report/job.h"

#include <algorithm>
#include <utility>

namespace syncsniff::report {

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
      notes.push_back("`syncsniff report " + rank.trace + "` shows " + name_of(rank));
  if (ranks.empty())  // no process launched anything: the user may mean any of them
    for (const std::string& path : paths)
      if (path != shown->trace.path) notes.push_back("`syncsniff report " + path + "` shows another process");
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
