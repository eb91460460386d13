#include "analyzer/checks/tensor_results.h"

#include <algorithm>

namespace syncsniff::checks {

namespace {
constexpr int kMaxDepth = 12;
}

std::string TensorResults::role(Site site) const {
  const Event& event = program_.event(site);
  const ApiFact* fact = event.kind == Event::Kind::kTensor ? program_.api(event) : nullptr;
  return fact ? fact->tensor : std::string();
}

int TensorResults::made_by(const Value& value, const program::Reading& at) {
  if (at.function < 0) return -1;
  if (value.kind == Value::Kind::kTensor) {
    const auto [index, fresh] = by_place_.try_emplace(at.function);
    if (fresh) {
      const auto& events = program_.function(at.function).events;
      for (int e = 0; e < static_cast<int>(events.size()); ++e) {
        const facts::Place& p = events[e].place;
        if (events[e].kind == Event::Kind::kTensor) index->second[{p.file, p.offset, p.length}] = e;
      }
    }
    const auto found = index->second.find({value.place.file, value.place.offset, value.place.length});
    return found == index->second.end() ? -1 : found->second;
  }
  if (value.kind != Value::Kind::kNode) return -1;
  const facts::Flow* made = program_.flows().only_assignment(value.node, at);
  return made && made->value.kind == Value::Kind::kTensor ? made_by(made->value, at) : -1;
}

bool TensorResults::is_number(const Value& value, const program::Reading& at, int depth) {
  if (depth > kMaxDepth || at.function < 0) return false;
  if (value.kind == Value::Kind::kCall) return returns_number({at.function, value.event}, depth + 1);
  if (value.kind == Value::Kind::kElement) return element_is_number(value, at, depth + 1);
  const int from = made_by(value, at);
  if (from >= 0) {
    const Site site{at.function, from};
    const std::string made = role(site);
    if (made == "reduction") return sums_all(site);
    return made == "elementwise" && works_on_numbers(site, depth + 1);
  }
  if (value.kind != Value::Kind::kNode) return false;
  const facts::Flow* made = program_.flows().only_assignment(value.node, at);
  const bool passed_on = made && (made->value.kind == Value::Kind::kCall || made->value.kind == Value::Kind::kElement);
  return passed_on && is_number(made->value, at, depth + 1);
}

// Whether an element of a tuple, as in std::get<0>(losses), is a single number. The tuple is made here or returned by a
// function.
bool TensorResults::element_is_number(const Value& element, const program::Reading& at, int depth) {
  const Value* pack = &element.operands.front();
  if (pack->kind == Value::Kind::kNode) {
    const facts::Flow* made = program_.flows().only_assignment(pack->node, at);
    if (!made) return false;
    pack = &made->value;
  }
  const auto index = static_cast<size_t>(element.event);
  const auto is_one = [&](const Value& whole, const program::Reading& where) {
    return whole.kind == Value::Kind::kPack && index < whole.operands.size() &&
           is_number(whole.operands[index], where, depth + 1);
  };
  if (pack->kind != Value::Kind::kCall) return is_one(*pack, at);
  const std::vector<int>& callees = program_.callees({at.function, pack->event});
  return !callees.empty() && std::all_of(callees.begin(), callees.end(), [&](int callee) {
    const auto returned = program_.flows().returned(callee);
    return !returned.empty() && std::all_of(returned.begin(), returned.end(),
                                            [&](const auto& one) { return is_one(one.first->value, one.second); });
  });
}

bool TensorResults::works_on_numbers(Site site, int depth) {
  const Event& event = program_.event(site);
  std::vector<const Value*> operands{&event.object};
  for (const Value& arg : facts::values(event.args)) operands.push_back(&arg);
  bool any = false;
  for (const Value* operand : operands) {
    const bool tensor = operand->kind == Value::Kind::kTensor || operand->kind == Value::Kind::kNode ||
                        operand->kind == Value::Kind::kCall || operand->kind == Value::Kind::kContent ||
                        operand->kind == Value::Kind::kElement;
    if (!tensor) continue;
    if (!is_number(*operand, program_.reading(site), depth + 1)) return false;
    any = true;
  }
  return any;
}

// Whether the operation reduces all dimensions, as sum() and mse_loss(a, b) do; sum(1) and sum(x, {0, 1}) name the
// dimensions to reduce.
bool TensorResults::sums_all(Site site) const {
  const Event& event = program_.event(site);
  const bool names_dimension = std::ranges::any_of(event.args, [](const facts::Argument& argument) {
    return argument.constant != facts::kNotConstant || (!argument.text.empty() && argument.text[0] == '{');
  });
  return !names_dimension;
}

bool TensorResults::returns_number(Site call, int depth) {
  const std::vector<int>& callees = program_.callees(call);
  return !callees.empty() &&
         std::all_of(callees.begin(), callees.end(), [&](int callee) { return gives_number(callee, depth); });
}

// Each function is evaluated once; while it is being evaluated, a recursive call counts as unknown.
bool TensorResults::gives_number(int function, int depth) {
  const auto [known, fresh] = gives_number_.try_emplace(function, false);
  if (!fresh) return known->second;
  const auto returned = program_.flows().returned(function);
  const bool number = !returned.empty() && std::all_of(returned.begin(), returned.end(), [&](const auto& one) {
    return is_number(one.first->value, one.second, depth);
  });
  return gives_number_[function] = number;
}

}  // namespace syncsniff::checks
