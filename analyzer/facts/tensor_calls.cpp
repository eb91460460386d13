#include "analyzer/facts/tensor_calls.h"

#include <algorithm>
#include <functional>

#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// kBool, the type of truth values.
bool names_truth(const Expr* type) {
  const auto* reference = dyn_cast<DeclRefExpr>(strip(type));
  return reference && (reference->getDecl()->getName() == "kBool" || reference->getDecl()->getName() == "Bool");
}

// Operations whose result is truth values.
constexpr const char* kTests[] = {
    "gt",         "ge",          "lt",         "le",    "eq",       "ne",      "greater",   "greater_equal",
    "less",       "less_equal",  "isnan",      "isinf", "isfinite", "isclose", "not_equal", "logical_and",
    "logical_or", "logical_not", "logical_xor"};

// The tensor whose values a view, a copy or a move to another device shows. Null where the values may be others, as
// after a change of their type.
const Expr* hands_on_values(const CallExpr* call, const FunctionDecl* callee, const ApiTable& apis) {
  const ApiFact* api = apis.find(api_name(callee));
  if (!api || !is_tensor(call->getType())) return nullptr;
  const bool moves = api->tensor == "move" && std::none_of(call->arg_begin(), call->arg_end(), [](const Expr* arg) {
                       return strip(arg)->getType()->isEnumeralType() && !is_device_type(strip(arg)->getType());
                     });
  const bool views = api->tensor == "shape_only" || api->tensor == "to_host" || api->tensor == "to_device" || moves;
  if (!views && callee->getName() != "clone") return nullptr;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) return member->getImplicitObjectArgument();
  return call->getNumArgs() ? call->getArg(0) : nullptr;
}

// `positives = (scores > 0).nonzero(); ...; positives = scores > 0;`: what the variable was given last before this use,
// in the order of the text.
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

// A tensor of truth values, as far as its expression tells: a comparison, a view of one, or a variable made from one.
bool is_condition(const Expr* expr, const ApiTable& apis, int depth = 0) {
  expr = strip(expr);
  if (!expr || depth > 4) return false;
  if (const auto* construct = dyn_cast<CXXConstructExpr>(expr)) {
    return construct->getNumArgs() == 1 && is_condition(construct->getArg(0), apis, depth + 1);
  }
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr)) {
    switch (op->getOperator()) {
      case OO_Less:
      case OO_LessEqual:
      case OO_Greater:
      case OO_GreaterEqual:
      case OO_EqualEqual:
      case OO_ExclaimEqual:
        return true;
      case OO_Tilde:
      case OO_Amp:
      case OO_Pipe:
      case OO_Subscript:
        return is_condition(op->getArg(0), apis, depth + 1);
      default:
        return false;
    }
  }
  if (const auto* call = dyn_cast<CallExpr>(expr)) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier()) return false;
    if (callee->getName() == "to" && std::any_of(call->arg_begin(), call->arg_end(), names_truth)) return true;
    if (std::any_of(std::begin(kTests), std::end(kTests), [&](StringRef test) { return callee->getName() == test; }))
      return true;
    const Expr* seen = hands_on_values(call, callee, apis);
    return seen && is_condition(seen, apis, depth + 1);
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    const auto* var = dyn_cast<VarDecl>(reference->getDecl());
    return var && var->isLocalVarDecl() && is_condition(last_value(reference, var), apis, depth + 1);
  }
  return false;
}

bool holds_condition(const Expr* expr, const ApiTable& apis) {
  expr = strip(expr);
  if (!expr) return false;
  if (is_tensor(expr->getType())) return is_condition(expr, apis);
  const auto of_child = [&](const Stmt* child) {
    const auto* inner = dyn_cast_or_null<Expr>(child);
    return inner && holds_condition(inner, apis);
  };
  return std::any_of(expr->child_begin(), expr->child_end(), of_child);
}

// t[i] = x, t.select(0, i) = x: the left side is a view that the call before made, so x is written into t. The
// assignment to a variable only lets it name another tensor.
bool writes_into_view(const CXXOperatorCallExpr* assignment) {
  const Expr* left = strip(assignment->getArg(0));
  return isa<CallExpr>(left) && !left->IgnoreParenImpCasts()->isLValue();
}

// torch::tensor({1, 2}), torch::tensor(vector): many values are written on the host first; one number is not.
bool takes_a_list(const CallExpr* call) {
  if (!call->getNumArgs()) return false;
  const Expr* data = strip(call->getArg(0));
  const auto* construct = dyn_cast<CXXConstructExpr>(data);
  if (!construct || !construct->getNumArgs()) return isa<InitListExpr>(data);
  return !construct->getConstructor()->getParamDecl(0)->getType()->isArithmeticType();
}

std::string form_of_selection(const CallExpr* call, const std::string& name, const ApiTable& apis) {
  if (name == "at::where") return call->getNumArgs() == 1 ? "at::where(condition)" : "";
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  if (name == "at::Tensor::index" && member && member->getNumArgs() && holds_condition(member->getArg(0), apis))
    return "at::Tensor::index(mask)";
  // With a number for a value it is masked_fill_, which waits for nothing.
  const bool puts = name == "at::Tensor::index_put_" || name == "at::Tensor::index_put";
  if (puts && member && member->getNumArgs() >= 2 && is_tensor(strip(member->getArg(1))->getType()) &&
      holds_condition(member->getArg(0), apis))
    return "at::Tensor::index_put_(mask)";
  const auto* op = dyn_cast<CXXOperatorCallExpr>(call);
  if (name == "at::Tensor::operator[]" && op && op->getNumArgs() == 2 && is_tensor(strip(op->getArg(1))->getType()) &&
      is_condition(op->getArg(1), apis))
    return "at::Tensor::index(mask)";
  return {};
}

const Expr* argument_of(const CallExpr* call, unsigned index) {
  const bool given = index < call->getNumArgs() && !isa<CXXDefaultArgExpr>(call->getArg(index));
  return given ? strip(call->getArg(index)) : nullptr;
}

// multinomial() draws one value, or puts none back: it first checks the probabilities with .item().
bool checks_probabilities(const Expr* draws, const Expr* puts_back) {
  const auto* count = dyn_cast_or_null<clang::IntegerLiteral>(draws);
  const auto* back = dyn_cast_or_null<CXXBoolLiteralExpr>(puts_back);
  return (count && count->getValue() == 1) || !puts_back || (back && !back->getValue());
}

bool is_minus_one(const Expr* expr) {
  const auto* minus = dyn_cast<UnaryOperator>(expr);
  return minus && minus->getOpcode() == UO_Minus;
}

// What a function does where some arguments are given, or left out.
std::string form_by_arguments(const CallExpr* call, const std::string& name) {
  const unsigned first = isa<CXXMemberCallExpr>(call) ? 0 : 1;  // behind the tensor itself
  const Expr* next = argument_of(call, first);
  if (name == "at::multinomial" || name == "at::Tensor::multinomial")
    return checks_probabilities(next, argument_of(call, first + 1)) ? "at::multinomial(checked)" : "";
  // With one number for all elements, or the result's size given, nothing is left to ask the GPU for.
  if (name == "at::repeat_interleave" || name == "at::Tensor::repeat_interleave")
    return next && (next->getType()->isIntegerType() || argument_of(call, first + 2)) ? "at::Tensor::repeat" : "";
  if (name == "at::one_hot") return !next || is_minus_one(next) ? "at::one_hot(count unknown)" : "";
  // max and min of two tensors are elementwise; of one tensor they are reductions.
  const bool two = next && is_tensor(next->getType());
  if (name == "at::max" || name == "at::Tensor::max") return two ? "at::maximum" : "";
  if (name == "at::min" || name == "at::Tensor::min") return two ? "at::minimum" : "";
  return {};
}

}  // namespace

std::string form_of_tensor_call(const CallExpr* call, const std::string& name, const ApiTable& apis) {
  if (std::string selection = form_of_selection(call, name, apis); !selection.empty()) return selection;
  if (std::string form = form_by_arguments(call, name); !form.empty()) return form;
  if (name == "torch::tensor" && takes_a_list(call)) return "torch::tensor(list)";
  const auto* op = dyn_cast<CXXOperatorCallExpr>(call);
  if (name == "at::Tensor::operator=" && op && op->getNumArgs() == 2 && writes_into_view(op))
    return "at::Tensor::operator=(element)";
  return {};
}

std::vector<const Expr*> listed_tensors(const Expr* list) {
  std::vector<const Expr*> found;
  list = strip(list);
  if (!list) return found;
  if (is_tensor(list->getType())) return {list};
  if (isa<CallExpr, LambdaExpr>(list)) return found;
  for (const Stmt* child : list->children()) {
    const auto* inner = dyn_cast_or_null<Expr>(child);
    if (!inner) continue;
    for (const Expr* tensor : listed_tensors(inner)) found.push_back(tensor);
  }
  return found;
}

bool asks_for_pinned(const Expr* options, int depth) {
  options = strip(options);
  if (!options || depth > 8) return false;
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(options)) {
    const CXXMethodDecl* method = call->getMethodDecl();
    if (method && method->getIdentifier() && method->getName() == "pinned_memory" && call->getNumArgs()) {
      const auto* literal = dyn_cast<CXXBoolLiteralExpr>(strip(call->getArg(0)));
      return literal && literal->getValue();
    }
    return call->getImplicitObjectArgument() && asks_for_pinned(call->getImplicitObjectArgument(), depth + 1);
  }
  if (const auto* construct = dyn_cast<CXXConstructExpr>(options))
    return construct->getNumArgs() && asks_for_pinned(construct->getArg(0), depth + 1);
  const auto* reference = dyn_cast<DeclRefExpr>(options);
  const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return var && var->getInit() && asks_for_pinned(var->getInit(), depth + 1);
}

}  // namespace syncsniff::facts
