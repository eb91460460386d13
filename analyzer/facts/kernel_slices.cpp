#include "analyzer/facts/kernel_slices.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <optional>
#include <set>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/kernel_memory.h"
#include "analyzer/facts/kernel_updates.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kDeepestSliceCalls = 4;  // depth of calls

using Decls = std::set<const Decl*>;

// x of x = y, ++x and x--; null if the statement stores nothing.
const Expr* stored_to(const Stmt* stmt) {
  if (const Assignment a = assignment(stmt); a.left) return a.left;
  const auto* unary = dyn_cast<UnaryOperator>(stmt);
  return unary && unary->isIncrementDecrementOp() ? unary->getSubExpr() : nullptr;
}

// The place is a variable itself, not memory that it points or refers to: `p = q`, `i = 0`.
bool is_variable(const Expr* place) {
  const auto* reference = dyn_cast<DeclRefExpr>(strip(place));
  return reference && !reference->getDecl()->getType()->isReferenceType();
}

class Stores {
 public:
  bool any = false;
  bool all_sliced = true;

  // `outer`: the parameters that point into the caller's memory; `sliced`: those that differ from slice to slice.
  void read(const FunctionDecl* function, const Decls& outer, const std::vector<const ParmVarDecl*>& sliced,
            int depth) {
    if (!open_.insert(function).second) return;
    const Stmt* body = function->getBody();
    Decls differing;
    for (const ParmVarDecl* parameter : sliced) {
      differing.insert(parameter);
      differing.merge(computed_from(parameter, body));
    }
    const Decls memory = pointers_into(outer, body);
    for_each_stmt(body, [&](const Stmt* stmt) {
      if (const Expr* place = stored_to(stmt); place && !is_variable(place) && lies_in(place, memory)) {
        any = true;
        all_sliced &= mentions(place, differing);
      }
      if (const auto* call = dyn_cast<CallExpr>(stmt); call && !isa<CXXOperatorCallExpr>(call))
        read_call(call, memory, differing, depth);
    });
    open_.erase(function);
  }

 private:
  // Also memory of the whole program: a __device__ array.
  static bool lies_in(const Expr* place, const Decls& memory) {
    const Decl* variable = variable_of(place);
    const auto* var = dyn_cast_or_null<VarDecl>(variable);
    return !variable || memory.count(variable) ||
           (var && var->hasGlobalStorage() && !var->hasAttr<CUDASharedAttr>() && !var->isStaticLocal());
  }

  // A function that gets an address in its slice writes there; any other, such as atomicAdd(&sum[i], x), is read if its
  // body is known.
  void read_call(const CallExpr* call, const Decls& memory, const Decls& differing, int depth) {
    const FunctionDecl* callee = call->getDirectCallee();
    const FunctionDecl* defined = callee ? callee->getDefinition() : nullptr;
    Decls outer;
    std::vector<const ParmVarDecl*> sliced;
    bool writes = false;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const Expr* arg = call->getArg(i);
      const ParmVarDecl* parameter = callee && i < callee->getNumParams() ? callee->getParamDecl(i) : nullptr;
      const bool differs = mentions(arg, differing);
      if (differs && defined && i < defined->getNumParams()) sliced.push_back(defined->getParamDecl(i));
      const QualType type = parameter ? parameter->getType() : arg->getType();
      const bool points = type->isPointerType() || type->isReferenceType();
      if (!points || type->getPointeeType().isConstQualified() || !memory.count(pointed_into(arg))) continue;
      if (differs) {
        any = true;
      } else {
        writes = true;
        if (defined && i < defined->getNumParams()) outer.insert(defined->getParamDecl(i));
      }
    }
    if (!writes) return;
    if (defined && defined->hasBody() && depth < kDeepestSliceCalls) return read(defined, outer, sliced, depth + 1);
    any = true;
    all_sliced = false;
  }

  std::set<const FunctionDecl*> open_;
};

// Whether the expression reads memory, or may do so in a call with arguments. Clang represents threadIdx.x as a call,
// too.
bool reads_memory(const Expr* expr) {
  bool reads = false;
  for_each_stmt(expr, [&](const Stmt* stmt) {
    const auto* call = dyn_cast<CallExpr>(stmt);
    reads |= names_element(stmt) || (call && call->getNumArgs() != 0);
  });
  return reads;
}

// z[k * n + i], not z[at[k] * n + i]: the index is computed from the parameter without reading memory.
bool counts_from(const Expr* element, const Decls& counted) {
  const auto* subscript = dyn_cast<ArraySubscriptExpr>(element);
  const Expr* place = subscript ? subscript->getIdx() : cast<UnaryOperator>(element)->getSubExpr();
  return mentions(element, counted) && !reads_memory(place);
}

// The parameter and variables that the body computes from it alone, not from data that is read at such an index.
Decls counted_from(const ParmVarDecl* number, const Stmt* body) {
  Decls out{number};
  add_made(out, body,
           [&](const ValueDecl*, const Expr* value) { return mentions(value, out) && !reads_memory(value); });
  return out;
}

// k - 1, k + n: the number of another slice.
bool names_another(const ParmVarDecl* number, const Stmt* body) {
  const auto is_number = [&](const Expr* side) {
    const auto* reference = dyn_cast<DeclRefExpr>(strip(side));
    return reference && reference->getDecl() == number;
  };
  bool names = false;
  for_each_stmt(body, [&](const Stmt* stmt) {
    const auto* sum = dyn_cast<BinaryOperator>(stmt);
    names |= sum && sum->isAdditiveOp() && (is_number(sum->getLHS()) || is_number(sum->getRHS()));
  });
  return names;
}

// The arrays that the kernel updates, each as the set of variables that point into it.
std::vector<Decls> changed_arrays(const FunctionDecl* kernel) {
  std::vector<Decls> out;
  for (unsigned i = 0; i < kernel->getNumParams(); ++i) {
    if (update_of(kernel, i) == Update::kGoesOn)
      out.push_back(pointers_into({kernel->getParamDecl(i)}, kernel->getBody()));
  }
  return out;
}

bool stays_in_slice(const Stmt* body, const ParmVarDecl* number, const std::vector<Decls>& arrays) {
  if (names_another(number, body)) return false;
  const Decls counted = counted_from(number, body);
  bool stays = true;
  for (const Decls& array : arrays) {
    for_each_stmt(body, [&](const Stmt* stmt) {
      if (names_element(stmt) && array.count(variable_of(cast<Expr>(stmt))))
        stays &= counts_from(cast<Expr>(stmt), counted);
      const auto* call = dyn_cast<CallExpr>(stmt);
      for (unsigned a = 0; call && a < call->getNumArgs(); ++a) {
        const bool points = call->getArg(a)->getType()->isPointerType() || call->getArg(a)->isLValue();
        if (points && array.count(pointed_into(call->getArg(a)))) stays &= mentions(call->getArg(a), counted);
      }
    });
  }
  return stays;
}

}  // namespace

Slices slices_of(const FunctionDecl* declared) {
  Slices out;
  const FunctionDecl* kernel = declared ? declared->getDefinition() : nullptr;
  if (!kernel || !kernel->hasBody()) return out;
  std::optional<std::vector<Decls>> arrays;
  Decls outer;
  for (const ParmVarDecl* parameter : kernel->parameters()) {
    if (parameter->getType()->isPointerType() || parameter->getType()->isRecordType()) outer.insert(parameter);
  }
  for (unsigned i = 0; i < kernel->getNumParams(); ++i) {
    const ParmVarDecl* parameter = kernel->getParamDecl(i);
    if (!parameter->getType()->isIntegerType()) continue;
    Stores stores;
    stores.read(kernel, outer, {parameter}, 0);
    if (!stores.any || !stores.all_sliced) continue;
    out.by.push_back(static_cast<int>(i));
    if (!arrays) arrays = changed_arrays(kernel);
    if (stays_in_slice(kernel->getBody(), parameter, *arrays)) out.own.push_back(static_cast<int>(i));
  }
  return out;
}

}  // namespace syncsniff::facts
