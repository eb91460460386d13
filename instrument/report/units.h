// Formats numbers for people: 3.2 us, 14.1 ms, 2.05 s; 1,480; 27.6 %. ASCII only.
#pragma once

#include <cstdint>
#include <string>

namespace syncsniff::report {

std::string format_number(const char* format, double value);  // as printf prints it
std::string format_time(uint64_t ns);                         // three significant digits and a unit; "0" for 0
std::string format_count(double count);                       // whole numbers without decimals, others with one
std::string format_bytes(double bytes);                       // "512 B", "8.39 MB"
std::string format_flops(double flops);                       // "41.2 GFLOP", "1,081 TFLOP"
std::string format_share(uint64_t part, uint64_t whole);      // "27.6 %"; "" if whole is 0

}  // namespace syncsniff::report
