// States, that is flags and enumerations that a class or a namespace holds: which ones a function writes, and which of
// its calls and copies run only for certain values of them. Says nothing of what a state means.
#pragma once

#include "analyzer/facts/facts.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

struct StateSource {
  const clang::ASTContext& context;
  const ApiTable& apis;
  const Writes& writes;
  const Values& values;  // gives the event of each call in the function
};

// Fills in the function's `states` and `state_answer`.
void read_states(const clang::FunctionDecl* decl, const StateSource& source, Function& function);

}  // namespace syncsniff::facts
