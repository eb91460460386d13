#include "analyzer/program/waited_tasks.h"

#include <algorithm>

#include "analyzer/facts/words.h"
#include "analyzer/program/thread_events.h"

namespace syncsniff::program {

namespace {

constexpr int kMostWaits = 256;  // waits per function

// The starts of tasks that the wait may be for. A wait on a variable is for the task in that variable; a wait on an
// element of a list may be for any task in the list, whatever the element's name.
std::vector<Site> started_before(const Code& code, const Provenance& provenance, Site wait) {
  const auto& events = code.function(wait.function).events;
  const Event& waiting = events[wait.event];
  const std::string waited = waited_node(waiting);
  // std::vector<std::thread> workers(n) only names the list and starts nothing.
  const auto has_name = [&](const Event& start) {
    return !waited.empty() && waited == start.into &&
           std::ranges::any_of(facts::values(start.args), [&](const Value& argument) {
             return !provenance.function_values(argument, wait.function).empty();
           });
  };
  const bool named = std::any_of(events.begin(), events.begin() + wait.event, has_name);
  std::vector<Site> out;
  for (int e = wait.event - 1; e >= 0; --e) {
    const Event& start = events[e];
    if (start.kind != Event::Kind::kCall || start.args.empty()) continue;
    const bool chained = waiting.object.kind == Value::Kind::kCall && waiting.object.event == e;
    const bool of_kind = starts_thread(start) && joins(waiting) == (facts::last_name(start.callee.name) != "async");
    if (chained || has_name(start) || (of_kind && !named)) out.push_back({wait.function, e});
  }
  return out;
}

std::vector<int> functions_passed(const Code& code, const Provenance& provenance, Site call) {
  std::vector<int> out;
  for (const Value& argument : facts::values(code.event(call).args)) {
    for (const std::string& usr : provenance.function_values(argument, call.function)) {
      if (const int callee = code.find(usr); callee >= 0) out.push_back(callee);
    }
  }
  return out;
}

}  // namespace

WaitedTasks::WaitedTasks(const Code& code, const Provenance& provenance, CallGraph& graph, EffectTable& effects) {
  const std::vector<Task> tasks = find(code, provenance, effects);
  for (const Task& task : tasks) {
    const Function& f = code.function(task.start.function);
    for (int callee : task.runs) graph.add(task.start, callee);
    // A loop that only starts threads, one per device, repeats no work.
    for (int r = f.events[task.start.event].region; r >= 0; r = f.regions[r].parent) {
      if (f.regions[r].kind == Region::Kind::kLoop && !code.inside(f, f.events[task.wait].region, r))
        fan_outs_.emplace(task.start.function, r);
    }
  }
  if (!tasks.empty()) effects.update();
}

std::vector<WaitedTasks::Task> WaitedTasks::find(const Code& code, const Provenance& provenance,
                                                 const EffectTable& effects) {
  std::vector<Task> tasks;
  std::set<Site> waited_for;  // the first wait after a start ends its task; later waits are for other tasks
  for (int f = 0; f < code.count(); ++f) {
    const auto& events = code.function(f).events;
    int waits = 0;
    for (int w = 0; w < static_cast<int>(events.size()) && waits < kMostWaits; ++w) {
      if (!waits_for_future(events[w]) && !joins(events[w])) continue;
      ++waits;
      for (const Site& start : started_before(code, provenance, {f, w})) {
        if (!waited_for.insert(start).second) continue;
        Task task{start, w, functions_passed(code, provenance, start)};
        if (!task.runs.empty() && !effects.launches_between(f, start.event, w)) tasks.push_back(std::move(task));
      }
    }
  }
  return tasks;
}

}  // namespace syncsniff::program
