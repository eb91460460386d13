#include "analyzer/facts/truth_tensors.h"

#include <algorithm>
#include <functional>

#include "analyzer/facts/names.h"
#include "analyzer/facts/tensor_calls.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kMostStepsToComparison = 8;  // number of views, variables and calls from the index back to the comparison

// kBool, the type of truth values.
bool names_truth(const Expr* type) {
  const auto* reference = dyn_cast<DeclRefExpr>(strip(type));
  return reference && (reference->getDecl()->getName() == "kBool" || reference->getDecl()->getName() == "Bool");
}

// What the options or the type in a variable were made from.
const Expr* made_from(const Expr* options) {
  const auto* reference = dyn_cast<DeclRefExpr>(strip(options));
  const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  const bool names_type = var && (is_device_type(var->getType()) || var->getType()->isEnumeralType());
  return names_type && !isa<ParmVarDecl>(var) ? var->getInit() : nullptr;
}

// Operations whose result is truth values.
constexpr const char* kTests[] = {
    "gt",         "ge",          "lt",          "le",    "eq",       "ne",      "greater",   "greater_equal",
    "less",       "less_equal",  "isnan",       "isinf", "isfinite", "isclose", "not_equal", "logical_and",
    "logical_or", "logical_not", "logical_xor", "isin"};

// Operations that join tensors, and operations that pick elements of one.
constexpr const char* kJoins[] = {"cat", "concat", "stack", "hstack", "vstack"};
constexpr const char* kPicks[] = {"index", "index_select", "masked_select", "gather", "take"};

template <size_t n>
bool is_one_of(const FunctionDecl* callee, const char* const (&names)[n]) {
  return std::any_of(std::begin(names), std::end(names), [&](StringRef name) { return callee->getName() == name; });
}

// `positives = (scores > 0).nonzero(); ...; positives = scores > 0;`: the value last assigned to the variable before
// this use, in the order of the text.
const Expr* last_value(const DeclRefExpr* use, const VarDecl* var) {
  const auto* function = dyn_cast_or_null<FunctionDecl>(var->getParentFunctionOrMethod());
  const SourceManager& sources = var->getASTContext().getSourceManager();
  const Expr* last = var->getInit();
  const std::function<void(const Stmt*)> look = [&](const Stmt* stmt) {
    if (!stmt || isa<LambdaExpr>(stmt)) return;
    const auto* op = dyn_cast<CXXOperatorCallExpr>(stmt);
    const auto* target = op && op->getOperator() == OO_Equal && op->getNumArgs() == 2
                             ? dyn_cast<DeclRefExpr>(strip(op->getArg(0)))
                             : nullptr;
    if (target && target->getDecl() == var && sources.isBeforeInTranslationUnit(op->getEndLoc(), use->getBeginLoc()))
      last = op->getArg(1);
    for (const Stmt* child : stmt->children()) look(child);
  };
  if (function && function->hasBody()) look(function->getBody());
  return last;
}

}  // namespace

// to(torch::kBool), ones_like(x, torch::kBool), zeros({n}, torch::dtype(torch::kBool)), to(mask.options()), and the
// same through a variable.
bool TruthTensors::ask_for_truth(const Stmt* argument, int depth) const {
  if (!argument || isa<LambdaExpr>(argument) || depth > kMostStepsToComparison) return false;
  if (const auto* expr = dyn_cast<Expr>(argument)) {
    if (names_truth(expr)) return true;
    if (is_tensor(expr->getType())) return false;
    if (const Expr* made = made_from(expr)) return ask_for_truth(made, depth + 1);
    const auto* asked = dyn_cast<CXXMemberCallExpr>(strip(expr));
    const Expr* of = asked ? asked->getImplicitObjectArgument() : nullptr;
    if (of && is_tensor(of->getType())) return is_device_type(asked->getType()) && holds(of, depth);
  }
  return std::any_of(argument->child_begin(), argument->child_end(),
                     [&](const Stmt* child) { return ask_for_truth(child, depth); });
}

// The tensor whose values a view, a copy or a move to another device has. Null if the values may differ, as after a
// conversion to another type.
const Expr* TruthTensors::seen_through(const CallExpr* call, const FunctionDecl* callee) const {
  const ApiFact* api = fact_of(callee, apis_);
  if (!api || !is_tensor(call->getType())) return nullptr;
  const bool moves = api->tensor == "move" && std::none_of(call->arg_begin(), call->arg_end(), [](const Expr* arg) {
                       return strip(arg)->getType()->isEnumeralType() && !is_device_type(strip(arg)->getType());
                     });
  const bool views = api->tensor == "shape_only" || api->tensor == "to_host" || api->tensor == "to_device" || moves;
  if (!views && callee->getName() != "clone" && !is_one_of(callee, kPicks)) return nullptr;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) return member->getImplicitObjectArgument();
  return call->getNumArgs() ? call->getArg(0) : nullptr;
}

bool TruthTensors::of_operator(const CXXOperatorCallExpr* op, int depth) const {
  switch (op->getOperator()) {
    case OO_Less:
    case OO_LessEqual:
    case OO_Greater:
    case OO_GreaterEqual:
    case OO_EqualEqual:
    case OO_ExclaimEqual:
    case OO_Tilde:  // the result for numbers is not used as an index
      return true;
    case OO_Amp:
    case OO_Pipe:
    case OO_Caret:
      return holds(op->getArg(0), depth) || holds(op->getArg(1), depth);
    case OO_Subscript:
      return holds(op->getArg(0), depth);
    case OO_Call:
      return of_result(op->getDirectCallee(), depth);
    default:
      return false;
  }
}

// Whether some `return` of a function in the unit returns truth values.
bool TruthTensors::of_result(const FunctionDecl* function, int depth) const {
  const Stmt* body = function && is_tensor(function->getReturnType()) ? function->getBody() : nullptr;
  std::vector<const Stmt*> open{body};
  while (!open.empty()) {
    const Stmt* stmt = open.back();
    open.pop_back();
    if (!stmt || isa<LambdaExpr>(stmt)) continue;
    const auto* result = dyn_cast<ReturnStmt>(stmt);
    if (result && result->getRetValue() && holds(result->getRetValue(), depth)) return true;
    open.insert(open.end(), stmt->child_begin(), stmt->child_end());
  }
  return false;
}

bool TruthTensors::of_call(const CallExpr* call, int depth) const {
  const FunctionDecl* callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier()) return false;
  const ApiFact* api = fact_of(callee, apis_);
  const bool of_library = api && !api->tensor.empty() && is_tensor(call->getType());
  const auto asks = [&](const Expr* argument) { return ask_for_truth(argument, depth); };
  if (of_library && std::any_of(call->arg_begin(), call->arg_end(), asks)) return true;
  if (is_one_of(callee, kTests)) return true;
  if (of_library && is_one_of(callee, kJoins)) {
    for (const Expr* argument : call->arguments()) {
      for (const Expr* tensor : listed_tensors(argument)) {
        if (holds(tensor, depth)) return true;
      }
    }
    return false;
  }
  if (const Expr* seen = seen_through(call, callee)) return holds(seen, depth);
  return of_result(callee, depth);
}

bool TruthTensors::of_variable(const DeclRefExpr* reference, int depth) const {
  const auto* var = dyn_cast<VarDecl>(reference->getDecl());
  if (var && var->isLocalVarDecl()) return holds(last_value(reference, var), depth);
  const auto* parameter = dyn_cast_or_null<ParmVarDecl>(var);
  if (!parameter) return false;
  if (const Expr* last = last_value(reference, parameter); last && last != parameter->getInit())
    return holds(last, depth);
  const std::vector<const Expr*>& given = writes_.given_for(parameter);
  return std::any_of(given.begin(), given.end(), [&](const Expr* argument) { return holds(argument, depth); });
}

bool TruthTensors::holds(const Expr* expr, int depth) const {
  if (!expr || ++depth > kMostStepsToComparison) return false;
  expr = strip(expr);
  if (const auto* construct = dyn_cast<CXXConstructExpr>(expr))
    return construct->getNumArgs() == 1 && holds(construct->getArg(0), depth);
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr)) return of_operator(op, depth);
  if (const auto* call = dyn_cast<CallExpr>(expr)) return of_call(call, depth);
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) return of_variable(reference, depth);
  const auto* member = dyn_cast<MemberExpr>(expr);
  const auto* field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  if (!field || !is_tensor(field->getType())) return false;
  const std::vector<Write>& writes = writes_.of(field);
  return std::any_of(writes.begin(), writes.end(), [&](const Write& write) {
    const auto* set = dyn_cast_or_null<CXXOperatorCallExpr>(write.at);
    return write.how == Write::How::kSet && set && set->getNumArgs() == 2 && holds(set->getArg(1), depth);
  });
}

bool TruthTensors::any_in(const Expr* indices) const {
  indices = strip(indices);
  if (!indices) return false;
  if (is_tensor(indices->getType())) return holds(indices);
  const auto of_child = [&](const Stmt* child) {
    const auto* inner = dyn_cast_or_null<Expr>(child);
    return inner && any_in(inner);
  };
  return std::any_of(indices->child_begin(), indices->child_end(), of_child);
}

}  // namespace syncsniff::facts
