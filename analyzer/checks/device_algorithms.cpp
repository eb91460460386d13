#include "analyzer/checks/device_algorithms.h"

#include <algorithm>

namespace syncsniff::checks {

namespace {

bool names_nosync(const Event& event, size_t argument) {
  return event.args[argument].text.find("par_nosync") != std::string::npos ||
         event.args[argument].value.text == facts::kAsynchronousPolicy;
}

// Decided by the policy's type, or by its source text, since the header of policies may be missing.
bool names_device_system(const facts::Argument& policy) {
  return policy.value.text == facts::kDeviceSystem || policy.text.str().find("cuda::par") != std::string::npos;
}

}  // namespace

bool is_asynchronous(const Event& algorithm) {
  for (size_t i = 0; i < algorithm.args.size(); ++i) {
    if (names_nosync(algorithm, i)) return true;
  }
  return false;
}

bool has_device_policy(const Event& algorithm) {
  if (algorithm.args.empty()) return false;
  const facts::Argument& policy = algorithm.args.front();
  return names_device_system(policy) || policy.text == "thrust::device";
}

bool runs_on_device(const Program& program, const Located& where) {
  const Event& event = program.event(where.api);
  const auto origins = [&](const Value& value) {
    return program.origins(value, program.reading(where.api), where.context());
  };
  // If no iterator points to memory, Thrust runs on the device: for_each(counting_iterator(0), counting_iterator(n),
  // f).
  bool counts = false, on_host = false;
  for (size_t i = 0; i < event.args.size(); ++i) {
    const std::string& text = event.args[i].text;
    if (text.find("thrust::host") != std::string::npos) return false;
    if (names_nosync(event, i)) continue;  // the host still waits for the algorithm's result
    if (names_device_system(event.args[i]) || text.find("thrust::device") != std::string::npos) return true;
    const program::Origins from = origins(event.args[i].value);
    if (from.has(MemoryKind::kDevice)) return true;
    counts |= event.args[i].value.text == facts::kAnySystem;
    on_host |= from.has(MemoryKind::kPageable);
  }
  return origins(event.object).has(MemoryKind::kDevice) || (counts && !on_host);
}

}  // namespace syncsniff::checks
