#include "analyzer/facts/clocks.h"

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

struct ClockSearch {
  const Stmt* loop;
  const Writes& writes;
  const ApiTable& apis;
  const ASTContext& context;
  ClockReading found;

  void look(const Stmt* stmt, int depth) {
    if (!stmt || depth > 6 || found.reads) return;
    if (const auto* call = dyn_cast<CallExpr>(stmt)) look_at_call(call);
    if (const auto* reference = dyn_cast<DeclRefExpr>(stmt)) look_at_variable(reference, depth);
    for (const Stmt* child : stmt->children()) look(child, depth);
  }

  void look_at_call(const CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee) return;
    const ApiFact* api = fact_of(callee, apis);
    if (api && api->host_work == "clock") found.reads = true;
    const bool foreign = context.getSourceManager().isInSystemHeader(callee->getLocation());
    if (!api && !foreign && !is_dispatched(call->getCallee(), callee)) found.asks = usr_of(callee);
  }

  // `const auto now = clock::now();`, or `clock_gettime(..., &t);` before t is read.
  void look_at_variable(const DeclRefExpr* reference, int depth) {
    const auto* var = dyn_cast<VarDecl>(reference->getDecl());
    if (!var || !var->isLocalVarDecl() || var->isStaticLocal()) return;
    for (const Write& write : writes.of(var)) {
      if (loop && !is_within(write.at, loop, context)) continue;
      if (write.how == Write::How::kUnknown) {
        look_for_call_with(write);
      } else if (const auto* declaration = dyn_cast_or_null<DeclStmt>(write.at)) {
        if (declaration->isSingleDecl() && declaration->getSingleDecl() == var) look(var->getInit(), depth + 1);
      }
    }
  }

  // The write is an argument `&t`: looks at the call that it is passed to.
  void look_for_call_with(const Write& write) {
    const auto calls = [&](const auto& self, const Stmt* stmt) -> void {
      if (!stmt || !is_within(write.at, stmt, context)) {
        if (!stmt || isa<Expr>(stmt)) return;
      }
      if (const auto* call = dyn_cast<CallExpr>(stmt); call && is_within(write.at, call, context)) {
        const FunctionDecl* callee = call->getDirectCallee();
        const ApiFact* api = callee ? fact_of(callee, apis) : nullptr;
        found.reads |= api && api->host_work == "clock";
      }
      for (const Stmt* child : stmt->children()) self(self, child);
    };
    if (write.in) calls(calls, write.in->getBody());
  }
};

}  // namespace

ClockReading reads_clock(const Expr* expr, const Stmt* loop, const Writes& writes, const ApiTable& apis,
                         const ASTContext& context) {
  ClockSearch search{loop, writes, apis, context, {}};
  search.look(expr, 0);
  return search.found;
}

}  // namespace syncsniff::facts
