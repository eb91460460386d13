#include "analyzer/checks/allocations.h"

#include <algorithm>

#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

constexpr size_t kMostEvents = 24;  // of a function that does little else

bool is_of_driver(MemoryKind kind) {
  return kind == MemoryKind::kDevice || kind == MemoryKind::kPinned || kind == MemoryKind::kManaged;
}

bool is_null(const Event& event, int argument) {
  if (argument < 0 || argument >= static_cast<int>(event.args.size())) return false;
  return event.args[argument].value.kind == Value::Kind::kNull || event.args[argument].constant == 0;
}

bool is_special_member(const std::string& name) {
  return name.ends_with("(constructor)") || name.find("::~") != std::string::npos;
}

bool in_debugging(const facts::Function& f, int region) {
  for (int r = region; r >= 0; r = f.regions[r].parent) {
    if (f.regions[r].gate == Gate::kDebug) return true;
  }
  return false;
}

// Nodes such as "*v:rows" and "**v:rows" are filed under the variable `rows`.
void add_node(const std::string& node, std::set<std::string>& out) {
  const size_t begin = node.find_first_not_of('*');
  if (begin != std::string::npos) out.insert(node.substr(begin));
}

void add_argument(const Event& event, int argument, std::set<std::string>& out) {
  if (argument < 0 || argument >= static_cast<int>(event.args.size())) return;
  add_node(event.args[argument].node, out);
  add_node(event.args[argument].value.node, out);
}

}  // namespace

bool makes(const Event& event, const ApiFact& fact) {
  if (event.kind != Event::Kind::kApi || fact.pooled || event.callee.own_allocator) return false;
  return is_of_driver(fact.allocates) || fact.registers_arg != kNoArg || !fact.creates.empty();
}

bool ends(const Event& event, const ApiFact& fact) {
  if (event.kind != Event::Kind::kApi || fact.pooled || event.callee.own_allocator || is_null(event, fact.freed_arg))
    return false;
  // realloc also frees its argument, but that is ordinary host memory and does not count.
  const bool unregisters =
      fact.freed_arg != kNoArg && fact.frees == MemoryKind::kUnknown && fact.allocates == MemoryKind::kUnknown;
  return is_of_driver(fact.frees) || unregisters || !fact.destroys.empty();
}

bool is_container_constructor(const Event& event) {
  return event.callee.id.rfind("thrust::", 0) == 0 && event.callee.id.ends_with("(constructor)");
}

AllocationWrappers::AllocationWrappers(const Program& program) : program_(program) {
  wrapper_.assign(program.functions().size(), false);
  program.graph().settle([this](int f) {
    if (wrapper_[f] || program_.callers(f).empty() || !looks_like_one(f)) return false;
    wrapper_[f] = true;
    return true;
  });
}

bool AllocationWrappers::looks_like_one(int function) const {
  const auto& f = program_.function(function);
  if (f.is_kernel || f.is_main) return false;
  if (program_.wrappers().waits_in_library(function)) return true;
  if (!is_special_member(f.name)) return looks_like_helper(function);
  // A constructor that runs the training loop is not a wrapper of an allocation: findings are reported inside it.
  for (int r = 0; r < static_cast<int>(f.regions.size()); ++r) {
    if (f.regions[r].kind == Region::Kind::kLoop && program_.loops().feeding.launches(function, r)) return false;
  }
  return true;
}

// The function makes one call that creates or destroys a resource, directly or through another helper; besides it only
// copies and host work.
bool AllocationWrappers::looks_like_helper(int function) const {
  const auto& f = program_.function(function);
  if (f.events.size() > kMostEvents) return false;
  int acts = 0;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    const ApiFact* fact = program_.api(event);
    bool acts_here = fact && (makes(event, *fact) || ends(event, *fact));
    for (int callee : program_.callees({function, e})) {
      if (wrapper_[callee] && !is_special_member(program_.function(callee).name))
        acts_here = true;
      else if (program_.effects().of(callee).enqueues || program_.effects().of(callee).waits)
        return false;
    }
    const bool launches = event.kind == Event::Kind::kLaunch || (fact && fact->launches_kernel);
    if (!acts_here && (launches || event.kind == Event::Kind::kTensor)) return false;
    if (!acts_here) continue;
    if (program::innermost_loop(f, event.region) >= 0 || in_debugging(f, event.region) || ++acts > 1) return false;
  }
  return acts == 1;
}

std::set<std::string> kept_in(const Program& program, Site site) {
  std::set<std::string> out;
  const Event& event = program.event(site);
  add_node(event.into, out);
  add_node(event.object.node, out);
  const ApiFact* fact = program.api(event);
  if (!fact) {
    for (const facts::Argument& argument : event.args) add_node(argument.node, out);
    return out;
  }
  const int freed = fact->freed_arg != kNoArg ? fact->freed_arg : fact->destroys.empty() ? kNoArg : 0;
  for (int argument : {fact->out_arg, freed, fact->registers_arg}) add_argument(event, argument, out);
  return out;
}

std::set<std::string> timed_events(const Program& program) {
  std::set<std::string> out;
  for (const auto* function : program.functions()) {
    for (const Event& event : function->events) {
      const ApiFact* fact = program.api(event);
      if (!fact || !fact->reads_elapsed) continue;
      for (int argument = 0; argument < static_cast<int>(event.args.size()); ++argument)
        add_argument(event, argument, out);
    }
  }
  return out;
}

}  // namespace syncsniff::checks
