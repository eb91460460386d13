// Function templates of libraries that the unit calls with a value of unknown type. Where such a template asks its
// argument's type for a member, no candidate is left, and Clang drops what is made of the result:
//   auto loader = make_data_loader<Sampler>(MyData(path).map(Stack<>()), 64);
//   for (auto& batch : *loader) step(batch);
#pragma once

#include <clang/AST/Decl.h>

#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/project_files.h"

namespace syncsniff::facts {

struct TemplateName {
  std::vector<std::string> scope;  // namespaces without inline ones, outermost first
  std::string name;
  auto operator<=>(const TemplateName&) const = default;
};

// Those that bodies of the functions call. Templates of the project are left out: an overload would hide their bodies.
std::set<TemplateName> templates_of_unknown_arguments(const std::vector<const clang::FunctionDecl*>& functions,
                                                      const ProjectFiles& project);

}  // namespace syncsniff::facts
