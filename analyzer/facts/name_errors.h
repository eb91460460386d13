// The names that a reading of a unit could not make out, and what a second reading takes to keep their statements.
#pragma once

#include "analyzer/facts/ambiguous_names.h"
#include "analyzer/facts/unknown_names.h"

namespace syncsniff::facts {

struct NameErrors {
  UnknownNames unknown;      // nothing declares them
  AmbiguousNames ambiguous;  // they mean two things

  bool empty() const { return unknown.empty() && ambiguous.empty(); }

  // At the end of the unit.
  void read_uses(clang::ASTContext& context, const ApiTable& apis) {
    unknown.read_uses(context, apis);
    ambiguous.choose(context);
  }

  // To be read before the unit's first line.
  std::string stand_ins(bool is_cuda) const { return unknown.stand_ins(is_cuda) + ambiguous.definitions(); }
};

}  // namespace syncsniff::facts
