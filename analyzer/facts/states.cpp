#include "analyzer/facts/states.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/host_sums.h"
#include "analyzer/facts/names.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

using Steps = std::vector<StateStep>;

constexpr int kDeepestTerm = 8;
constexpr int kMostStateSteps = 300;  // a function with more is no accessor, and is left out
constexpr unsigned kMostEnumerators = 16;

bool holds_state(QualType type) {
  type = type.getNonReferenceType();
  return type->isBooleanType() || type->isEnumeralType() || type->isIntegerType() || is_atomic(type);
}

StateTerm constant(long long value) {
  StateTerm term;
  term.kind = StateTerm::Kind::kConstant;
  term.value = value;
  return term;
}

StateTerm compound(StateTerm::Kind kind, std::vector<StateTerm> operands) {
  StateTerm term;
  term.kind = kind;
  term.operands = std::move(operands);
  return term;
}

bool asks_state(const StateTerm& term) {
  return term.kind == StateTerm::Kind::kField || term.kind == StateTerm::Kind::kAnswer ||
         std::any_of(term.operands.begin(), term.operands.end(), asks_state);
}

// Whether the steps have to be kept: one writes a state, or is a call or copy in a branch that tests one.
bool concerns_states(const Steps& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const StateStep& step) {
    if (step.kind == StateStep::Kind::kWrite) return true;
    if (step.kind == StateStep::Kind::kChoice && asks_state(step.value)) return true;
    return concerns_states(step.first) || concerns_states(step.second);
  });
}

class StateReader {
 public:
  StateReader(const FunctionDecl* decl, const StateSource& source, const Function& function)
      : decl_(decl), source_(source), function_(function), sums_(source.context, source.writes, decl) {}

  Steps read() {
    Steps steps;
    statement(decl_->getBody(), steps);
    return count_ > kMostStateSteps ? Steps{} : steps;
  }

  // bool stale() const { return state_ == kStale; }
  StateTerm answer() const {
    const auto* body = dyn_cast_or_null<CompoundStmt>(decl_->getBody());
    const auto* only = body && body->size() == 1 ? dyn_cast<ReturnStmt>(body->body_front()) : nullptr;
    return only && only->getRetValue() && holds_state(decl_->getReturnType()) ? term(only->getRetValue(), 0)
                                                                              : StateTerm{};
  }

 private:
  void add(Steps& out, StateStep step) {
    if (++count_ <= kMostStateSteps) out.push_back(std::move(step));
  }

  void leave(Steps& out) {
    StateStep step;
    step.kind = StateStep::Kind::kLeave;
    add(out, std::move(step));
  }

  void choose(StateTerm condition, Steps first, Steps second, Steps& out) {
    if (first.empty() && second.empty()) return;
    StateStep step;
    step.kind = StateStep::Kind::kChoice;
    step.value = std::move(condition);
    step.first = std::move(first);
    step.second = std::move(second);
    add(out, std::move(step));
  }

  void statement(const Stmt* stmt, Steps& out) {
    if (!stmt || count_ > kMostStateSteps) return;
    if (const auto* expr = dyn_cast<Expr>(stmt)) return expression(expr, out);
    if (const auto* s = dyn_cast<IfStmt>(stmt)) return if_statement(s, out);
    if (const auto* s = dyn_cast<SwitchStmt>(stmt)) return switch_statement(s, out);
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt)) return loop(stmt, out);
    if (const auto* s = dyn_cast<DeclStmt>(stmt)) {
      for (const Decl* decl : s->decls()) {
        if (const auto* var = dyn_cast<VarDecl>(decl)) expression(var->getInit(), out);
      }
      return;
    }
    for (const Stmt* child : stmt->children()) statement(child, out);
    if (isa<ReturnStmt>(stmt)) leave(out);
  }

  void if_statement(const IfStmt* stmt, Steps& out) {
    statement(stmt->getInit(), out);
    if (const DeclStmt* variable = stmt->getConditionVariableDeclStmt()) statement(variable, out);
    expression(stmt->getCond(), out);
    Steps first, second;
    statement(stmt->getThen(), first);
    statement(stmt->getElse(), second);
    choose(term(stmt->getCond(), 0), std::move(first), std::move(second), out);
  }

  void loop(const Stmt* stmt, Steps& out) {
    // do { ... } while (0) of a macro runs once.
    if (const auto* once = dyn_cast<DoStmt>(stmt); once && constant_truth(once->getCond(), source_.context) == false)
      return statement(once->getBody(), out);
    StateStep step;
    step.kind = StateStep::Kind::kRepeat;
    for (const Stmt* child : stmt->children()) statement(child, step.first);
    if (!step.first.empty()) add(out, std::move(step));
  }

  struct Section {
    std::vector<const Expr*> values;
    bool is_default = false;
    std::vector<const Stmt*> statements;
  };

  static std::vector<Section> sections_of(const SwitchStmt* stmt) {
    std::vector<Section> sections;
    const auto* body = dyn_cast_or_null<CompoundStmt>(stmt->getBody());
    if (!body) return sections;
    for (const Stmt* child : body->body()) {
      while (const auto* label = dyn_cast_or_null<SwitchCase>(child)) {
        if (sections.empty() || !sections.back().statements.empty()) sections.emplace_back();
        if (const auto* one = dyn_cast<CaseStmt>(label))
          sections.back().values.push_back(one->getLHS());
        else
          sections.back().is_default = true;
        child = label->getSubStmt();
      }
      if (!sections.empty() && child) sections.back().statements.push_back(child);
    }
    return sections;
  }

  static bool ends(const Stmt* stmt) {
    if (const auto* block = dyn_cast<CompoundStmt>(stmt)) return block->size() != 0 && ends(block->body_back());
    return isa<BreakStmt, ReturnStmt, ContinueStmt, CXXThrowExpr>(stmt);
  }

  // A switch becomes a chain of choices; a section that falls through also runs the next one's statements.
  void switch_statement(const SwitchStmt* stmt, Steps& out) {
    expression(stmt->getCond(), out);
    const StateTerm tested = term(stmt->getCond(), 0);
    const std::vector<Section> sections = sections_of(stmt);
    Steps rest;
    const auto steps_of = [&](size_t section) {
      Steps steps;
      for (size_t s = section; s < sections.size(); ++s) {
        for (const Stmt* each : sections[s].statements) statement(each, steps);
        if (!sections[s].statements.empty() && ends(sections[s].statements.back())) break;
      }
      return steps;
    };
    for (size_t s = 0; s < sections.size(); ++s) {
      if (sections[s].is_default) rest = steps_of(s);
    }
    for (size_t s = sections.size(); s-- > 0;) {
      if (sections[s].is_default) continue;
      std::vector<StateTerm> any;
      for (const Expr* value : sections[s].values)
        any.push_back(compound(StateTerm::Kind::kEqual, {tested, term(value, 0)}));
      Steps chain;
      choose(any.size() == 1 ? any.front() : compound(StateTerm::Kind::kOr, any), steps_of(s), std::move(rest), chain);
      rest = std::move(chain);
    }
    for (StateStep& step : rest) out.push_back(std::move(step));
  }

  void expression(const Expr* expr, Steps& out) {
    if (!expr || count_ > kMostStateSteps || isa<LambdaExpr, UnaryExprOrTypeTraitExpr>(expr)) return;
    if (const auto* choice = dyn_cast<AbstractConditionalOperator>(expr)) {
      expression(choice->getCond(), out);
      Steps first, second;
      expression(choice->getTrueExpr(), first);
      expression(choice->getFalseExpr(), second);
      return choose(term(choice->getCond(), 0), std::move(first), std::move(second), out);
    }
    for (const Stmt* child : expr->children()) statement(child, out);
    if (isa<CXXThrowExpr>(expr)) return leave(out);
    if (const auto* call = dyn_cast<CallExpr>(expr)) called(call, out);
    if (const auto* unary = dyn_cast<UnaryOperator>(expr); unary && unary->isIncrementDecrementOp())
      written(unary->getSubExpr(), {}, out);
    if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary && binary->isAssignmentOp())
      written(binary->getLHS(), binary->getOpcode() == BO_Assign ? term(binary->getRHS(), 0) : StateTerm{}, out);
  }

  void called(const CallExpr* call, Steps& out) {
    const auto* op = dyn_cast<CXXOperatorCallExpr>(call);
    if (op && op->getOperator() == OO_Equal && op->getNumArgs() == 2 && is_atomic(op->getArg(0)->getType()))
      return written(op->getArg(0), term(op->getArg(1), 0), out);
    StateStep step;
    step.event = source_.values.event_of(call);
    if (step.event < 0) return;
    const Event& event = function_.events[step.event];
    const ApiFact* api = event.kind == Event::Kind::kApi ? source_.apis.find(event.callee.id) : nullptr;
    const bool of_project = event.kind == Event::Kind::kCall && !event.callee.harmless;
    const bool launches = event.kind == Event::Kind::kLaunch;
    if (of_project || launches || (api && api->copy)) add(out, std::move(step));
  }

  void written(const Expr* target, StateTerm value, Steps& out) {
    StateStep step;
    step.kind = StateStep::Kind::kWrite;
    step.target = term(target, 0);
    step.value = std::move(value);
    if (step.target.kind == StateTerm::Kind::kField) add(out, std::move(step));
  }

  StateTerm term(const Expr* expr, int depth) const {
    expr = strip(expr);
    if (!expr || depth > kDeepestTerm || expr->isValueDependent() || expr->getType().isNull()) return {};
    if (const auto value = constant_integer(expr, source_.context)) return constant(*value);
    if (const auto* member = dyn_cast<MemberExpr>(expr)) return of_member(member);
    if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) return of_variable(reference, depth);
    if (const auto* unary = dyn_cast<UnaryOperator>(expr); unary && unary->getOpcode() == UO_LNot)
      return compound(StateTerm::Kind::kNot, {term(unary->getSubExpr(), depth + 1)});
    if (const auto* binary = dyn_cast<BinaryOperator>(expr)) return of_operator(binary, depth);
    if (const auto* call = dyn_cast<CallExpr>(expr)) return of_call(call, depth);
    return {};
  }

  StateTerm of_member(const MemberExpr* member) const {
    const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (!field || !holds_state(field->getType())) return {};
    StateTerm term = state(field);
    term.object = text_of(sums_.of(member->getBase()));
    return term;
  }

  StateTerm of_variable(const DeclRefExpr* reference, int depth) const {
    const auto* var = dyn_cast<VarDecl>(reference->getDecl());
    if (!var) return {};
    const auto& writes = source_.writes.of(var);
    if (const auto* param = dyn_cast<ParmVarDecl>(var)) {
      StateTerm term;
      if (!writes.empty() || param->getDeclContext() != decl_) return term;
      term.kind = StateTerm::Kind::kParameter;
      term.value = static_cast<int>(param->getFunctionScopeIndex());
      return term;
    }
    if (var->hasGlobalStorage()) return holds_state(var->getType()) ? state(var) : StateTerm{};
    return writes.size() == 1 && writes.front().initial ? term(var->getInit(), depth + 1) : StateTerm{};
  }

  static StateTerm state(const ValueDecl* decl) {
    StateTerm term;
    term.kind = StateTerm::Kind::kField;
    term.name = node_of(decl);
    const auto* type = decl->getType().getNonReferenceType()->getAs<EnumType>();
    if (type && type->getDecl()->getDefinition()) {
      for (const EnumConstantDecl* each : type->getDecl()->getDefinition()->enumerators()) {
        if (term.values.size() < kMostEnumerators) term.values.push_back(each->getInitVal().getExtValue());
      }
    }
    return term;
  }

  StateTerm of_operator(const BinaryOperator* op, int depth) const {
    const auto of_sides = [&](StateTerm::Kind kind, bool turned) {
      StateTerm left = term(op->getLHS(), depth + 1), right = term(op->getRHS(), depth + 1);
      return turned ? compound(kind, {std::move(right), std::move(left)})
                    : compound(kind, {std::move(left), std::move(right)});
    };
    switch (op->getOpcode()) {
      case BO_LAnd:
        return of_sides(StateTerm::Kind::kAnd, false);
      case BO_LOr:
        return of_sides(StateTerm::Kind::kOr, false);
      case BO_EQ:
        return of_sides(StateTerm::Kind::kEqual, false);
      case BO_NE:
        return compound(StateTerm::Kind::kNot, {of_sides(StateTerm::Kind::kEqual, false)});
      case BO_LT:
        return of_sides(StateTerm::Kind::kLess, false);
      case BO_LE:
        return of_sides(StateTerm::Kind::kLessOrEqual, false);
      case BO_GT:
        return of_sides(StateTerm::Kind::kLess, true);
      case BO_GE:
        return of_sides(StateTerm::Kind::kLessOrEqual, true);
      default:
        return {};
    }
  }

  StateTerm of_call(const CallExpr* call, int depth) const {
    // __builtin_expect(x, 0), as likely() and assertions write it
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee && callee->getIdentifier() && callee->getName() == "__builtin_expect")
      return term(call->getArg(0), depth + 1);
    const auto* member = dyn_cast<CXXMemberCallExpr>(call);
    if (member && is_atomic(member->getImplicitObjectArgument()->getType()))
      return member->getNumArgs() == 0 || callee_is_load(member) ? term(member->getImplicitObjectArgument(), depth + 1)
                                                                 : StateTerm{};
    StateTerm term;
    term.value = source_.values.event_of(call);
    if (term.value < 0 || !holds_state(call->getType())) return {};
    if (function_.events[static_cast<size_t>(term.value)].kind != Event::Kind::kCall) return {};
    term.kind = StateTerm::Kind::kAnswer;
    return term;
  }

  static bool callee_is_load(const CXXMemberCallExpr* call) {
    const CXXMethodDecl* method = call->getMethodDecl();
    return method && method->getIdentifier() && method->getName() == "load";
  }

  const FunctionDecl* decl_;
  const StateSource& source_;
  const Function& function_;
  HostSums sums_;
  int count_ = 0;
};

}  // namespace

void read_states(const FunctionDecl* decl, const StateSource& source, Function& function) {
  StateReader reader(decl, source, function);
  if (StateTerm answer = reader.answer(); asks_state(answer)) function.state_answer = std::move(answer);
  std::vector<StateStep> steps = reader.read();
  if (concerns_states(steps)) function.states = std::move(steps);
}

}  // namespace syncsniff::facts
