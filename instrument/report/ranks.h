// Compares the processes of one job that used a GPU: how busy each GPU was, and which rank the others wait for in
// collectives.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "instrument/report/gates.h"
#include "instrument/report/report.h"
#include "instrument/report/terminal_table.h"

namespace syncsniff::report {

struct Rank {
  std::string trace;
  uint32_t pid = 0;
  std::optional<uint32_t> rank;       // as its launcher numbered it
  uint64_t begin_ns = 0, end_ns = 0;  // of its trace, on the system's clock
  std::vector<uint32_t> devices;
  bool used_gpu = false;  // it launched work, or waited for a device
  uint64_t launches = 0;
  size_t steps = 0;
  double step_ns = 0;                                // median
  double busy = 0, collective = 0, idle = 0;         // shares of a step, 0 to 1; valid if `measured`
  double launching = 0, host_code = 0, waiting = 0;  // the same; parts of idle, waiting for whatever
  Figures figures;                                   // those that gates limit
  bool measured = false;                             // the GPU's work was recorded
  double collective_ns() const { return collective * step_ns; }
};

Rank summarise(const RunReport& report);

// The rank that the others wait for: they spend clearly longer in collectives than it does. nullopt: there is none.
std::optional<size_t> late_rank(const std::vector<Rank>& ranks);
// The rank whose own report is shown: the late one or, if there is none, the one whose GPU idles most.
size_t telling_rank(const std::vector<Rank>& ranks);

void write_ranks(const std::vector<Rank>& ranks, const Style& style, std::ostream& out);
std::string name_of(const Rank& rank);  // "rank 1 (pid 41)"

}  // namespace syncsniff::report
