#include "analyzer/facts/writes.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

const ValueDecl* canonical(const ValueDecl* decl) { return decl ? cast<ValueDecl>(decl->getCanonicalDecl()) : nullptr; }

int sign_of_step(OverloadedOperatorKind kind) {
  if (kind == OO_PlusPlus || kind == OO_PlusEqual) return 1;
  return kind == OO_MinusMinus || kind == OO_MinusEqual ? -1 : 0;
}

}  // namespace

const ValueDecl* named_decl(const Expr* expr) {
  expr = strip(expr);
  if (const auto* reference = dyn_cast_or_null<DeclRefExpr>(expr)) return canonical(reference->getDecl());
  if (const auto* member = dyn_cast_or_null<MemberExpr>(expr)) return canonical(member->getMemberDecl());
  return nullptr;
}

const ValueDecl* value_read(const Expr* expr) {
  expr = strip(expr);
  if (const auto* unary = dyn_cast_or_null<UnaryOperator>(expr); unary && unary->isIncrementDecrementOp())
    return named_decl(unary->getSubExpr());
  if (const auto* op = dyn_cast_or_null<CXXOperatorCallExpr>(expr);
      op && (op->getOperator() == OO_PlusPlus || op->getOperator() == OO_MinusMinus)) {
    return named_decl(op->getArg(0));
  }
  if (const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(expr)) {
    const CXXMethodDecl* method = call->getMethodDecl();
    const bool reads = method && is_atomic(call->getImplicitObjectArgument()->getType()) &&
                       (isa<CXXConversionDecl>(method) || (method->getIdentifier() && method->getName() == "load"));
    return reads ? named_decl(call->getImplicitObjectArgument()) : nullptr;
  }
  return named_decl(expr);
}

bool assigns(const Stmt* stmt, const ValueDecl* variable) {
  if (!stmt || !variable) return false;
  const auto* assignment = dyn_cast<BinaryOperator>(stmt);
  if (assignment && assignment->isAssignmentOp() && named_decl(strip(assignment->getLHS())) == variable) return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt* child) { return assigns(child, variable); });
}

bool is_within(const Stmt* inner, const Stmt* outer, const ASTContext& context) {
  if (!inner || !outer) return false;
  const SourceManager& sm = context.getSourceManager();
  return sm.isPointWithin(sm.getFileLoc(inner->getBeginLoc()), sm.getFileLoc(outer->getBeginLoc()),
                          sm.getFileLoc(outer->getEndLoc()));
}

bool is_atomic(QualType type) {
  const StringRef name = record_name(type);
  return type->isAtomicType() || name == "atomic" || name == "__atomic_base" || name == "atomic_flag";
}

const std::vector<Write>& Writes::of(const ValueDecl* decl) const {
  static const std::vector<Write> kNone;
  auto found = writes_.find(canonical(decl));
  return found == writes_.end() ? kNone : found->second;
}

void Writes::add(const Expr* target, Write write) {
  const ValueDecl* decl = named_decl(target);
  if (!decl || !isa<VarDecl, FieldDecl>(decl)) return;
  write.initial |= constructing_ && isa<FieldDecl>(decl);
  write.in = function_;
  const auto* variable = dyn_cast<VarDecl>(decl);
  const bool outlives = !variable || variable->hasGlobalStorage();
  if (write.how == Write::How::kStep && function_ && outlives) counting_.insert(function_->getCanonicalDecl());
  writes_[decl].push_back(write);
}

void Writes::add_body(const FunctionDecl* function) {
  function_ = function;
  const auto* constructor = dyn_cast<CXXConstructorDecl>(function);
  constructing_ = constructor != nullptr;
  if (constructor) {
    for (const CXXCtorInitializer* init : constructor->inits()) {
      if (!init->getInit()) continue;
      look(init->getInit());
      if (!init->isAnyMemberInitializer()) continue;
      Write write{Write::How::kSet, 0, constant_integer(init->getInit(), context_), true, nullptr, function};
      write.parameter = dyn_cast_or_null<ParmVarDecl>(named_decl(init->getInit()));
      writes_[canonical(init->getAnyMember())].push_back(write);
    }
  }
  look(function->getBody());
}

void Writes::look_at_local(const VarDecl* variable) {
  const CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
  const bool once = function_ && function_->isMain() && loops_ == 0;
  if (record && variable->hasLocalStorage() && !once) made_in_steps_.insert(record->getCanonicalDecl());
}

void Writes::look(const Stmt* stmt) {
  if (!stmt) return;
  if (const auto* lambda = dyn_cast<LambdaExpr>(stmt)) {
    const FunctionDecl* outer = function_;
    for (const Expr* init : lambda->capture_inits()) look(init);
    function_ = lambda->getCallOperator();
    look(lambda->getBody());
    function_ = outer;
    return;
  }
  if (const auto* declaration = dyn_cast<DeclStmt>(stmt)) {
    for (const Decl* decl : declaration->decls()) {
      const auto* var = dyn_cast<VarDecl>(decl);
      if (var) look_at_local(var);
      if (!var || !var->getInit()) continue;
      // bool& alias = flag: the flag may be written through the alias.
      if (var->getType()->isReferenceType() && !var->getType().getNonReferenceType().isConstQualified()) {
        add(var->getInit(), {Write::How::kUnknown, 0, {}, false, stmt, nullptr});
      }
      writes_[canonical(var)].push_back(
          {Write::How::kSet, 0, constant_integer(var->getInit(), context_), true, stmt, function_});
    }
  } else if (const auto* unary = dyn_cast<UnaryOperator>(stmt)) {
    if (unary->isIncrementDecrementOp())
      add(unary->getSubExpr(), {Write::How::kStep, unary->isIncrementOp() ? 1 : -1, {}, false, stmt, nullptr});
    else if (unary->getOpcode() == UO_AddrOf)
      add(unary->getSubExpr(), {Write::How::kUnknown, 0, {}, false, stmt, nullptr});
  } else if (const auto* binary = dyn_cast<BinaryOperator>(stmt); binary && binary->isAssignmentOp()) {
    const BinaryOperatorKind kind = binary->getOpcode();
    const int direction = kind == BO_AddAssign ? 1 : kind == BO_SubAssign ? -1 : 0;
    const auto how = kind == BO_Assign ? Write::How::kSet : direction ? Write::How::kStep : Write::How::kUnknown;
    add(binary->getLHS(),
        {how, direction, kind == BO_Assign ? constant_integer(binary->getRHS(), context_) : std::nullopt, false, stmt,
         nullptr});
  } else if (const auto* call = dyn_cast<CallExpr>(stmt)) {
    look_at_call(call);
  } else if (const auto* reference = dyn_cast<DeclRefExpr>(stmt)) {
    note_use(reference);
  } else if (const auto* made = dyn_cast<CXXConstructExpr>(stmt); made && made->getConstructor()->isDefined()) {
    const CXXConstructorDecl* constructor = made->getConstructor();
    for (unsigned i = 0; i < constructor->getNumParams() && i < made->getNumArgs(); ++i)
      keep_argument(constructor, i, made->getArg(i));
  }
  const bool repeats = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt);
  loops_ += repeats;
  for (const Stmt* child : stmt->children()) look(child);
  loops_ -= repeats;
}

void Writes::look_at_call(const CallExpr* call) {
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(call)) {
    const OverloadedOperatorKind kind = op->getOperator();
    if (op->isAssignmentOp() || sign_of_step(kind)) {
      const bool sets = kind == OO_Equal && op->getNumArgs() == 2;
      const auto how = sets ? Write::How::kSet : sign_of_step(kind) ? Write::How::kStep : Write::How::kUnknown;
      add(op->getArg(0), {how, sign_of_step(kind), sets ? constant_integer(op->getArg(1), context_) : std::nullopt,
                          false, call, nullptr});
      return;
    }
  }
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) look_at_method(member);
  const FunctionDecl* callee = call->getDirectCallee();
  keep_arguments(call, callee);
  if (!callee || isa<CXXOperatorCallExpr>(call)) return;
  for (unsigned i = 0; i < call->getNumArgs() && i < callee->getNumParams(); ++i) {
    const QualType type = callee->getParamDecl(i)->getType();
    if (!type->isLValueReferenceType() || type.getNonReferenceType().isConstQualified()) continue;
    add(call->getArg(i), {Write::How::kUnknown, 0, {}, false, call, nullptr});
  }
}

// Only for functions that the unit defines: no condition in library code is judged.
void Writes::keep_arguments(const CallExpr* call, const FunctionDecl* callee) {
  const auto* op = dyn_cast<CXXOperatorCallExpr>(call);
  if (callee) ++calls_[callee->getCanonicalDecl()];
  if (!callee || !callee->isDefined() || (op && op->getOperator() != OO_Call)) return;
  const unsigned first = op ? 1 : 0;  // after the object
  for (unsigned i = 0; i < callee->getNumParams() && first + i < call->getNumArgs(); ++i)
    keep_argument(callee, i, call->getArg(first + i));
}

void Writes::keep_argument(const FunctionDecl* callee, unsigned parameter, const Expr* given) {
  const QualType type = callee->getParamDecl(parameter)->getType().getNonReferenceType();
  if (is_tensor(type) || type->isIntegerType()) given_[{callee->getCanonicalDecl(), parameter}].push_back(given);
}

const std::vector<const Expr*>& Writes::given_for(const ParmVarDecl* parameter) const {
  static const std::vector<const Expr*> kNone;
  const auto* function = dyn_cast<FunctionDecl>(parameter->getDeclContext());
  if (!function) return kNone;
  auto found = given_.find({function->getCanonicalDecl(), parameter->getFunctionScopeIndex()});
  return found == given_.end() ? kNone : found->second;
}

// A function's name outside of a call: whatever receives the function may call it. A template with a class as its
// argument, or a member of such a template, may make objects of the class.
void Writes::note_use(const DeclRefExpr* reference) {
  const auto* function = dyn_cast<FunctionDecl>(reference->getDecl());
  if (!function) return;
  ++uses_[function->getCanonicalDecl()];
  if (!context_.getSourceManager().isInSystemHeader(function->getLocation())) return;
  const TemplateArgumentList* arguments = function->getTemplateSpecializationArgs();
  for (unsigned i = 0; arguments && i < arguments->size(); ++i)
    if (arguments->get(i).getKind() == TemplateArgument::Type)
      if (const CXXRecordDecl* record = arguments->get(i).getAsType()->getAsCXXRecordDecl())
        made_by_templates_.insert(record->getCanonicalDecl());
}

bool Writes::is_called_out_of_sight(const FunctionDecl* function) const {
  const FunctionDecl* first = function->getCanonicalDecl();
  const auto number = [first](const std::map<const FunctionDecl*, int>& counts) {
    const auto found = counts.find(first);
    return found == counts.end() ? 0 : found->second;
  };
  const auto* method = dyn_cast<CXXMethodDecl>(function);
  if (!method || method->isStatic()) return number(uses_) > number(calls_);
  if (method->isVirtual() || method->getParent()->isLambda()) return true;
  return isa<CXXConstructorDecl>(method) ? made_by_templates_.count(method->getParent()->getCanonicalDecl()) != 0
                                         : number(uses_) > 0;  // calls on an object are not counted here
}

// store(), exchange() and the like: the only named methods that write an atomic.
void Writes::look_at_method(const CXXMemberCallExpr* call) {
  const CXXMethodDecl* method = call->getMethodDecl();
  const Expr* object = call->getImplicitObjectArgument();
  if (!method || !object || !method->getIdentifier() || !is_atomic(object->getType())) return;
  const StringRef name = method->getName();
  Write write{Write::How::kSet, 0, {}, false, call, nullptr};
  if (name == "store" || name == "exchange") {
    write.value = call->getNumArgs() ? constant_integer(call->getArg(0), context_) : std::nullopt;
  } else if (name == "test_and_set" || name == "clear") {
    write.value = name == "test_and_set" ? 1 : 0;
  } else if (name == "fetch_add" || name == "fetch_sub") {
    write.how = Write::How::kStep;
    write.direction = name == "fetch_add" ? 1 : -1;
  } else if (method->isConst()) {
    return;
  } else {
    write.how = Write::How::kUnknown;
  }
  add(object, write);
}

}  // namespace syncsniff::facts
