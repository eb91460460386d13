// strided-by-thread: each thread of a warp accesses its own chunk of global memory, so accesses are not coalesced.
#include <cstdlib>

#include "analyzer/checks/kernel_launches.h"
#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

namespace {

// Whether the whole chunk fits into one sector; then every byte that a warp fetches is used.
bool fits_sector(const facts::KernelBody::Walk& walk, long long bytes) {
  const bool near = facts::is_constant(walk.apart) && std::llabs(facts::constant_part(walk.apart)) <= bytes;
  return near || (walk.bytes > 0 && walk.bytes <= bytes);
}

std::string distance(const facts::Sum& apart) {
  if (!facts::is_constant(apart)) return "far";
  return std::to_string(std::llabs(facts::constant_part(apart))) + " bytes";
}

}  // namespace

void strided_by_thread(const Program& program, Reporter& reporter) {
  const auto sector_bytes = static_cast<long long>(reporter.threshold("strided-by-thread", "sector_bytes"));
  const KernelLaunches launches(program);
  for (const auto* kernel : program.functions()) {
    if (!kernel->is_kernel || kernel->kernel.walks.empty() || launches.only_blocks_of(kernel->usr, 1)) continue;
    // One finding per kernel, since the same assignment of rows to threads causes all its strided accesses.
    Finding* finding = nullptr;
    for (const auto& walk : kernel->kernel.walks) {
      if (fits_sector(walk, sector_bytes)) continue;
      if (finding) {
        if (finding->location.line != walk.place.line && finding->evidence.size() < 4)
          finding->evidence.push_back({to_location(walk.place), "'" + walk.text + "' is accessed in the same way"});
        continue;
      }
      finding = &reporter.report_at(
          "strided-by-thread", walk.place, walk.text, kernel->name, launches.heat(kernel->usr),
          "each thread accesses its own chunk of '" + walk.text + "': neighbouring threads access addresses " +
              distance(walk.apart) + " apart, so a warp fetches 32 sectors where 4 would do");
    }
  }
}

}  // namespace syncsniff::checks
