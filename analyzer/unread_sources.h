// Sources of the project that belong to no unit although units call functions that their headers declare: a sign of an
// incomplete compile database, as `bear -- make` writes it after a build that had most objects already.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff {

struct UnreadSource {
  std::string source;  // conv.cu, beside conv.h or, for include/conv.h, in src/
  std::string called;  // a function that its header declares
  std::string by;      // a unit that calls it
};

// Looks up a few file names for each header that declares a function whose body no unit has.
std::vector<UnreadSource> unread_sources(const std::vector<facts::UnitFacts>& units);

}  // namespace syncsniff
