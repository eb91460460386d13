// The trace files that a run left: the first process writes TRACE, later ones TRACE.<pid>.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::launcher {

// Those that exist, the one with most records first. Left out: those in `before`, which a call before the start gave:
// traces are never overwritten, so they are an older run's.
std::vector<std::string> find_traces(const std::string& output, const std::vector<std::string>& before = {});

// Can this machine have an NVIDIA GPU at all? (Its device files are looked for.)
bool gpu_present();

}  // namespace syncsniff::launcher
