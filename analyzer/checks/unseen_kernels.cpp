#include "analyzer/checks/unseen_kernels.h"

#include <algorithm>
#include <cctype>

namespace syncsniff::checks {

namespace {

constexpr int kMostCallsToLaunch = 3;  // calls followed down to the launch

bool is_unseen_kernel(const Program& program, const Event& launch) {
  const int kernel = program.code().find(launch.callee.id);
  return !launch.callee.indirect && (kernel < 0 || !program.function(kernel).is_kernel);
}

bool reads_too(const Event& launch, int argument) {
  return std::ranges::any_of(launch.args, [&](const facts::Argument& other) {
    return other.read_only && other.value.node == launch.args[argument].value.node;
  });
}

// `updated`: the kernel must also get the memory to read.
bool may_be_written(const Program& program, Site site, int argument, bool updated, int depth = 0) {
  const Event& event = program.event(site);
  if (event.args[argument].read_only || event.args[argument].value.kind != Value::Kind::kNode) return false;
  if (event.kind == Event::Kind::kLaunch)
    return is_unseen_kernel(program, event) && (!updated || reads_too(event, argument));
  const std::vector<int>& callees = program.callees(site);
  if (event.kind != Event::Kind::kCall || callees.size() != 1 || depth == kMostCallsToLaunch) return false;
  const auto& callee = program.function(callees.front());
  if (argument >= static_cast<int>(callee.params.size())) return false;
  for (int e = 0; e < static_cast<int>(callee.events.size()); ++e) {
    const auto& args = callee.events[e].args;
    for (int a = 0; a < static_cast<int>(args.size()); ++a)
      if (args[a].value.node == callee.params[argument] &&
          may_be_written(program, {callees.front(), e}, a, updated, depth + 1))
        return true;
  }
  return false;
}

// Whether the loop gives the variable another value in each iteration.
bool is_assigned_in(const Program& program, Site site, int loop, const facts::Text& node) {
  const auto* flows = program.flows().into(node);
  return flows && std::ranges::any_of(*flows, [&](const program::LinkedFlow& flow) {
           return flow.function == site.function &&
                  program.inside(program.function(site.function), flow.flow->region, loop);
         });
}

// A variable, or a field of the method's own object: no element, no place in an array and no field of another object.
bool is_plain(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

bool may_be_written_unseen(const Program& program, Site site, int argument) {
  return may_be_written(program, site, argument, false);
}

bool is_updated_unseen(const Program& program, Site site, int argument) {
  return may_be_written(program, site, argument, true);
}

bool shares_memory_unseen(const Program& program, Site site, int loop) {
  const Event& event = program.event(site);
  for (int a = 0; a < static_cast<int>(event.args.size()); ++a) {
    const facts::Argument& argument = event.args[a];
    if (is_plain(argument.text) && may_be_written(program, site, a, false) &&
        !is_assigned_in(program, site, loop, argument.value.node))
      return true;
  }
  return false;
}

}  // namespace syncsniff::checks
