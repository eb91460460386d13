// Takes a unit's facts from its syntax tree.
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/project_files.h"
#include "analyzer/facts/unknown_names.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

// `unknown` is null in C, and when the stand-ins are there already; otherwise the uses of its names are read, too.
std::unique_ptr<clang::ASTConsumer> facts_consumer(UnitFacts& unit, const ProjectFiles& project, const ApiTable& apis,
                                                   UnknownNames* unknown);

}  // namespace syncsniff::facts
