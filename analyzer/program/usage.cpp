#include "analyzer/program/usage.h"

#include <algorithm>

namespace syncsniff::program {

namespace {

bool holds_managed(const Value& value) {
  return value.memory == MemoryKind::kManaged ||
         std::any_of(value.operands.begin(), value.operands.end(), holds_managed);
}

bool makes_managed_memory(const Code& code, const Event& event) {
  const ApiFact* fact = code.api(event);
  return (fact && fact->allocates == MemoryKind::kManaged) || holds_managed(event.object) ||
         std::ranges::any_of(facts::values(event.args), holds_managed);
}

bool names_stream(const Code& code, const Event& event) {
  const ApiFact* fact = code.api(event);
  return (fact && (fact->creates == "stream" || fact->sets == "stream")) || !event.stream.text.empty();
}

bool any_event(const Code& code, bool (*test)(const Code&, const Event&)) {
  return std::any_of(code.functions().begin(), code.functions().end(), [&](const Function* f) {
    return std::any_of(f->events.begin(), f->events.end(), [&](const Event& event) { return test(code, event); });
  });
}

}  // namespace

Usage usage_of(const std::vector<const facts::UnitFacts*>& units, const Code& code, const Flows& flows,
               bool beside_cuda) {
  Usage out;
  out.cuda_tensors = beside_cuda;
  for (const auto* unit : units) {
    out.cuda_tensors |= unit->mentions_cuda_device;
    out.unread |= unit->fatal || unit->error_count > 0;
    out.only_legacy_stream &= !unit->per_thread_default_stream;
    out.per_thread_default_stream |= unit->per_thread_default_stream;
  }
  out.only_legacy_stream = out.only_legacy_stream && !any_event(code, names_stream);
  out.managed_memory = any_event(code, makes_managed_memory) ||
                       std::any_of(flows.all().begin(), flows.all().end(), [](const auto& of_node) {
                         return std::any_of(of_node.second.begin(), of_node.second.end(),
                                            [](const LinkedFlow& flow) { return holds_managed(flow.flow->value); });
                       });
  return out;
}

}  // namespace syncsniff::program
