// tensor-to-host: a LibTorch call copies values from the GPU, or needs them on the host, in a loop that launches GPU
// work.
#include <algorithm>
#include <set>
#include <string_view>

#include "analyzer/checks/branches.h"
#include "analyzer/checks/check.h"
#include "analyzer/facts/words.h"

namespace syncsniff::checks {

namespace {

bool role_waits(const std::string& role) {
  return role == "sync_scalar" || role == "sync_size" || role == "sync_inside" || role == "to_host" ||
         role == "print" || role == "clip_grad_norm" || role == "move";
}

std::string what_it_does(const std::string& role, const std::string& name) {
  if (role == "sync_size" && name.rfind("index_put", 0) == 0)
    return "'" + name +
           "' with a mask needs the number of its true elements, which only the GPU knows, so the host waits";
  if (role == "sync_size")
    return "'" + name + "' returns a tensor whose size only the GPU knows, so the host waits for it";
  if (role == "sync_inside") return "'" + name + "' calls .item() internally, so the host waits";
  if (role == "to_host" || role == "move") return "'" + name + "' copies the tensor to the host and waits";
  if (role == "print") return "printing the tensor copies it to the host and waits";
  if (role == "clip_grad_norm") return "'" + name + "' calls .item() at its end, so the host waits for the norm";
  return "'" + name + "' waits for the GPU and copies its value to the host";
}

// The device of the tensor that the call reads: the object of a method, else the first argument.
program::Devices device_of(const Program& program, const Located& where) {
  const Event& event = program.event(where.api);
  if (event.callee.id == "at::operator<<")
    return program.devices(event.args.back().value, program.reading(where.api), where.context());
  const bool method = event.object.kind != Value::Kind::kUnknown;
  if (method) return program.devices(event.object, program.reading(where.api), where.context());
  if (event.args.empty()) return {false, false, true, false};
  return program.devices(event.args.front().value, program.reading(where.api), where.context());
}

// host.copy_(loss), host[i] = loss, host.index_put_({Slice(a, b)}, loss): a copy into a tensor on the host.
bool is_copy_into(const Event& event) {
  static const std::set<std::string_view> kCalls = {"at::Tensor::copy_", "at::Tensor::operator=(element)",
                                                    "at::Tensor::index_put_"};
  return kCalls.count(event.callee.id) != 0 && !event.args.empty();
}
// The value whose copy is written: for index_put_ the last argument, after the indices; for copy_ the first one.
const Value& written_by(const Event& event) {
  return event.callee.id == "at::Tensor::index_put_" ? event.args.back().value : event.args.front().value;
}
bool copies_to_host(const Program& program, const Located& where) {
  const Event& event = program.event(where.api);
  const program::Devices from = program.devices(written_by(event), program.reading(where.api), where.context());
  const program::Devices into = device_of(program, where);
  return from.cuda && !from.cpu && into.cpu && !into.cuda && !into.unknown;
}

// Whether all devices that the arguments may name are the CPU: to(kCPU), to(cpu_device).
bool moves_to_host(const Program& program, const Located& where) {
  bool named = false;
  for (const Value& arg : facts::values(program.event(where.api).args)) {
    const program::Devices target = program.devices(arg, program.reading(where.api), where.context());
    if (target.cuda) return false;
    named |= target.cpu && !target.unknown;
  }
  return named;
}

// The same tensor's value was read just before, and nothing was enqueued in between, so this call finds the GPU idle.
bool fetched_just_before(const Program& program, const Located& where) {
  const auto& function = program.function(where.api.function);
  const Event& event = program.event(where.api);
  const std::string name = facts::last_name(event.callee.name);
  const bool reads_only = name == "item" || name == "is_nonzero" || name == "operator bool";  // equal() also computes
  if (!reads_only || event.object.kind != Value::Kind::kNode || !where.inner.empty()) return false;
  for (int e = where.api.event - 1; e >= 0; --e) {
    const Event& before = function.events[e];
    const ApiFact* fact = program.api(before);
    const bool same = before.object.kind == Value::Kind::kNode && before.object.node == event.object.node;
    if (before.kind == Event::Kind::kTensor && fact && fact->tensor == "sync_scalar" && same)
      return program.inside(function, event.region, before.region);
    const Site between{where.api.function, e};
    const program::Effects& effects = program.effects_of(between);
    if (effects.enqueues || (effects.unknown && !program.callees(between).empty())) return false;
  }
  return false;
}

// to(kCPU, non_blocking = true) returns at once into memory that ATen pins.
bool returns_at_once(const Event& event, const std::string& role) {
  const bool copies = role == "to_host" || role == "move";
  return copies && std::ranges::find(event.args, "true", &facts::Argument::text) != event.args.end();
}

bool reads_from_gpu(const Program& program, const Located& where, const std::string& role) {
  const program::Devices there = device_of(program, where);
  return (there.cuda || there.unknown) && (role != "move" || moves_to_host(program, where));
}

Finding& report_read(const Program& program, Located& where, const std::string& role, Reporter& reporter) {
  const bool again = fetched_just_before(program, where);
  if (again) where.heat.severity = std::min(where.heat.severity, Severity::kLow);
  Finding& finding = reporter.report("tensor-to-host", program, where,
                                     what_it_does(role, facts::last_name(program.event(where.api).callee.name)) +
                                         (again ? " a second time, " : ", ") + often(where.heat));
  if (role == "sync_inside" || role == "clip_grad_norm") reporter.use_fix_for(finding, "inside");
  if (role == "sync_size") reporter.use_fix_for(finding, "size");
  return finding;
}

}  // namespace

void tensor_to_host(const Program& program, Reporter& reporter) {
  if (!program.usage().cuda_tensors) return;
  const auto reads = [](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kTensor && (role_waits(fact.tensor) || is_copy_into(event));
  };
  for (Located& where : hot_calls(program, reads)) {
    const Event& event = program.event(where.api);
    const bool copy_into = is_copy_into(event);
    const std::string role = copy_into ? "to_host" : program.api(event)->tensor;
    if (returns_at_once(event, role)) continue;
    if (copy_into && !copies_to_host(program, where)) continue;
    // clip_grad_norm reads the model's parameters. Where these are is not tracked, but the program uses the GPU.
    const bool of_model = role == "clip_grad_norm";
    const auto may_be_on_gpu = [&program, role, is_certain = copy_into || of_model](const Located& way) {
      return is_certain || reads_from_gpu(program, way, role);
    };
    const bool may_wait = find_way(program, where, may_be_on_gpu);
    if (!may_wait && role == "move") continue;
    const program::Devices devices =
        copy_into ? program::Devices{false, true, false, false} : device_of(program, where);
    const bool on_gpu = devices.cuda || of_model;
    if (!may_wait) {
      reporter.withhold("tensor-to-host", program, where, "the tensor lives on the CPU");
      continue;
    }
    Finding& finding = report_read(program, where, role, reporter);
    reporter.only_where(may_be_on_gpu);
    if (role == "sync_scalar") report_as_branch(program, where, kNoArg, finding, reporter);
    if (!on_gpu) finding.level = 1;
  }
}

}  // namespace syncsniff::checks
