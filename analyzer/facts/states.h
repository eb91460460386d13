// What a function does to states: flags and enumerations that a class or a namespace keeps. Which it writes, and which
// of its calls and copies run only where they have certain values. Says nothing of what a state is for.
#pragma once

#include "analyzer/facts/facts.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

struct StateSource {
  const clang::ASTContext& context;
  const ApiTable& apis;
  const Writes& writes;
  const Values& values;  // which event each call of the function is
};

// Fills in the function's `states` and `state_answer`.
void read_states(const clang::FunctionDecl* decl, const StateSource& source, Function& function);

}  // namespace syncsniff::facts
