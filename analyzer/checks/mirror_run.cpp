#include "analyzer/checks/mirror_run.h"

#include <algorithm>
#include <functional>

namespace syncsniff::checks {

using facts::StateStep;
using facts::StateTerm;
using facts::Sum;

namespace {

constexpr int kMostSpent = 60000;   // events and steps of one loop, repetitions counted
constexpr int kMostInAll = 400000;  // of one program
constexpr int kDeepest = 16;
constexpr size_t kMostObjects = 200;
constexpr size_t kLongestPath = 2000;
constexpr int kRounds = 3;  // the first begins with any state, the last is like all that follow it

bool is_off(const facts::Function& f, int region) {
  for (int r = region; r > 0; r = f.regions[r].parent) {
    if (f.regions[r].gate == Gate::kError || f.regions[r].gate == Gate::kNever) return true;
  }
  return false;
}

// &(x) and *(x) are x: a pointer to an object and the object itself are one.
std::string without_addresses(const std::string& text) {
  std::string out;
  std::vector<bool> dropped;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool takes = (text[i] == '&' || text[i] == '*') && i + 1 < text.size() && text[i + 1] == '(';
    if (takes) {
      dropped.push_back(true);
      ++i;
    } else if (text[i] == '(') {
      dropped.push_back(false);
      out += '(';
    } else if (text[i] == ')' && !dropped.empty()) {
      if (!dropped.back()) out += ')';
      dropped.pop_back();
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string shortened(std::string text) {
  if (text.size() <= kLongestPath) return text;
  return text.substr(0, kLongestPath / 2) + "~" + std::to_string(std::hash<std::string>{}(text));
}

// v[i], vectors.at(i): another object in another iteration.
bool picks_element(const std::string& key) {
  for (size_t open = key.find('['); open != std::string::npos; open = key.find('[', open + 1)) {
    const size_t close = key.find(']', open);
    const std::string index = key.substr(open + 1, close == std::string::npos ? close : close - open - 1);
    if (index.find_first_not_of("0123456789") != std::string::npos) return true;
  }
  return key.find('(') != std::string::npos;
}

constexpr char kClassMark = '|';

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

// The steps of a loop whose function asks the states itself.
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
    if (is_off(program_.function(function), events[e].region)) continue;
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
  // An accessor looks at the object and at what it is given, not at all that the loop has: the rest is left alone.
  std::vector<std::string> given{path_of(frame, frame.given.object)};
  for (const Sum& argument : frame.given.arguments) {
    if (!is_constant(argument)) given.push_back(path_of(frame, argument));
  }
  Machine own;
  for (auto entry = machine.begin(); entry != machine.end();) {
    const bool is_given = entry->first[0] == kClassMark ||
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

// The relevant events of one region from the `at`th on, with those of the regions in it.
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
  inner.given.call = "#" + std::to_string(std::hash<std::string>{}(event.callee + "<" + arguments + ">"));
  // A lambda has the variables and the object of the function that it stands in.
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
  // SyncArray<float> sums(n): an object of its own in each iteration.
  if (!called.into.empty()) {
    const std::string object =
        path_of(frame, facts::with_arguments(facts::sum_of(facts::kLocalSymbol + called.into), frame.given));
    std::erase_if(machine, [&](const auto& entry) { return entry.first.rfind(object, 0) == 0; });
  }
  std::vector<int> entered;
  for (int callee : program_.callees(site)) {
    bool again = frame.depth >= kDeepest || !classes_.leads_to_accessor(callee);
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

// Whether what follows the steps is reached.
bool MirrorRun::run_steps(Frame& frame, const std::vector<StateStep>& steps, Machine& machine) {
  const size_t before = frame.decisions.size();
  bool goes_on = true;
  for (const StateStep& step : steps) {
    if (!goes_on || !spend()) break;
    switch (step.kind) {
      case StateStep::Kind::kEvent:
        frame.last_event = step.event;
        if (classes_.is_lazy(Site{frame.function, step.event})) {
          if (const auto direction = classes_.copy_at({frame.function, step.event}))
            copy(frame, step.event, *direction);
        }
        run_event(frame, step.event, machine);
        break;
      case StateStep::Kind::kWrite:
        write(frame, step, machine);
        break;
      case StateStep::Kind::kChoice:
        goes_on = run_choice(frame, step, machine);
        break;
      case StateStep::Kind::kRepeat: {
        Machine inside = machine;
        if (run_steps(frame, step.first, inside)) run_steps(frame, step.first, inside);
        merge(machine, inside);
        break;
      }
      case StateStep::Kind::kLeave:
        if (frame.has_left)
          merge(frame.left, machine);
        else
          frame.left = machine;
        frame.has_left = true;
        goes_on = false;
        break;
    }
  }
  frame.decisions.resize(before);
  return goes_on;
}

bool MirrorRun::run_choice(Frame& frame, const StateStep& step, Machine& machine) {
  std::set<std::string> keys;
  add_keys(frame, step.value, keys);
  Machine holds = machine, fails = machine;
  bool may_hold = true, may_fail = true;
  if (keys.size() == 1) {
    const std::string& key = *keys.begin();
    Elements yes, no;
    for (const Element& element : elements(machine, key)) {
      const auto value = value_of(frame, step.value, key, element);
      if (!value || *value != 0) yes.insert(element);
      if (!value || *value == 0) no.insert(element);
    }
    may_hold = !yes.empty();
    may_fail = !no.empty();
    holds[key] = std::move(yes);
    fails[key] = std::move(no);
  }
  const size_t before = frame.decisions.size();
  const Machine first = holds, second = fails;
  decide(frame, keys, first);
  const bool after_first = may_hold && run_steps(frame, step.first, holds);
  frame.decisions.resize(before);
  decide(frame, keys, second);
  const bool after_second = may_fail && run_steps(frame, step.second, fails);
  frame.decisions.resize(before);
  // What follows an early return runs because of the same states.
  if (after_first != after_second) decide(frame, keys, after_first ? first : second);
  if (after_first && after_second) merge(holds, fails);
  if (after_first || after_second) machine = std::move(after_first ? holds : fails);
  return after_first || after_second;
}

void MirrorRun::write(Frame& frame, const StateStep& step, Machine& machine) {
  const std::string key = key_of(frame, step.target);
  if (key.empty()) return;
  const std::string& class_name = classes_.class_of(step.target.name);
  const auto& fields = classes_.fields_of(class_name);
  const auto index = static_cast<size_t>(std::find(fields.begin(), fields.end(), step.target.name) - fields.begin());
  const int writer = access(frame, key, frame.last_event, nullptr);
  Elements out;
  for (const Element& element : elements(machine, key)) {
    const auto value = value_of(frame, step.value, key, element);
    for (const auto& combination : classes_.values_of(class_name)) {
      Element next = element;
      next.values[index] = value ? *value : combination[index];
      if (next.values != element.values || element.writer < 0) next.writer = writer;
      out.insert(std::move(next));
      if (value) break;
    }
  }
  machine[key] = std::move(out);
}

void MirrorRun::copy(const Frame& frame, int event, Direction direction) {
  if (!recording_) return;
  std::set<std::string> seen;
  for (auto decision = frame.decisions.rbegin(); decision != frame.decisions.rend(); ++decision) {
    if (!seen.insert(decision->key).second) continue;
    MirrorPair pair;
    const int reading = access(frame, decision->key, event, &pair.inner);
    pair.reading = accesses_[static_cast<size_t>(reading)];
    if (!(pair.reading == Site{frame.function, event})) pair.inner.push_back({frame.function, event});
    pair.direction = direction;
    pair.unsure = picks_element(decision->key.substr(0, decision->key.find(kClassMark)));
    for (int writer : decision->writers) {
      if (writer < 0 || writer == reading) continue;
      pair.writing = accesses_[static_cast<size_t>(writer)];
      pairs_.try_emplace({pair.writing, pair.reading}, pair);
    }
  }
}

void MirrorRun::decide(Frame& frame, const std::set<std::string>& keys, const Machine& machine) {
  for (const std::string& key : keys) {
    Decision decision{key, {}};
    if (const auto found = machine.find(key); found != machine.end()) {
      for (const Element& element : found->second) decision.writers.insert(element.writer);
    }
    frame.decisions.push_back(std::move(decision));
  }
}

// The function that the frame has entered only hands out the object's memory, or sees to its states.
bool MirrorRun::hands_out(const Frame& entered, const std::string& path) const {
  if (!entered.outer || program_.effects(entered.function).launches) return false;
  const auto is_of = [&](const Sum& sum) {
    const std::string object = path_of(entered, sum);
    return !object.empty() && path.rfind(object, 0) == 0;
  };
  const auto& given = entered.given;
  if (!is_of(given.object) && std::none_of(given.arguments.begin(), given.arguments.end(), is_of)) return false;
  if (classes_.is_accessor(entered.function) || !program_.returned(entered.function).empty()) return true;
  // A method that does nothing but hand on: void to_host() { memory->to_host(); }
  const auto& events = program_.function(entered.function).events;
  for (int e = 0; e < static_cast<int>(events.size()); ++e) {
    const auto& callees = program_.callees({entered.function, e});
    if (events[e].kind == Event::Kind::kReturn) return false;  // a number made of what was read
    if (is_off(program_.function(entered.function), events[e].region)) continue;
    if (std::none_of(callees.begin(), callees.end(), [&](int callee) { return classes_.leads_to_accessor(callee); }))
      return false;
  }
  return true;
}

// The call by which the program outside of the class came to its object; `inner`: the calls from there on.
int MirrorRun::access(const Frame& frame, const std::string& key, int event, std::vector<Site>* inner) {
  const std::string path = key.substr(0, key.find(kClassMark));
  Site site{frame.function, event};
  const Frame* at = &frame;
  for (; hands_out(*at, path); at = at->outer) {
    if (inner && !(at == &frame)) inner->insert(inner->begin(), site);
    site = at->call;
  }
  const auto known = std::find(accesses_.begin(), accesses_.end(), site);
  if (known != accesses_.end()) return static_cast<int>(known - accesses_.begin());
  accesses_.push_back(site);
  return static_cast<int>(accesses_.size()) - 1;
}

std::string MirrorRun::path_of(const Frame&, const Sum& object) const {
  return shortened(without_addresses(text_of(object)));
}

std::string MirrorRun::key_of(const Frame& frame, const StateTerm& field) const {
  if (field.kind != StateTerm::Kind::kField || !classes_.is_state(field.name)) return {};
  const std::string object =
      field.object.empty() ? "" : path_of(frame, facts::with_arguments(facts::sum_of(field.object), frame.given));
  if (object == "0") return {};  // a method's, of an object that the call does not show
  return object + kClassMark + classes_.class_of(field.name);
}

void MirrorRun::add_keys(const Frame& frame, const StateTerm& term, std::set<std::string>& out, int depth) const {
  if (depth > 4) return;
  if (const std::string key = key_of(frame, term); !key.empty()) out.insert(key);
  if (term.kind == StateTerm::Kind::kAnswer) {
    const Site site{frame.function, static_cast<int>(term.value)};
    for (int callee : program_.callees(site))
      add_keys(enter(frame, site, callee), program_.function(callee).state_answer, out, depth + 1);
  }
  for (const StateTerm& operand : term.operands) add_keys(frame, operand, out, depth);
}

std::optional<long long> MirrorRun::value_of(const Frame& frame, const StateTerm& term, const std::string& key,
                                             const Element& element, int depth) const {
  using Kind = StateTerm::Kind;
  if (depth > 24) return {};
  const auto operand = [&](size_t i) -> std::optional<long long> {
    return i < term.operands.size() ? value_of(frame, term.operands[i], key, element, depth + 1) : std::nullopt;
  };
  switch (term.kind) {
    case Kind::kUnknown:
      return {};
    case Kind::kConstant:
      return term.value;
    case Kind::kField: {
      if (key_of(frame, term) != key) return {};
      const auto& fields = classes_.fields_of(classes_.class_of(term.name));
      const auto at = static_cast<size_t>(std::find(fields.begin(), fields.end(), term.name) - fields.begin());
      return at < element.values.size() ? std::optional(element.values[at]) : std::nullopt;
    }
    case Kind::kParameter: {
      const auto at = static_cast<size_t>(term.value);
      if (at >= frame.given.arguments.size() || !is_constant(frame.given.arguments[at])) return {};
      return constant_part(frame.given.arguments[at]);
    }
    case Kind::kAnswer: {
      const Site site{frame.function, static_cast<int>(term.value)};
      if (program_.callees(site).size() != 1 || frame.depth > kDeepest) return {};
      const int callee = program_.callees(site).front();
      return value_of(enter(frame, site, callee), program_.function(callee).state_answer, key, element, depth + 1);
    }
    case Kind::kNot: {
      const auto a = operand(0);
      return a ? std::optional<long long>(*a == 0) : std::nullopt;
    }
    case Kind::kAnd:
    case Kind::kOr: {
      bool known = true;
      const bool settles = term.kind == Kind::kOr;  // one operand of this truth settles it
      for (size_t i = 0; i < term.operands.size(); ++i) {
        const auto a = operand(i);
        if (a && (*a != 0) == settles) return settles;
        known &= a.has_value();
      }
      return known ? std::optional<long long>(!settles) : std::nullopt;
    }
    default:
      break;
  }
  const auto a = operand(0), b = operand(1);
  if (!a || !b) return {};
  return term.kind == Kind::kEqual ? *a == *b : term.kind == Kind::kLess ? *a < *b : *a <= *b;
}

MirrorRun::Elements MirrorRun::anything(const std::string& key) const {
  Elements out;
  for (const auto& values : classes_.values_of(key.substr(key.find(kClassMark) + 1))) out.insert({values, -1});
  return out;
}

MirrorRun::Elements& MirrorRun::elements(Machine& machine, const std::string& key) const {
  const auto [found, is_new] = machine.try_emplace(key);
  if (is_new) found->second = anything(key);
  return found->second;
}

void MirrorRun::merge(Machine& into, const Machine& other) const {
  for (auto& [key, elements] : into) {
    const auto found = other.find(key);
    const Elements more = found == other.end() ? anything(key) : found->second;
    elements.insert(more.begin(), more.end());
  }
  for (const auto& [key, elements] : other) {
    if (into.count(key)) continue;
    Elements all = anything(key);
    all.insert(elements.begin(), elements.end());
    into.emplace(key, std::move(all));
  }
}

// The next iteration's v[i] is another object.
void MirrorRun::forget_elements(Machine& machine) const {
  std::erase_if(machine,
                [](const auto& entry) { return picks_element(entry.first.substr(0, entry.first.find(kClassMark))); });
}

}  // namespace syncsniff::checks
