// The names that the first reading of a unit could not resolve, and what a second reading needs to keep their
// statements.
#pragma once

#include "analyzer/facts/ambiguous_names.h"
#include "analyzer/facts/unknown_names.h"

namespace syncsniff::facts {

struct NameErrors {
  UnknownNames unknown;      // nothing declares them
  AmbiguousNames ambiguous;  // they have two meanings

  bool empty() const { return unknown.empty() && ambiguous.empty(); }

  // To be called at the end of the unit.
  void read_uses(clang::ASTContext& context, const ApiTable& apis) {
    unknown.read_uses(context, apis);
    ambiguous.choose(context);
  }

  // To be read before the unit's first line.
  std::string stand_ins(bool is_cuda) const { return unknown.stand_ins(is_cuda) + ambiguous.definitions(); }
};

}  // namespace syncsniff::facts
