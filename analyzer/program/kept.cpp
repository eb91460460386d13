#include "analyzer/program/kept.h"

#include <algorithm>

#include "analyzer/facts/places.h"
#include "analyzer/program/outside_callers.h"

namespace syncsniff::program {

namespace {

constexpr size_t kMost = 64;  // nodes per function; one is enough to decide

bool is_parameter(const std::string& node) { return node.compare(0, 2, "p:") == 0; }

bool is_of_driver(MemoryKind kind) {
  return kind == MemoryKind::kDevice || kind == MemoryKind::kPinned || kind == MemoryKind::kManaged;
}

bool is_unconditional(const Function& f, int region) {
  for (int r = region; r > 0; r = f.regions[r].parent) {
    if (f.regions[r].kind == Region::Kind::kBranch && !f.regions[r].bare) return false;
  }
  return true;
}

std::string bare_node(const std::string& node) {
  const size_t begin = node.find_first_not_of('*');
  return begin == std::string::npos ? "" : node.substr(begin);
}

void add_nodes(const Value& value, std::set<std::string>& out) {
  if (!value.node.empty()) out.insert(bare_node(value.node));
  for (const Value& operand : value.operands) add_nodes(operand, out);
}

void add_arguments(const Event& call, std::set<std::string>& out) {
  for (const Value& argument : facts::values(call.args)) add_nodes(argument, out);
}

// Adds what is assigned to the variable, and the arguments of the calls whose results are.
void add_assigned(const Code& code, const Flows& flows, int f, const std::string& node, std::set<std::string>& out) {
  const std::vector<Event>& events = code.function(f).events;
  const std::vector<LinkedFlow>* into = flows.into(node);
  for (size_t i = 0; into && i < into->size() && i < kMost; ++i) {
    const Value& value = (*into)[i].flow->value;
    add_nodes(value, out);
    const bool call = value.kind == Value::Kind::kCall && (*into)[i].function == f;
    if (call && value.event >= 0 && value.event < static_cast<int>(events.size()))
      add_arguments(events[value.event], out);
  }
}

// The variables from which a returned object is made, through calls and constructors: `float* copy; cudaMalloc(&copy,
// n); Graph graph = Graph::over(copy, n); return Sampler(std::move(graph));`.
std::set<std::string> parts_of_result(const Code& code, const Flows& flows, int f) {
  const std::vector<Event>& events = code.function(f).events;
  std::set<std::string> parts;
  for (const Event& leave : events) {
    if (leave.kind != Event::Kind::kReturn) continue;
    for (const Event& call : events)
      if (call.kind == Event::Kind::kCall && facts::lies_in(call.place, leave.place)) add_arguments(call, parts);
  }
  for (size_t known = 0; known != parts.size() && parts.size() < kMost;) {
    known = parts.size();
    for (const Event& made : events)
      if (made.kind == Event::Kind::kCall && parts.count(made.into.str()) != 0) add_arguments(made, parts);
    for (const std::string& part : std::set<std::string>(parts)) add_assigned(code, flows, f, part, parts);
  }
  return parts;
}

bool makes_through_argument(const Code& code, const Event& event) {
  const ApiFact* fact = event.kind == Event::Kind::kApi ? code.api(event) : nullptr;
  return fact && is_of_driver(fact->allocates) && fact->out_arg >= 0;
}

// Also counts pointers that the caller passes by value.
void add_ended(std::set<std::string>& ended, const std::string& node) {
  if ((outlives_call(node) || is_parameter(node)) && ended.size() < kMost) ended.insert(bare_node(node));
}

}  // namespace

Kept::Kept(const Code& code, const Flows& flows, const CallGraph& graph)
    : code_(code),
      graph_(graph),
      makes_(code.count()),
      returned_(code.count()),
      parts_(code.count()),
      kept_(code.count()) {
  for (int f = 0; f < code.count(); ++f) read_result(flows, f);
  graph.settle([this](int f) { return read_function(f); });
}

void Kept::read_result(const Flows& flows, int f) {
  for (const auto& [flow, reading] : flows.returned(f)) add_nodes(flow->value, returned_[f]);
  const std::vector<Event>& events = code_.function(f).events;
  if (std::any_of(events.begin(), events.end(), [&](const Event& e) { return makes_through_argument(code_, e); }))
    parts_[f] = parts_of_result(code_, flows, f);
}

// Constructors and destructors are skipped: an object that allocates in one and frees in the other keeps nothing.
bool Kept::read_function(int f) {
  const Function& function = code_.function(f);
  if (function.is_kernel || is_special_member(function)) return false;
  const Nodes before = kept_[f];
  const bool made_before = makes_[f];
  for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
    if (is_unconditional(function, function.events[e].region)) read_event(f, e);
  }
  return !(before == kept_[f]) || made_before != makes_[f];
}

void Kept::read_event(int f, int e) {
  const Event& event = code_.function(f).events[e];
  const ApiFact* fact = code_.api(event);
  if (fact && event.kind == Event::Kind::kApi && !fact->pooled) return read_api(f, event, *fact);
  for (int callee : graph_.callees({f, e})) {
    makes_[f] = makes_[f] || makes_[callee];
    read_callee(f, event, callee);
  }
}

void Kept::add_made(int f, const std::string& node, bool raw) {
  const bool stays =
      outlives_call(node) ||
      (!node.empty() && (returned_[f].count(bare_node(node)) != 0 || (raw && parts_[f].count(bare_node(node)) != 0)));
  if (stays && kept_[f].made.size() < kMost) kept_[f].made.insert(bare_node(node));
}

void Kept::read_api(int f, const Event& event, const ApiFact& fact) {
  if (is_of_driver(fact.allocates) || !fact.creates.empty()) {
    makes_[f] = true;
    add_made(f, event.into);
    if (fact.out_arg >= 0 && fact.out_arg < static_cast<int>(event.args.size()))
      add_made(f, event.args[fact.out_arg].node, true);
    else
      for (const facts::Argument& argument : event.args) add_made(f, argument.node);
  }
  const int freed = fact.freed_arg != kNoArg ? fact.freed_arg : fact.destroys.empty() ? kNoArg : 0;
  if (freed >= 0 && freed < static_cast<int>(event.args.size()))
    add_ended(kept_[f].ended, event.args[freed].value.node);
}

// Resources in the callee's parameters are in the call's arguments here; other nodes have the same name in both.
void Kept::read_callee(int f, const Event& event, int callee) {
  const Nodes of_callee = kept_[callee];  // a copy: a function may call itself
  const auto& params = code_.function(callee).params;
  Nodes& kept = kept_[f];
  if (makes_[callee]) add_made(f, event.into);
  for (const std::string& node : of_callee.made)
    if (outlives_call(node)) add_made(f, node);
  for (const std::string& node : of_callee.ended)
    if (outlives_call(node)) add_ended(kept.ended, node);
  for (size_t i = 0; i < params.size() && i < event.args.size(); ++i) {
    if (of_callee.made.count(params[i]) != 0) add_made(f, event.args[i].node);
    if (of_callee.ended.count(params[i]) == 0) continue;
    add_ended(kept.ended, event.args[i].value.node);
    add_ended(kept.ended, event.args[i].node);
  }
}

bool Kept::keeps_or_gives_back(int f) const {
  const Nodes& kept = kept_[f];
  return !std::includes(kept.ended.begin(), kept.ended.end(), kept.made.begin(), kept.made.end()) ||
         !std::includes(kept.made.begin(), kept.made.end(), kept.ended.begin(), kept.ended.end());
}

}  // namespace syncsniff::program
