// The functions of a unit that run on the host, and whether the unit puts tensors on a GPU.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>

#include <set>
#include <vector>

#include "analyzer/facts/project_files.h"

namespace syncsniff::facts {

struct HostFunctions {
  std::vector<const clang::FunctionDecl*> with_bodies;  // instances of templates, not their patterns; no lambdas
  // kCUDA, "cuda", x.cuda(), x.is_cuda() and their like stand in the project's own code, other than in a branch that is
  // never taken, or it launches kernels of its own.
  bool name_cuda = false;
  std::set<const clang::CXXMethodDecl*> named_methods;  // no operators; not those called on an object
};

HostFunctions host_functions(const clang::ASTContext& context, const ProjectFiles& project);

}  // namespace syncsniff::facts
