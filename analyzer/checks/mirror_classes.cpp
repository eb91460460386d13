#include "analyzer/checks/mirror_classes.h"

#include <algorithm>

#include "analyzer/facts/sums.h"
#include "analyzer/facts/words.h"

namespace syncsniff::checks {

using facts::StateStep;
using facts::StateTerm;

namespace {

constexpr size_t kMostReached = 32;
constexpr int kMostCallsToSetter = 4;  // calls between a function and the functions whose states it may set
constexpr size_t kMostValues = 16;     // values of one state
constexpr size_t kMostStates = 64;     // combinations of values of one class
constexpr size_t kSmallFunction = 40;  // events of a function that does little more than copy

bool ends_in_return(const std::vector<StateStep>& steps) {
  return !steps.empty() && steps.back().kind == StateStep::Kind::kLeave;
}

bool is_destructor(const facts::Function& f) { return facts::names_destructor(f.name); }

std::string class_of_field(const std::string& field) {
  const size_t name = field.rfind("@FI@");
  return name == std::string::npos ? field : field.substr(0, name);
}

}  // namespace

MirrorClasses::MirrorClasses(const Program& program) : program_(program) {
  leads_.assign(program.functions().size(), false);
  find_copies();
  if (copies_.empty()) return;
  look_for_writes();
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    // A constructor tests only states that it has set itself, so nothing depends on an earlier call.
    if (!program::is_constructor(program.function(f))) look_for_lazy_copies(f, program.function(f).states, {});
  }
  if (states_.empty()) return;
  number_states();
  find_accessors();
  find_lazy_functions();
}

void MirrorClasses::find_copies() {
  const auto is_copy = [](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kApi && fact.copy.has_value();
  };
  const auto add = [&](Site site, Direction direction) {
    if (direction == Direction::kHostToDevice || direction == Direction::kDeviceToHost)
      copies_.emplace(site, direction);
  };
  // float h; cudaMemcpy(&h, ...): the copy is into a local variable that the next call does not have, so no flag can
  // say that it is up to date.
  const auto into_local = [&](Site api) {
    const Event& event = program_.event(api);
    const Value* into = argument_value(event, copy_of(event, *program_.api(event)).dst);
    return into && into->kind == Value::Kind::kObject &&
           into->node.str().starts_with("v:" + program_.function(api.function).usr.str() + "@");
  };
  for (const Site& api : calls(program_, is_copy)) {
    if (into_local(api)) continue;
    add(api, read_copy(program_, located_at(api, {})).direction);
    for (const Located& where : locate(program_, api)) add(where.at, read_copy(program_, where).direction);
  }
}

std::optional<Direction> MirrorClasses::copy_at(Site site) const {
  if (const auto copy = copies_.find(site); copy != copies_.end()) return copy->second;
  for (int callee : program_.callees(site)) {
    if (!only_copies(callee)) continue;
    for (int e = 0; e < static_cast<int>(program_.function(callee).events.size()); ++e) {
      if (const auto copy = copies_.find({callee, e}); copy != copies_.end()) return copy->second;
    }
  }
  return {};
}

bool MirrorClasses::only_copies(int function) const {
  return !program_.effects().of(function).launches && program_.function(function).events.size() <= kSmallFunction;
}

// Collects the constants that a state is compared with or set to, here or through a parameter.
void MirrorClasses::note_values(int function, const StateTerm& term) {
  const bool compares = term.operands.size() == 2;
  for (size_t i = 0; i < term.operands.size(); ++i) {
    const StateTerm& one = term.operands[i];
    const StateTerm& other = term.operands[compares ? 1 - i : i];
    if (compares && one.kind == StateTerm::Kind::kField && other.kind == StateTerm::Kind::kConstant)
      constants_[one.name].insert(other.value);
    note_values(function, one);
  }
  if (term.kind == StateTerm::Kind::kField) constants_[term.name].insert(term.values.begin(), term.values.end());
}

void MirrorClasses::note_writes(int function, const std::vector<StateStep>& steps) {
  for (const StateStep& step : steps) {
    note_values(function, step.value);
    if (step.kind == StateStep::Kind::kWrite) {
      note_values(function, step.target);
      writes_[function].insert(step.target.name);
      const StateTerm& value = step.value;
      // The result of v[i] of a std::vector, or of another library's function, is an index or a count, not a state of
      // copies.
      const bool is_elsewhere =
          value.kind == StateTerm::Kind::kAnswer && program_.callees({function, static_cast<int>(value.value)}).empty();
      if (value.kind == StateTerm::Kind::kUnknown || is_elsewhere) unclear_.insert(step.target.name);
      if (value.kind == StateTerm::Kind::kConstant) constants_[step.target.name].insert(value.value);
      for (const Site& caller : program_.callers(function)) {
        const auto& given = program_.event(caller).args;
        if (value.kind == StateTerm::Kind::kParameter && value.value < static_cast<long long>(given.size()) &&
            given[value.value].constant != facts::kNotConstant)
          constants_[step.target.name].insert(given[value.value].constant);
      }
    }
    note_writes(function, step.first);
    note_writes(function, step.second);
  }
}

void MirrorClasses::look_for_writes() {
  for (int f = 0; f < static_cast<int>(program_.functions().size()); ++f) {
    note_writes(f, program_.function(f).states);
    note_values(f, program_.function(f).state_answer);
  }
}

void MirrorClasses::add_tested(int function, const StateTerm& term, Fields& out, int depth) const {
  if (depth > kMostCallsToSetter) return;
  if (term.kind == StateTerm::Kind::kField) out.insert(term.name);
  if (term.kind == StateTerm::Kind::kAnswer) {
    for (int callee : program_.callees({function, static_cast<int>(term.value)}))
      add_tested(callee, program_.function(callee).state_answer, out, depth + 1);
  }
  for (const StateTerm& operand : term.operands) add_tested(function, operand, out, depth);
}

// Fields that the function, or small functions that it calls, write.
MirrorClasses::Fields MirrorClasses::written_by(int function) const {
  Fields out;
  std::vector<int> reached{function};
  for (size_t i = 0; i < reached.size() && reached.size() < kMostReached; ++i) {
    if (const auto own = writes_.find(reached[i]); own != writes_.end())
      out.insert(own->second.begin(), own->second.end());
    if (!only_copies(reached[i])) continue;
    for (int e = 0; e < static_cast<int>(program_.function(reached[i]).events.size()); ++e) {
      for (int callee : program_.callees({reached[i], e})) {
        if (std::find(reached.begin(), reached.end(), callee) == reached.end()) reached.push_back(callee);
      }
    }
  }
  return out;
}

void MirrorClasses::look_for_lazy_copies(int function, const std::vector<StateStep>& steps, const Fields& tested) {
  Fields here = tested;
  for (const StateStep& step : steps) {
    if (step.kind == StateStep::Kind::kEvent && !here.empty() && copy_at({function, step.event})) {
      for (const std::string& field : written_by(function)) {
        if (!here.count(field) || unclear_.count(field)) continue;
        states_.emplace(field, class_of_field(field));
        lazy_.insert({function, step.event});
      }
    }
    if (step.kind == StateStep::Kind::kRepeat) look_for_lazy_copies(function, step.first, here);
    if (step.kind != StateStep::Kind::kChoice) continue;
    Fields inside = here;
    add_tested(function, step.value, inside);
    look_for_lazy_copies(function, step.first, inside);
    look_for_lazy_copies(function, step.second, inside);
    if (ends_in_return(step.first) || ends_in_return(step.second)) here = inside;
  }
}

void MirrorClasses::number_states() {
  for (const auto& [field, class_name] : states_) fields_[class_name].push_back(field);
  for (auto& [class_name, fields] : fields_) {
    std::vector<std::vector<long long>> all{{}};
    for (const std::string& field : fields) {
      std::set<long long> values = constants_[field];
      if (values.size() < 2) values.insert({0, 1});
      std::vector<std::vector<long long>> next;
      for (const auto& so_far : all) {
        for (long long value : values) {
          if (values.size() > kMostValues || next.size() >= kMostStates) break;
          next.push_back(so_far);
          next.back().push_back(value);
        }
      }
      all = std::move(next);
    }
    combinations_[class_name] = std::move(all);
  }
}

void MirrorClasses::find_accessors() {
  const auto concerns = [&](const auto& self, int function, const std::vector<StateStep>& steps) -> bool {
    return std::any_of(steps.begin(), steps.end(), [&](const StateStep& step) {
      Fields fields;
      add_tested(function, step.value, fields);
      if (step.kind == StateStep::Kind::kWrite) fields.insert(step.target.name);
      return std::any_of(fields.begin(), fields.end(), [&](const std::string& field) { return is_state(field); }) ||
             self(self, function, step.first) || self(self, function, step.second);
    });
  };
  std::vector<int> work;
  for (int f = 0; f < static_cast<int>(program_.functions().size()); ++f) {
    // The states that a destructor leaves behind do not matter, since nothing reads them.
    if (is_destructor(program_.function(f)) || !concerns(concerns, f, program_.function(f).states)) continue;
    accessors_.insert(f);
    leads_[f] = true;
    work.push_back(f);
  }
  while (!work.empty()) {
    const int f = work.back();
    work.pop_back();
    const bool only_itself = looks_at_itself(f);
    for (const Site& caller : program_.callers(f)) {
      if (leads_[caller.function] || is_destructor(program_.function(caller.function))) continue;
      if (only_itself && program_.callees(caller).size() > 1) continue;
      leads_[caller.function] = true;
      work.push_back(caller.function);
    }
  }
}

// Whether the function is a method that prints or compares its own mirrored object. Through a base class it may be
// called for any object, as in a logging library, so it does not count.
bool MirrorClasses::looks_at_itself(int function) const {
  if (program_.effects().of(function).launches) return false;
  const auto& events = program_.function(function).events;
  for (int e = 0; e < static_cast<int>(events.size()); ++e) {
    const auto& callees = program_.callees({function, e});
    const bool leads = std::any_of(callees.begin(), callees.end(), [&](int callee) { return leads_[callee]; });
    if (leads && (events[e].launched_on.empty() || text_of(events[e].launched_on.front()) != facts::kThisSymbol))
      return false;
  }
  return true;
}

// Finds the functions that copy and are called only where a state requires the copy.
void MirrorClasses::find_lazy_functions() {
  for (const Site& site : lazy_) {
    for (int callee : program_.callees(site)) {
      const auto& callers = program_.callers(callee);
      if (only_copies(callee) &&
          std::all_of(callers.begin(), callers.end(), [&](const Site& caller) { return is_lazy(caller); }))
        lazy_functions_.insert(callee);
    }
  }
}

bool MirrorClasses::is_lazy(const Located& where) const {
  return is_lazy(where.at) || lazy_functions_.count(where.at.function) != 0 ||
         std::any_of(where.inner.begin(), where.inner.end(), [&](const Site& site) { return is_lazy(site); });
}

}  // namespace syncsniff::checks
