#include "analyzer/facts/copy_descriptors.h"

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/values.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr long kDriverHost = 1, kDriverDevice = 2;  // CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE
constexpr long long kHostToDevice = 1, kDeviceToHost = 2, kDeviceToDevice = 3;

class Descriptor {
 public:
  Descriptor(const VarDecl* variable, SourceLocation call, const ASTContext& context)
      : variable_(variable), call_(call), context_(context) {}

  // The last constant that was assigned to the field before the call.
  std::optional<long> field(StringRef name, const FunctionDecl* function) const {
    std::optional<long> value = in_initializer(name);
    for_each_expr(function->getBody(), [&](const Expr* expr) {
      const Assignment set = assignment(expr);
      if (!set.left || set.compound || !names_field(set.left, name) || !is_before_call(expr)) return;
      value = constant_integer(set.right, context_);
    });
    return value;
  }

 private:
  bool is_before_call(const Expr* expr) const {
    return context_.getSourceManager().isBeforeInTranslationUnit(expr->getBeginLoc(), call_);
  }

  bool names_field(const Expr* expr, StringRef name) const {
    const auto* member = dyn_cast<MemberExpr>(strip(expr));
    const IdentifierInfo* identifier = member ? member->getMemberDecl()->getIdentifier() : nullptr;
    return identifier && identifier->getName() == name && named_decl(member->getBase()) == variable_;
  }

  // cudaMemcpy3DParms params = {.kind = cudaMemcpyHostToDevice};
  std::optional<long> in_initializer(StringRef name) const {
    const auto* list = dyn_cast_or_null<InitListExpr>(variable_->getInit());
    const auto* record = list ? variable_->getType()->getAsRecordDecl() : nullptr;
    if (!record) return std::nullopt;
    unsigned at = 0;
    for (const FieldDecl* field : record->fields()) {
      if (field->getName() == name && at < list->getNumInits() && !isa<ImplicitValueInitExpr>(list->getInit(at)))
        return constant_integer(list->getInit(at), context_);
      ++at;
    }
    return std::nullopt;
  }

  const VarDecl* variable_;
  const SourceLocation call_;
  const ASTContext& context_;
};

}  // namespace

std::optional<long long> copy_kind(const Expr* descriptor, const FunctionDecl* function, const ASTContext& context) {
  const auto* address = dyn_cast<UnaryOperator>(strip(descriptor));
  if (!address || address->getOpcode() != UO_AddrOf || !function || !function->hasBody()) return std::nullopt;
  const auto* variable = dyn_cast_or_null<VarDecl>(named_decl(address->getSubExpr()));
  if (!variable) return std::nullopt;
  const Descriptor read(variable, descriptor->getBeginLoc(), context);
  if (const std::optional<long> kind = read.field("kind", function)) return *kind;
  const auto from = read.field("srcMemoryType", function), to = read.field("dstMemoryType", function);
  if (from == kDriverHost && to && *to != kDriverHost) return kHostToDevice;
  if (to == kDriverHost && from && *from != kDriverHost) return kDeviceToHost;
  if (from == kDriverDevice && to == kDriverDevice) return kDeviceToDevice;
  return std::nullopt;
}

}  // namespace syncsniff::facts
