// The trace files of a run: the first process writes TRACE, later ones TRACE.<pid>, and a process that calls exec
// TRACE.<pid>.<number>.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::launcher {

// Returns those that exist, sorted by name, without those in `before`, which a call before the start of the program
// returned: these belong to an older run, since traces are never overwritten.
std::vector<std::string> find_traces(const std::string& output, const std::vector<std::string>& before = {});

// The trace with the most records comes first; unreadable traces come last, so that their errors are still reported.
void sort_by_records(std::vector<std::string>& traces);

// True if this machine may have an NVIDIA GPU, judging by its device files.
bool gpu_present();

// True if programs can load the NVIDIA driver's library here.
bool driver_present();

}  // namespace syncsniff::launcher
