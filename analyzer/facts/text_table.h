// For who looks up many texts in a row: while one is compared, the memory that the next ones need can be on its way.
#pragma once

#include <cstddef>

namespace syncsniff::facts {

void expect_text(size_t hash);

}  // namespace syncsniff::facts
