#include "analyzer/checks/networks_by_row.h"

#include <algorithm>
#include <string>

#include "analyzer/program/regions.h"

namespace syncsniff::checks {

using program::varies_with;

namespace {

bool is_field(const std::string& node) { return node.find("f:") < 2; }  // or "*f:...", what a field holds

// Whether the function, or one that it calls, stores a tensor in a field: a network that remembers its last input, or a
// recurrent one.
bool keeps_tensors(const Program& program, int function, int depth = 0) {
  constexpr int kDeepest = 4;
  const auto& events = program.function(function).events;
  for (int e = 0; e < static_cast<int>(events.size()); ++e) {
    const Event& event = events[e];
    if (event.callee.name == "std::tie" &&
        std::ranges::any_of(event.args, [](const auto& argument) { return is_field(argument.value.node); }))
      return true;
    if (!program.effects_of({function, e}).enqueues) continue;
    if (is_field(event.into)) return true;
    for (const int callee : program.callees({function, e}))
      if (depth == kDeepest || keeps_tensors(program, callee, depth + 1)) return true;
  }
  return false;
}

// Whether the loop's counter picks the object that the method is called on, or else some argument.
bool picks(const Event& event, int loop, bool object) {
  const auto& pairs = event.loops.index_args;
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    if (pairs[i + 1] == loop && (pairs[i] == kObject) == object) return true;
  return false;
}

bool takes_row(const Event& event, int loop) {
  return event.callee.id == "at::Tensor::operator[]" && picks(event, loop, false) && !varies_with(event, loop);
}

}  // namespace

bool runs_network_on_row(const Program& program, const ElementShare& share, Site call, int loop) {
  const auto& events = program.function(call.function).events;
  const Event& event = events[call.event];
  if (event.kind != Event::Kind::kCall || !varies_with(event, loop) || !share.runs_layer(call)) return false;
  if (picks(event, loop, true) || !picks(event, loop, false)) return false;
  if (std::none_of(events.begin(), events.begin() + call.event, [&](const Event& e) { return takes_row(e, loop); }))
    return false;
  return std::ranges::none_of(program.callees(call), [&](int callee) { return keeps_tensors(program, callee); });
}

}  // namespace syncsniff::checks
