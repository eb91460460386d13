// The trace files that a run left: the first process writes TRACE, later ones TRACE.<pid>.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::launcher {

// Those that exist, the one with most records first.
std::vector<std::string> find_traces(const std::string& output);

// Can this machine have an NVIDIA GPU at all? (Its device files are looked for.)
bool gpu_present();

}  // namespace syncsniff::launcher
