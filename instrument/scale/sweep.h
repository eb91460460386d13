// Parses the values of a swept variable, such as `BATCH=32,64,128`; the program runs once for each.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace syncsniff::scale {

// Thrown for malformed values; what() is one line that says which form is allowed.
class SweepError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SweepValue {
  std::string text;  // as given on the command line
  double number = 0;
};

struct Sweep {
  std::string name;
  std::vector<SweepValue> values;  // ascending, at least two
};

// Parses distinct numbers above 0, at most 32. Throws SweepError.
Sweep parse_sweep(const std::string& text);

// Returns the words with every {NAME} replaced.
std::vector<std::string> with_value(const std::vector<std::string>& words, const std::string& name,
                                    const std::string& value);

}  // namespace syncsniff::scale
