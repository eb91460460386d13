// A name for this build of the program: another build may find other facts, so cached ones must not be used.
#pragma once

#include <string>

namespace syncsniff::facts {

// The same for every installation of the same program, so that a cache can be copied between machines.
const std::string& build_stamp();

}  // namespace syncsniff::facts
