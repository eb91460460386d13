// On which devices the tensors in a variable, a parameter, a field or a container may be.
#include <algorithm>
#include <utility>

#include "analyzer/facts/parameter_node.h"
#include "analyzer/facts/words.h"
#include "analyzer/program/device_search.h"

namespace syncsniff::program {

// The result for a tensor of which only the place where it is read is known.
Devices DeviceSearch::not_known(const Reading& at) const {
  const bool host = at.function >= 0 && !sources_.prepares.empty() && sources_.prepares[at.function];
  return {host, false, !host, false};
}

// The indices in elements_ as text, so that the search visits a tuple once for each element that is searched for.
std::string DeviceSearch::part() const {
  std::string out;
  for (int element : elements_) out += "." + std::to_string(element);
  return out;
}

// Whether one of the classes that make a data loader's batches stores pinned memory in the batch's field. If none of
// their methods assigns the field, every assignment to it in the program counts.
bool DeviceSearch::loader_pins(const std::string& field, const std::vector<Value>& classes) {
  const std::vector<LinkedFlow>* found = sources_.flows.into(field);
  if (classes.empty() || !found) return false;
  const auto of_loader = [&](const LinkedFlow& flow) {
    const std::string_view usr = sources_.code.function(flow.function).usr;
    return std::any_of(classes.begin(), classes.end(), [&](const Value& made_by) {
      const std::string_view prefix = made_by.node;
      return usr.size() > prefix.size() && usr.starts_with(prefix) && usr[prefix.size()] == '@';
    });
  };
  const bool own = std::any_of(found->begin(), found->end(), of_loader);
  return std::any_of(found->begin(), found->end(), [&](const LinkedFlow& flow) {
    return (!own || of_loader(flow)) && of_value(flow.flow->value, reading_of(flow), nullptr).pinned;
  });
}

Devices DeviceSearch::of_node(const std::string& node, const Reading& at, const Context* context) {
  if (sources_.host_read.count(node) != 0) return {.cpu = true, .whole = true};
  const std::optional<Reaching> reached = sources_.flows.visit(node, at, context, visits_, part());
  if (!reached) return {};
  Devices out = of_written(node, *reached, at);
  const bool is_param = node.rfind("p:", 0) == 0;
  const bool shown = !reached->flows.empty() || is_param || !out.empty() || node[0] == '*' || node[0] == 'r';
  if (!shown) out = not_known(at);  // a variable without a known assignment
  Devices assigned;
  bool one_is_pageable = false;
  for (const LinkedFlow* flow : reached->flows) {
    const Devices one =
        of_value(flow->flow->value, reading_of(*flow), flow->function == at.function ? context : nullptr);
    one_is_pageable |= one.cpu && !one.pinned;
    assigned |= one;
  }
  // if (pin_memory) batch = batch.pin_memory(); assignments to fields are not told apart by the order in which they
  // run.
  assigned.may_be_pageable |= one_is_pageable && assigned.pinned && reached->parted;
  out.unseen &= assigned.empty();
  out |= assigned;
  if (is_param && reached->entry) out |= of_parameter(node, Given::kItself, at, context);
  // An array that is filled element by element: search its elements.
  if (out.empty() && !elements_.empty() && node[0] != '*') {
    const std::vector<int> elements = std::exchange(elements_, {});
    out = of_node("*" + node, at, context);
    elements_ = elements;
  }
  // Elements of a container that is a parameter: search what the callers put into it.
  const bool unnamed = !out.cpu && !out.cuda;  // an alias of the container may also lead to no known device
  if (unnamed && node.rfind("*p:", 0) == 0 && depth_ <= kMostSteps) {
    ++depth_;
    const Devices given = of_parameter(node.substr(1), Given::kElements, at, context);
    if (!given.empty()) out = given;
    --depth_;
  }
  // Elements of a container of which no element is known: search the container itself.
  if (out.empty() && node[0] == '*') out = of_node(node.substr(1), at, context);
  return out;
}

// Tensors that a call assigns through a reference parameter: fill(x).
Devices DeviceSearch::of_written(const std::string& node, const Reaching& reached, const Reading& at) {
  Devices out;
  if (depth_ > kMostSteps) return out;
  for (const ArgumentUse& use : sources_.flows.uses_as_argument(node)) {
    if (!sources_.flows.may_write_before(use.site, reached, at)) continue;
    if (sources_.graph.callees(use.site).empty()) out |= made_out_of_sight(use.site);
    for (int callee : sources_.graph.callees(use.site)) {
      const Function& f = sources_.code.function(callee);
      if (use.argument >= static_cast<int>(f.params.size())) continue;
      for (const facts::Text stored : {f.params[use.argument], sources_.flows.content_of(f.params[use.argument])})
        out |= of_stored(stored, use.site, callee);
    }
  }
  return out;
}

// Tensors that the callee stores through its parameter, or through the memory that the parameter points to.
Devices DeviceSearch::of_stored(facts::Text stored, Site call, int callee) {
  Devices out;
  if (stored.empty() || !visits_.seen.insert({stored, part(), 0, 0, call, true}).second) return out;
  const Context inner{call, nullptr};
  if (const std::vector<LinkedFlow>* flows = sources_.flows.into(stored)) {
    for (const LinkedFlow& flow : *flows) out |= of_value(flow.flow->value, reading_of(flow), &inner);
  }
  ++depth_;
  out |= of_written(stored, {}, callee);
  --depth_;
  return out;
}

// The result for a call of which only the declaration is known: loader.next(), loader(batch).
Devices DeviceSearch::made_out_of_sight(Site call) const {
  const Event& e = sources_.code.event(call);
  if (!asks_calls_ || e.kind != Event::Kind::kCall || e.callee.harmless || e.callee.id.empty() ||
      facts::is_of_libtorch(e.callee.name))
    return {};
  const auto [known, fresh] = sources_.given_gpu.try_emplace(call, false);
  if (fresh) {
    DeviceSearch own(sources_, false);
    known->second = std::ranges::any_of(facts::values(e.args), [&](const Value& argument) {
      return own.of_value(argument, sources_.code.reading(call), nullptr).cuda;
    });
  }
  return {.unseen = !known->second};
}

// What the callers pass for the parameter, or have put into the container that they pass.
Devices DeviceSearch::of_parameter(const std::string& node, Given given, const Reading& at, const Context* context) {
  Devices out;
  const auto parameter = facts::parameter_node(node);
  const int callee = sources_.code.find(parameter->function);
  if (callee < 0) return out;
  for (const Site& site : sources_.graph.callers(callee)) {
    if (context && callee == at.function && !(context->call == site)) continue;
    const Event& e = sources_.code.event(site);
    if (parameter->index >= e.args.size()) continue;
    const Context* outer = context && context->call == site ? context->outer : nullptr;
    const Value& argument = e.args[parameter->index].value;
    if (given == Given::kItself) {
      out |= of_value(argument, sources_.code.reading(site), outer);
      continue;
    }
    // A list that is an element of a tuple which a call returned, or that is written in the call.
    const bool is_whole = argument.kind == Value::Kind::kElement || argument.kind == Value::Kind::kAny;
    const Devices listed = is_whole ? of_value(argument, sources_.code.reading(site), outer) : Devices{};
    out |= listed;
    if (listed.cpu || listed.cuda) continue;
    const std::string& container = argument.node.empty() ? e.args[parameter->index].node : argument.node;
    if (!container.empty()) out |= of_node("*" + container, sources_.code.reading(site), outer);
  }
  if (given == Given::kItself && sources_.graph.callers(callee).empty()) out |= not_known(callee);
  return out;
}

}  // namespace syncsniff::program
