#include "analyzer/checks/managed_scalar.h"

#include <algorithm>

#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

bool are_scalars(const Program& program, const ManagedMemory& memory, double most_bytes) {
  const auto& calls = program.code().api_calls();
  return !memory.empty() && std::ranges::all_of(memory, [&](const auto& allocated_at) {
    return std::ranges::any_of(calls, [&](const program::Code::ApiCall& call) {
      const Event& event = program.event(call.site);
      if (event.place.offset != allocated_at.second || event.place.file.str() != allocated_at.first) return false;
      const int bytes = call.fact->bytes_arg;
      if (bytes < 0 || bytes >= static_cast<int>(event.args.size())) return false;
      const long long constant = event.args[bytes].constant;
      return constant != facts::kNotConstant && static_cast<double>(constant) <= most_bytes;
    });
  });
}

bool kernel_writes(const Program& program, Site wait, int region, const ManagedMemory& memory) {
  const auto& f = program.function(wait.function);
  for (int e = 0; e < wait.event; ++e) {
    const Event& launch = f.events[e];
    if (!program.inside(f, launch.region, region) || !program.effects_of({wait.function, e}).launches) continue;
    for (const facts::Argument& argument : launch.args) {
      if (argument.read_only || argument.value.kind != Value::Kind::kNode) continue;
      const ManagedMemory given = managed_in(program.origins(argument.value, program.reading({wait.function, e})));
      if (std::ranges::includes(memory, given) && !given.empty()) return true;
    }
  }
  return false;
}

}  // namespace

bool is_managed_scalar_read(const Program& program, Site wait, Site read, const SharedMemory& shared,
                            double most_bytes) {
  const Event& event = program.event(read);
  const auto& f = program.function(wait.function);
  const int loop = program::innermost_loop(f, program.event(wait).region);
  if (event.kind != Event::Kind::kHostRead || read.function != wait.function ||
      program::innermost_loop(f, event.region) != loop)
    return false;
  const auto origins = program.origins(event.object, program.reading(read));
  if (origins.unknown || origins.proved() != MemoryKind::kManaged) return false;
  const ManagedMemory scalar = managed_in(origins);
  if (!are_scalars(program, scalar, most_bytes) || !kernel_writes(program, wait, std::max(loop, 0), scalar))
    return false;
  return !shared_access_behind(program, located_at(wait, {}), shared, scalar).always;
}

}  // namespace syncsniff::checks
