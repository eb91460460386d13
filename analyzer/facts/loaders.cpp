// Which loader a batch of LibTorch's data API comes from, and which of the program's classes make its batches.
#include "analyzer/facts/loaders.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/words.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr int kMostStepsToLoader = 12;  // from a batch back to its loader, and from a loader's type into its arguments

bool is_class_named(const CXXRecordDecl* record, StringRef name) {
  return record && record->getIdentifier() && record->getName() == name;
}

const CXXRecordDecl* class_of(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  return type->getAsCXXRecordDecl();
}

// The loader itself, or a smart pointer to it.
const ClassTemplateSpecializationDecl* loader_in(QualType type) {
  const auto* record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(class_of(type));
  if (!record || !record->hasDefinition()) return nullptr;
  for (const CXXBaseSpecifier& base : record->bases()) {
    if (is_class_named(base.getType()->getAsCXXRecordDecl(), "DataLoaderBase")) return record;
  }
  if (!record->isInStdNamespace() || record->getTemplateArgs().size() == 0) return nullptr;
  const TemplateArgument& held = record->getTemplateArgs()[0];
  return held.getKind() == TemplateArgument::Type ? loader_in(held.getAsType()) : nullptr;
}

// The expression that `batch` is read from: *it, it->, loader->begin(), a variable's initializer. Null if there is
// none.
const Expr* read_from(const Expr* batch) {
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(batch)) return op->getNumArgs() ? op->getArg(0) : nullptr;
  if (const auto* unary = dyn_cast<UnaryOperator>(batch)) return unary->getSubExpr();
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(batch)) return member->getImplicitObjectArgument();
  if (const auto* construct = dyn_cast<CXXConstructExpr>(batch))
    return construct->getNumArgs() ? construct->getArg(0) : nullptr;
  const auto* reference = dyn_cast<DeclRefExpr>(batch);
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return variable ? variable->getInit() : nullptr;
}

bool holds_function(QualType type) {
  const CXXRecordDecl* record = class_of(type);
  return record && (record->isLambda() || (record->isInStdNamespace() && is_class_named(record, "function")));
}

// The classes in a data set's type, its transforms among them.
class Makers {
 public:
  void add(QualType type, int depth) {
    const CXXRecordDecl* record = class_of(type);
    if (!record || !record->hasDefinition() || record->isInStdNamespace() || depth > kMostStepsToLoader) return;
    for (const FieldDecl* field : record->fields()) any_function_ |= holds_function(field->getType());
    if (!is_of_libtorch(record->getQualifiedNameAsString())) {
      const std::string usr = usr_of(record);
      if (std::find(found_.begin(), found_.end(), usr) != found_.end()) return;
      found_.push_back(usr);
    }
    for (const CXXBaseSpecifier& base : record->bases()) add(base.getType(), depth + 1);
    const auto* instance = dyn_cast<ClassTemplateSpecializationDecl>(record);
    if (!instance) return;
    for (const TemplateArgument& argument : instance->getTemplateArgs().asArray()) {
      if (argument.getKind() == TemplateArgument::Type) add(argument.getAsType(), depth + 1);
    }
  }
  std::optional<std::vector<std::string>> found() const {
    if (any_function_) return std::nullopt;
    return found_;
  }

 private:
  bool any_function_ = false;
  std::vector<std::string> found_;
};

}  // namespace

bool is_loaders_example(const RecordDecl* record) {
  return record->getIdentifier() && (record->getName() == "Example" || record->getName() == "TensorExample") &&
         is_of_libtorch(record);
}

// The initializer of a local variable. Null for anything else.
static const Expr* made_with(const Expr* variable) {
  const auto* reference = dyn_cast_or_null<DeclRefExpr>(strip(variable));
  const auto* var = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return var && var->isLocalVarDecl() && var->getInit() ? strip(var->getInit()) : nullptr;
}

const Expr* member_given(const MemberExpr* member) {
  const auto* made = dyn_cast_or_null<CXXConstructExpr>(made_with(member->getBase()));
  const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
  const unsigned index = field ? field->getFieldIndex() : 0;
  if (!made || !field || made->getConstructor()->isCopyOrMoveConstructor() || index >= made->getNumArgs())
    return nullptr;
  return made->getArg(index);
}

bool is_handed_over(const Expr* example) {
  const Expr* made = strip(example);
  if (const Expr* init = made_with(example)) made = init;
  const auto* reference = dyn_cast_or_null<DeclRefExpr>(made);
  if (reference) return isa<ParmVarDecl>(reference->getDecl());
  const auto* call = dyn_cast_or_null<CallExpr>(made);
  const FunctionDecl* callee = call && !isa<CXXOperatorCallExpr>(call) ? call->getDirectCallee() : nullptr;
  return callee && !is_of_libtorch(callee->getQualifiedNameAsString()) && !callee->isInStdNamespace();
}

std::optional<std::vector<std::string>> makers_of_batch(const Expr* batch) {
  for (int step = 0; batch && step < kMostStepsToLoader; ++step) {
    batch = strip(batch);
    if (!batch) break;
    if (const ClassTemplateSpecializationDecl* loader = loader_in(batch->getType())) {
      Makers makers;
      const TemplateArgument& data_set = loader->getTemplateArgs()[0];
      if (data_set.getKind() != TemplateArgument::Type) return std::nullopt;
      makers.add(data_set.getAsType(), 0);
      return makers.found();
    }
    batch = read_from(batch);
  }
  return std::nullopt;
}

}  // namespace syncsniff::facts
