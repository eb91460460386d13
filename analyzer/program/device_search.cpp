#include "analyzer/program/device_search.h"

#include <utility>

namespace syncsniff::program {

namespace {

// Nesting depth of tuples searched for one element. `x = std::get<0>(f(x))` would otherwise nest without end.
constexpr size_t kMostNested = 3;

// The device of an operation's result. One operand on the GPU puts it on the GPU, one of unknown device makes it
// unknown, and the CPU is possible only if it is for all operands. A tensor on the CPU that is no single number puts
// the result on the CPU, since PyTorch does not combine it with one on the GPU.
Devices join(const std::vector<Devices>& operands) {
  Devices out;
  bool whole = false, all_may_be_cpu = true;
  for (const Devices& d : operands) {
    if (d.cuda) return {false, true, false, false};
    whole |= d.whole;
    all_may_be_cpu &= d.cpu || d.empty();
    out |= d;
  }
  if (whole) out.cpu = true, out.unknown = false;
  out.whole = whole;
  if (out.unknown) out.cpu &= all_may_be_cpu;
  return out;
}

}  // namespace

Devices DeviceSearch::of_value(const Value& value, const Reading& at, const Context* context) {
  if (depth_ > kMostSteps) return not_known(at);
  ++depth_;
  Devices out;
  switch (value.kind) {
    case Value::Kind::kTensor:
      out = of_tensor(value, at, context);
      break;
    case Value::Kind::kElement:
      if (elements_.size() == kMostNested) {
        out = of_value(value.operands.front(), at, context);
        break;
      }
      elements_.push_back(value.event);
      out = of_value(value.operands.front(), at, context);
      elements_.pop_back();
      break;
    case Value::Kind::kPack: {
      if (elements_.empty()) {
        out = join(of_operands(value, at, context));
        break;
      }
      const int element = elements_.back();
      elements_.pop_back();
      if (element < static_cast<int>(value.operands.size())) out = of_value(value.operands[element], at, context);
      elements_.push_back(element);
      break;
    }
    case Value::Kind::kObject:
      out = of_node(value.node, at, context);
      break;
    case Value::Kind::kAny:
      for (const Devices& d : of_operands(value, at, context)) out |= d;
      break;
    case Value::Kind::kNode:
      out = of_node(value.node, at, context);
      break;
    case Value::Kind::kContent:
      // `data.first` has one node for all pairs of this type, so the elements of this pair are searched first.
      if (!value.operands.empty() && value.operands.front().kind == Value::Kind::kElement)
        out = join(of_operands(value, at, context));
      if (!out.cpu && !out.cuda && !value.node.empty()) out = of_node("*" + value.node, at, context);
      // The memory of a container says nothing about the devices of the tensors in it.
      if (out.empty() && !value.operands.empty() && value.operands.front().kind != Value::Kind::kAllocation)
        out = join(of_operands(value, at, context));
      break;
    case Value::Kind::kCall:
      out = of_call(value, at, context);
      break;
    case Value::Kind::kNull:
    case Value::Kind::kAllocation:  // of tensors that are assigned later
      break;
    default:
      out = not_known(at);
  }
  --depth_;
  return out;
}

std::vector<Devices> DeviceSearch::of_operands(const Value& value, const Reading& at, const Context* context) {
  std::vector<Devices> all;
  for (const Value& v : value.operands) all.push_back(of_value(v, at, context));
  return all;
}

// An operation reads all of its operands, even if only one element of its result is searched for.
Devices DeviceSearch::of_whole_operands(const Value& value, const Reading& at, const Context* context) {
  const std::vector<int> elements = std::exchange(elements_, {});
  const Devices out = join(of_operands(value, at, context));
  elements_ = elements;
  return out;
}

Devices DeviceSearch::of_tensor(const Value& value, const Reading& at, const Context* context) {
  Devices out;
  out.cpu = value.device == Value::Device::kCpu;
  // from_blob(): a tensor over host memory has dimensions, so it is no single number. This is not known of a data
  // loader's examples.
  out.whole = out.cpu && value.operands.size() == 1;
  out.cuda = value.device == Value::Device::kCuda || value.device == Value::Device::kMaybeCuda;
  if (value.device == Value::Device::kFromOperands) {
    out = of_whole_operands(value, at, context);
  }
  if (value.device == Value::Device::kExample) {
    // Data loaders return examples on the CPU, unless the program itself puts a tensor on the GPU into an example. This
    // is searched only once, since the search has then visited the node.
    const Devices given = of_value(value.operands[0], at, context);
    out.cuda = given.cuda;
    out.cpu = !given.cuda;
    out.pinned = given.pinned;
  }
  if (value.device == Value::Device::kUnknown) out = not_known(at);
  out.unnamed = value.device == Value::Device::kUnnamed;
  if (value.device == Value::Device::kText) {
    const Devices spelled = of_operands(value, at, context)[0];
    out = spelled.empty() || spelled.unknown ? Devices{false, true, false, false} : spelled;
  }
  // A device chosen at run time is taken for the GPU if it may be one.
  if (value.device == Value::Device::kNamed) {
    const std::vector<Devices> all = of_operands(value, at, context);
    out = all[0].cuda ? Devices{false, true, false, false} : all[0];
    // If the search has visited this device before, as in `x = make(x.device())`, the result is empty, since it was
    // counted then.
    if (all[0].empty()) out = all[0].unnamed ? all[1] : Devices{};
  }
  if (value.new_memory) out.pinned = false;
  if (value.new_memory || value.pinned) out.may_be_pageable = false;
  out.pinned |= value.pinned;
  // A loaded example is pinned if the program stores pinned tensors in examples; a from_blob() tensor if its memory is
  // pinned.
  if (value.device == Value::Device::kCpu && value.operands.size() == 2)
    out.pinned |= loader_pins(value.operands[0].node, value.operands[1].operands);
  else if (value.device == Value::Device::kCpu && !value.operands.empty()) {
    out.pinned |= sources_.provenance.origins(value.operands.front(), at, context).has(MemoryKind::kPinned) ||
                  of_value(value.operands.front(), at, context).pinned;
  }
  return out;
}

// The devices of a call's result, taken from the returns of its possible callees, or else from its operands.
Devices DeviceSearch::of_call(const Value& value, const Reading& at, const Context* context) {
  if (at.function < 0) return {};
  const Site site{at.function, value.event};
  const Event& event = sources_.code.event(site);
  const std::vector<int>& callees = sources_.graph.callees(site);
  const Context inner{site, context};
  // A module's parameters and buffers move to another device with the module.
  if (event.callee.name.find("register_") != std::string::npos) return {.unknown = true};
  Devices out;
  for (int callee : callees) {
    // For a vector of tensors, its elements count; if none are known, or it is no vector, the returned value itself.
    out |= of_node("*r:" + sources_.code.function(callee).usr, callee, &inner);
  }
  if (callees.empty()) out = of_whole_operands(value, at, context);
  // split(), sort(), topk(): all their results are on the device of their operand.
  if (out.empty() && event.kind == Event::Kind::kTensor)
    out = of_value(event.result, sources_.code.reading(site), context);
  if (callees.empty() && out.empty() && value.operands.empty()) {
    out = not_known(at);
    out |= made_out_of_sight(site);
  }
  return out;
}

}  // namespace syncsniff::program
