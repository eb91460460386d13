// The formats that reports are written in, one entry each. Option help, completions, error messages and the manual come
// from these entries. CONTRIBUTING.md says how to add one.
#pragma once

#include <iosfwd>
#include <vector>

namespace syncsniff::report {

// `Data`: what is written, such as the report of a run or the comparison of two.
template <class Data>
struct Format {
  const char* name;
  const char* help;  // one line: who reads it
  void (*write)(const Data& data, bool colour, std::ostream& out);
};

struct Job;
const std::vector<Format<Job>>& report_formats();  // in the order in which help lists them; the first is the default

}  // namespace syncsniff::report
