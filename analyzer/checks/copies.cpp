#include "analyzer/checks/copies.h"

#include <algorithm>

#include "analyzer/facts/parameter_node.h"
#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

namespace {

bool names(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

Direction by_kind_text(const std::string& text) {
  if (names(text, "HostToDevice")) return Direction::kHostToDevice;
  if (names(text, "DeviceToHost")) return Direction::kDeviceToHost;
  if (names(text, "DeviceToDevice")) return Direction::kDeviceToDevice;
  if (names(text, "HostToHost")) return Direction::kHostToHost;
  return Direction::kUnknown;
}

// The direction for a value of enum cudaMemcpyKind.
Direction by_kind(long long kind) {
  constexpr Direction kKinds[] = {Direction::kHostToHost, Direction::kHostToDevice, Direction::kDeviceToHost,
                                  Direction::kDeviceToDevice};
  return kind >= 0 && kind < 4 ? kKinds[kind] : Direction::kUnknown;
}

// Whether the call has an execution policy as first argument: thrust::copy(policy, first, last, result).
bool has_policy(const Event& event, const CopyFact& copy) {
  const int last = std::max({copy.dst, copy.src, copy.count});
  return copy.direction == CopyDirection::kByPointers && copy.dst >= 0 && copy.src >= 0 &&
         static_cast<int>(event.args.size()) == last + 2;
}

// cudaMemcpyDefault: the driver derives the direction from the pointers. A pointer to host memory decides it; so does a
// pointer to device memory, unless the other one may point to device memory, too.
void read_pointers(const Program& program, const Located& where, const CopyFact& copy, Copy& out) {
  const Event& api = program.event(where.api);
  const auto origins = [&](int arg) {
    const Value* value = argument_value(api, arg);
    if (value && value->text == facts::kHostSystem && !has_policy(api, *program.api(api)->copy)) {
      program::Origins host;
      host.all.push_back({MemoryKind::kPageable, {}, {}});
      return host;
    }
    return value ? program.origins(*value, program.reading(where.api), where.context()) : program::Origins{};
  };
  const auto dst = origins(copy.dst), src = origins(copy.src);
  const auto is_host = [](const program::Origins& o) {
    return o.proved() == MemoryKind::kPageable || o.proved() == MemoryKind::kPinned;
  };
  const auto is_device = [](const program::Origins& o) { return o.proved() == MemoryKind::kDevice; };
  const auto may_be_host = [](const program::Origins& o) {
    return !o.has(MemoryKind::kDevice) && !o.has(MemoryKind::kManaged);
  };
  const bool up = is_host(src) && is_device(dst), down = is_device(src) && is_host(dst);
  // Containers also copy from host to host, so both sides must be known.
  const bool one_decides =
      copy.direction == CopyDirection::kByArgument && !dst.has(MemoryKind::kManaged) && !src.has(MemoryKind::kManaged);
  if (is_device(dst) && is_device(src)) {
    out.direction = Direction::kDeviceToDevice;
  } else if (is_host(dst) && is_host(src)) {
    out.direction = Direction::kHostToHost;
  } else if (up || (one_decides && (is_host(src) || (is_device(dst) && may_be_host(src))))) {
    out.direction = Direction::kHostToDevice;
    out.likely = !is_host(src);
  } else if (down || (one_decides && (is_host(dst) || (is_device(src) && may_be_host(dst))))) {
    out.direction = Direction::kDeviceToHost;
    out.likely = !is_host(dst);
  }
}

}  // namespace

CopyFact copy_of(const Event& event, const ApiFact& fact) {
  CopyFact copy = *fact.copy;
  if (!has_policy(event, copy)) return copy;
  for (int* argument : {&copy.dst, &copy.src, &copy.count}) {
    if (*argument >= 0) ++*argument;
  }
  return copy;
}

bool is_scalar(const Copy& copy, double most_bytes) {
  return copy.bytes != facts::kNotConstant && static_cast<double>(copy.bytes) <= most_bytes;
}

double most_scalar_bytes(const Reporter& reporter) { return reporter.threshold("scalar-readback", "max_bytes"); }

bool is_explicit_wait(const Event& event, const ApiFact& fact) {
  return event.kind == Event::Kind::kApi && waits(event, fact) && !fact.copy && fact.waits_for != WaitsFor::kNothing &&
         fact.waits_for != WaitsFor::kResult && fact.allocates == MemoryKind::kUnknown &&
         fact.frees == MemoryKind::kUnknown && fact.creates.empty() && fact.destroys.empty();
}

const Value* argument_value(const Event& event, int argument) {
  if (argument == kObject) return &event.object;
  return argument >= 0 && argument < static_cast<int>(event.args.size()) ? &event.args[argument].value : nullptr;
}

std::string argument_text(const Program& program, const Located& where, int argument) {
  const Event* event = &program.event(where.api);
  if (argument < 0 || argument >= static_cast<int>(event->args.size())) return {};
  std::string text = event->args[argument].text;
  const Value* value = &event->args[argument].value;
  for (const program::Context* c = where.context(); c && value->kind == Value::Kind::kNode; c = c->outer) {
    const auto parameter = facts::parameter_node(value->node);
    if (!parameter) break;
    const Event& call = program.event(c->call);
    if (parameter->index >= call.args.size()) break;
    text = call.args[parameter->index].text;
    value = &call.args[parameter->index].value;
  }
  return text;
}

long long argument_constant(const Program& program, const Located& where, int argument) {
  const Event* event = &program.event(where.api);
  for (const program::Context* context = where.context();; context = context->outer) {
    const auto at = static_cast<size_t>(argument);
    if (argument < 0) return facts::kNotConstant;
    if (at < event->args.size() && event->args[at].constant != facts::kNotConstant) return event->args[at].constant;
    if (at >= event->arg_sums.size()) return facts::kNotConstant;
    const facts::Sum& sum = event->arg_sums[at];
    if (facts::is_constant(sum)) return facts::constant_part(sum);
    // A parameter that is never assigned has the value of the argument on this call path.
    argument = facts::parameter_in(sum);
    if (!context || argument < 0) return facts::kNotConstant;
    event = &program.event(context->call);
  }
}

Copy read_copy(const Program& program, const Located& where) {
  Copy out;
  const Event& event = program.event(where.api);
  const ApiFact* fact = program.api(event);
  if (!fact || !fact->copy) return out;
  const CopyFact copy = copy_of(event, *fact);
  switch (copy.direction) {
    case CopyDirection::kHostToDevice:
      out.direction = Direction::kHostToDevice;
      break;
    case CopyDirection::kDeviceToHost:
      out.direction = Direction::kDeviceToHost;
      break;
    case CopyDirection::kDeviceToDevice:
      out.direction = Direction::kDeviceToDevice;
      break;
    case CopyDirection::kByArgument:
      out.direction = by_kind(argument_constant(program, where, copy.kind));
      if (out.direction == Direction::kUnknown) out.direction = by_kind_text(argument_text(program, where, copy.kind));
      break;
    case CopyDirection::kByPointers:
      if (copy.descriptor >= 0 && copy.descriptor < static_cast<int>(event.args.size()))
        out.direction = by_kind(event.args[copy.descriptor].constant);
      break;
  }
  out.stated = out.direction != Direction::kUnknown;
  if (!out.stated) read_pointers(program, where, copy, out);
  if (out.direction == Direction::kHostToDevice) out.host_arg = copy.src;
  if (out.direction == Direction::kDeviceToHost) out.host_arg = copy.dst;
  if (copy.bytes == kReturn) out.bytes = event.result_bytes;
  if (copy.bytes >= 0 && copy.bytes < static_cast<int>(event.args.size())) {
    out.bytes = event.args[copy.bytes].constant;
    // The size is a parameter of the wrapper, so its value is what the wrapper's caller passes.
    const Value& bytes = event.args[copy.bytes].value;
    const auto parameter =
        bytes.kind == Value::Kind::kNode ? facts::parameter_node(bytes.node) : std::optional<facts::ParameterNode>();
    if (out.bytes == facts::kNotConstant && parameter && where.context() && !where.inner.empty()) {
      const Event& call = program.event(where.context()->call);
      if (parameter->index < call.args.size()) out.bytes = call.args[parameter->index].constant;
    }
  }
  return out;
}

program::Origins host_origins(const Program& program, const Located& where, const Copy& copy, const Value& host) {
  program::Origins origins = program.origins(host, program.reading(where.api), where.context());
  if (copy.stated)
    std::erase_if(origins.all, [](const program::Origin& origin) { return origin.memory == MemoryKind::kDevice; });
  return origins;
}

bool waits(const Event& event, const ApiFact& fact) {
  Blocks blocks = fact.blocks;
  for (const BlocksException& e : fact.except) {
    if (e.arg >= 0 && e.arg < static_cast<int>(event.args.size()) &&
        event.args[e.arg].text.find(e.equals) != std::string::npos) {
      blocks = e.blocks;
    }
  }
  return blocks == Blocks::kAlways;
}

std::string human_bytes(long long bytes) {
  if (bytes < 0) return "the data";  // facts::kNotConstant is negative
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  if (bytes < 1024 * 1024) return std::to_string(bytes / 1024) + " KiB";
  return std::to_string(bytes / (1024 * 1024)) + " MiB";
}

}  // namespace syncsniff::checks
