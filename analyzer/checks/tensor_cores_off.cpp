// tensor-cores-off: a matrix product of floats does not use the tensor cores, because TF32 is off or because of its
// sizes.
#include <algorithm>
#include <string_view>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

bool any_argument(const Event& event, const char* part) {
  return std::ranges::any_of(
      event.args, [&](const std::string& text) { return contains(text, part); }, &facts::Argument::text);
}

// FP32 throughout: both the compute type and the matrix types are FP32.
bool computes_in_fp32(const Event& event) {
  const bool plain = std::ranges::find(event.args, "CUBLAS_COMPUTE_32F", &facts::Argument::text) != event.args.end();
  return plain && any_argument(event, "CUDA_R_32F") && !any_argument(event, "CUDA_R_16") &&
         !any_argument(event, "CUDA_R_8");
}

// What the program says anywhere about the precision of its matrix products.
struct Precision {
  bool cublas = false;  // the program sets a math mode: TF32, or deliberately a pedantic one
  bool torch = false;   // the program allows TF32, or uses other types than float
};
bool names_other_type(const std::string& argument) {
  for (const char* type : {"kHalf", "kBFloat16", "kDouble", "kFloat64", "kFloat16"})
    if (contains(argument, type)) return true;
  return false;
}
Precision precision_of(const Program& program) {
  Precision precision;
  facts::TextSet arguments;  // a set, since most texts are the same in many calls
  for (const auto* f : program.functions()) {
    for (const Event& event : f->events) {
      const ApiFact* const api = program.api(event);
      const std::string_view sets = api ? std::string_view(api->sets) : "";
      precision.cublas |= sets == "math_mode" && !any_argument(event, "CUBLAS_DEFAULT_MATH");
      precision.torch |= sets == "precision";
      for (const facts::Argument& argument : event.args)
        if (arguments.insert(argument.text).second) precision.torch |= names_other_type(argument.text);
    }
  }
  return precision;
}

// Which of m, n and k are not multiples of `multiple`. In every gemm of cuBLAS they follow the handle and the two
// transpositions.
std::string odd_sizes(const Event& event, long long multiple) {
  std::string out;
  for (size_t i = 3; i < 6 && i < event.args.size(); ++i) {
    const long long size = event.args[i].constant;
    if (size <= 1 || size % multiple == 0) continue;  // facts::kNotConstant is negative
    out += (out.empty() ? "" : ", ") + std::string(1, "mnk"[i - 3]) + " = " + std::to_string(size);
  }
  return out;
}

void cublas(const Program& program, const Precision& precision, Reporter& reporter) {
  const auto multiple = static_cast<long long>(reporter.threshold("tensor-cores-off", "size_multiple"));
  const auto product = [](const Event& event, const ApiFact& api) {
    return event.kind == Event::Kind::kApi && !api.product.empty();
  };
  for (const Located& where : hot_calls(program, product)) {
    const Event& event = program.event(where.api);
    const bool fp32 = program.api(event)->product == "fp32" || computes_in_fp32(event);
    if (fp32 && !precision.cublas) {
      reporter.report("tensor-cores-off", program, where,
                      event.callee.name +
                          " multiplies floats in FP32: no math mode allows TF32, so the tensor cores are not used, " +
                          often(where.heat));
    } else if (const std::string sizes = odd_sizes(event, multiple);
               !sizes.empty() && !any_argument(event, "PEDANTIC")) {
      Finding& finding = reporter.report("tensor-cores-off", program, where,
                                         event.callee.name + " has sizes that are not multiples of " +
                                             std::to_string(multiple) + " (" + sizes + "), " + often(where.heat));
      reporter.use_fix_for(finding, "sizes");
    }
  }
}

// Reported once per program: one line of code enables TF32 for all of its products.
void torch(const Program& program, const Precision& precision, Reporter& reporter) {
  if (!program.usage().cuda_tensors || precision.torch) return;
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& events = program.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      const ApiFact* const api = program.api(events[e]);
      if (events[e].kind != Event::Kind::kTensor || !api || api->product.empty()) continue;
      const Located where = located_at({f, e}, program.heat(Site{f, e}));
      const program::Devices device = program.devices(events[e].result, program.reading(where.at));
      if (!where.heat.hot || where.heat.dropped || (device.cpu && !device.cuda)) continue;
      Finding& finding =
          reporter.report("tensor-cores-off", program, where,
                          events[e].callee.name +
                              " multiplies floats in FP32, as every matrix product of this program does: "
                              "LibTorch keeps TF32 off until the program enables it");
      reporter.use_fix_for(finding, "torch");
      return;
    }
  }
}

}  // namespace

void tensor_cores_off(const Program& program, Reporter& reporter) {
  const Precision precision = precision_of(program);
  cublas(program, precision, reporter);
  torch(program, precision, reporter);
}

}  // namespace syncsniff::checks
