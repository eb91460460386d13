// Facts change with the program that finds them: a name for this build of it.
#pragma once

#include <string>

namespace syncsniff::facts {

// The same wherever and whenever the same program was installed, so that a cache may travel with it.
const std::string& build_stamp();

}  // namespace syncsniff::facts
