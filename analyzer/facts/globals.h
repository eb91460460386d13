// The initial values of the variables of namespaces: tables of functions, registries filled before main() begins.
#pragma once

#include <clang/AST/ASTContext.h>

#include <string>
#include <utility>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/project_files.h"

namespace syncsniff::facts {

// Adds the flows into the project's variables. The bodies of lambdas in their initialisers are added to `bodies`, to be
// walked as functions of their own.
void read_globals(const clang::ASTContext& context, const ApiTable& apis, const ProjectFiles& project, UnitFacts& unit,
                  std::vector<std::pair<const clang::FunctionDecl*, std::string>>& bodies);

}  // namespace syncsniff::facts
