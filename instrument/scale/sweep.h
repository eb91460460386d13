// The values that a variable takes, one run each: `BATCH=32,64,128`.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace syncsniff::scale {

// what(): one line that says what may be written.
class SweepError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SweepValue {
  std::string text;  // as it was given
  double number = 0;
};

struct Sweep {
  std::string name;
  std::vector<SweepValue> values;  // ascending, at least two
};

// Numbers above 0, each once, at most 32.
Sweep parse_sweep(const std::string& text);

// The words with every {NAME} replaced.
std::vector<std::string> with_value(const std::vector<std::string>& words, const std::string& name,
                                    const std::string& value);

}  // namespace syncsniff::scale
