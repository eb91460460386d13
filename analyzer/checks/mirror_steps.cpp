// The part of MirrorRun that interprets an accessor step by step and tracks the possible values of the object's states.
// mirror_classes.h says what accessors and states are.
#include <algorithm>

#include "analyzer/checks/mirror_paths.h"
#include "analyzer/checks/mirror_run.h"

namespace syncsniff::checks {

using facts::StateStep;
using facts::StateTerm;

namespace {
constexpr int kDeepestAccessor = 16;
}  // namespace

// Returns whether the code after the steps is reached.
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
  // Code after an early return runs only with the states that did not return, so it depends on the test, too.
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
    const int reading = access(frame, decision->key, event, &pair);
    pair.reading = accesses_[static_cast<size_t>(reading)];
    if (!(pair.reading == Site{frame.function, event})) pair.inner.push_back({frame.function, event});
    pair.direction = direction;
    pair.unsure = picks_element(path_in(decision->key));
    for (int writer : decision->writers) {
      if (writer < 0 || writer == reading) continue;
      pair.writing = accesses_[static_cast<size_t>(writer)];
      pairs_.try_emplace({pair.writing, pair.reading, pair.calls}, pair);
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

std::string MirrorRun::key_of(const Frame& frame, const StateTerm& field) const {
  if (field.kind != StateTerm::Kind::kField || !classes_.is_state(field.name)) return {};
  const std::string object =
      field.object.empty() ? "" : object_path(facts::with_arguments(facts::sum_of(field.object), frame.given));
  if (object == "0") return {};  // a method's object that is not visible at the call site
  return key_for(object, classes_.class_of(field.name));
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

// The value of `a && b` or `a || b`. One operand with the truth value `settles` decides the whole condition.
template <class Operand>
static std::optional<long long> all_together(size_t operands, bool settles, const Operand& operand) {
  bool known = true;
  for (size_t i = 0; i < operands; ++i) {
    const std::optional<long long> a = operand(i);
    if (a && (*a != 0) == settles) return settles;
    known &= a.has_value();
  }
  return known ? std::optional<long long>(!settles) : std::nullopt;
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
      if (program_.callees(site).size() != 1 || frame.depth > kDeepestAccessor) return {};
      const int callee = program_.callees(site).front();
      return value_of(enter(frame, site, callee), program_.function(callee).state_answer, key, element, depth + 1);
    }
    case Kind::kNot: {
      const auto a = operand(0);
      return a ? std::optional<long long>(*a == 0) : std::nullopt;
    }
    case Kind::kAnd:
    case Kind::kOr:
      return all_together(term.operands.size(), term.kind == Kind::kOr, operand);
    default:
      break;
  }
  const auto a = operand(0), b = operand(1);
  if (!a || !b) return {};
  return term.kind == Kind::kEqual ? *a == *b : term.kind == Kind::kLess ? *a < *b : *a <= *b;
}

MirrorRun::Elements MirrorRun::anything(const std::string& key) const {
  Elements out;
  for (const auto& values : classes_.values_of(class_in(key))) out.insert({values, -1});
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

// In the next iteration v[i] is another object, so states of such elements are forgotten.
void MirrorRun::forget_elements(Machine& machine) const {
  std::erase_if(machine, [](const auto& entry) { return picks_element(path_in(entry.first)); });
}

}  // namespace syncsniff::checks
