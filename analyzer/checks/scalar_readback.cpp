// scalar-readback: a few bytes fetched from the GPU each step: a loss, a norm, a flag.
#include "analyzer/checks/check.h"
#include "analyzer/checks/copies.h"
#include "analyzer/checks/device_algorithms.h"

namespace syncsniff::checks {

namespace {

bool device_pointer_mode(const Program& program) {
  for (const auto* f : program.functions()) {
    for (const Event& e : f->events) {
      for (const std::string& text : e.arg_texts) {
        if (text == "CUBLAS_POINTER_MODE_DEVICE") return true;
      }
    }
  }
  return false;
}

void copies(const Program& program, Reporter& reporter) {
  const auto copying = [](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kApi && fact.copy && waits(event, fact);
  };
  for (const Located& where : hot_calls(program, copying)) {
    const Copy copy = read_copy(program, where);
    if (copy.direction != Direction::kDeviceToHost || !is_scalar(copy)) continue;
    const Event& event = program.event(where.api);
    reporter.report("scalar-readback", program, where,
                    event.callee_name + " fetches " + human_bytes(copy.bytes) + " from the GPU and waits for them, " +
                        often(where.heat));
  }
}

void host_results(const Program& program, Reporter& reporter) {
  const bool device_mode = device_pointer_mode(program);
  const auto with_result = [](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kApi &&
           (fact.blocks == Blocks::kHostResult ||
            (fact.blocks == Blocks::kHostPolicy && fact.waits_for == WaitsFor::kResult));
  };
  for (const Located& where : hot_calls(program, with_result)) {
    const Event& event = program.event(where.api);
    const ApiFact* fact = program.api(event);
    if (fact->blocks == Blocks::kHostResult) {
      if (device_mode) continue;
      const bool has = fact->result_arg >= 0 && fact->result_arg < static_cast<int>(event.args.size());
      if (has && program.origins(event.args[fact->result_arg], program.reading(where.api), where.context())
                     .has(MemoryKind::kDevice))
        continue;
    } else if (!runs_on_device(program, where)) {
      continue;
    }
    reporter.report("scalar-readback", program, where,
                    event.callee_name + " returns its result to the host and waits for it, " + often(where.heat));
  }
}

}  // namespace

void scalar_readback(const Program& program, Reporter& reporter) {
  copies(program, reporter);
  host_results(program, reporter);
}

}  // namespace syncsniff::checks
