#include "analyzer/program/program.h"

#include <algorithm>

namespace syncsniff::program {

namespace {

bool holds_managed(const Value& value) {
  return value.memory == MemoryKind::kManaged ||
         std::any_of(value.operands.begin(), value.operands.end(), holds_managed);
}

}  // namespace

MemoryKind Origins::proved() const {
  if (unknown || all.empty()) return MemoryKind::kUnknown;
  for (const Origin& o : all) {
    if (o.memory != all.front().memory) return MemoryKind::kUnknown;
  }
  return all.front().memory;
}

bool Origins::has(MemoryKind kind) const {
  return std::any_of(all.begin(), all.end(), [&](const Origin& o) { return o.memory == kind; });
}

Program::Program(std::vector<const facts::UnitFacts*> units, const ApiTable& apis, const Words& words,
                 LeftOver left_over)
    : apis_(apis), words_(words), left_over_(left_over.beside_feeding), uses_cuda_tensors_(left_over.beside_cuda) {
  for (const auto* unit : units) {
    uses_cuda_tensors_ |= unit->mentions_cuda_device;
    unread_ |= unit->fatal || unit->error_count > 0;
  }
  link_functions(units);
  link_flows(units);
  link_calls();
  find_host_reads();
  find_managed_memory();
  find_region_ends();
  find_streams(units);
  compute_effects();
  if (link_waited_tasks()) compute_effects();
  find_taken();
  compute_wrappers();
  compute_heat();
  find_preparing();
}

const ApiFact* Program::api(const Event& e) const {
  if (e.kind != Event::Kind::kApi && e.kind != Event::Kind::kTensor) return nullptr;
  const auto [known, is_new] = api_facts_.try_emplace(e.callee);
  if (is_new) known->second = apis_.find(e.callee);
  return known->second;
}

void Program::link_functions(const std::vector<const facts::UnitFacts*>& units) {
  for (const auto* unit : units) {
    for (const Function& f : unit->functions) {
      // A header's function is in every unit that includes it: the first copy stands for all.
      if (!by_usr_.emplace(f.usr, static_cast<int>(functions_.size())).second) continue;
      functions_.push_back(&f);
    }
  }
  for (size_t i = 0; i < functions_.size(); ++i) {
    for (size_t e = 0; e < functions_[i]->events.size(); ++e) {
      const Site site{static_cast<int>(i), static_cast<int>(e)};
      if (const ApiFact* fact = api(event(site))) api_calls_.push_back({site, fact});
    }
    for (const facts::Text base : functions_[i]->overrides) overriders_[base].push_back(static_cast<int>(i));
  }
}

void Program::link_flows(const std::vector<const facts::UnitFacts*>& units) {
  for (const auto* unit : units) {
    for (size_t order = 0; order < unit->flows.size(); ++order) {
      const Flow& flow = unit->flows[order];
      int function = -1;
      if (flow.function >= 0) {
        const Function& f = unit->functions[flow.function];
        function = find(f.usr);
        if (function < 0 || functions_[function] != &f) continue;  // another unit's copy was taken
      }
      flows_[flow.into].push_back({&flow, function, static_cast<int>(order)});
      if (flow.value.kind == Value::Kind::kNode) aliased_.insert(flow.value.node);
    }
  }
  for (size_t i = 0; i < functions_.size(); ++i) {
    for (size_t e = 0; e < functions_[i]->events.size(); ++e) {
      const Event& event = functions_[i]->events[e];
      for (size_t a = 0; a < event.arg_nodes.size(); ++a) {
        if (event.arg_nodes[a].empty()) continue;
        written_arguments_[event.arg_nodes[a]].push_back(
            {{static_cast<int>(i), static_cast<int>(e)}, static_cast<int>(a)});
      }
    }
  }
}

void Program::find_managed_memory() {
  for (const auto& [node, flows] : flows_) {
    for (const LinkedFlow& flow : flows) uses_managed_memory_ |= holds_managed(flow.flow->value);
  }
  for (const Function* f : functions_) {
    for (const Event& event : f->events) {
      const ApiFact* fact = api(event);
      uses_managed_memory_ |= (fact && fact->allocates == MemoryKind::kManaged) || holds_managed(event.object) ||
                              std::any_of(event.args.begin(), event.args.end(), holds_managed);
    }
  }
}

void Program::find_streams(const std::vector<const facts::UnitFacts*>& units) {
  for (const auto* unit : units) {
    if (unit->nonblocking_streams || unit->per_thread_default_stream) only_legacy_stream_ = false;
    per_thread_default_stream_ |= unit->per_thread_default_stream;
  }
  if (!only_legacy_stream_) return;
  for (const Function* f : functions_) {
    for (const Event& event : f->events) {
      const ApiFact* fact = api(event);
      const bool makes = (fact && fact->creates == "stream") ||
                         event.callee_name.find("Stream::") != std::string::npos ||
                         event.callee_name.find("StreamFromPool") != std::string::npos;
      if (makes || !event.stream.empty()) {
        only_legacy_stream_ = false;
        return;
      }
    }
  }
}

int Program::find(facts::Text usr) const {
  auto found = by_usr_.find(usr);
  return found == by_usr_.end() ? -1 : found->second;
}

}  // namespace syncsniff::program
