#include "analyzer/checks/mirror_run.h"

#include <algorithm>
#include <functional>

#include "analyzer/checks/mirror_paths.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

using facts::StateStep;
using facts::Sum;

namespace {

constexpr int kMostSpent = 60000;   // events and steps interpreted for one loop, with repetitions
constexpr int kMostInAll = 400000;  // the same for one program
constexpr int kDeepestRun = 16;
constexpr size_t kMostCalls = 3;  // innermost calls by which two users of a function that reads are distinguished
constexpr size_t kMostObjects = 200;
// Iterations that are interpreted: the first begins with unknown states, the last is like all later ones.
constexpr int kRounds = 3;

}  // namespace

bool MirrorRun::spend() { return ++spent_ <= kMostSpent && ++spent_in_all_ <= kMostInAll; }

std::vector<MirrorPair> MirrorRun::pairs(int function, int region) {
  spent_ = 0;
  accesses_.clear();
  pairs_.clear();
  Frame root;
  root.function = function;
  for (size_t i = 0; i < program_.function(function).params.size(); ++i)
    root.given.arguments.push_back(facts::sum_of(facts::parameter_symbol(static_cast<int>(i))));
  root.given.object = facts::sum_of(facts::kThisSymbol);
  Machine machine;
  const std::vector<StateStep>* steps = nullptr;
  if (classes_.is_accessor(function)) steps = loop_steps(program_.function(function).states, function, region);
  const std::vector<int>& events = relevant_events(function);
  const auto& f = program_.function(function);
  const auto first =
      std::find_if(events.begin(), events.end(), [&](int e) { return program_.inside(f, f.events[e].region, region); });
  for (int round = 0; round < kRounds; ++round) {
    recording_ = round + 1 == kRounds;
    size_t at = static_cast<size_t>(first - events.begin());
    if (steps)
      run_steps(root, *steps, machine);
    else
      run_regions(root, region, at, machine);
    forget_elements(machine);
  }
  std::vector<MirrorPair> out;
  if (spent_ > kMostSpent || spent_in_all_ > kMostInAll) return out;
  for (auto& [sites, pair] : pairs_) out.push_back(std::move(pair));
  return out;
}

// The part of a function's state steps that belongs to the loop, if the function tests the states itself.
const std::vector<StateStep>* MirrorRun::loop_steps(const std::vector<StateStep>& steps, int function,
                                                    int region) const {
  const auto& f = program_.function(function);
  const auto is_inside = [&](const auto& self, const std::vector<StateStep>& all) -> bool {
    return std::any_of(all.begin(), all.end(), [&](const StateStep& step) {
      if (step.kind == StateStep::Kind::kEvent) return program_.inside(f, f.events[step.event].region, region);
      return self(self, step.first) || self(self, step.second);
    });
  };
  for (const StateStep& step : steps) {
    if (step.kind == StateStep::Kind::kRepeat && is_inside(is_inside, step.first)) return &step.first;
    for (const auto* nested : {&step.first, &step.second}) {
      if (const auto* found = loop_steps(*nested, function, region)) return found;
    }
  }
  return nullptr;
}

const std::vector<int>& MirrorRun::relevant_events(int function) {
  const auto [found, is_new] = relevant_.try_emplace(function);
  if (!is_new) return found->second;
  const auto& events = program_.function(function).events;
  for (int e = 0; e < static_cast<int>(events.size()); ++e) {
    if (program::is_off(program_.function(function), events[e].region)) continue;
    const auto& callees = program_.callees({function, e});
    const bool leads =
        std::any_of(callees.begin(), callees.end(), [&](int callee) { return classes_.leads_to_accessor(callee); });
    if (leads || !events[e].into.empty()) found->second.push_back(e);
  }
  return found->second;
}

void MirrorRun::run_function(Frame& frame, Machine& machine) {
  if (!classes_.is_accessor(frame.function)) {
    size_t at = 0;
    return run_regions(frame, 0, at, machine);
  }
  // An accessor depends only on its object and its arguments, so the states of the loop's other objects are not copied.
  std::vector<std::string> given{object_path(frame.given.object)};
  for (const Sum& argument : frame.given.arguments) {
    if (!is_constant(argument)) given.push_back(object_path(argument));
  }
  Machine own;
  for (auto entry = machine.begin(); entry != machine.end();) {
    const bool is_given = path_in(entry->first).empty() ||
                          std::any_of(given.begin(), given.end(),
                                      [&](const std::string& path) { return entry->first.rfind(path, 0) == 0; });
    const auto here = entry++;
    if (is_given) own.insert(machine.extract(here));
  }
  const bool goes_on = run_steps(frame, program_.function(frame.function).states, own);
  if (frame.has_left && goes_on) merge(own, frame.left);
  if (frame.has_left && !goes_on) own = std::move(frame.left);
  for (auto& [key, elements] : own) machine[key] = std::move(elements);
}

// Runs the relevant events of one region from index `at` on, including those of nested regions.
void MirrorRun::run_regions(Frame& frame, int region, size_t& at, Machine& machine) {
  const auto& f = program_.function(frame.function);
  const std::vector<int>& events = relevant_events(frame.function);
  int last_branch = -1;
  Machine before_branch;
  while (at < events.size() && program_.inside(f, f.events[events[at]].region, region)) {
    if (!spend()) return;
    int child = f.events[events[at]].region;
    if (child == region) {
      run_event(frame, events[at++], machine);
      continue;
    }
    while (f.regions[child].parent != region) child = f.regions[child].parent;
    const bool branches = f.regions[child].kind == Region::Kind::kBranch && !f.regions[child].bare;
    const bool is_else = branches && last_branch >= 0 && f.regions[child].place.line != 0 &&
                         f.regions[child].condition == "not " + f.regions[last_branch].condition;
    if (!branches) {
      run_child(frame, child, at, machine);
      continue;
    }
    Machine inside = is_else ? before_branch : machine;
    if (!is_else) before_branch = machine;
    run_child(frame, child, at, inside);
    merge(machine, inside);
    last_branch = child;
  }
}

void MirrorRun::run_child(Frame& frame, int child, size_t& at, Machine& machine) {
  const size_t begin = at;
  run_regions(frame, child, at, machine);
  if (program_.function(frame.function).regions[child].kind != Region::Kind::kLoop) return;
  forget_elements(machine);
  at = begin;
  run_regions(frame, child, at, machine);
  forget_elements(machine);
}

MirrorRun::Frame MirrorRun::enter(const Frame& frame, Site site, int callee) const {
  const Event& event = program_.event(site);
  Frame inner;
  inner.function = callee;
  inner.call = site;
  inner.outer = &frame;
  inner.depth = frame.depth + 1;
  std::string arguments;
  for (const Sum& sum : event.arg_sums) {
    inner.given.arguments.push_back(facts::with_arguments(sum, frame.given));
    arguments += text_of(inner.given.arguments.back()) + ",";
  }
  if (event.kind == Event::Kind::kCall && !event.launched_on.empty())
    inner.given.object = facts::with_arguments(event.launched_on.front(), frame.given);
  inner.given.call = "#" + std::to_string(std::hash<std::string>{}(event.callee.id + "<" + arguments + ">"));
  // A lambda shares the variables and the object of its enclosing function.
  for (const Frame* outer = &frame; outer && !program_.function(callee).owner.empty(); outer = outer->outer) {
    if (program_.function(outer->function).usr != program_.function(callee).owner) continue;
    inner.given.object = outer->given.object;
    inner.given.call = outer->given.call;
    break;
  }
  return inner;
}

void MirrorRun::run_event(Frame& frame, int event, Machine& machine) {
  const Site site{frame.function, event};
  const Event& called = program_.event(site);
  // SyncArray<float> sums(n): each iteration constructs a new object, so the states of the old one are dropped.
  if (!called.into.empty()) {
    const std::string object =
        object_path(facts::with_arguments(facts::sum_of(facts::kLocalSymbol + called.into), frame.given));
    std::erase_if(machine, [&](const auto& entry) { return entry.first.rfind(object, 0) == 0; });
  }
  std::vector<int> entered;
  for (int callee : program_.callees(site)) {
    bool again = frame.depth >= kDeepestRun || !classes_.leads_to_accessor(callee);
    for (const Frame* outer = &frame; outer && !again; outer = outer->outer) again = outer->function == callee;
    if (!again) entered.push_back(callee);
  }
  if (entered.empty() || !spend()) return;
  const auto run = [&](int callee, Machine& one) {
    Frame inner = enter(frame, site, callee);
    const std::string local = " in " + inner.given.call;
    if (program_.function(callee).owner.empty())
      std::erase_if(one, [&](const auto& entry) { return entry.first.find(local) != std::string::npos; });
    run_function(inner, one);
    if (one.size() > kMostObjects) spent_ = kMostSpent;
  };
  const bool may_be_another = entered.size() < program_.callees(site).size();
  if (entered.size() == 1 && !may_be_another) return run(entered.front(), machine);
  Machine merged;
  for (size_t i = 0; i < entered.size() && spend(); ++i) {
    Machine one = machine;
    run(entered[i], one);
    if (i == 0)
      merged = std::move(one);
    else
      merge(merged, one);
  }
  if (may_be_another) merge(merged, machine);
  machine = std::move(merged);
}

// Whether the function that the frame entered only returns the object's memory or updates its states.
bool MirrorRun::hands_out(const Frame& entered, const std::string& path) const {
  if (!entered.outer || program_.effects().of(entered.function).launches) return false;
  const auto is_of = [&](const Sum& sum) {
    const std::string object = object_path(sum);
    return !object.empty() && path.rfind(object, 0) == 0;
  };
  const auto& given = entered.given;
  if (!is_of(given.object) && std::none_of(given.arguments.begin(), given.arguments.end(), is_of)) return false;
  if (classes_.is_accessor(entered.function) || !program_.flows().returned(entered.function).empty()) return true;
  // A method that only forwards: void to_host() { memory->to_host(); }
  const auto& events = program_.function(entered.function).events;
  for (int e = 0; e < static_cast<int>(events.size()); ++e) {
    const auto& callees = program_.callees({entered.function, e});
    if (events[e].kind == Event::Kind::kReturn) return false;  // a number computed from the object's data
    if (program::is_off(program_.function(entered.function), events[e].region)) continue;
    if (std::none_of(callees.begin(), callees.end(), [&](int callee) { return classes_.leads_to_accessor(callee); }))
      return false;
  }
  return true;
}

// The call by which code outside the class accessed the object. `pair`, if given, receives the calls up to that call
// and from there to the copy.
int MirrorRun::access(const Frame& frame, const std::string& key, int event, MirrorPair* pair) {
  const std::string path = path_in(key);
  Site site{frame.function, event};
  const Frame* at = &frame;
  for (; hands_out(*at, path); at = at->outer) {
    if (pair && !(at == &frame)) pair->inner.insert(pair->inner.begin(), site);
    site = at->call;
  }
  for (; pair && at->outer && pair->calls.size() < kMostCalls; at = at->outer)
    pair->calls.insert(pair->calls.begin(), at->call);
  const auto known = std::find(accesses_.begin(), accesses_.end(), site);
  if (known != accesses_.end()) return static_cast<int>(known - accesses_.begin());
  accesses_.push_back(site);
  return static_cast<int>(accesses_.size()) - 1;
}

}  // namespace syncsniff::checks
