#include "instrument/compare/comparison_text.h"

namespace syncsniff::compare {

const std::vector<report::Format<Comparison>>& comparison_formats() {
  static const std::vector<report::Format<Comparison>> kFormats = {
      {"text", "for people", write_terminal},
      {"json", "for programs: every figure",
       [](const Comparison& change, bool, std::ostream& out) { write_json(change, out); }},
  };
  return kFormats;
}

}  // namespace syncsniff::compare
