// Clang's libraries, which a wheel or an archive of syncsniff does not hold: said before the loader says it in its own
// words.
#pragma once

#include <string>

namespace syncsniff::cli {

// The libraries that the loader would not find for `program`, with ", " between them; empty: none.
std::string missing_libraries(const std::string& program);

}  // namespace syncsniff::cli
