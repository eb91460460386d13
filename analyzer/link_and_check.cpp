#include "analyzer/link_and_check.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "analyzer/checks/variants.h"
#include "analyzer/checks/why_not.h"
#include "analyzer/isolation/shared_tasks.h"

namespace syncsniff {
namespace {

using checks::Reporter;
using facts::UnitFacts;
using program::Program;

// From this weight on a second process saves more than the fork costs: 0.1 s of linking and checking.
constexpr size_t kMuchCode = 50'000;
// If more linked programs than this have a main(), each is checked by one process; otherwise the checks of one program
// are distributed, too.
constexpr size_t kManyPrograms = 8;

// Each process has memory of its own for its intermediate results.
constexpr unsigned kMostProcesses = 4;

// The check that takes longest, up to half of the time of all. When it was handed out last, one process was busy with
// it while the others had nothing left to do.
constexpr std::string_view kLongest = "sync-in-loop";

class Checking {
 public:
  Checking(std::vector<UnitFacts>& units, const Knowledge& known, const CheckingOptions& options)
      : units_(units),
        known_(known),
        options_(options),
        parts_(program::find_programs(units, known.apis, options.of_interest)) {
    is_linked_.resize(parts_.size());
    for (size_t p = 0; p < parts_.size(); ++p) {
      if (!parts_[p].of_interest) continue;
      is_linked_[p] = true;
      for (const size_t main : parts_[p].beside) is_linked_[main] = true;
    }
  }

  Checked run() {
    const unsigned jobs = options_.requested.file.empty() ? std::min(options_.jobs, kMostProcesses) : 1;
    size_t code = 0;
    for (const UnitFacts& unit : units_) code += weight(unit);
    if (jobs < 2 || code < kMuchCode || !check_in_processes(jobs)) check_here();
    checked_.findings = reporter_.finish();
    leave_out_libraries();
    std::vector<PathStep> withheld = reporter_.withheld();
    checked_.answers.insert(checked_.answers.end(), withheld.begin(), withheld.end());
    checks::leave_variants_to_a_person(units_, checked_.findings);
    return std::move(checked_);
  }

 private:
  // Findings on a library's own lines cannot be fixed in this project.
  void leave_out_libraries() {
    std::set<std::string> files;
    for (const UnitFacts& unit : units_)
      for (const facts::Function& f : unit.functions)
        if (f.is_adopted) files.insert(f.place.file.str());
    if (files.empty()) return;
    std::erase_if(checked_.findings, [&](const Finding& finding) { return files.count(finding.location.file) != 0; });
  }

  void begin(size_t step) {
    if (options_.progress && !in_fork()) options_.progress->begin(step);
  }
  bool in_fork() const { return getpid() != worker_; }

  void check(const Program& program, size_t check, Reporter& reporter) {
    begin(step_of(check));
    options_.checks[check].run(program, reporter);
    begin(kLinking);
  }

  std::unique_ptr<Program> link(const program::Parts& parts) const {
    return program::link(parts, known_.apis, known_.words, checked_.programs);
  }

  void check_here() {
    for (size_t p = 0; p < parts_.size(); ++p) {
      checked_.programs.push_back(is_linked_[p] ? link(parts_[p]) : nullptr);
      if (!parts_[p].of_interest) continue;
      const Program& program = *checked_.programs.back();
      for (size_t i = 0; i < options_.checks.size(); ++i) check(program, i, reporter_);
      reporter_.end_program();
      if (options_.requested.file.empty()) continue;
      std::vector<PathStep> more = checks::why_not(program, options_.requested);
      checked_.answers.insert(checked_.answers.end(), more.begin(), more.end());
    }
  }

  // Some checks of one program, or all of them.
  struct Task {
    size_t parts;
    size_t first, last;  // range of checks
  };
  struct Made {
    Reporter reporter;
    size_t approached = 0;  // see Approaches::may_approach()
  };

  std::vector<Task> tasks() const {
    std::vector<Task> out;
    const size_t checks = options_.checks.size();
    const auto end = is_linked_.begin() + static_cast<std::ptrdiff_t>(checked_.programs.size());
    const auto linked = static_cast<size_t>(std::count(is_linked_.begin(), end, true));
    for (size_t p = 0; p < parts_.size(); ++p) {
      if (!parts_[p].of_interest) continue;
      const bool whole = parts_[p].left_over || linked > kManyPrograms;
      if (whole) out.push_back({p, 0, checks});
      for (size_t i = 0; !whole && i < checks; ++i) out.push_back({p, i, i + 1});
    }
    return out;
  }

  // The tasks in the order in which to run them. Findings are combined in the order of the tasks, whatever the order of
  // running.
  std::vector<size_t> longest_first(const std::vector<Task>& all) const {
    std::vector<size_t> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_partition(order.begin(), order.end(),
                          [&](size_t t) { return options_.checks[all[t].first].id == kLongest; });
    return order;
  }

  Made run(const Task& task) {
    Made made{Reporter(known_.rules)};
    const bool is_linked = task.parts < checked_.programs.size();
    const Program& program = is_linked ? *checked_.programs[task.parts]
                                       : *link(parts_[task.parts]).release();  // never freed: the worker exits
    const size_t before = program.ways().approaches().calls_approached();
    for (size_t i = task.first; i < task.last; ++i) check(program, i, made.reporter);
    made.reporter.end_program();
    made.approached = program.ways().approaches().calls_approached() - before;
    return made;
  }

  // Returns false, and reports nothing, if the checks' findings might depend on which process ran them.
  bool check_in_processes(unsigned jobs) {
    for (size_t p = 0; p < parts_.size(); ++p)
      if (!parts_[p].left_over) checked_.programs.push_back(is_linked_[p] ? link(parts_[p]) : nullptr);
    const std::vector<Task> all = tasks();
    const std::vector<size_t> order = longest_first(all);
    std::vector<std::optional<Made>> made(all.size());
    std::vector<size_t> approached_elsewhere(checked_.programs.size());
    isolation::SharedTasks shared;
    shared.run = [&](size_t turn) { made[order[turn]].emplace(run(all[order[turn]])); };
    shared.pack = [&](size_t turn) {
      Made& packed = *made[order[turn]];
      return std::string(reinterpret_cast<const char*>(&packed.approached), sizeof(size_t)) + packed.reporter.bytes();
    };
    shared.take = [&](size_t turn, std::string_view bytes) {
      const size_t t = order[turn];
      Made& taken = made[t].emplace(Made{Reporter(known_.rules)});
      std::memcpy(&taken.approached, bytes.data(), sizeof(size_t));
      if (!taken.reporter.read(bytes.substr(sizeof(size_t)))) throw std::runtime_error("a fork's answer is damaged");
      if (all[t].parts < approached_elsewhere.size()) approached_elsewhere[all[t].parts] += taken.approached;
    };
    shared.waited = [&] {
      if (options_.progress) options_.progress->leave_out_wait();
    };
    isolation::share_tasks(all.size(), jobs, shared);
    for (size_t p = 0; p < checked_.programs.size(); ++p) {
      if (!checked_.programs[p] || checked_.programs[p]->ways().approaches().may_approach(approached_elsewhere[p]))
        continue;
      checked_.programs.clear();
      return false;
    }
    for (size_t t = 0; t < all.size();) {
      std::vector<Reporter> of_program;
      for (const size_t parts = all[t].parts; t < all.size() && all[t].parts == parts; ++t)
        of_program.push_back(std::move(made[t]->reporter));
      reporter_.append(of_program);
    }
    return true;
  }

  std::vector<UnitFacts>& units_;
  const Knowledge& known_;
  const CheckingOptions& options_;
  const std::vector<program::Parts> parts_;  // programs with a main() come first
  std::vector<bool> is_linked_;              // the program is of interest, or is beside one that is
  const pid_t worker_ = getpid();
  Reporter reporter_{known_.rules, options_.requested};
  Checked checked_;
};

}  // namespace

Checked link_and_check(std::vector<UnitFacts>& units, const Knowledge& known, const CheckingOptions& options) {
  return Checking(units, known, options).run();
}

size_t weight(const UnitFacts& unit) {
  size_t weight = unit.flows.size();
  for (const facts::Function& f : unit.functions) weight += 1 + f.events.size() + f.regions.size();
  return weight;
}

}  // namespace syncsniff
