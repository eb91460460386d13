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
  std::vector<const clang::FunctionDecl*> with_bodies;  // instances of templates instead of the templates; no lambdas
  // kCUDA, "cuda", x.cuda(), x.is_cuda() and the like occur in the project's own code, outside of branches that are
  // never taken, or the unit launches kernels of its own.
  bool name_cuda = false;
  std::set<const clang::CXXMethodDecl*> named_methods;  // no operators, and none that is only called on an object
};

HostFunctions host_functions(const clang::ASTContext& context, const ProjectFiles& project);

}  // namespace syncsniff::facts
