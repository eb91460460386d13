// The most that a device can do, computed from its driver's description: for matrix products by number format, and for
// its memory. The peaks are those of dense matrices at the highest clock.
#pragma once

#include "runtime/trace/format.h"

namespace syncsniff::timeline {

// FLOP (for int8: operations) per second; 0: not known for this device.
double peak_flops(const trace::DeviceRecord& device, trace::GemmMath math);
// Bytes per second between the memory and the chip; 0: not known.
double peak_bandwidth(const trace::DeviceRecord& device);

const char* math_name(trace::GemmMath math);

}  // namespace syncsniff::timeline
