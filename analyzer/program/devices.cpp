// Where a tensor may live: followed backwards like memory, joined where an operation reads several tensors.
#include "analyzer/program/program.h"

namespace syncsniff::program {

struct Program::DeviceSearch {
  Visits visits;
  int depth = 0;
};

namespace {

Devices& operator|=(Devices& a, const Devices& b) {
  a.cpu |= b.cpu;
  a.cuda |= b.cuda;
  a.unknown |= b.unknown;
  a.pinned |= b.pinned;
  return a;
}

bool is_empty(const Devices& d) { return !d.cpu && !d.cuda && !d.unknown; }

// An operation's result lives where its operands do: one on the GPU decides, one not known makes it not known.
Devices join(const std::vector<Devices>& operands) {
  Devices out;
  for (const Devices& d : operands) {
    if (d.cuda) return {false, true, false, false};
    out |= d;
  }
  if (out.unknown) out.cpu = false;
  return out;
}

}  // namespace

Devices Program::devices(const Value& value, const Reading& at, const Context* context) const {
  DeviceSearch search;
  Devices found = search_devices(value, at, context, search);
  if (is_empty(found)) found.unknown = true;
  return found;
}

Devices Program::search_devices(const Value& value, const Reading& at, const Context* context,
                                DeviceSearch& search) const {
  if (search.depth > 40) return {false, false, true, false};
  ++search.depth;
  Devices out;
  const auto operands = [&] {
    std::vector<Devices> all;
    for (const Value& v : value.operands) all.push_back(search_devices(v, at, context, search));
    return all;
  };
  switch (value.kind) {
    case Value::Kind::kTensor:
      out.cpu = value.device == Value::Device::kCpu;
      out.cuda = value.device == Value::Device::kCuda || value.device == Value::Device::kMaybeCuda;
      if (value.device == Value::Device::kFromOperands) out = join(operands());
      if (value.device == Value::Device::kUnknown) out.unknown = true;
      // A device that is chosen at run time is the GPU wherever there is one.
      if (value.device == Value::Device::kNamed) {
        const std::vector<Devices> all = operands();
        out = is_empty(all[0]) ? all[1] : all[0].cuda ? Devices{false, true, false, false} : all[0];
      }
      out.pinned |= value.pinned;
      break;
    case Value::Kind::kAny:
      for (const Devices& d : operands()) out |= d;
      break;
    case Value::Kind::kNode:
      out = search_device_node(value.node, at, context, search);
      break;
    case Value::Kind::kContent:
      out = value.node.empty() ? Devices{} : search_device_node("*" + value.node, at, context, search);
      if (is_empty(out)) out = join(operands());
      break;
    case Value::Kind::kCall: {
      if (at.function < 0) break;
      const Site site{at.function, value.event};
      const Context inner{site, context};
      // A module's parameters and buffers move with the module.
      if (event(site).callee_name.find("register_") != std::string::npos) {
        out.unknown = true;
        break;
      }
      for (int callee : callees(site)) {
        out |= search_device_node("r:" + functions_[callee]->usr, callee, &inner, search);
      }
      if (callees(site).empty()) out = join(operands());
      break;
    }
    case Value::Kind::kNull:
      break;
    default:
      out.unknown = true;
  }
  --search.depth;
  return out;
}

Devices Program::search_device_node(const std::string& node, const Reading& at, const Context* context,
                                    DeviceSearch& search) const {
  const std::optional<Reaching> reached = visit(node, at, context, search.visits);
  if (!reached) return {};
  Devices out;
  for (const LinkedFlow* flow : reached->flows) {
    out |= search_devices(flow->flow->value, reading(*flow), flow->function == at.function ? context : nullptr, search);
  }
  if (node.rfind("p:", 0) == 0 && reached->entry) out |= search_device_param(node, at, context, search);
  // Elements of a container: where nothing that was put in is known, the container's own tensors decide.
  if (is_empty(out) && node[0] == '*') out = search_device_node(node.substr(1), at, context, search);
  return out;
}

Devices Program::search_device_param(const std::string& node, const Reading& at, const Context* context,
                                     DeviceSearch& search) const {
  Devices out;
  const size_t hash = node.rfind('#');
  const int callee = find(node.substr(2, hash - 2));
  const size_t index = std::stoul(node.substr(hash + 1));
  if (callee < 0) return out;
  for (const Site& site : callers_[callee]) {
    if (context && callee == at.function && !(context->call == site)) continue;
    const Event& e = event(site);
    const Context* outer = context && context->call == site ? context->outer : nullptr;
    if (index < e.args.size()) out |= search_devices(e.args[index], reading(site), outer, search);
  }
  if (callers_[callee].empty()) out.unknown = true;
  return out;
}

}  // namespace syncsniff::program
