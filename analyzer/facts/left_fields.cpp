#include "analyzer/facts/left_fields.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/parameter_tests.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kDeepestConstruction = 4;  // depth of constructors of bases, and of methods that methods call

using KnownFields = std::map<const FieldDecl*, long long>;

const FieldDecl* field_of(const Expr* expr) { return dyn_cast_or_null<FieldDecl>(named_decl(expr)); }

// Tracks how code changes the fields of one object.
class Changes {
 public:
  Changes(KnownFields& known, const ASTContext& context) : known_(known), context_(context) {}

  // `object`: the variable; null in a method, where it is *this.
  void apply(const Stmt* stmt, const VarDecl* object, int depth = 0) {
    if (!stmt) return;
    if (object) look_at_own_block(stmt, object);
    const auto* call = dyn_cast<CallExpr>(stmt);
    const auto* method = dyn_cast_or_null<CXXMemberCallExpr>(call);
    const auto* op = dyn_cast_or_null<CXXOperatorCallExpr>(call);
    if (method && is_object(method->getImplicitObjectArgument(), object)) run(method->getMethodDecl(), depth);
    if (op && op->getNumArgs() != 0 && is_object(op->getArg(0), object))
      run(dyn_cast_or_null<CXXMethodDecl>(op->getDirectCallee()), depth);
    if (const auto* binary = dyn_cast<BinaryOperator>(stmt); binary && binary->isAssignmentOp())
      assign(*binary, object);
    if (const auto* unary = dyn_cast<UnaryOperator>(stmt);
        unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf))
      forget(unary->getSubExpr(), object);
    const bool certain = is_certain_;
    is_certain_ &= !may_be_skipped(stmt);
    for (const Stmt* child : stmt->children()) apply(child, object, depth);
    is_certain_ = certain;
    // Statements after an early return from a method, or after a goto, may be skipped.
    if (isa<ReturnStmt, GotoStmt>(stmt) && !object) is_left_early_ |= !is_certain_ || isa<GotoStmt>(stmt);
  }

  // Keeps the values that the variable's fields have at every exit of its block.
  void join_ways_out() {
    if (is_shared_) known_.clear();
    for (const KnownFields& known : ways_out_) {
      std::erase_if(known_, [&](const auto& field) {
        const auto there = known.find(field.first);
        return there == known.end() || there->second != field.second;
      });
    }
  }

 private:
  // The variable also ends where its block is left early. Another name that refers to it may be used to change it.
  void look_at_own_block(const Stmt* stmt, const VarDecl* object) {
    if (const auto* declaration = dyn_cast<DeclStmt>(stmt)) {
      for (const Decl* decl : declaration->decls()) {
        has_begun_ |= decl == object;
        const auto* var = dyn_cast<VarDecl>(decl);
        is_shared_ |= var && var->getType()->isReferenceType() && var->getInit() && is_object(var->getInit(), object);
      }
    }
    const auto* unary = dyn_cast<UnaryOperator>(stmt);
    is_shared_ |= unary && unary->getOpcode() == UO_AddrOf && is_object(unary->getSubExpr(), object);
    if (has_begun_ && isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(stmt)) ways_out_.push_back(known_);
  }

  static bool may_be_skipped(const Stmt* stmt) {
    const auto* binary = dyn_cast<BinaryOperator>(stmt);
    return isa<IfStmt, SwitchStmt, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, AbstractConditionalOperator, LambdaExpr,
               CXXTryStmt>(stmt) ||
           (binary && binary->isLogicalOp());
  }

  static bool is_object(const Expr* expr, const VarDecl* object) {
    if (!object) return isa<CXXThisExpr>(without_star(expr));
    const auto* reference = dyn_cast<DeclRefExpr>(strip(expr));
    return reference && reference->getDecl() == object;
  }

  void assign(const BinaryOperator& set, const VarDecl* object) {
    const auto* member = dyn_cast<MemberExpr>(strip(set.getLHS()));
    const FieldDecl* field = member && is_object(member->getBase(), object) ? field_of(member) : nullptr;
    const auto value = field && set.getOpcode() == BO_Assign ? constant_argument(set.getRHS(), context_) : std::nullopt;
    if (!value) return forget(set.getLHS(), object);
    const auto known = known_.find(field);
    if (is_certain_ && !is_left_early_)
      known_[field] = *value;
    else if (known != known_.end() && known->second != *value)
      known_.erase(known);
  }

  void forget(const Expr* target, const VarDecl* object) {
    const auto* member = dyn_cast<MemberExpr>(strip(target));
    if (member && is_object(member->getBase(), object)) known_.erase(field_of(member));
  }

  void run(const CXXMethodDecl* method, int depth) {
    if (method && method->isConst()) return;
    const FunctionDecl* defined = method ? method->getDefinition() : nullptr;
    if (!defined || !defined->hasBody() || method->isVirtual() || depth == kDeepestConstruction) return known_.clear();
    const bool left_early = is_left_early_;
    apply(defined->getBody(), nullptr, depth + 1);
    is_left_early_ = left_early;
  }

  KnownFields& known_;
  const ASTContext& context_;
  bool is_certain_ = true, is_left_early_ = false;
  bool has_begun_ = false, is_shared_ = false;
  std::vector<KnownFields> ways_out_;
};

void construct(const CXXConstructExpr* made, KnownFields& known, const ASTContext& context, int depth = 0) {
  const FunctionDecl* defined = made->getConstructor()->getDefinition();
  const auto* constructor = dyn_cast_or_null<CXXConstructorDecl>(defined);
  if (!constructor || depth == kDeepestConstruction) return;
  KnownFields own;
  for (const CXXCtorInitializer* initializer : constructor->inits()) {
    const Expr* value = initializer->getInit();
    if (!value) continue;
    if (!initializer->isAnyMemberInitializer()) {
      if (const auto* base = dyn_cast<CXXConstructExpr>(strip(value))) construct(base, own, context, depth + 1);
      continue;
    }
    if (const auto* in_class = dyn_cast<CXXDefaultInitExpr>(value)) value = in_class->getExpr();
    if (const auto* list = dyn_cast<InitListExpr>(value); list && list->getNumInits() == 1) value = list->getInit(0);
    const FieldDecl* field = initializer->getAnyMember();
    if (!field->getType()->isIntegralOrEnumerationType() && !field->getType()->isPointerType()) continue;
    if (const auto constant = constant_argument(value, context)) own[field] = *constant;
  }
  if (constructor->hasBody()) Changes(own, context).apply(constructor->getBody(), nullptr);
  known.insert(own.begin(), own.end());
}

}  // namespace

List<FieldValue> fields_left_in(const VarDecl* variable, const CompoundStmt* block, const ASTContext& context) {
  List<FieldValue> out;
  const Expr* value = variable->getInit();
  const auto* made = value && !value->isValueDependent() ? dyn_cast<CXXConstructExpr>(strip(value)) : nullptr;
  if (!made) return out;
  KnownFields known;
  construct(made, known, context);
  if (!known.empty()) {
    Changes changes(known, context);
    changes.apply(block, variable);
    changes.join_ways_out();
  }
  for (const auto& [field, constant] : known) out.push_back({node_of(field), constant});
  std::sort(out.begin(), out.end(),
            [](const FieldValue& a, const FieldValue& b) { return a.field.str() < b.field.str(); });
  return out;
}

}  // namespace syncsniff::facts
