// Numbers as people read them: 3.2 us, 14.1 ms, 2.05 s; 1,480; 27.6 %. ASCII only.
#pragma once

#include <cstdint>
#include <string>

namespace syncsniff::report {

std::string format_number(const char* format, double value);  // as printf prints it
std::string format_time(uint64_t ns);                         // three significant digits and a unit; "0" for none
std::string format_count(double count);                       // whole numbers plain, else one decimal
std::string format_bytes(double bytes);                       // "512 B", "8.39 MB"
std::string format_flops(double flops);                       // "41.2 GFLOP", "1,081 TFLOP"
std::string format_share(uint64_t part, uint64_t whole);      // "27.6 %"; "" when whole is 0

}  // namespace syncsniff::report
