#include "analyzer/facts/shared_reads.h"

#include <clang/AST/Attr.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/shared_elements.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr size_t kMostPending = 32, kMostFound = 16;

// Whether no call in it can contain a barrier: it calls arithmetic of the C and C++ libraries, and functions that call
// no more than that.
bool only_computes(const FunctionDecl* callee, const ASTContext& context, int depth = 0);

bool only_computes(const Stmt* stmt, const ASTContext& context, int depth) {
  if (!stmt) return true;
  if (isa<AsmStmt, LambdaExpr>(stmt)) return false;
  if (const auto* expr = dyn_cast<Expr>(stmt); expr && !builtin_index(expr).empty()) return true;
  if (const auto* call = dyn_cast<CallExpr>(stmt); call && !only_computes(call->getDirectCallee(), context, depth + 1))
    return false;
  return std::all_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt* child) { return only_computes(child, context, depth); });
}

bool only_computes(const FunctionDecl* callee, const ASTContext& context, int depth) {
  constexpr int kDeepest = 3;
  if (!callee || depth > kDeepest) return false;
  if (callee->isTrivial() || callee->isInStdNamespace()) return true;
  // Headers of mathematical functions of CUDA and Clang. Barriers are in their other headers.
  const SourceManager& sm = context.getSourceManager();
  const SourceLocation at = sm.getFileLoc(callee->getLocation());
  if (sm.isInSystemHeader(at) && sm.getFilename(at).contains("math")) return true;
  const FunctionDecl* defined = nullptr;
  return callee->hasBody(defined) && only_computes(defined->getBody(), context, depth);
}

class Walk {
 public:
  Walk(const FunctionDecl* kernel, const ASTContext& context) : context_(context), elements_(kernel, context) {}

  std::vector<KernelBody::Unsynced> run(const Stmt* body) {
    statement(body);
    return std::move(found_);
  }

 private:
  struct Written {
    SharedElement element;
    const Expr* at;
    bool by_one_thread = false;
  };

  void barrier() {
    pending_.clear();
    ++barriers_;
  }

  void statement(const Stmt* stmt) {
    if (!stmt || found_.size() >= kMostFound) return;
    if (const auto* e = dyn_cast<Expr>(stmt)) return expression(e);
    if (const auto* s = dyn_cast<IfStmt>(stmt)) return if_statement(s);
    if (isa<CompoundStmt, DeclStmt, ReturnStmt, AttributedStmt>(stmt)) return children(stmt);
    if (isa<ForStmt, WhileStmt, DoStmt>(stmt)) return loop(stmt);
    if (isa<NullStmt, BreakStmt, ContinueStmt>(stmt)) return;
    barrier();  // not followed, and taken for a barrier: assembler, switch, goto
    children(stmt);
    barrier();
  }

  void children(const Stmt* stmt) {
    if (const auto* s = dyn_cast<DeclStmt>(stmt)) {
      for (const Decl* decl : s->decls()) {
        if (const auto* var = dyn_cast<VarDecl>(decl)) expression(var->getInit());
      }
      return;
    }
    for (const Stmt* child : stmt->children()) statement(child);
  }

  // The body is walked twice, so that an iteration reads what the previous one wrote.
  void loop(const Stmt* stmt) {
    constexpr int kDeepest = 3;
    ++loops_;
    if (const auto* s = dyn_cast<ForStmt>(stmt)) statement(s->getInit());
    for (int time = 0; time < (loops_ > kDeepest ? 1 : 2); ++time) {
      if (const auto* s = dyn_cast<ForStmt>(stmt)) {
        expression(s->getCond());
        statement(s->getBody());
        expression(s->getInc());
      } else {
        children(stmt);
      }
    }
    --loops_;
  }

  // Afterwards the writes of both branches are pending; a barrier in one of them ends all pending writes.
  void if_statement(const IfStmt* stmt) {
    statement(stmt->getInit());
    if (const auto taken = constant_truth(stmt->getCond(), context_))
      return statement(*taken ? stmt->getThen() : stmt->getElse());
    expression(stmt->getCond());
    const bool outer = one_warp_;
    one_warp_ |= elements_.may_choose_one_warp(stmt->getCond());
    const std::optional<long long> outer_thread = thread_;
    if (const auto chosen = elements_.chosen_thread(stmt->getCond())) thread_ = chosen;
    const bool outer_elected = elected_;
    elected_ |= elements_.elects(stmt->getCond());
    const int barriers = barriers_;
    const std::vector<Written> before = pending_;
    statement(stmt->getThen());
    std::vector<Written> after_then = std::move(pending_);
    pending_ = before;
    thread_ = outer_thread;
    elected_ = outer_elected;
    statement(stmt->getElse());
    one_warp_ = outer;
    if (barriers_ != barriers) return pending_.clear();
    for (const Written& written : after_then) add(written);
  }

  void expression(const Expr* expr) {
    if (!expr || !builtin_index(expr).empty()) return;  // Clang represents threadIdx.x as a call
    if (const auto* op = dyn_cast<BinaryOperator>(expr); op && op->isAssignmentOp()) {
      expression(op->getRHS());
      return assigned(op->getLHS(), op->isCompoundAssignmentOp());
    }
    if (const auto* op = dyn_cast<UnaryOperator>(expr); op && op->isIncrementDecrementOp())
      return assigned(op->getSubExpr(), true);
    if (const auto* op = dyn_cast<UnaryOperator>(expr); op && op->getOpcode() == UO_AddrOf) {
      if (elements_.of(op->getSubExpr())) return;  // takes the address and reads no value
    }
    const auto* cast = dyn_cast<ImplicitCastExpr>(expr);
    if (cast && cast->getCastKind() == CK_LValueToRValue) {
      if (const auto element = elements_.common(cast->getSubExpr())) read_by_all(*element, cast->getSubExpr());
    }
    if (const auto element = elements_.of(expr)) return read(*element, expr);
    if (isa<UnaryExprOrTypeTraitExpr>(expr)) return;
    if (isa<LambdaExpr>(expr)) return barrier();
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(expr);
        call && call->isAssignmentOp() && call->getNumArgs() == 2) {
      expression(call->getArg(1));
      if (!only_computes(call->getDirectCallee(), context_)) barrier();
      return assigned(call->getArg(0), call->getOperator() != OO_Equal);
    }
    for (const Stmt* child : expr->children()) statement(child);
    const auto* call = dyn_cast<CallExpr>(expr);
    const auto* made = dyn_cast<CXXConstructExpr>(expr);
    if (call && !only_computes(call->getDirectCallee(), context_)) barrier();
    if (made && !only_computes(made->getConstructor(), context_)) barrier();
  }

  void assigned(const Expr* target, bool reads_too) {
    const auto common = elements_.common(target);
    if (common && elected_) return add({*common, target, true});
    if (common) common_.push_back(*common);
    const auto element = elements_.of(target);
    if (!element) return expression(target);
    if (reads_too) read(*element, target);
    own_.push_back(*element);
    if (!one_warp_ && element->own) add({*element, target});
  }

  void add(const Written& written) {
    const bool known = std::any_of(pending_.begin(), pending_.end(), [&](const Written& w) {
      return w.element.array == written.element.array && w.element.index == written.element.index;
    });
    if (!known && pending_.size() < kMostPending) pending_.push_back(written);
  }

  static bool is_same(const SharedElement& a, const SharedElement& b) {
    return a.array == b.array && a.index == b.index;
  }

  // The other threads' warps may read the element before the one thread has written it.
  void read_by_all(const SharedElement& element, const Expr* at) {
    const auto same = [&](const SharedElement& e) { return is_same(e, element); };
    if (elected_ || one_warp_ || std::any_of(common_.begin(), common_.end(), same)) return;
    for (const Written& written : pending_) {
      if (written.by_one_thread && is_same(written.element, element)) return found(written, element, at);
    }
  }

  void read(const SharedElement& element, const Expr* at) {
    const auto same = [&](const SharedElement& e) { return is_same(e, element); };
    if (!element.known || std::any_of(own_.begin(), own_.end(), same)) return;
    for (const Written& written : pending_) {
      if (written.by_one_thread || written.element.array != element.array) continue;
      if (!is_of_another_warp(written.element, element)) continue;
      // Under if (threadIdx.x == 0) the thread reads its own write.
      if (thread_ && is_element_of_thread(written.element, *thread_, element)) continue;
      return found(written, element, at);
    }
  }

  void found(const Written& written, const SharedElement& element, const Expr* at) {
    if (!reported_.insert(at).second) return;
    found_.push_back({place_of(written.at->getSourceRange(), context_), place_of(at->getSourceRange(), context_),
                      element.array->getNameAsString(), source_text(written.at->getSourceRange(), context_, 60),
                      source_text(at->getSourceRange(), context_, 60), written.by_one_thread});
  }

  const ASTContext& context_;
  SharedElements elements_;
  std::vector<Written> pending_;       // since the last barrier
  std::vector<SharedElement> own_;     // the current thread's own writes, which it may read
  std::vector<SharedElement> common_;  // elements that all threads have written alike
  std::set<const Expr*> reported_;
  std::vector<KernelBody::Unsynced> found_;
  std::optional<long long> thread_;  // in a branch that one thread of each row takes: that thread's threadIdx.x
  bool one_warp_ = false;            // in a branch that may be taken by a single warp alone
  bool elected_ = false;             // in a branch that one thread takes
  int loops_ = 0;                    // number of loops around the current statement
  int barriers_ = 0;
};

// __launch_bounds__(32): the block is a warp.
bool is_one_warp(const FunctionDecl* kernel, const ASTContext& context) {
  const auto* bounds = kernel->getAttr<CUDALaunchBoundsAttr>();
  if (!bounds || !bounds->getMaxThreads()) return false;
  const auto most = constant_integer(bounds->getMaxThreads(), context);
  return !most || *most <= kWarp;
}

}  // namespace

std::vector<KernelBody::Unsynced> unsynced_reads(const FunctionDecl* kernel, const ASTContext& context) {
  if (is_one_warp(kernel, context)) return {};
  return Walk(kernel, context).run(kernel->getBody());
}

}  // namespace syncsniff::facts
