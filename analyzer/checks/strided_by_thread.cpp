// strided-by-thread: each thread of a warp goes through a chunk of global memory of its own.
#include <cstdlib>

#include "analyzer/checks/kernel_launches.h"
#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

namespace {

// One sector holds the whole chunk: what a warp fetches is all used.
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
    Finding* told = nullptr;  // one a kernel: its rows are given to threads once
    for (const auto& walk : kernel->kernel.walks) {
      if (fits_sector(walk, sector_bytes)) continue;
      if (told) {
        if (told->location.line != walk.place.line && told->evidence.size() < 4)
          told->evidence.push_back({to_location(walk.place), "'" + walk.text + "' is gone through in the same way"});
        continue;
      }
      told = &reporter.report_at("strided-by-thread", walk.place, walk.text, kernel->name, launches.heat(kernel->usr),
                                 "each thread goes through '" + walk.text +
                                     "' by itself: neighbouring threads touch places " + distance(walk.apart) +
                                     " apart, so that a warp fetches 32 sectors where 4 would do");
    }
  }
}

}  // namespace syncsniff::checks
