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

  // To be called at the end of the unit, with the functions that it defines.
  void read_uses(clang::ASTContext& context, const ApiTable& apis,
                 const std::vector<const clang::FunctionDecl*>& functions, const ProjectFiles& project) {
    unknown.read_uses(context, apis);
    if (!unknown.empty()) unknown.note_templates(templates_of_unknown_arguments(functions, project));
    ambiguous.choose(context);
  }

  // To be read before the unit's first line.
  std::string stand_ins(bool is_cuda) const { return unknown.stand_ins(is_cuda) + ambiguous.definitions(); }
};

}  // namespace syncsniff::facts
