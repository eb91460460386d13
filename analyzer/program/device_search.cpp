#include "analyzer/program/device_search.h"

#include <utility>

namespace syncsniff::program {

namespace {

// Tuples in tuples of which one element is looked for. `x = std::get<0>(f(x))` would go on to ever deeper ones.
constexpr size_t kMostNested = 3;

// An operation's result lives where its operands do: one on the GPU decides, one not known makes it not known, and
// the CPU stays possible where it is for all of them. A whole tensor of the CPU decides, too: PyTorch computes nothing
// with it and one of the GPU.
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
      // The node of `data.first` is that of all pairs of this type: what this pair was given comes first.
      if (!value.operands.empty() && value.operands.front().kind == Value::Kind::kElement)
        out = join(of_operands(value, at, context));
      if (!out.cpu && !out.cuda && !value.node.empty()) out = of_node("*" + value.node, at, context);
      // A container's own memory says nothing of where the tensors in it live.
      if (out.empty() && !value.operands.empty() && value.operands.front().kind != Value::Kind::kAllocation)
        out = join(of_operands(value, at, context));
      break;
    case Value::Kind::kCall:
      out = of_call(value, at, context);
      break;
    case Value::Kind::kNull:
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

Devices DeviceSearch::of_tensor(const Value& value, const Reading& at, const Context* context) {
  Devices out;
  out.cpu = value.device == Value::Device::kCpu;
  // from_blob(): tensors over memory of the host have dimensions. Of a loader's examples nothing is said here.
  out.whole = out.cpu && value.operands.size() == 1;
  out.cuda = value.device == Value::Device::kCuda || value.device == Value::Device::kMaybeCuda;
  if (value.device == Value::Device::kFromOperands) {
    // An operation reads all of its operands, whichever part of its result is asked for.
    const std::vector<int> elements = std::exchange(elements_, {});
    out = join(of_operands(value, at, context));
    elements_ = elements;
  }
  if (value.device == Value::Device::kExample) {
    // On the CPU, as what loaders give, but where the program itself puts a tensor of the GPU into an example.
    // Looked for once: a second search finds that it has been there.
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
  // A device that is chosen at run time is the GPU wherever there is one.
  if (value.device == Value::Device::kNamed) {
    const std::vector<Devices> all = of_operands(value, at, context);
    out = all[0].cuda ? Devices{false, true, false, false} : all[0];
    // Nothing: the search has been at this device before and counts it there, as in `x = make(x.device())`.
    if (all[0].empty()) out = all[0].unnamed ? all[1] : Devices{};
  }
  if (value.new_memory) out.pinned = false;
  out.pinned |= value.pinned;
  // A loaded example is pinned where the program makes pinned ones; from_blob() where its memory is.
  if (value.device == Value::Device::kCpu && value.operands.size() == 2)
    out.pinned |= loader_pins(value.operands[0].node, value.operands[1].operands);
  else if (value.device == Value::Device::kCpu && !value.operands.empty()) {
    out.pinned |= sources_.provenance.origins(value.operands.front(), at, context).has(MemoryKind::kPinned) ||
                  of_value(value.operands.front(), at, context).pinned;
  }
  return out;
}

// What a call gives back, as the functions that it may call show, or else as what it is given.
Devices DeviceSearch::of_call(const Value& value, const Reading& at, const Context* context) {
  if (at.function < 0) return {};
  const Site site{at.function, value.event};
  const Event& event = sources_.code.event(site);
  const std::vector<int>& callees = sources_.graph.callees(site);
  const Context inner{site, context};
  // A module's parameters and buffers move with the module.
  if (event.callee.name.find("register_") != std::string::npos) return {.unknown = true};
  Devices out;
  for (int callee : callees) {
    // Of a vector of tensors the elements; where nothing was put in, or it is no vector, what is returned itself.
    out |= of_node("*r:" + sources_.code.function(callee).usr, callee, &inner);
  }
  if (callees.empty()) out = join(of_operands(value, at, context));
  // split(), sort(), topk(): all that they give back lives with what they are given.
  if (out.empty() && event.kind == Event::Kind::kTensor)
    out = of_value(event.result, sources_.code.reading(site), context);
  if (callees.empty() && out.empty() && value.operands.empty()) {
    out = not_known(at);
    out |= made_out_of_sight(site);
  }
  return out;
}

}  // namespace syncsniff::program
