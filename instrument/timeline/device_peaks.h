// What a device could do at most, from what its driver says of it: for matrix products by kind of number, and for its
// memory. The peaks are those of dense matrices at the highest clock.
#pragma once

#include "runtime/trace/format.h"

namespace syncsniff::timeline {

// FLOP (of int8: operations) a second; 0: not known for this device.
double peak_flops(const trace::DeviceRecord& device, trace::GemmMath math);
// Bytes a second between the memory and the chip; 0: not known.
double peak_bandwidth(const trace::DeviceRecord& device);

const char* math_name(trace::GemmMath math);

}  // namespace syncsniff::timeline
