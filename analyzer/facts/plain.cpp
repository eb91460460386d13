#include "analyzer/facts/plain.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <set>

#include "analyzer/facts/names.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// Calls are followed to this depth: a checking function and the functions that it reports with.
constexpr int kMostCalls = 3;

// Functions of the C and C++ libraries that write text, read the time or compute, and call no other code back.
bool is_harmless_name(StringRef name) {
  static const std::set<StringRef> kNames = {
      "printf",   "fprintf", "puts",     "fputs",         "putchar",      "fputc",
      "fflush",   "perror",  "snprintf", "strerror",      "strlen",       "strcmp",
      "strrchr",  "time",    "clock",    "clock_gettime", "gettimeofday", "sqrt",
      "sqrtf",    "fabs",    "fabsf",    "abs",           "exp",          "log",
      "pow",      "floor",   "ceil",     "round",         "isnan",        "isinf",
      "isfinite", "min",     "max",      "fmin",          "fmax",         "__builtin_expect"};
  return kNames.count(name) != 0;
}

// The argument of such a macro is missing in other builds.
bool comes_and_goes(SourceLocation at, const ASTContext& context) {
  if (!at.isMacroID()) return false;
  const SourceManager& sm = context.getSourceManager();
  while (sm.getImmediateMacroCallerLoc(at).isMacroID()) at = sm.getImmediateMacroCallerLoc(at);
  const std::string name = Lexer::getImmediateMacroName(at, sm, context.getLangOpts()).lower();
  return name.find("assert") != std::string::npos || name.find("debug") != std::string::npos ||
         name.find("dcheck") != std::string::npos;
}

// Whether the declaration is in `std`; if `inner` is given, in this namespace directly inside `std`.
bool in_std(const Decl* decl, StringRef inner = "") {
  bool found = inner.empty();
  for (const DeclContext* c = decl->getDeclContext(); c && !c->isTranslationUnit(); c = c->getParent()) {
    const auto* space = dyn_cast<NamespaceDecl>(c);
    if (!space) continue;
    found |= space->getName() == inner;
    if (space->isStdNamespace()) return found;
  }
  return false;
}

bool is_number(QualType type) {
  return !type.isVolatileQualified() && (type->isArithmeticType() || type->isEnumeralType());
}

bool is_chrono(QualType type) {
  const auto* record = type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
  return record && in_std(record, "chrono");
}

// A variable whose construction and destruction run no code.
bool is_plain_variable(const VarDecl* var) {
  const QualType type = var->getType();
  if (type.isVolatileQualified() || var->isStaticLocal()) return false;
  if (is_number(type) || type->isPointerType() || is_chrono(type)) return true;
  if (type->isReferenceType()) return is_number(type.getNonReferenceType()) || type->getPointeeType()->isPointerType();
  if (type->isArrayType()) return is_number(QualType(type->getBaseElementTypeUnsafe(), 0));
  const auto* record = type->getAsCXXRecordDecl();
  return record ? record->hasDefinition() && record->isPOD() : type->isRecordType();
}

// std::cout << number, text or a manipulator without arguments.
bool is_output(const CXXOperatorCallExpr* call) {
  if (call->getOperator() != OO_LessLess || call->getNumArgs() != 2) return false;
  const auto* stream = call->getArg(0)->getType().getCanonicalType()->getAsCXXRecordDecl();
  if (!stream || !in_std(stream) || !stream->getName().starts_with("basic_ostream")) return false;
  const FunctionDecl* callee = call->getDirectCallee();
  const QualType type = call->getArg(1)->getType().getCanonicalType();
  if (!callee || !in_std(callee)) return false;
  if (is_number(type)) return true;
  const Expr* text = call->getArg(1)->IgnoreParenImpCasts();
  if (const auto* named = dyn_cast<DeclRefExpr>(text)) {
    if (isa<FunctionDecl>(named->getDecl())) return in_std(named->getDecl());
  }
  const QualType pointee = type->isPointerType() ? type->getPointeeType() : QualType();
  return !pointee.isNull() && pointee->isCharType();
}

bool has_jump(const Stmt* stmt) {
  if (!stmt) return false;
  if (isa<BreakStmt, ContinueStmt, GotoStmt>(stmt)) return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(), [](const Stmt* child) { return has_jump(child); });
}

}  // namespace

bool is_written_here(SourceLocation at, const SourceManager& sm) {
  while (at.isMacroID()) {
    if (!sm.isMacroArgExpansion(at)) return false;
    at = sm.getImmediateSpellingLoc(at);
  }
  return at.isValid();
}

bool PlainCode::is_plain(const Stmt* stmt) const {
  return stmt && !comes_and_goes(stmt->getBeginLoc(), context_) && plain(stmt, {});
}

bool PlainCode::plain_children(const Stmt* stmt, Where where) const {
  return std::all_of(stmt->child_begin(), stmt->child_end(), [&](const Stmt* child) { return plain(child, where); });
}

// Control never reaches the block's next statement, so it does not matter what the path does first.
bool PlainCode::leaves(const Stmt* stmt, Where where) const {
  if (where.in_loop && has_jump(stmt)) return false;
  if (const auto* block = dyn_cast_or_null<CompoundStmt>(stmt))
    return !block->body_empty() && leaves(block->body_back(), where);
  if (!stmt) return false;
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(stmt)) stmt = cleanups->getSubExpr();
  if (isa<CXXThrowExpr>(stmt)) return true;
  if (isa<ReturnStmt>(stmt)) return where.calls == 0;
  if (isa<BreakStmt, ContinueStmt>(stmt)) return where.calls == 0 && !where.in_loop;
  const auto* call = dyn_cast<CallExpr>(stmt);
  return call && call->getDirectCallee() && call->getDirectCallee()->isNoReturn();
}

bool PlainCode::plain(const Stmt* stmt, Where where) const {
  if (!stmt || isa<NullStmt>(stmt)) return true;
  if (const auto* expr = dyn_cast<Expr>(stmt)) return plain_expression(expr, where);
  if (isa<CompoundStmt>(stmt)) return plain_children(stmt, where);
  if (const auto* s = dyn_cast<DeclStmt>(stmt)) {
    return std::all_of(s->decl_begin(), s->decl_end(), [&](const Decl* decl) {
      const auto* var = dyn_cast<VarDecl>(decl);
      if (!var) return isa<TypedefNameDecl, StaticAssertDecl, EmptyDecl>(decl);
      return is_plain_variable(var) && plain(var->getInit(), where);
    });
  }
  if (const auto* s = dyn_cast<IfStmt>(stmt)) {
    if (s->hasInitStorage() || s->hasVarStorage() || !plain(s->getCond(), where)) return false;
    for (const Stmt* branch : {s->getThen(), s->getElse()}) {
      if (!leaves(branch, where) && !plain(branch, where)) return false;
    }
    return true;
  }
  if (const auto* s = dyn_cast<ReturnStmt>(stmt)) return where.calls == 0 || plain(s->getRetValue(), where);
  if (isa<BreakStmt, ContinueStmt>(stmt)) return true;
  where.in_loop = true;
  // A loop that waits for another thread has no increment.
  if (const auto* s = dyn_cast<ForStmt>(stmt)) return s->getInc() && s->getCond() && plain_children(s, where);
  if (const auto* s = dyn_cast<DoStmt>(stmt)) {
    bool again = true;
    if (has_jump(s->getBody())) return false;  // statements after the jump may not run
    return !s->getCond()->isValueDependent() && s->getCond()->EvaluateAsBooleanCondition(again, context_) && !again &&
           plain(s->getBody(), where);
  }
  return false;
}

bool PlainCode::plain_expression(const Expr* expr, Where where) const {
  // A braced list that belongs to a declaration with an error has no type.
  if (expr->getType().isNull() || expr->getType().isVolatileQualified()) return false;
  if (const auto* call = dyn_cast<CallExpr>(expr)) return plain_call(call, where);
  if (const auto* throws = dyn_cast<CXXThrowExpr>(expr)) return throws->getSubExpr() != nullptr;
  if (const auto* op = dyn_cast<BinaryOperator>(expr)) {
    if (op->isAssignmentOp() && !is_number(op->getLHS()->getType())) return false;
    return !op->isPtrMemOp() && plain_children(op, where);
  }
  if (const auto* op = dyn_cast<UnaryOperator>(expr)) {
    if (op->isIncrementDecrementOp() && !is_number(op->getSubExpr()->getType())) return false;
    return plain(op->getSubExpr(), where);
  }
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expr)) return plain(cleanups->getSubExpr(), where);
  if (const auto* construct = dyn_cast<CXXConstructExpr>(expr)) {
    const bool trivial = construct->getConstructor()->isTrivial() || is_chrono(construct->getType());
    return trivial && plain_children(construct, where);
  }
  if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(expr)) return plain(argument->getExpr(), where);
  if (const auto* inner = dyn_cast<StmtExpr>(expr)) return plain(inner->getSubStmt(), where);
  if (isa<CastExpr, ParenExpr, ConstantExpr, MaterializeTemporaryExpr, DeclRefExpr, MemberExpr, ArraySubscriptExpr,
          AbstractConditionalOperator, OpaqueValueExpr, InitListExpr>(expr))
    return plain_children(expr, where);
  return isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, StringLiteral, CXXBoolLiteralExpr,
             CXXNullPtrLiteralExpr, GNUNullExpr, CXXThisExpr, PredefinedExpr, SourceLocExpr, UnaryExprOrTypeTraitExpr,
             ImplicitValueInitExpr, CXXScalarValueInitExpr>(expr);
}

bool PlainCode::plain_call(const CallExpr* call, Where where) const {
  const FunctionDecl* callee = call->getDirectCallee();
  if (!callee || isa<CUDAKernelCallExpr>(call)) return false;
  if (callee->isNoReturn()) return true;
  if (!std::all_of(call->arg_begin(), call->arg_end(), [&](const Expr* arg) { return plain(arg, where); }))
    return false;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
    if (!plain(member->getImplicitObjectArgument(), where)) return false;
  }
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(call); op && is_output(op)) return true;
  const bool of_library =
      callee->getBuiltinID() ||
      ((callee->isExternC() || in_std(callee)) && context_.getSourceManager().isInSystemHeader(callee->getLocation()));
  if (of_library && callee->getIdentifier() && is_harmless_name(callee->getName())) return true;
  if (const ApiFact* api = fact_of(callee, apis_)) {
    // Work that it enqueues, if any, has an event of its own and is judged there.
    const bool waits = api->blocks == Blocks::kAlways && (api->waits_for != WaitsFor::kNothing || api->copy);
    const bool asks = api->in_error_path || api->reads_error || (!api->enqueues && api->host_work == "clock");
    return (waits || asks) && !api->switches_device && api->creates.empty() && api->destroys.empty() &&
           api->tensor.empty();
  }
  if (in_std(callee, "chrono")) return true;
  if (isa<CXXOperatorCallExpr>(call)) return false;
  const FunctionDecl* defined = nullptr;
  if (of_library || isa<CXXMethodDecl>(callee) || where.calls >= kMostCalls || !callee->hasBody(defined)) return false;
  return plain(defined->getBody(), {where.calls + 1, false});
}

bool PlainCode::leaves_no_trace(const Stmt* stmt) const {
  std::set<const Decl*> own;
  std::vector<const Stmt*> open{stmt};
  std::vector<const Expr*> changed;
  while (!open.empty()) {
    const Stmt* at = open.back();
    open.pop_back();
    if (!at) continue;
    if (const auto* s = dyn_cast<DeclStmt>(at)) own.insert(s->decl_begin(), s->decl_end());
    if (const auto* op = dyn_cast<BinaryOperator>(at); op && op->isAssignmentOp()) changed.push_back(op->getLHS());
    if (const auto* op = dyn_cast<UnaryOperator>(at); op && op->isIncrementDecrementOp())
      changed.push_back(op->getSubExpr());
    open.insert(open.end(), at->child_begin(), at->child_end());
  }
  return std::all_of(changed.begin(), changed.end(), [&](const Expr* expr) {
    const auto* named = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
    return named && own.count(named->getDecl()) != 0;
  });
}

bool PlainCode::has_directive(const Stmt* before, const Stmt* stmt) const {
  const SourceManager& sm = context_.getSourceManager();
  const SourceLocation from = sm.getFileLoc(before ? before->getEndLoc() : stmt->getBeginLoc());
  const SourceLocation to = sm.getExpansionRange(stmt->getEndLoc()).getEnd();
  if (from.isInvalid() || to.isInvalid() || sm.getFileID(from) != sm.getFileID(to)) return true;
  bool bad = false;
  const StringRef buffer = sm.getBufferData(sm.getFileID(from), &bad);
  const unsigned first = sm.getFileOffset(from), last = sm.getFileOffset(to);
  if (bad || last < first) return true;
  StringRef text = buffer.slice(first, last);
  for (size_t at = text.find('\n'); at != StringRef::npos; at = text.find('\n', at + 1)) {
    if (text.substr(at + 1).ltrim(" \t").starts_with("#")) return true;
  }
  return false;
}

}  // namespace syncsniff::facts
