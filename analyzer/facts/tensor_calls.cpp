#include "analyzer/facts/tensor_calls.h"

#include "analyzer/facts/containers.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// t[i] = x, t.select(0, i) = x: the left side is a view returned by a call, so x is written into t. An assignment to a
// variable only makes it refer to another tensor.
bool writes_into_view(const CXXOperatorCallExpr* assignment) {
  const Expr* left = strip(assignment->getArg(0));
  return isa<CallExpr>(left) && !left->IgnoreParenImpCasts()->isLValue();
}

// torch::tensor({1, 2}), torch::tensor(vector): a list of values is written on the host first; one number is not.
bool takes_a_list(const CallExpr* call) {
  if (!call->getNumArgs()) return false;
  const Expr* data = strip(call->getArg(0));
  const auto* construct = dyn_cast<CXXConstructExpr>(data);
  if (!construct || !construct->getNumArgs()) return isa<InitListExpr>(data);
  return !construct->getConstructor()->getParamDecl(0)->getType()->isArithmeticType();
}

std::string form_of_selection(const CallExpr* call, const std::string& name, const TruthTensors& truths) {
  if (name == "at::where") return call->getNumArgs() == 1 ? "at::where(condition)" : "";
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call))
    return form_of_indexing(name, {member->getArgs(), member->getNumArgs()}, truths);
  const auto* op = dyn_cast<CXXOperatorCallExpr>(call);
  if (name == "at::Tensor::operator[]" && op && op->getNumArgs() == 2 && is_tensor(strip(op->getArg(1))->getType()) &&
      truths.holds(op->getArg(1)))
    return "at::Tensor::index(mask)";
  return {};
}

const Expr* argument_of(const CallExpr* call, unsigned index) {
  const bool given = index < call->getNumArgs() && !isa<CXXDefaultArgExpr>(call->getArg(index));
  return given ? strip(call->getArg(index)) : nullptr;
}

// multinomial() that draws one value, or draws without replacement: it first checks the probabilities with .item().
bool checks_probabilities(const Expr* draws, const Expr* puts_back) {
  const auto* count = dyn_cast_or_null<clang::IntegerLiteral>(draws);
  const auto* back = dyn_cast_or_null<CXXBoolLiteralExpr>(puts_back);
  return (count && count->getValue() == 1) || !puts_back || (back && !back->getValue());
}

bool is_minus_one(const Expr* expr) {
  const auto* minus = dyn_cast<UnaryOperator>(expr);
  return minus && minus->getOpcode() == UO_Minus;
}

// The form of a function whose behaviour depends on which arguments are given.
std::string form_by_arguments(const CallExpr* call, const std::string& name) {
  const unsigned first = isa<CXXMemberCallExpr>(call) ? 0 : 1;  // after the tensor itself
  const Expr* next = argument_of(call, first);
  if (name == "at::multinomial" || name == "at::Tensor::multinomial")
    return checks_probabilities(next, argument_of(call, first + 1)) ? "at::multinomial(checked)" : "";
  // With one number for all elements, or with the result's size given, the size need not be read from the GPU.
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

// torch::empty({0, 4}): a tensor without elements, as for a batch without boxes.
static bool makes_no_elements(const Expr* tensor) {
  const auto* factory = dyn_cast<CallExpr>(strip(tensor));
  if (!factory || isa<CXXMemberCallExpr, CXXOperatorCallExpr>(factory) || factory->getNumArgs() == 0) return false;
  bool zero = false;
  const auto look = [&](const auto& self, const Stmt* stmt) -> void {
    if (const auto* number = dyn_cast_or_null<IntegerLiteral>(stmt)) zero |= number->getValue() == 0;
    if (!stmt || isa<CallExpr>(stmt)) return;
    for (const Stmt* child : stmt->children()) self(self, child);
  };
  // torch::tensor({0, 1}) takes values, not sizes.
  if (is_tensor(factory->getType()) && record_name(factory->getArg(0)->getType()).contains("ArrayRef"))
    look(look, factory->getArg(0));
  return zero;
}

// (a > b).to(torch::kFloat), (a > b).to(c.dtype()): converting truth values runs a kernel. For other tensors it may do
// nothing.
static bool turns_truths_into_numbers(const CXXMemberCallExpr& call, const TruthTensors& truths) {
  const Expr* type = argument_of(&call, 0);
  if (!type || argument_of(&call, 1)) return false;
  const auto* numbers = type->getType()->getAs<EnumType>();
  const bool names_type =
      (numbers && numbers->getDecl()->getName() == "ScalarType") || record_name(type->getType()) == "TypeMeta";
  return names_type && truths.holds(call.getImplicitObjectArgument());
}

std::string form_of_indexing(const std::string& name, llvm::ArrayRef<const Expr*> arguments,
                             const TruthTensors& truths) {
  if (!takes_indices(name) || arguments.empty() || !truths.any_in(arguments.front())) return {};
  if (name == "at::Tensor::index") return "at::Tensor::index(mask)";
  // If the value is a number, LibTorch runs masked_fill_, which does not wait.
  const bool puts_tensor = arguments.size() >= 2 && is_tensor(strip(arguments[1])->getType());
  return puts_tensor ? "at::Tensor::index_put_(mask)" : "";
}

bool takes_indices(const std::string& name) {
  return name == "at::Tensor::index" || name == "at::Tensor::index_put" || name == "at::Tensor::index_put_";
}

std::string form_of_tensor_call(const CallExpr* call, const std::string& name, const TruthTensors& truths) {
  if (std::string selection = form_of_selection(call, name, truths); !selection.empty()) return selection;
  if (std::string form = form_by_arguments(call, name); !form.empty()) return form;
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  const bool moves = name == "at::Tensor::to" || name == "at::Tensor::toBackend" || name == "at::Tensor::cuda";
  if (moves && member && makes_no_elements(member->getImplicitObjectArgument())) return "at::Tensor::to(no elements)";
  if (moves && member && turns_truths_into_numbers(*member, truths)) return "at::Tensor::to(numbers of truths)";
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
  const QualType type = list->getType();
  if (is_tensor(type) || (is_pack_of_tensors(type) && record_name(type) != "array")) return {list};
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
      const Expr* tested = strip(call->getArg(0));
      // The parameter is a std::optional<bool>.
      while (const auto* made = dyn_cast_or_null<CXXConstructExpr>(tested))
        tested = made->getNumArgs() ? strip(made->getArg(0)) : nullptr;
      const auto* literal = dyn_cast_or_null<CXXBoolLiteralExpr>(tested);
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
