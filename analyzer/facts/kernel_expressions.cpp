// The values of expressions in a kernel.
#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/kernel_walk.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool same(const Known& a, const Known& b) { return a.kind == b.kind && a.param == b.param && a.sum == b.sum; }

}  // namespace

// threadIdx.x is a property in Clang's headers and a field in nvcc's.
std::string builtin_index(const Expr* expr) {
  const Expr* base = nullptr;
  std::string axis;
  if (const auto* object = dyn_cast<PseudoObjectExpr>(expr)) expr = object->getSyntacticForm();
  if (const auto* property = dyn_cast<MSPropertyRefExpr>(expr)) {
    base = property->getBaseExpr();
    axis = property->getPropertyDecl()->getNameAsString();
  } else if (const auto* member = dyn_cast<MemberExpr>(expr)) {
    base = member->getBase();
    axis = member->getMemberDecl()->getNameAsString();
  }
  if (const auto* opaque = dyn_cast_or_null<OpaqueValueExpr>(base)) base = opaque->getSourceExpr();
  const auto* reference = base ? dyn_cast<DeclRefExpr>(base->IgnoreParenImpCasts()) : nullptr;
  const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (!var || !var->hasGlobalStorage() || !var->getIdentifier()) return {};
  const StringRef name = var->getName();
  const char kind = name == "threadIdx"  ? kThread
                    : name == "blockIdx" ? kBlock
                    : name == "blockDim" ? kBlockSize
                    : name == "gridDim"  ? kGridSize
                                         : '\0';
  return kind ? kind + axis : std::string();
}

const Expr* unwrapped(const Expr* expr) {
  for (;;) {
    const Expr* inner = expr->IgnoreParens();
    if (const auto* e = dyn_cast<ConstantExpr>(inner)) inner = e->getSubExpr();
    if (const auto* e = dyn_cast<ExprWithCleanups>(inner)) inner = e->getSubExpr();
    if (const auto* e = dyn_cast<CXXBindTemporaryExpr>(inner)) inner = e->getSubExpr();
    if (const auto* e = dyn_cast<SubstNonTypeTemplateParmExpr>(inner)) inner = e->getReplacement();
    if (const auto* e = dyn_cast<CXXDefaultArgExpr>(inner)) inner = e->getExpr();
    if (const auto* e = dyn_cast<CXXDefaultInitExpr>(inner)) inner = e->getExpr();
    if (inner == expr) return expr;
    expr = inner;
  }
}

Sum index_of(const Known& known) {
  return known.kind == Known::Kind::kNumber ? known.sum : sum_of(std::string(kUnknownIndex));
}

void KernelWalk::operands(const Stmt* stmt) {
  for (const Stmt* child : stmt->children()) {
    const auto* expr = dyn_cast_or_null<Expr>(child);
    if (!expr) {
      if (child) fail();
      continue;
    }
    if ((expr->isGLValue() ? place(expr) : value(expr)).kind == Known::Kind::kMemory) fail();
  }
}

// The row i / columns or the column i % columns of an element. Each alone is an index that many threads share.
Known KernelWalk::part(BinaryOperatorKind kind, const Sum& whole, const Sum& by) {
  const std::string text = "(" + text_of(whole) + ")", of = "(" + text_of(by) + ")";
  const Sum quotient = sum_of(kUnknownIndex + text + "/" + of);
  if (kind == BO_Div) return number(quotient);
  const std::string remainder = kUnknownIndex + text + "%" + of;
  remainders_[remainder] = {whole, by, quotient};
  return number(sum_of(remainder));
}

// Turns row * columns + column back into the element's index.
Sum KernelWalk::put_together(Sum sum) const {
  if (remainders_.empty()) return sum;
  for (size_t i = 0; i < sum.products.size(); ++i) {
    const Product& column = sum.products[i];
    for (const Text& symbol : column.of) {
      const auto part = remainders_.find(symbol);
      if (part == remainders_.end()) continue;
      Product others = column;
      others.of.erase(std::find(others.of.begin(), others.of.end(), symbol));
      const Sum row = sum_of(others) * part->second.quotient * part->second.by;
      const bool has_row = row.products.size() == 1 &&
                           std::any_of(sum.products.begin(), sum.products.end(), [&](const Product& product) {
                             return product.factor == row.products[0].factor && product.of == row.products[0].of;
                           });
      if (has_row) return put_together(sum - row - sum_of(column) + sum_of(others) * part->second.whole);
    }
  }
  return sum;
}

Known KernelWalk::arithmetic(BinaryOperatorKind kind, const Known& a, QualType a_type, const Known& b,
                             QualType b_type) {
  if (a_type->isPointerType() || b_type->isPointerType()) {
    const bool first = a_type->isPointerType();
    if (kind == BO_Add) return first ? element(a, b, a_type) : element(b, a, b_type);
    if (kind == BO_Sub && !b_type->isPointerType()) return element(a, number(Sum{} - index_of(b)), a_type);
    return {};
  }
  if (a.kind != Known::Kind::kNumber || b.kind != Known::Kind::kNumber) return {};
  switch (kind) {
    case BO_Add:
      return number(put_together(a.sum + b.sum));
    case BO_Sub:
      return number(a.sum - b.sum);
    case BO_Mul:
      return number(a.sum * b.sum);
    case BO_Shl:
      return is_constant(b.sum) && constant_part(b.sum) < 32 ? number(a.sum * sum_of(1LL << constant_part(b.sum)))
                                                             : Known{};
    case BO_Div:
    case BO_Rem:
      if (depends_on_thread(b.sum)) return {};
      if (depends_on_thread(a.sum)) return part(kind, a.sum, b.sum);
      return number(sum_of("(" + text_of(a.sum) + ")" + (kind == BO_Div ? "/" : "%") + "(" + text_of(b.sum) + ")"));
    default:
      return {};
  }
}

Known KernelWalk::unary(const UnaryOperator* op) {
  if (op->getOpcode() == UO_AddrOf) {
    Known at = place(op->getSubExpr());
    if (at.kind == Known::Kind::kVariable) {
      // From here on it may be written through its address.
      if (known_[at.var].kind == Known::Kind::kMemory) return fail();
      known_[at.var] = {};
      at.kind = Known::Kind::kLocal;
    }
    return at;
  }
  if (op->isIncrementDecrementOp()) {
    const Known at = place(op->getSubExpr());
    const QualType type = op->getSubExpr()->getType();
    const Known before = load(at, type);
    const auto kind = op->isIncrementOp() ? BO_Add : BO_Sub;
    const Known after = arithmetic(kind, before, type, number(sum_of(1)), context_.IntTy);
    store(at, after, type);
    return op->isPrefix() ? after : before;
  }
  const Known operand = value(op->getSubExpr());
  if (op->getOpcode() == UO_Minus && operand.kind == Known::Kind::kNumber) return number(Sum{} - operand.sum);
  return op->getOpcode() == UO_Plus ? operand : Known{};
}

Known KernelWalk::binary(const BinaryOperator* op) {
  const Expr *left = op->getLHS(), *right = op->getRHS();
  if (op->getOpcode() == BO_Comma) {
    statement(left);
    return value(right);
  }
  if (op->getOpcode() == BO_Assign) {
    const Known what = value(right);
    store(place(left), what, left->getType());
    return what;
  }
  if (op->isCompoundAssignmentOp()) {
    const Known by = value(right), at = place(left);
    const Known before = load(at, left->getType());
    const auto kind = BinaryOperator::getOpForCompoundAssignment(op->getOpcode());
    const Known after = arithmetic(kind, before, left->getType(), by, right->getType());
    store(at, after, left->getType());
    return after;
  }
  if (op->isPtrMemOp()) return fail();
  const Known a = value(left), b = value(right);
  return arithmetic(op->getOpcode(), a, left->getType(), b, right->getType());
}

Known KernelWalk::one_of(const Known& a, const Known& b) {
  if (same(a, b)) return a;
  return a.kind == Known::Kind::kMemory || b.kind == Known::Kind::kMemory ? fail() : Known{};
}

// The value in the place, or in both places of `x > most ? most : x`, which is a place itself.
Known KernelWalk::read(const Expr* from, QualType type) {
  const auto* either = dyn_cast<ConditionalOperator>(unwrapped(from));
  if (!either) return load(place(from), type);
  value(either->getCond());
  const Known a = read(either->getTrueExpr(), type), b = read(either->getFalseExpr(), type);
  return one_of(a, b);
}

Known KernelWalk::converted(const CastExpr* expr) {
  const Expr* inner = expr->getSubExpr();
  switch (expr->getCastKind()) {
    case CK_LValueToRValue:
      return read(inner, expr->getType());
    case CK_ArrayToPointerDecay: {
      Known array = place(inner);
      if (array.kind == Known::Kind::kVariable) array.kind = Known::Kind::kLocal;
      return array;
    }
    case CK_PointerToIntegral:
      return value(inner).kind == Known::Kind::kMemory ? fail() : Known{};
    case CK_PointerToBoolean:
    case CK_ToVoid:
      inner->isGLValue() ? place(inner) : value(inner);
      return {};
    default:
      break;
  }
  const Known operand = inner->isGLValue() ? place(inner) : value(inner);
  const QualType to = expr->getType();
  if (operand.kind == Known::Kind::kNumber && !to->isIntegralOrEnumerationType()) return {};
  return operand;
}

// Copying an object reads it; any other constructor is a call.
Known KernelWalk::construct(const CXXConstructExpr* expr) {
  const CXXConstructorDecl* constructor = expr->getConstructor();
  if (constructor->isCopyOrMoveConstructor() && constructor->isTrivial() && expr->getNumArgs() == 1) {
    load(place(expr->getArg(0)), expr->getType());
    return {};
  }
  Known object;
  object.kind = Known::Kind::kLocal;
  const std::vector<const Expr*> args(expr->arg_begin(), expr->arg_end());
  const FunctionDecl* defined = nullptr;
  if (constructor->isTrivial() && args.empty()) return {};
  if (constructor->hasBody(defined))
    enter(defined, args, object);
  else
    library_call(constructor, args);
  return {};
}

Known KernelWalk::value(const Expr* expr) {
  if (failed_) return {};
  expr = unwrapped(expr);
  if (expr->isTypeDependent() || expr->isValueDependent()) return fail();
  Expr::EvalResult constant;
  if (expr->getType()->isIntegralOrEnumerationType() && !expr->isGLValue() && expr->EvaluateAsInt(constant, context_))
    return number(sum_of(bits_of(constant.Val.getInt())));
  if (const std::string index = builtin_index(expr); !index.empty()) return number(sum_of(index));
  if (expr->isGLValue()) return place(expr);
  if (const auto* e = dyn_cast<CastExpr>(expr)) {
    // threadIdx.x as a field is read like any other.
    const std::string index = builtin_index(e->getSubExpr()->IgnoreParens());
    return index.empty() ? converted(e) : number(sum_of(index));
  }
  if (const auto* e = dyn_cast<UnaryOperator>(expr)) return unary(e);
  if (const auto* e = dyn_cast<BinaryOperator>(expr)) return binary(e);
  if (const auto* e = dyn_cast<CallExpr>(expr)) return call(e);
  if (const auto* e = dyn_cast<CXXConstructExpr>(expr)) return construct(e);
  if (isa<CXXThisExpr>(expr)) return frames_.back().object;
  if (const auto* e = dyn_cast<ConditionalOperator>(expr)) {
    value(e->getCond());
    const Known a = value(e->getTrueExpr()), b = value(e->getFalseExpr());
    return one_of(a, b);
  }
  if (isa<LambdaExpr, CXXNewExpr, StmtExpr>(expr)) return fail();
  if (isa<UnaryExprOrTypeTraitExpr>(expr)) return {};
  operands(expr);
  return {};
}

}  // namespace syncsniff::facts
