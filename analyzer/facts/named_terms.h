// The names in a condition: weak evidence of how often a branch runs.
#pragma once

#include <clang/AST/ASTContext.h>

#include <vector>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/facts.h"
#include "analyzer/facts/lazy.h"

namespace syncsniff::facts {

// kModes: of a check that has failed, only what says which mode the program is in.
enum class Naming : uint8_t { kAll, kModes };

// `!net.train || l.onlyforward`: any operand of an || may be the one that lets the region run.
std::vector<NamedTerm> named_terms(const std::vector<Term>& terms, const clang::Stmt* branch,
                                   const std::vector<LoopAround>& loops, const clang::ASTContext& context,
                                   Naming naming = Naming::kAll);

}  // namespace syncsniff::facts
