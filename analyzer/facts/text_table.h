// Prefetching for code that looks up many texts in a row: while one is compared, the memory for the next ones is
// loaded.
#pragma once

#include <cstddef>

namespace syncsniff::facts {

void expect_text(size_t hash);

}  // namespace syncsniff::facts
