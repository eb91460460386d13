#include "analyzer/facts/keys.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "analyzer/facts/containers.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr size_t kLongestKey = 80;  // a longer text is a message

struct Keys {
  std::string literal, enumerator;

  void look(const Expr* expr, int depth = 0) {
    expr = strip(expr);
    if (!expr || depth > 6 || !literal.empty()) return;
    if (const StringLiteral* text = literal_of(expr)) {
      if (text->getCharByteWidth() == 1 && text->getLength() != 0 && text->getLength() <= kLongestKey)
        literal = '"' + text->getString().str();
      return;
    }
    if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
      const auto* constant = dyn_cast<EnumConstantDecl>(reference->getDecl());
      if (constant && enumerator.empty()) enumerator = constant->getQualifiedNameAsString();
      return;
    }
    if (const auto* list = dyn_cast<InitListExpr>(expr)) {
      for (const Expr* part : list->inits()) look(part, depth + 1);
    } else if (const auto* made = dyn_cast<CXXConstructExpr>(expr)) {
      for (const Expr* part : made->arguments()) look(part, depth + 1);
    }
  }
};

bool is_function(QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  return type->isFunctionType() || type->isFunctionPointerType() || record_name(type) == "function";
}

bool takes_anything(const CXXRecordDecl* record) {
  const auto is_one = [](const Decl* decl) {
    const auto* constructor_template = dyn_cast<FunctionTemplateDecl>(decl);
    const auto* constructor = dyn_cast_or_null<CXXConstructorDecl>(
        constructor_template ? constructor_template->getTemplatedDecl() : dyn_cast<FunctionDecl>(decl));
    if (!constructor || constructor->isCopyOrMoveConstructor() || constructor->getNumParams() != 1) return false;
    return constructor_template || is_function(constructor->getParamDecl(0)->getType());
  };
  return std::any_of(record->decls_begin(), record->decls_end(), is_one);
}

}  // namespace

std::string key_of(llvm::ArrayRef<const Expr*> arguments) {
  Keys keys;
  for (const Expr* argument : arguments) keys.look(argument);
  return keys.literal.empty() ? keys.enumerator : keys.literal;
}

std::string key_in(const Expr* argument) { return key_of(argument); }

std::string key_of_element(const Expr* element) {
  const auto* subscript = dyn_cast<CXXOperatorCallExpr>(strip(element));
  const bool has_key = subscript && subscript->getOperator() == OO_Subscript && subscript->getNumArgs() == 2;
  return has_key ? key_in(subscript->getArg(1)) : "";
}

Value kept_under(std::string key, Value value) {
  if (key.empty()) return value;
  Value kept;
  kept.kind = Value::Kind::kAny;
  kept.text = key;
  kept.operands.push_back(std::move(value));
  return kept;
}

bool holds_one_function(QualType type) {
  if (is_function(type)) return true;
  const auto* record = type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isInStdNamespace() || record->isLambda()) return false;
  const auto holds = [](const FieldDecl* field) {
    return is_function(field->getType()) || field->getType()->isVoidPointerType();
  };
  return std::count_if(record->field_begin(), record->field_end(), holds) == 1 && takes_anything(record);
}

}  // namespace syncsniff::facts
