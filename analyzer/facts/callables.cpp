#include "analyzer/facts/callables.h"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>

#include "analyzer/facts/containers.h"
#include "analyzer/facts/keys.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/recovered_calls.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

const CXXMethodDecl* method_or_inherited(const CXXRecordDecl* record, StringRef name) {
  for (int depth = 0; record && record->hasDefinition() && depth < 8; ++depth) {
    for (const CXXMethodDecl* method : record->methods()) {
      if (method->getIdentifier() && method->getName() == name) return method;
    }
    record = record->getNumBases() ? record->bases_begin()->getType()->getAsCXXRecordDecl() : nullptr;
  }
  return nullptr;
}

bool derives_from(const CXXRecordDecl* record, StringRef name, int depth = 0) {
  if (!record || !record->hasDefinition() || depth > 6) return false;
  for (const CXXBaseSpecifier& base : record->bases()) {
    const CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl();
    if (!parent) continue;
    if (parent->getIdentifier() && parent->getName() == name) return true;
    if (derives_from(parent, name, depth + 1)) return true;
  }
  return false;
}

const FunctionDecl* call_operator(const CXXRecordDecl* record) {
  if (!record || !record->hasDefinition()) return nullptr;
  for (const CXXMethodDecl* method : record->methods()) {
    if (method->getOverloadedOperator() == OO_Call) return method;
  }
  return nullptr;
}

}  // namespace

// `body`: the call operator of a lambda.
static std::vector<const FunctionDecl*> instances_of_call(const FunctionDecl* body) {
  const FunctionTemplateDecl* generic = body->getDescribedFunctionTemplate();
  if (!generic) return {body};
  std::vector<const FunctionDecl*> out;
  for (const FunctionDecl* instance : generic->specializations()) {
    if (instance->doesThisDeclarationHaveABody()) out.push_back(instance);
  }
  return out;
}

std::vector<const FunctionDecl*> bodies_of(const LambdaExpr* lambda) {
  return instances_of_call(lambda->getCallOperator());
}

std::vector<const FunctionDecl*> bodies_of_view(QualType view, const ASTContext& context) {
  std::vector<const FunctionDecl*> out;
  const auto look = [&](const auto& self, QualType type) -> void {
    const auto* made = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (!made || !made->getQualifiedNameAsString().starts_with("std::ranges::")) return;
    for (const TemplateArgument& argument : made->getTemplateArgs().asArray()) {
      if (argument.getKind() != TemplateArgument::Type) continue;
      const QualType given = argument.getAsType().getNonReferenceType();
      const CXXRecordDecl* record = given->getAsCXXRecordDecl();
      if (record && record->isLambda()) {
        for (const FunctionDecl* body : instances_of_call(record->getLambdaCallOperator())) out.push_back(body);
      } else if (const FunctionDecl* body = functor_call(given, context)) {
        out.push_back(body);
      } else {
        self(self, given);
      }
    }
  };
  look(look, view.getNonReferenceType());
  return out;
}

const FunctionDecl* forward_of_module(QualType type) {
  if (type.isNull()) return nullptr;  // a braced list that has no type yet
  type = type.getNonReferenceType().getCanonicalType();
  const CXXRecordDecl* record = type->isPointerType() ? type->getPointeeCXXRecordDecl() : type->getAsCXXRecordDecl();
  if (record && is_smart_pointer(type)) {
    const QualType held = type_argument(record, 0);
    record = held.isNull() ? nullptr : held->getAsCXXRecordDecl();
  }
  for (const CXXRecordDecl* at = record; at && at->hasDefinition();) {
    if (at->getIdentifier() && at->getName() == "ModuleHolder") {
      const QualType held = type_argument(at, 0);
      record = held.isNull() ? nullptr : held->getAsCXXRecordDecl();
      break;
    }
    at = at->getNumBases() ? at->bases_begin()->getType()->getAsCXXRecordDecl() : nullptr;
  }
  return derives_from(record, "Module") ? method_or_inherited(record, "forward") : nullptr;
}

bool is_forward_of_held(const FunctionDecl* callee) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (!method || !method->getIdentifier() || !method->getParent()->getIdentifier()) return false;
  const StringRef name = method->getName(), owner = method->getParent()->getName();
  return (name == "forward" && (owner == "SequentialImpl" || owner == "AnyModule")) ||
         (name == "any_forward" && owner == "AnyModule");
}

Deleter deleter_of(const VarDecl* owner) {
  const QualType type = owner->getType().getCanonicalType();
  if (!is_smart_pointer(type) || type->isPointerType() || !owner->getInit()) return {};
  Deleter deleter;
  if (record_name(type) == "unique_ptr") {
    const QualType by = type_argument(type->getAsCXXRecordDecl(), 1);
    deleter.by_type = by.isNull() ? nullptr : call_operator(by->getAsCXXRecordDecl());
  }
  const auto* made = dyn_cast<CXXConstructExpr>(strip(owner->getInit()));
  const bool given = made && made->getNumArgs() >= 2 && !isa<CXXDefaultArgExpr>(made->getArg(1));
  if (given && !deleter.by_type) deleter.given = made->getArg(1);
  return deleter;
}

bool is_container(QualType type) {
  static constexpr const char* kNames[] = {"vector",   "deque",        "list",  "array", "map", "unordered_map",
                                           "multimap", "forward_list", "queue", "stack", "set", "SequentialImpl"};
  const StringRef name = record_name(type);
  return std::any_of(std::begin(kNames), std::end(kNames), [&](StringRef one) { return name == one; });
}

const FunctionDecl* functor_call(QualType type, const ASTContext& context) {
  const auto* record = type.getCanonicalType()->getAsCXXRecordDecl();
  if (!record || record->isLambda() || record->isInStdNamespace()) return nullptr;
  if (context.getSourceManager().isInSystemHeader(record->getLocation())) return nullptr;
  return call_operator(record);
}

bool stores_element(StringRef method) {
  return llvm::is_contained(
      {"push_back", "emplace_back", "push_front", "insert_or_assign", "emplace", "try_emplace", "insert", "push"},
      method);
}

const FunctionDecl* accessor_of(const Expr* expr, const ASTContext& context) {
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    const auto* var = dyn_cast<VarDecl>(reference->getDecl());
    const bool alias = var && var->isLocalVarDecl() && var->getType()->isReferenceType() && var->getInit();
    expr = alias ? strip(var->getInit()) : nullptr;
  }
  const auto* call = dyn_cast_or_null<CallExpr>(expr);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getReturnType()->isLValueReferenceType()) return nullptr;
  if (callee->isInStdNamespace() || context.getSourceManager().isInSystemHeader(callee->getLocation())) return nullptr;
  const QualType held = callee->getReturnType().getNonReferenceType();
  return is_container(held) || held->isFunctionPointerType() || record_name(held) == "function" ? callee : nullptr;
}

std::string Values::container_node(const Expr* container) const {
  const auto* arrow = dyn_cast<CXXOperatorCallExpr>(strip(container));
  return assigned_node(arrow && arrow->getOperator() == OO_Arrow ? arrow->getArg(0) : container);
}

Value Values::kept_in(const Expr* container) const {
  Value later;
  later.kind = Value::Kind::kContent;
  later.node = container_node(container);
  Value value;
  value.kind = Value::Kind::kAny;
  value.operands = {value_of(container), std::move(later)};
  return value;
}

static const Expr* first_of_several(const Expr* made) {
  if (const auto* list = dyn_cast<InitListExpr>(made)) return list->getNumInits() > 1 ? list->getInit(0) : nullptr;
  const auto* construct = dyn_cast<CXXConstructExpr>(made);
  return construct && construct->getNumArgs() > 1 ? construct->getArg(0) : nullptr;
}

// Lambdas and functions by name; the modules in a list of them; a callable variable.
Value Values::callables_in(const Expr* expr) const {
  Value all;
  all.kind = Value::Kind::kAny;
  std::string key;  // of the current pair
  const auto add = [&](const FunctionDecl* function, const char* text) {
    Value value;
    value.kind = Value::Kind::kFunction;
    value.node = usr_of(function);
    value.text = text;
    all.operands.push_back(kept_under(key, std::move(value)));
  };
  const auto look = [&](const auto& self, const Stmt* stmt) -> void {
    const auto* e = dyn_cast_or_null<Expr>(stmt);
    if (!e) return;
    if (const auto* lambda = dyn_cast<LambdaExpr>(e)) {
      for (const FunctionDecl* body : bodies_of(lambda)) add(body, "a lambda");
      return;
    }
    if (const auto* reference = dyn_cast<DeclRefExpr>(e)) {
      const ValueDecl* named = reference->getDecl();
      if (const auto* function = dyn_cast<FunctionDecl>(named)) add(function, "a function");
      if (isa<VarDecl>(named) && holds_one_function(named->getType()))
        all.operands.push_back(kept_under(key, value_of(reference)));
    }
    if (const FunctionDecl* forward = forward_of_module(e->getType())) return add(forward, "a module");
    if (const auto* list = dyn_cast<InitListExpr>(e); list && list->getSemanticForm())
      return self(self, list->getSemanticForm());
    if (const auto* overloads = dyn_cast<OverloadExpr>(e)) {
      for (const FunctionDecl* function : instances_of(overloads)) add(function, "a function");
      return;
    }
    // Registry("relu", &relu<float>), which Clang could not resolve: the first part may be the callee.
    if (const auto* recovery = dyn_cast<RecoveryExpr>(e)) {
      const auto parts = recovery->subExpressions();
      const bool names_callee = !parts.empty() && isa<OverloadExpr>(parts.front()->IgnoreParenImpCasts());
      for (const Expr* part : parts.drop_front(names_callee)) self(self, part);
      return;
    }
    // ... and registry.op("add", &add<float>).op("relu", &relu<float>).
    if (const auto* call = dyn_cast<CallExpr>(e); call && call->containsErrors()) {
      const auto* member = dyn_cast<CXXDependentScopeMemberExpr>(call->getCallee());
      if (member && !member->isImplicitAccess()) self(self, member->getBase());
    }
    // For a call, its arguments: std::move(f), bind(f, ...). The function that is called runs here and is not stored.
    if (const auto* call = dyn_cast<CallExpr>(e)) {
      for (const Expr* arg : call->arguments()) self(self, arg);
      return;
    }
    const std::string outer = key;
    if (const Expr* first = first_of_several(e)) {
      if (std::string own = key_in(first); !own.empty()) key = std::move(own);  // {"relu", relu}
    }
    for (const Stmt* child : e->children()) self(self, child);
    key = outer;
  };
  look(look, expr);
  if (all.operands.size() == 1) return all.operands.front();
  return all;
}

}  // namespace syncsniff::facts
