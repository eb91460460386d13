// Differences of two clock readings: `end - start`, with any library's clock.
#include <algorithm>

#include "analyzer/facts/names.h"
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// All that the operand is computed from must be a single reading: `t.tv_sec * 1000000 + t.tv_usec`, `(double)clock()`.
struct Sources {
  const ValueDecl* kept = nullptr;
  const CallExpr* call = nullptr;
  bool several = false;

  void look(const Stmt* stmt) {
    if (!stmt || several || isa<UnaryExprOrTypeTraitExpr>(stmt)) return;
    if (const auto* e = dyn_cast<CallExpr>(stmt); e && !isa<CXXOperatorCallExpr>(stmt)) {
      const auto* member = dyn_cast<CXXMemberCallExpr>(e);
      const auto* method = member ? member->getMethodDecl() : nullptr;
      // time.time_since_epoch().count(): the reading, converted.
      if (method && method->isConst() && member->getNumArgs() == 0 && api_name(method).rfind("std::", 0) == 0)
        return look(member->getImplicitObjectArgument());
      several |= call != nullptr || kept != nullptr;
      call = e;
      return;
    }
    const auto* expr = dyn_cast<Expr>(stmt);
    const ValueDecl* named = nullptr;
    if (const auto* reference = dyn_cast_or_null<DeclRefExpr>(expr)) named = dyn_cast<VarDecl>(reference->getDecl());
    if (const auto* member = dyn_cast_or_null<MemberExpr>(expr)) {
      const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
      // t.tv_sec is part of t; timer.start_ and this->start_ are fields that hold a reading.
      if (field && !field->getType()->isRecordType() && isa<DeclRefExpr, MemberExpr>(strip(member->getBase())) &&
          !member->isArrow())
        return look(member->getBase());
      named = field;
    }
    if (named) {
      several |= call != nullptr || (kept && kept != named);
      kept = named;
      return;
    }
    for (const Stmt* child : stmt->children()) look(child);
  }
};

}  // namespace

// Whether the call reads a clock, or calls a function that may.
bool FunctionWalker::is_reading(const Event& event) const {
  if (event.kind == Event::Kind::kCall) return !event.callee.harmless;
  const ApiFact* api = event.kind == Event::Kind::kApi ? apis_.find(event.callee.id) : nullptr;
  return api && api->host_work == "clock";
}

// Whether `kept` holds a reading that this function took, or a time point that another function took.
bool FunctionWalker::keeps_reading(const ValueDecl* kept) const {
  const std::string node = node_of(kept);
  const auto& events = unit_.functions[function_].events;
  if (isa<FieldDecl>(kept) && kept->getType()->isRecordType()) return true;
  return std::any_of(events.begin(), events.end(), [&](const Event& event) {
    if (!is_reading(event)) return false;
    return event.into == node ||
           std::ranges::any_of(event.args, [&](const Text written) { return written == node; }, &Argument::node);
  });
}

Value FunctionWalker::reading_of_clock(const Expr* expr) const {
  Value value;
  Sources sources;
  sources.look(expr);
  if (sources.several) return value;
  if (sources.call) {
    const int event = values_.event_of(sources.call);
    if (event < 0 || !is_reading(unit_.functions[function_].events[event])) return value;
    value.kind = Value::Kind::kCall;
    value.event = event;
  } else if (sources.kept && keeps_reading(sources.kept)) {
    value.kind = Value::Kind::kNode;
    value.node = node_of(sources.kept);
  }
  return value;
}

void FunctionWalker::elapsed(const Expr* difference, const Expr* later, const Expr* earlier) {
  const Value from = reading_of_clock(earlier);
  if (from.kind != Value::Kind::kNode) return;
  const Value to = reading_of_clock(later);
  if (to.kind == Value::Kind::kUnknown) return;
  Event event = start_event(Event::Kind::kElapsed, difference);
  for (const Value& reading : {to, from}) event.args.emplace_back().value = reading;
  push(std::move(event), nullptr);
}

}  // namespace syncsniff::facts
