#include "analyzer/facts/unused_functions.h"

#include <algorithm>
#include <unordered_map>

#include "analyzer/facts/parameter_node.h"

namespace syncsniff::facts {

namespace {

class Uses {
 public:
  explicit Uses(const UnitFacts& unit) : unit_(unit), callers_(unit.functions.size()), kept_(unit.functions.size()) {
    const int count = static_cast<int>(unit.functions.size());
    for (int f = 0; f < count; ++f) by_usr_.emplace(unit.functions[f].usr, f);
    uses_.resize(count);
    for (int f = 0; f < count; ++f) read(f);
    for (const Flow& flow : unit.flows) {
      name(flow.value, flow.function);
      // static bool added = add("norm", norm);
      const auto handed_to = flow.function < 0 ? parameter_node(flow.into) : std::nullopt;
      if (handed_to) name(Text(handed_to->function), -1);
    }
  }

  // For each function, whether it is kept.
  std::vector<bool> find() {
    const std::vector<bool> touching = find_touching();
    for (size_t f = 0; f < unit_.functions.size(); ++f) {
      const Function& function = unit_.functions[f];
      // Other units may decide what a virtual call runs.
      if (function.place.file == unit_.file || touching[f] || !function.overrides.empty()) keep(static_cast<int>(f));
    }
    while (!work_.empty()) {
      const int f = work_.back();
      work_.pop_back();
      for (int used : uses_[f]) keep(used);
    }
    return kept_;
  }

 private:
  void keep(int f) {
    if (kept_[f]) return;
    kept_[f] = true;
    work_.push_back(f);
  }

  // `by` uses the function; -1: the initialization of a namespace's variable uses it.
  void name(const Text& usr, int by) {
    const auto found = by_usr_.find(usr);
    if (found == by_usr_.end()) return;
    if (by < 0) return keep(found->second);
    uses_[by].push_back(found->second);
    callers_[found->second].push_back(by);
  }
  void name(const Value& value, int by) {
    if (value.kind == Value::Kind::kFunction) name(value.node, by);
    for (const Value& operand : value.operands) name(operand, by);
  }

  void read(int f) {
    const Function& function = unit_.functions[f];
    for (const Event& event : function.events) {
      name(event.callee.id, f);
      name(event.object, f);
      name(event.result, f);
      for (const Value& arg : values(event.args)) name(arg, f);
    }
    for (const Region& region : function.regions) name(region.question.function, f);
    for (const Guard* guard : {&function.when_true, &function.when_false}) name(guard->question.function, f);
    name(function.returns_time_if, f);
    // A lambda is run by the function that contains it.
    if (const auto owner = by_usr_.find(function.owner); owner != by_usr_.end()) uses_[owner->second].push_back(f);
  }

  // For each function, whether it touches GPU work or memory, or stores a pointer from its caller.
  std::vector<bool> find_touching() const {
    std::vector<bool> out(unit_.functions.size());
    std::vector<int> work;
    const auto add = [&](int f) {
      if (!out[f]) work.push_back(f);
      out[f] = true;
    };
    for (size_t f = 0; f < unit_.functions.size(); ++f) {
      const Function& function = unit_.functions[f];
      const bool touches = std::any_of(function.events.begin(), function.events.end(), [](const Event& event) {
        return event.kind != Event::Kind::kCall && event.kind != Event::Kind::kReturn;
      });
      if (touches || function.is_kernel || function.is_main) add(static_cast<int>(f));
    }
    for (const Flow& flow : unit_.flows) {
      const bool keeps = flow.value.kind == Value::Kind::kNode && flow.value.node.starts_with("p:");
      const bool in_field = flow.into.starts_with("f:") || flow.into.starts_with("*f:");
      if (flow.function >= 0 && keeps && in_field) add(flow.function);
    }
    while (!work.empty()) {
      const int f = work.back();
      work.pop_back();
      for (int caller : callers_[f]) add(caller);
    }
    return out;
  }

  const UnitFacts& unit_;
  std::unordered_map<Text, int> by_usr_;
  std::vector<std::vector<int>> uses_, callers_;
  std::vector<bool> kept_;
  std::vector<int> work_;
};

}  // namespace

void drop_unused_functions(UnitFacts& unit) {
  if (unit.fatal || unit.error_count > 0) return;
  const std::vector<bool> kept = Uses(unit).find();
  std::vector<int> number(kept.size(), -1);
  int next = 0;
  for (size_t f = 0; f < kept.size(); ++f) {
    if (!kept[f]) continue;
    number[f] = next;
    if (static_cast<size_t>(next) != f) unit.functions[next] = std::move(unit.functions[f]);
    ++next;
  }
  unit.functions.resize(next);
  // An event's `order` is the number of flows before it, so it changes when flows are removed.
  std::vector<int> flows_before(unit.flows.size() + 1, 0);
  int left = 0;
  for (size_t i = 0; i < unit.flows.size(); ++i) {
    Flow& flow = unit.flows[i];
    flows_before[i] = left;
    if (flow.function >= 0 && !kept[flow.function]) continue;
    if (flow.function >= 0) flow.function = number[flow.function];
    if (static_cast<size_t>(left) != i) unit.flows[left] = std::move(flow);
    ++left;
  }
  flows_before.back() = left;
  unit.flows.resize(left);
  for (Function& function : unit.functions)
    for (Event& event : function.events) event.order = flows_before[event.order];
}

}  // namespace syncsniff::facts
