// Calls in a kernel: the project's __device__ functions are walked as if they were inlined; for library functions it is
// enough to look at the arguments.
#include <clang/AST/Attr.h>

#include "analyzer/facts/kernel_walk.h"
#include "analyzer/facts/names.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr size_t kMostFrames = 8;

// CUDA's functions through which threads exchange values.
bool joins_threads(StringRef name) {
  static const char* const kFirstWords[] = {"__sync",    "__shfl",       "__any",     "__all",  "__ballot",   "__match",
                                            "__reduce_", "__activemask", "__barrier", "atomic", "__nv_atomic"};
  return std::any_of(std::begin(kFirstWords), std::end(kFirstWords),
                     [&](const char* w) { return name.starts_with(w); });
}

// Stores with a cache hint: *p = v.
bool stores(StringRef name) { return name == "__stcs" || name == "__stcg" || name == "__stwb" || name == "__stwt"; }

bool of_cooperative_groups(const FunctionDecl* callee) {
  for (const DeclContext* c = callee->getDeclContext(); c; c = c->getParent()) {
    const auto* space = dyn_cast<NamespaceDecl>(c);
    if (space && space->getIdentifier() && space->getName() == "cooperative_groups") return true;
  }
  return false;
}

}  // namespace

Known KernelWalk::handed(const Expr* arg, QualType parameter) {
  return parameter->isReferenceType() || arg->isGLValue() ? place(arg) : value(arg);
}

Known KernelWalk::enter(const FunctionDecl* callee, const std::vector<const Expr*>& args, const Known& object) {
  const bool open = std::any_of(frames_.begin(), frames_.end(), [&](const Frame& f) { return f.function == callee; });
  if (open || frames_.size() >= kMostFrames || !callee->getBody()) return fail();
  std::vector<Known> given;
  for (size_t i = 0; i < args.size() && i < callee->getNumParams(); ++i)
    given.push_back(handed(args[i], callee->getParamDecl(i)->getType()));
  for (size_t i = 0; i < given.size(); ++i) {
    const QualType type = callee->getParamDecl(i)->getType();
    const bool keeps = type->isReferenceType() || type->isPointerType() || type->isIntegralOrEnumerationType();
    if (!keeps && given[i].kind == Known::Kind::kMemory) return fail();
    known_[callee->getParamDecl(i)] = keeps ? given[i] : Known{};
  }
  frames_.push_back({callee, object, false, {}});
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(callee)) {
    for (const CXXCtorInitializer* init : constructor->inits()) {
      if (init->getInit() && handed(init->getInit(), init->getInit()->getType()).kind == Known::Kind::kMemory) fail();
    }
  }
  statement(callee->getBody());
  const Known result = frames_.back().result;
  frames_.pop_back();
  return result;
}

Known KernelWalk::library_call(const FunctionDecl* callee, const std::vector<const Expr*>& args) {
  const StringRef name = callee->getIdentifier() ? callee->getName() : "";
  if (project_.contains(callee->getLocation(), context_.getSourceManager()) && !callee->isDefaulted()) return fail();
  if (joins_threads(name) || of_cooperative_groups(callee)) return fail();
  for (size_t i = 0; i < args.size(); ++i) {
    const QualType type = i < callee->getNumParams() ? callee->getParamDecl(i)->getType() : args[i]->getType();
    const Known given = handed(args[i], type);
    if (given.kind != Known::Kind::kMemory) {
      const bool writes = type->isLValueReferenceType() && !type->getPointeeType().isConstQualified();
      if (given.kind == Known::Kind::kVariable && writes) known_[given.var] = {};
      continue;
    }
    const bool points = type->isReferenceType() || type->isPointerType();
    const QualType pointee = points ? type->getPointeeType() : type;
    if (pointee->isVoidType()) return fail();
    if (!points || pointee.isConstQualified())
      access(given, pointee, false);
    else if (stores(name) && i == 0)
      access(given, pointee, true);
    else
      return fail();
  }
  return {};
}

Known KernelWalk::call(const CallExpr* call) {
  const FunctionDecl* callee = call->getDirectCallee();
  if (!callee) return fail();
  std::vector<const Expr*> args(call->arg_begin(), call->arg_end());
  Known object;
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
    const Expr* on = member->getImplicitObjectArgument();
    object = on->isGLValue() ? place(on) : value(on);
  } else if (isa<CXXOperatorCallExpr>(call) && method && !method->isStatic()) {
    object = args[0]->isGLValue() ? place(args[0]) : value(args[0]);
    args.erase(args.begin());
    // `v = x` of plain structs.
    if (call->getNumArgs() == 2 && method->isTrivial() &&
        (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
      const Expr* written = element_;
      const Known from = args[0]->isGLValue() ? place(args[0]) : value(args[0]);
      load(from, call->getType());
      element_ = written;
      store(object, {}, call->getType().getNonReferenceType());
      return object;
    }
  }
  if (object.kind == Known::Kind::kVariable) object.kind = Known::Kind::kLocal;
  const FunctionDecl* defined = nullptr;
  if (callee->hasBody(defined) && defined->getBody()) return enter(defined, args, object);
  // Products of the lower 24 bits, with which older kernels compute indices.
  const StringRef name = callee->getIdentifier() ? callee->getName() : "";
  if (args.size() == 2 && (name == "__mul24" || name == "__umul24")) {
    const Known a = value(args[0]), b = value(args[1]);
    return arithmetic(BO_Mul, a, args[0]->getType(), b, args[1]->getType());
  }
  // A foreign method that is called on an object in memory may read and write it in any way.
  if (object.kind == Known::Kind::kMemory) return fail();
  return library_call(callee, args);
}

}  // namespace syncsniff::facts
