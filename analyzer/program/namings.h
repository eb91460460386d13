// Where functions are named other than to call them: put into lists and fields, handed to other functions.
#pragma once

#include <optional>
#include <vector>

#include "analyzer/program/code.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

class Namings {
 public:
  Namings(const Code& code, const Flows& flows) : code_(code), flows_(flows) {}

  // At most a few.
  const std::vector<Place>& of(int function) const;

 private:
  void read() const;

  const Code& code_;
  const Flows& flows_;
  mutable std::optional<facts::TextMap<std::vector<Place>>> places_;  // made when first asked for: few programs need it
};

}  // namespace syncsniff::program
