#include "analyzer/facts/facts_text.h"

#include <map>

#include "analyzer/facts/sums.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

namespace {

const char* name_of(Gate gate) {
  switch (gate) {
    case Gate::kNone:
      return "";
    case Gate::kModulo:
      return "one iteration in many";
    case Gate::kLazy:
      return "lazy";
    case Gate::kError:
      return "error";
    case Gate::kNever:
      return "never";
    case Gate::kOnCpu:
      return "on the CPU";
    case Gate::kDebug:
      return "asked for";
    case Gate::kOnce:
      return "once";
    case Gate::kValidation:
      return "validation";
    case Gate::kBest:
      return "a new best value";
    case Gate::kLog:
      return "a wanted message";
  }
  return "";
}

const char* name_of(Value::Device device) {
  switch (device) {
    case Value::Device::kUnknown:
      return "an unknown device";
    case Value::Device::kCpu:
      return "the CPU";
    case Value::Device::kCuda:
      return "the GPU";
    case Value::Device::kMaybeCuda:
      return "the GPU where there is one";
    case Value::Device::kFromOperands:
      return "the device of its operands";
    case Value::Device::kUnnamed:
      return "no named device";
    case Value::Device::kNamed:
      return "the device that operand 0 names";
    case Value::Device::kExample:
      return "where examples are made";
    case Value::Device::kText:
      return "the device that operand 0 spells";
  }
  return "";
}

const char* name_of(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::kApi:
      return "API call";
    case Event::Kind::kCall:
      return "call";
    case Event::Kind::kLaunch:
      return "launch of";
    case Event::Kind::kTensor:
      return "tensor operation";
    case Event::Kind::kHostRead:
      return "host reads memory";
    case Event::Kind::kStore:
      return "host writes memory";
    case Event::Kind::kReturn:
      return "return";
    case Event::Kind::kElapsed:
      return "elapsed time";
  }
  return "";
}

template <class Items, class Show>
std::string joined(const Items& items, const Show& show) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ", ") + show(item);
  return out;
}

std::string joined(const List<int>& numbers) {
  return joined(numbers, [](int number) { return std::to_string(number); });
}

void add(std::string& line, const std::string& name, const std::string& value) {
  if (!value.empty()) line += ", " + name + (name.empty() ? "" : " ") + value;
}

void add_if(std::string& line, bool holds, const char* what) {
  if (holds) line += std::string(", ") + what;
}

std::string quoted(const std::string& text) { return text.empty() ? "" : "\"" + text + "\""; }

std::string line_of(const Place& place) { return place.line ? "line " + std::to_string(place.line) : ""; }

std::string text_of(const Region& region, size_t number) {
  const char* kind = region.kind == Region::Kind::kLoop ? "loop" : "branch";
  std::string line = "region " + std::to_string(number) + " in " + std::to_string(region.parent) + ": " + kind;
  add(line, "", line_of(region.place));
  add(line, "", quoted(region.text));
  add(line, "gate:", name_of(region.gate));
  if (region.period) add(line, "period:", std::to_string(region.period));
  if (region.once_in >= 0) add(line, "once in:", std::to_string(region.once_in));
  if (region.trips) add(line, "trips:", std::to_string(region.trips));
  add(line, "collection:", region.collection);
  add_if(line, region.bare, "braces alone");
  add_if(line, region.is_switch, "switch");
  add_if(line, region.forever, "forever");
  add_if(line, region.over_tensors, "over tensors");
  add_if(line, region.over_dimension, "over a dimension");
  add_if(line, region.neighbour_index, "uses a neighbour's index");
  add_if(line, region.kind == Region::Kind::kLoop && !region.unit_step, "no unit step");
  add_if(line, region.multiplies, "multiplies");
  add(line, "varying:", joined(region.varying, [](const Text& node) { return node.str(); }));
  add_if(line, region.carries_value, "carries a value");
  for (const FlagValue& flag : region.ends_if)
    add(line, "ends if", flag.flag.str() + (flag.value ? " is true" : " is false"));
  add_if(line, region.leaves, "leaves");
  return line;
}

std::string text_of(const Event& event, size_t number) {
  std::string line = "event " + std::to_string(number) + " in " + std::to_string(event.region) + ": " +
                     name_of(event.kind) + " " + event.callee.name.str();
  if (event.kind == Event::Kind::kApi && event.callee.id.str() != event.callee.name.str())
    add(line, "as", event.callee.id);
  add(line, "", line_of(event.place));
  if (event.object.kind != Value::Kind::kUnknown) add(line, "object:", text_of(event.object));
  if (!event.args.empty())
    line += ", args: " + joined(values(event.args), [](const Value& arg) { return text_of(arg); });
  add(line, "of class:", event.callee.of_class);
  add(line, "key:", event.key);
  add(line, "becomes:", event.into);
  if (event.result.kind != Value::Kind::kUnknown) add(line, "result:", text_of(event.result));
  add(line, "stream:", event.stream.text);
  add(line, "varies with:", joined(event.loops.varies_with));
  add(line, "becomes another with:", joined(event.loops.into_varies_with));
  add(line, "keeps a new one in:", joined(event.loops.keeps_new));
  add(line, "carries in:", joined(event.loops.carries_in));
  add(line, "picked by:", joined(event.loops.picked_by));
  add(line, "index args:", joined(event.loops.index_args));
  add_if(line, event.stream.by_turns, "by turns");
  add_if(line, event.callee.is_virtual, "virtual");
  add_if(line, event.callee.indirect, "indirect");
  add_if(line, event.callee.harmless, "harmless");
  return line;
}

std::string text_of(const KernelBody& kernel) {
  std::string line = kernel.elementwise ? "elementwise" : "not elementwise";
  for (size_t i = 0; i < kernel.params.size(); ++i) {
    const KernelParam& param = kernel.params[i];
    std::string use;
    if (param.reads) use += " reads";
    if (param.writes) use += " writes";
    if (param.elsewhere) use += " elsewhere";
    if (!use.empty()) line += ", parameter " + std::to_string(i) + use + " at " + text_of(param.at);
  }
  add(line, "slices:", joined(kernel.slices));
  add(line, "own slices:", joined(kernel.own_slices));
  add(line, "walks:", joined(kernel.walks, [](const KernelBody::Walk& walk) { return walk.text.str(); }));
  add(line, "unsynced:", joined(kernel.unsynced, [](const KernelBody::Unsynced& u) { return u.read_text.str(); }));
  return line;
}

std::string text_of(const Flow& flow) {
  return "flow into " + flow.into.str() + " in " + std::to_string(flow.region) + ": " + text_of(flow.value);
}

}  // namespace

std::string text_of(const Value& value) {
  const auto operands = [&] { return joined(value.operands, [](const Value& v) { return text_of(v); }); };
  switch (value.kind) {
    case Value::Kind::kUnknown:
      return "?";
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kConstant:
      return "constant " + value.text.str();
    case Value::Kind::kNode:
      return "node " + value.node.str();
    case Value::Kind::kObject:
      return "address of " + value.node.str() + " in " + to_string(value.memory) + " memory";
    case Value::Kind::kContent:
      return "content of " + (value.node.empty() ? operands() : value.node.str()) +
             (value.text.empty() ? "" : " at " + value.text.str());
    case Value::Kind::kAllocation:
      return std::string("allocation of ") + to_string(value.memory) + " memory";
    case Value::Kind::kCall:
      return "result of event " + std::to_string(value.event);
    case Value::Kind::kFunction:
      return "function " + value.node.str();
    case Value::Kind::kAny:
      return (value.text.empty() ? "any of (" : "under " + value.text.str() + " (") + operands() + ")";
    case Value::Kind::kTensor:
      return std::string("tensor on ") + name_of(value.device) + (value.pinned ? ", pinned" : "") +
             (value.claims_pinned ? ", said to be pinned" : "") +
             (value.operands.empty() ? "" : " (" + operands() + ")");
    case Value::Kind::kPack:
      return "pack (" + operands() + ")";
    case Value::Kind::kElement:
      return "element " + std::to_string(value.event) + " of (" + operands() + ")";
  }
  return "?";
}

std::string text_of(const UnitFacts& unit) {
  std::string out = "unit " + unit.file.str() + "\n";
  for (const Text& error : unit.errors) out += "  error: " + error.str() + "\n";
  std::map<int, std::string> flows;  // by the function's index
  for (const Flow& flow : unit.flows) flows[flow.function] += "    " + text_of(flow) + "\n";
  for (size_t f = 0; f < unit.functions.size(); ++f) {
    const Function& function = unit.functions[f];
    std::string line = "  function " + function.name.str();
    add(line, "", line_of(function.place));
    add_if(line, function.is_main, "main");
    add_if(line, function.is_adopted, "of a library");
    add_if(line, !function.owner.empty(), "lambda");
    add_if(line, !function.labels.empty(), "with labels");
    add_if(line, function.returns_time, "tells the time");
    if (function.is_kernel) line += ", kernel: " + text_of(function.kernel);
    out += line + "\n";
    for (size_t r = 1; r < function.regions.size(); ++r) out += "    " + text_of(function.regions[r], r) + "\n";
    for (size_t e = 0; e < function.events.size(); ++e) out += "    " + text_of(function.events[e], e) + "\n";
    out += flows[static_cast<int>(f)];
  }
  out += flows[-1];
  return out;
}

}  // namespace syncsniff::facts
