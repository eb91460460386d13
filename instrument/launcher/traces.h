// The trace files of a run: the first process writes TRACE, later ones TRACE.<pid>, and one that executes itself
// TRACE.<pid>.<number>.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::launcher {

// Those that exist, in order of their names. Left out: those in `before`, which a call before the start gave: traces
// are never overwritten, so they are an older run's.
std::vector<std::string> find_traces(const std::string& output, const std::vector<std::string>& before = {});

// The trace with the most records comes first; unreadable traces come last, so that their errors are still reported.
void sort_by_records(std::vector<std::string>& traces);

// Can this machine have an NVIDIA GPU at all? (Its device files are looked for.)
bool gpu_present();

// Can programs load the NVIDIA driver's library here?
bool driver_present();

}  // namespace syncsniff::launcher
