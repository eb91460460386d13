// Work that another thread does while the one that asked for it waits: part of the loop that asks. Work that nobody
// waits for within the iteration, as a prefetcher's, stays off the critical path.
#include <algorithm>
#include <set>

#include "analyzer/facts/words.h"
#include "analyzer/program/program.h"

namespace syncsniff::program {

using facts::last_name;

namespace {

std::string class_of(const std::string& name) {
  const size_t colon = name.rfind("::");
  return colon == std::string::npos ? "" : last_name(name.substr(0, colon));
}

bool is_of_library(const Event& event) { return event.kind == Event::Kind::kCall && event.harmless; }

bool starts_thread(const Event& event) {
  const std::string name = last_name(event.callee_name);
  const bool made = event.kind == Event::Kind::kCall && (name == "thread" || name == "jthread");
  return made || (is_of_library(event) && (name == "async" || name == "pthread_create"));
}

bool waits_for_future(const Event& event) {
  const std::string of = class_of(event.callee_name), name = last_name(event.callee_name);
  const bool future = of == "future" || of == "__basic_future" || of == "shared_future";
  return is_of_library(event) && future && (name == "get" || name == "wait");
}

bool joins(const Event& event) {
  const std::string name = last_name(event.callee_name);
  return is_of_library(event) && (name == "join" || name == "pthread_join");
}

// The variable, field or container that the waited-for object is, or is kept in.
std::string waited_node(const Event& wait) {
  const std::string& node = wait.object.node;
  const size_t begin = node.find_first_not_of('*');
  return begin == std::string::npos ? "" : node.substr(begin);
}

// What one thread tells another by, as far as the program names it; a promise and its future are told by their type.
const std::string kFuture = "future";

std::string told_by(const Event& event) {
  if (!is_of_library(event)) return {};
  const std::string of = class_of(event.callee_name), name = last_name(event.callee_name);
  if (of.find("condition_variable") != std::string::npos && name.rfind("notify", 0) == 0) return waited_node(event);
  if (of.find("semaphore") != std::string::npos && name == "release") return waited_node(event);
  if (of.find("promise") != std::string::npos && name.rfind("set_value", 0) == 0) return kFuture;
  if (of.find("atomic") != std::string::npos && name.rfind("notify", 0) == 0) return waited_node(event);
  return {};
}

std::string waited_by(const Event& event) {
  if (!is_of_library(event)) return {};
  const std::string of = class_of(event.callee_name), name = last_name(event.callee_name);
  if (of.find("condition_variable") != std::string::npos && name.rfind("wait", 0) == 0) return waited_node(event);
  if (of.find("semaphore") != std::string::npos && name.find("acquire") != std::string::npos) return waited_node(event);
  if (of.find("atomic") != std::string::npos && name.rfind("wait", 0) == 0) return waited_node(event);
  return waits_for_future(event) ? kFuture : "";
}

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& node) { return b.count(node) != 0; });
}

}  // namespace

// Between the start of a task and the wait for it the thread that asked gives the GPU work of its own.
bool Program::overlaps(Site start, int wait) const {
  for (int e = start.event + 1; e < wait; ++e) {
    if (effects_of({start.function, e}).launches) return true;
  }
  return false;
}

// The starts of tasks that a wait may be for. A task kept in a variable is waited for by that variable; one in a list
// by whatever the list's elements are called.
std::vector<Site> Program::started_before(Site wait) const {
  const auto& events = functions_[wait.function]->events;
  const Event& waiting = events[wait.event];
  const std::string waited = waited_node(waiting);
  // std::vector<std::thread> workers(n) names the list, and starts nothing.
  const auto has_name = [&](const Event& start) {
    return !waited.empty() && waited == start.into &&
           std::any_of(start.args.begin(), start.args.end(),
                       [&](const Value& argument) { return !function_values(argument, wait.function).empty(); });
  };
  const bool named = std::any_of(events.begin(), events.begin() + wait.event, has_name);
  std::vector<Site> out;
  for (int e = wait.event - 1; e >= 0; --e) {
    const Event& start = events[e];
    if (start.kind != Event::Kind::kCall || start.args.empty()) continue;
    const bool chained = waiting.object.kind == Value::Kind::kCall && waiting.object.event == e;
    const bool of_kind = starts_thread(start) && joins(waiting) == (last_name(start.callee_name) != "async");
    if (chained || has_name(start) || (of_kind && !named)) out.push_back({wait.function, e});
  }
  return out;
}

// std::async(step).get(), pool.enqueue(step) and a get() of what it returned: a call of the step, on another thread.
bool Program::link_waited_tasks() {
  struct Task {
    Site start;
    int wait;
    std::vector<int> runs;
  };
  std::vector<Task> tasks;
  std::set<Site> waited_for;  // the first wait after a start ends its task: a later one is for other tasks
  for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
    constexpr int kMostWaits = 256;  // of one function
    const auto& events = functions_[f]->events;
    int waits = 0;
    for (int w = 0; w < static_cast<int>(events.size()) && waits < kMostWaits; ++w) {
      if (!waits_for_future(events[w]) && !joins(events[w])) continue;
      ++waits;
      for (const Site& start : started_before({f, w})) {
        if (!waited_for.insert(start).second) continue;
        Task task{start, w, {}};
        for (const Value& argument : event(start).args) {
          for (const std::string& usr : function_values(argument, f)) {
            if (const int callee = find(usr); callee >= 0) task.runs.push_back(callee);
          }
        }
        if (!task.runs.empty() && !overlaps(start, w)) tasks.push_back(std::move(task));
      }
    }
  }
  for (const Task& task : tasks) {
    const Function& f = *functions_[task.start.function];
    std::vector<int>& to = callees_[task.start.function][task.start.event];
    for (int callee : task.runs) {
      if (std::find(to.begin(), to.end(), callee) != to.end()) continue;
      to.push_back(callee);
      callers_[callee].push_back(task.start);
    }
    // A loop that only starts threads, one a device, repeats nothing.
    for (int r = f.events[task.start.event].region; r >= 0; r = f.regions[r].parent) {
      if (f.regions[r].kind == Region::Kind::kLoop && !inside(f, f.events[task.wait].region, r))
        fan_outs_.emplace(task.start.function, r);
    }
  }
  return !tasks.empty();
}

// What a function tells other threads and waits for, event by event, with what the functions that it calls do so.
struct Program::Signals {
  struct At {
    int event;
    std::set<std::string> told, waited;
  };
  std::map<int, std::vector<At>> of;

  explicit Signals(const Program& program) {
    struct Own {
      std::set<std::string> told, waited;
      bool waits_first = false;
    };
    std::map<int, Own> functions;
    for (int f = 0; f < static_cast<int>(program.functions_.size()); ++f) {
      const auto& events = program.functions_[f]->events;
      for (int e = 0; e < static_cast<int>(events.size()); ++e) {
        const std::string told = told_by(events[e]), waited = waited_by(events[e]);
        if (told.empty() && waited.empty()) continue;
        Own& own = functions[f];
        own.waits_first |= own.told.empty() && !waited.empty();
        At& at = of[f].emplace_back(At{e, {}, {}});
        for (std::set<std::string>* to : {&at.told, &own.told}) {
          if (!told.empty()) to->insert(told);
        }
        for (std::set<std::string>* to : {&at.waited, &own.waited}) {
          if (!waited.empty()) to->insert(waited);
        }
      }
    }
    // pop() waits for an element and then tells that there is room: that hands over nothing.
    for (const auto& [f, own] : functions) {
      for (const Site& caller : program.callers(f)) {
        const std::set<std::string> nothing;
        of[caller.function].push_back({caller.event, own.waits_first ? nothing : own.told, own.waited});
      }
    }
    for (auto& [f, all] : of)
      std::sort(all.begin(), all.end(), [](const At& a, const At& b) { return a.event < b.event; });
  }
};

// Of the threads that a hot loop tells that there is work, before it waits until they have told it that the work is
// done: where it waits. A prefetcher's loop does it the other way round: it waits for a batch, computes, and hands the
// buffer back.
std::map<int, Site> Program::waits_for_threads(const std::set<int>& threads) const {
  std::map<int, Site> out;
  if (threads.empty()) return out;
  const Signals signals(*this);
  if (signals.of.empty()) return out;
  for (int thread : threads) {
    const std::set<int> body = reached_from(thread);
    std::set<std::string> told, waited;
    for (int f : body) {
      const auto own = signals.of.find(f);
      if (own == signals.of.end()) continue;
      for (const Signals::At& at : own->second) {
        told.insert(at.told.begin(), at.told.end());
        waited.insert(at.waited.begin(), at.waited.end());
      }
    }
    for (const auto& [f, all] : signals.of) {
      if (body.count(f) || !heat_in_[f].reached) continue;
      int handed = -1;
      for (const Signals::At& at : all) {
        if (handed >= 0 && meet(at.waited, told) && !overlaps({f, handed}, at.event)) {
          const Heat here = heat({f, at.event});
          if (here.hot && !here.dropped && !out.count(thread)) out[thread] = {f, at.event};
        }
        if (meet(at.told, waited)) handed = at.event;
      }
    }
  }
  return out;
}

const std::vector<Site>& Program::handed_over(int function) const {
  if (!handed_over_is_known_) {
    handed_over_is_known_ = true;
    for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
      for (int e = 0; e < static_cast<int>(functions_[f]->events.size()); ++e) {
        for (const Value& arg : functions_[f]->events[e].args) {
          const int given = arg.kind == Value::Kind::kFunction ? find(arg.node) : -1;
          if (given >= 0) handed_over_[given].push_back({f, e});
        }
      }
    }
  }
  return handed_over_[function];
}

// A job that is queued outside the loop that waits for its worker, such as one that sets an environment up, does not
// run in that loop, though the same worker does it.
bool Program::is_handed_over_outside_loops(int job) const {
  const std::vector<Site>& sites = handed_over(job);
  return !sites.empty() && std::all_of(sites.begin(), sites.end(), [&](const Site& site) {
    return heat_in_[site.function].reached && !heat(site).hot;
  });
}

// parallel_for(0, n, [&] { ... }) where the tensors live on the CPU, or where an error is handled: what is handed over
// there runs there, wherever the code that runs it stands. `heat` takes the reason.
void Program::drop_where_handed_over(int function, Heat& heat) const {
  const std::vector<Site>& sites = handed_over(function);
  if (functions_[function]->owner.empty() || sites.empty()) return;
  std::optional<Heat> dropped;
  for (const Site& site : sites) {
    Heat there;
    there.reached = true;
    there = descend(there, site.function, event(site).region);
    if (!there.dropped) return;
    if (!dropped) dropped = there;
  }
  heat = *dropped;
}

std::set<int> Program::reached_from(int function) const {
  constexpr size_t kMost = 256;
  std::vector<int> open{function};
  std::set<int> seen{function};
  for (size_t i = 0; i < open.size() && i < kMost; ++i) {
    for (int e = 0; e < static_cast<int>(functions_[open[i]]->events.size()); ++e) {
      for (int callee : callees({open[i], e})) {
        if (seen.insert(callee).second) open.push_back(callee);
      }
    }
  }
  return seen;
}

}  // namespace syncsniff::program
