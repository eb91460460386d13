// What the variables of namespaces are made from: tables of functions, registries filled before main() begins.
#pragma once

#include <clang/AST/ASTContext.h>

#include <string>
#include <utility>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/project_files.h"

namespace syncsniff::facts {

// Adds the flows of the project's variables; bodies of lambdas that stand in their initialisers go to `bodies`, to be
// walked as functions of their own.
void read_globals(const clang::ASTContext& context, const ApiTable& apis, const ProjectFiles& project, UnitFacts& unit,
                  std::vector<std::pair<const clang::FunctionDecl*, std::string>>& bodies);

}  // namespace syncsniff::facts
