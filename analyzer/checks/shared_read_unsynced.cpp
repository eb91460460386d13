// shared-read-unsynced: a thread reads shared memory that a thread of another warp writes, without a barrier in
// between.
#include "analyzer/checks/kernel_launches.h"

namespace syncsniff::checks {

void shared_read_unsynced(const Program& program, Reporter& reporter) {
  const auto warp = static_cast<long long>(reporter.threshold("shared-read-unsynced", "warp_threads"));
  const KernelLaunches launches(program);
  for (const auto* kernel : program.functions()) {
    if (!kernel->is_kernel || kernel->kernel.unsynced.empty()) continue;
    if (launches.only_blocks_of(kernel->usr, warp)) continue;
    for (const auto& found : kernel->kernel.unsynced) {
      Finding& finding = reporter.report_at(
          "shared-read-unsynced", found.read, found.read_text, kernel->name, launches.heat(kernel->usr),
          "'" + found.read_text + "' may be read before another warp has written it: no barrier is between '" +
              found.write_text + "' on line " + std::to_string(found.write.line) + " and this read");
      finding.evidence.push_back({to_location(found.write),
                                  found.by_one_thread ? "one thread writes '" + found.write_text + "'"
                                                      : "each thread writes its own element of '" + found.array + "'"});
    }
  }
}

}  // namespace syncsniff::checks
