// Reads a unit's facts from its syntax tree.
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/name_errors.h"
#include "analyzer/facts/project_files.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

// `names` is null for C and in a second reading; otherwise the uses of these names are read, too.
std::unique_ptr<clang::ASTConsumer> facts_consumer(UnitFacts& unit, const ProjectFiles& project, const ApiTable& apis,
                                                   NameErrors* names);

}  // namespace syncsniff::facts
