// The places that a kernel's expressions name, and the reads and writes of memory there.
#include <clang/AST/Attr.h>
#include <clang/AST/RecordLayout.h>

#include "analyzer/facts/host_sums.h"
#include "analyzer/facts/kernel_walk.h"

namespace syncsniff::facts {

using namespace clang;

void KernelWalk::access(const Known& memory, QualType type, bool writes) {
  if (memory.param < 0 || type->isIncompleteType() || type.isVolatileQualified()) return void(fail());
  const long long bytes = context_.getTypeSizeInChars(type).getQuantity();
  accesses_.push_back({element_, memory.param, memory.sum, bytes, writes, striding_, loops_, unrolled_ > 0});
}

Known KernelWalk::load(const Known& place, QualType type) {
  if (place.kind == Known::Kind::kVariable) {
    const auto found = known_.find(place.var);
    return found == known_.end() ? Known{} : found->second;
  }
  if (place.kind == Known::Kind::kMemory) {
    access(place, type, false);
    return {};
  }
  return place.kind == Known::Kind::kNumber ? place : Known{};
}

void KernelWalk::store(const Known& place, const Known& value, QualType type) {
  const bool address = value.kind == Known::Kind::kMemory;
  if (place.kind == Known::Kind::kVariable) {
    if (address && !type->isPointerType()) fail();
    known_[place.var] = value;
    return;
  }
  // An address that is stored anywhere else can be used under any name.
  if (address || (place.kind != Known::Kind::kMemory && place.kind != Known::Kind::kLocal)) return void(fail());
  if (place.kind == Known::Kind::kMemory) access(place, type, true);
}

Known KernelWalk::element(const Known& base, const Known& index, QualType pointer) {
  if (base.kind != Known::Kind::kMemory) return base.kind == Known::Kind::kLocal ? base : Known{};
  Known out = base;
  out.sum = put_together(base.sum + index_of(index) * sum_of(element_size(pointer, context_)));
  return out;
}

Known KernelWalk::member(const MemberExpr* expr) {
  if (isa<VarDecl>(expr->getMemberDecl())) return {};
  const Expr* base = expr->getBase();
  Known at = expr->isArrow() || !base->isGLValue() ? value(base) : place(base);
  if (at.kind == Known::Kind::kVariable) {
    // A parameter that is a struct holds numbers; memory behind its pointers is not followed.
    if (isa<ParmVarDecl>(at.var) && frames_.size() == 1 && expr->getType()->isIntegralOrEnumerationType()) {
      const int k = static_cast<int>(cast<ParmVarDecl>(at.var)->getFunctionScopeIndex());
      return number(sum_of(parameter_symbol(k) + "." + expr->getMemberDecl()->getNameAsString()));
    }
    at = {};
    at.kind = Known::Kind::kLocal;
  }
  const auto* field = dyn_cast<FieldDecl>(expr->getMemberDecl());
  if (at.kind == Known::Kind::kMemory && field && !field->getParent()->isUnion()) {
    const uint64_t bits = context_.getASTRecordLayout(field->getParent()).getFieldOffset(field->getFieldIndex());
    at.sum = at.sum + sum_of(static_cast<long long>(bits / 8));
  }
  return at;
}

Known KernelWalk::place(const Expr* expr) {
  if (failed_) return {};
  expr = unwrapped(expr);
  if (!expr->isGLValue()) return value(expr);
  if (const auto* e = dyn_cast<DeclRefExpr>(expr)) {
    const auto* var = dyn_cast<VarDecl>(e->getDecl());
    if (!var || var->hasAttr<CUDASharedAttr>()) return fail();
    if (var->hasGlobalStorage()) return {};  // __constant__ and __device__ tables; writing to one fails
    if (var->getType()->isReferenceType()) return known_[var];
    Known at;
    at.kind = Known::Kind::kVariable;
    at.var = var;
    return at;
  }
  if (const auto* e = dyn_cast<ArraySubscriptExpr>(expr)) {
    const Known base = value(e->getBase()), index = value(e->getIdx());
    if (base.kind != Known::Kind::kMemory && base.kind != Known::Kind::kLocal) {
      // A table in __constant__ memory may be read.
      const auto* table = dyn_cast<DeclRefExpr>(e->getBase()->IgnoreParenImpCasts());
      return table && table->getType()->isArrayType() ? Known{} : fail();
    }
    element_ = e;
    return element(base, index, e->getBase()->getType());
  }
  if (const auto* e = dyn_cast<UnaryOperator>(expr)) {
    if (e->getOpcode() != UO_Deref) {
      unary(e);
      return place(e->getSubExpr());
    }
    const Known pointer = value(e->getSubExpr());
    element_ = e;
    return pointer.kind == Known::Kind::kMemory || pointer.kind == Known::Kind::kLocal ? pointer : fail();
  }
  if (const auto* e = dyn_cast<MemberExpr>(expr)) return member(e);
  if (const auto* e = dyn_cast<CastExpr>(expr)) return place(e->getSubExpr());
  if (const auto* e = dyn_cast<BinaryOperator>(expr)) {
    binary(e);
    return e->isAssignmentOp() ? place(e->getLHS()) : place(e->getRHS());
  }
  if (const auto* e = dyn_cast<CallExpr>(expr)) return call(e);
  if (const auto* e = dyn_cast<MaterializeTemporaryExpr>(expr)) {
    Known made = value(e->getSubExpr());
    if (made.kind == Known::Kind::kMemory) return fail();
    if (made.kind != Known::Kind::kNumber) made.kind = Known::Kind::kLocal;
    return made;
  }
  if (isa<StringLiteral, PredefinedExpr, CompoundLiteralExpr>(expr)) {
    Known text;
    text.kind = Known::Kind::kLocal;
    return text;
  }
  return fail();
}

}  // namespace syncsniff::facts
