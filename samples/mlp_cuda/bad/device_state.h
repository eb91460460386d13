// Asks the device whether all went well.
#pragma once

namespace bad {

void require_healthy_device();

}  // namespace bad
