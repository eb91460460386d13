#include "rows.inc"
#include "runtime/shim/wrappers.h"

namespace syncsniff::shim {

void* wrapper(unsigned api, unsigned slot) noexcept { return kRows[api](slot); }

}  // namespace syncsniff::shim
