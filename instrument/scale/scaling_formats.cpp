#include "instrument/scale/scaling.h"

namespace syncsniff::scale {

const std::vector<report::Format<Scaling>>& scaling_formats() {
  static const std::vector<report::Format<Scaling>> kFormats = {
      {"text", "for people", write_terminal},
      {"json", "for programs: every figure",
       [](const Scaling& scaling, bool, std::ostream& out) { write_json(scaling, out); }},
  };
  return kFormats;
}

}  // namespace syncsniff::scale
