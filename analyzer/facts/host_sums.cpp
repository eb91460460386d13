#include "analyzer/facts/host_sums.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/getters.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kDeepestHostSum = 12;

bool is_number_or_address(QualType type) {
  return type->isIntegralOrEnumerationType() || type->isPointerType() || type->isArrayType() ||
         type->isReferenceType();  // another name for the object that it is bound to
}

// A write may change the object's fields, but not which object it is. False for a smart pointer.
bool stays_one_object(QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  ASTContext& context = record->getASTContext();
  return record->lookup(context.DeclarationNames.getCXXOperatorName(OO_Arrow)).empty();
}

}  // namespace

long long element_size(QualType pointer, const ASTContext& context) {
  const Type* pointee = pointer->getPointeeOrArrayElementType();
  if (pointee == pointer.getTypePtr() || pointee->isIncompleteType() || pointee->isDependentType() ||
      pointee->isFunctionType())
    return 1;
  return context.getTypeSizeInChars(pointee).getQuantity();
}

// Which of this function's writes come before the reader: `p` before and after `p += n` are two values.
std::string HostSums::written_before(const ValueDecl* decl, const Expr* reader) const {
  const SourceManager& sm = context_.getSourceManager();
  const bool one_object = stays_one_object(decl->getType());
  const auto count = std::count_if(writes_.of(decl).begin(), writes_.of(decl).end(), [&](const Write& write) {
    return write.at && !write.initial && write.in == function_ &&
           !(one_object && call_ && is_within(write.at, call_, context_)) &&
           sm.isBeforeInTranslationUnit(sm.getFileLoc(write.at->getBeginLoc()), sm.getFileLoc(reader->getBeginLoc()));
  });
  if (count == 0) return "";
  return std::string(one_object ? kWrittenObject : "#") + std::to_string(count);
}

Sum HostSums::as_written(const Expr* expr) const {
  return sum_of(kLocalSymbol + source_text(expr->getSourceRange(), context_, 200));
}

Sum HostSums::of_variable(const VarDecl* var, const Expr* reader, int depth) const {
  const std::string count = written_before(var, reader);
  if (const auto* param = dyn_cast<ParmVarDecl>(var)) {
    if (param->getDeclContext() == function_)
      return sum_of(parameter_symbol(static_cast<int>(param->getFunctionScopeIndex())) + count);
  }
  const auto& writes = writes_.of(var);
  const bool once = writes.size() == 1 && writes.front().initial;
  const bool local = var->isLocalVarDecl() && !var->isStaticLocal();
  if (once && local && is_number_or_address(var->getType()) && !var->getType()->isArrayType())
    return of(var->getInit(), depth + 1);
  // A variable that a lambda captures has a meaning outside of the lambda, too.
  const bool own = local && var->getDeclContext() == function_;
  return sum_of((own ? kLocalSymbol : "") + node_of(var) + count);
}

// The text of the object before `.member`, with parameters as symbols.
std::string HostSums::object(const Expr* expr, int depth) const {
  expr = strip(expr);
  if (isa<CXXThisExpr>(expr)) return kThisSymbol;
  return text_of(of(expr, depth + 1));
}

Sum HostSums::of_operator(const BinaryOperator* op, int depth) const {
  const Expr *left = op->getLHS(), *right = op->getRHS();
  const bool moves = left->getType()->isPointerType() && right->getType()->isIntegerType();
  const Sum a = of(left, depth + 1), b = of(right, depth + 1);
  const Sum step = moves ? b * sum_of(element_size(left->getType(), context_)) : b;
  switch (op->getOpcode()) {
    case BO_Add:
      if (right->getType()->isPointerType()) return b + a * sum_of(element_size(right->getType(), context_));
      return a + step;
    case BO_Sub:
      return a - step;
    case BO_Mul:
      return a * b;
    case BO_Div:
    case BO_Rem:
      return sum_of("(" + text_of(a) + ")" + op->getOpcodeStr().str() + "(" + text_of(b) + ")");
    default:
      return as_written(op);
  }
}

Sum HostSums::of_call(const CallExpr* call, int depth) const {
  const FunctionDecl* callee = call->getDirectCallee();
  if (!callee) return as_written(call);
  if (const FieldGetter getter = field_getter(call); getter.field)
    return sum_of(object(getter.object, depth) + "." + getter.field->getNameAsString());
  std::string text = usr_of(callee);
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call))
    text = object(member->getImplicitObjectArgument(), depth) + "." + text;
  text += "(";
  for (const Expr* arg : call->arguments()) {
    if (!isa<CXXDefaultArgExpr>(arg)) text += text_of(of(arg, depth + 1)) + ",";
  }
  // ring.next(): another call may return another buffer.
  const SourceManager& sm = context_.getSourceManager();
  const std::string turn =
      writes_.counts(callee) ? "@" + std::to_string(sm.getFileOffset(sm.getFileLoc(call->getBeginLoc()))) : "";
  return sum_of(text + ")" + turn);
}

Sum HostSums::of(const Expr* expr, int depth) const {
  expr = strip(expr);
  if (!expr || expr->isValueDependent() || expr->getType().isNull() || depth > kDeepestHostSum)
    return expr ? as_written(expr) : Sum{};
  if (isa<CXXThisExpr>(expr)) return sum_of(kThisSymbol);
  Expr::EvalResult result;
  if (expr->getType()->isIntegralOrEnumerationType() && expr->EvaluateAsInt(result, context_))
    return sum_of(bits_of(result.Val.getInt()));
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    if (const auto* var = dyn_cast<VarDecl>(reference->getDecl())) return of_variable(var, expr, depth);
  }
  if (const auto* member = dyn_cast<MemberExpr>(expr)) {
    const ValueDecl* decl = member->getMemberDecl();
    if (isa<FieldDecl>(decl))
      return sum_of(object(member->getBase(), depth) + "." + decl->getNameAsString() + written_before(decl, expr));
  }
  if (const auto* op = dyn_cast<BinaryOperator>(expr)) return of_operator(op, depth);
  if (const auto* op = dyn_cast<UnaryOperator>(expr)) {
    if (op->getOpcode() == UO_Minus) return Sum{} - of(op->getSubExpr(), depth + 1);
    const Expr* inner = strip(op->getSubExpr());
    const auto* element = dyn_cast<ArraySubscriptExpr>(inner);
    if (op->getOpcode() == UO_AddrOf && element) {
      const Sum index = of(element->getIdx(), depth + 1);
      return of(element->getBase(), depth + 1) + index * sum_of(element_size(element->getBase()->getType(), context_));
    }
    if (op->getOpcode() == UO_AddrOf || op->getOpcode() == UO_Deref)
      return sum_of((op->getOpcode() == UO_Deref ? "*(" : "&(") + text_of(of(inner, depth + 1)) + ")");
  }
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(expr))
    return sum_of(object(element->getBase(), depth) + "[" + text_of(of(element->getIdx(), depth + 1)) + "]");
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr); op && op->getOperator() == OO_Subscript)
    return sum_of(object(op->getArg(0), depth) + "[" + text_of(of(op->getArg(1), depth + 1)) + "]");
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(expr);
      op && (op->getOperator() == OO_Arrow || op->getOperator() == OO_Star) && op->getNumArgs() == 1)
    return of(op->getArg(0), depth + 1);
  if (const auto* call = dyn_cast<CallExpr>(expr)) return of_call(call, depth);
  if (const auto* made = dyn_cast<CXXConstructExpr>(expr)) {
    if (made->getNumArgs() == 1 || made->getConstructor()->isCopyOrMoveConstructor())
      return of(made->getArg(0), depth + 1);
    std::string text = made->getConstructor()->getParent()->getNameAsString() + "(";
    for (const Expr* arg : made->arguments()) {
      if (!isa<CXXDefaultArgExpr>(arg)) text += text_of(of(arg, depth + 1)) + ",";
    }
    return sum_of(text + ")");
  }
  return as_written(expr);
}

}  // namespace syncsniff::facts
