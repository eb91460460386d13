// Which loader a batch of LibTorch's data API comes from, and which of the program's classes make its batches.
#include "analyzer/facts/loaders.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "analyzer/facts/conditions.h"
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
      if (llvm::is_contained(found_, record)) return;
      found_.push_back(record);
    }
    for (const CXXBaseSpecifier& base : record->bases()) add(base.getType(), depth + 1);
    const auto* instance = dyn_cast<ClassTemplateSpecializationDecl>(record);
    if (!instance) return;
    for (const TemplateArgument& argument : instance->getTemplateArgs().asArray()) {
      if (argument.getKind() == TemplateArgument::Type) add(argument.getAsType(), depth + 1);
    }
  }
  bool any_function() const { return any_function_; }
  const std::vector<const CXXRecordDecl*>& found() const { return found_; }

 private:
  bool any_function_ = false;
  std::vector<const CXXRecordDecl*> found_;
};

// Those of the loader that the batch is read from; nothing if the loader is not found.
std::optional<Makers> makers_of(const Expr* batch) {
  for (int step = 0; batch && step < kMostStepsToLoader; ++step) {
    batch = strip(batch);
    if (!batch) break;
    if (const ClassTemplateSpecializationDecl* loader = loader_in(batch->getType())) {
      Makers makers;
      const TemplateArgument& data_set = loader->getTemplateArgs()[0];
      if (data_set.getKind() != TemplateArgument::Type) return std::nullopt;
      makers.add(data_set.getAsType(), 0);
      return makers;
    }
    batch = read_from(batch);
  }
  return std::nullopt;
}

bool is_call_of(const CXXMemberCallExpr* call, StringRef name) {
  const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
  return method && method->getIdentifier() && method->getName() == name;
}

// image.to(device), image.cuda(), a kernel launch: in the function or in one that it calls.
bool moves_to_device(const FunctionDecl* function, int depth) {
  constexpr int kDeepest = 2;
  const FunctionDecl* defined = nullptr;
  if (!function->hasBody(defined)) return false;
  bool moves = false;
  for_each_expr(defined->getBody(), [&](const Expr* expr) {
    const auto* member = dyn_cast<CXXMemberCallExpr>(expr);
    const bool to =
        is_call_of(member, "to") && std::any_of(member->arg_begin(), member->arg_end(),
                                                [](const Expr* arg) { return is_device_type(arg->getType()); });
    moves |= isa<CUDAKernelCallExpr>(expr) || to || (is_call_of(member, "cuda") && is_tensor(member->getObjectType()));
    const auto* call = dyn_cast<CallExpr>(expr);
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (moves || !callee || depth == kDeepest || callee->isInStdNamespace()) return;
    moves = !is_of_libtorch(callee->getQualifiedNameAsString()) && moves_to_device(callee, depth + 1);
  });
  return moves;
}

// options.workers(4): data sets are then read by threads, which nobody waits for.
bool sets_workers(const DeclContext* context, const ASTContext& ast) {
  return std::any_of(context->decls_begin(), context->decls_end(), [&](const Decl* decl) {
    if (ast.getSourceManager().isInSystemHeader(decl->getLocation())) return false;
    if (const auto* made = dyn_cast<FunctionTemplateDecl>(decl)) decl = made->getTemplatedDecl();
    const auto* function = dyn_cast<FunctionDecl>(decl);
    bool sets = false;
    for_each_expr(function && function->doesThisDeclarationHaveABody() ? function->getBody() : nullptr,
                  [&](const Expr* expr) {
                    const auto* call = dyn_cast<CXXMemberCallExpr>(expr);
                    sets |= is_call_of(call, "workers") && call->getNumArgs() == 1 &&
                            constant_integer(call->getArg(0), ast).value_or(1) != 0;
                  });
    const auto* inner = isa<NamespaceDecl, RecordDecl, LinkageSpecDecl>(decl) ? cast<DeclContext>(decl) : nullptr;
    return sets || (inner && sets_workers(inner, ast));
  });
}

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
  const std::optional<Makers> makers = makers_of(batch);
  if (!makers || makers->any_function()) return std::nullopt;
  std::vector<std::string> out;
  for (const CXXRecordDecl* record : makers->found()) out.push_back(usr_of(record));
  return out;
}

std::vector<const FunctionDecl*> makers_on_gpu(const Expr* batch, const ASTContext& context) {
  constexpr StringRef kMakers[] = {"get", "get_batch", "apply", "apply_batch", "operator()"};
  std::vector<const FunctionDecl*> out;
  const std::optional<Makers> makers = makers_of(batch);
  if (!makers) return out;
  for (const CXXRecordDecl* record : makers->found()) {
    for (const CXXMethodDecl* method : record->methods()) {
      if (llvm::is_contained(kMakers, method->getNameAsString()) && moves_to_device(method, 0)) out.push_back(method);
    }
  }
  if (!out.empty() && sets_workers(context.getTranslationUnitDecl(), context)) out.clear();
  return out;
}

}  // namespace syncsniff::facts
