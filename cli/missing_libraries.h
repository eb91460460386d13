// Clang's libraries, which a wheel or an archive of syncsniff does not contain: checked before the loader fails with
// its own message.
#pragma once

#include <string>

namespace syncsniff::cli {

// The libraries that the loader would not find for `program`, with ", " between them; empty: none.
std::string missing_libraries(const std::string& program);

}  // namespace syncsniff::cli
