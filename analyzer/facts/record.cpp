// How FunctionWalker records an event: its place, its arguments, what varies with which loop, which values flow where.
#include <clang/Lex/Lexer.h>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/containers.h"
#include "analyzer/facts/getters.h"
#include "analyzer/facts/host_sums.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/parameter_tests.h"
#include "analyzer/facts/tensor_calls.h"
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool is_identifier(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; }

size_t skip_blanks_back(StringRef text, size_t at) {
  while (at > 0 && isspace(static_cast<unsigned char>(text[at - 1]))) --at;
  return at;
}
size_t skip_blanks(StringRef text, size_t at) {
  while (at < text.size() && isspace(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

size_t matching_parenthesis(StringRef text, size_t close) {
  int depth = 0;
  for (size_t at = close + 1; at-- > 0;) {
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && --depth == 0) return at;
  }
  return StringRef::npos;
}

// The range of a statement that consists only of `check(call);` or `call;`, with the `;`. Found in the text, since a
// checking macro may expand to anything. Empty if the call is part of a larger statement.
std::pair<size_t, size_t> whole_statement(StringRef text, size_t begin, size_t end) {
  for (;;) {
    size_t before = skip_blanks_back(text, begin);
    size_t after = skip_blanks(text, end);
    if (before && text[before - 1] == '(' && after < text.size() && text[after] == ')') {
      size_t name = skip_blanks_back(text, before - 1);
      const size_t name_end = name;
      while (name > 0 && is_identifier(text[name - 1])) --name;
      StringRef word = text.substr(name, name_end - name);
      if (word == "if" || word == "while" || word == "for" || word == "switch" || word == "return") return {0, 0};
      begin = word.empty() ? before - 1 : name;
      end = after + 1;
      continue;
    }
    if (after >= text.size() || text[after] != ';') return {0, 0};
    if (!before) return {0, 0};
    const char previous = text[before - 1];
    const bool after_else = before >= 4 && text.substr(before - 4, 4) == "else";
    if (previous == ';' || previous == '{' || previous == '}' || after_else) return {begin, after + 1};
    if (previous == ')') {
      // The head of an if or a loop may come before its body; a cast to void is part of the statement.
      const size_t open = matching_parenthesis(text, before - 1);
      if (open == StringRef::npos) return {0, 0};
      if (text.slice(open + 1, before - 1).trim() == "void") {
        begin = open;
        continue;
      }
      size_t name = skip_blanks_back(text, open);
      const size_t name_end = name;
      while (name > 0 && is_identifier(text[name - 1])) --name;
      StringRef word = text.substr(name, name_end - name);
      const bool heads = word == "if" || word == "while" || word == "for" || word == "constexpr";
      return heads ? std::pair<size_t, size_t>{begin, after + 1} : std::pair<size_t, size_t>{0, 0};
    }
    // A comment may end just before the statement. Going backwards, its end cannot be told from code, so the statement
    // must begin its line.
    const size_t line = text.rfind('\n', begin ? begin - 1 : 0);
    StringRef lead =
        text.substr(line == StringRef::npos ? 0 : line + 1, begin - (line == StringRef::npos ? 0 : line + 1));
    if (!lead.trim().empty()) return {0, 0};
    const size_t previous_line = line == StringRef::npos || !line ? StringRef::npos : text.rfind('\n', line - 1);
    StringRef above = text.slice(previous_line == StringRef::npos ? 0 : previous_line + 1, line).trim();
    if (above.starts_with("//") || above.ends_with("*/") || above.contains("//") || above.starts_with("#")) {
      return {begin, after + 1};
    }
    return {0, 0};
  }
}

}  // namespace

Event FunctionWalker::start_event(Event::Kind kind, const Expr* expr) {
  Event event;
  event.kind = kind;
  event.region = region_;
  event.place = place_of(expr->getSourceRange(), context_);
  event.text = source_text(expr->getSourceRange(), context_);
  event.statement.in_macro = expr->getBeginLoc().isMacroID();
  event.statement.run = run_;
  event.statement.position = position_;
  event.order = static_cast<int>(unit_.flows.size());
  return event;
}

int FunctionWalker::push(Event event, const Expr* expr) {
  function().events.push_back(std::move(event));
  const int index = static_cast<int>(function().events.size()) - 1;
  if (expr) values_.remember(expr, index);
  return index;
}

Value FunctionWalker::bound_value(const Expr* expr, QualType target) const {
  if (!target->isReferenceType() || isa<LambdaExpr>(strip(expr))) return values_.value_of(expr);
  const QualType pointee = target.getNonReferenceType();
  const CXXRecordDecl* record = pointee->getAsCXXRecordDecl();
  const bool callable = record_name(pointee) == "function" || (record && record->isLambda());  // auto body = [&] {...};
  const bool by_value = callable || pointee->isPointerType() || is_tensor(pointee) || is_device_type(pointee) ||
                        is_pack_of_tensors(pointee);
  if (by_value) return values_.value_of(expr);
  // One of several lists that a call returned in a pair or a tuple.
  if (is_list_of_tensors(pointee)) {
    if (Value list = values_.value_of(expr); list.kind == Value::Kind::kElement) return list;
  }
  return values_.object_of(expr);
}

// The node that the callee can write through this argument: `&x`, or `x` bound to a reference.
std::string FunctionWalker::target_of(const Expr* arg, QualType parameter) const {
  if (!parameter.isNull() && parameter->isReferenceType()) return values_.assigned_node(arg);
  const Expr* inner = strip(arg);
  if (const auto* unary = dyn_cast<UnaryOperator>(inner); unary && unary->getOpcode() == UO_AddrOf) {
    return values_.assigned_node(unary->getSubExpr());
  }
  if (inner->getType()->isPointerType() || inner->getType()->isArrayType()) {
    std::string node = values_.assigned_node(inner);
    if (!node.empty()) return "*" + node;
    // v.data() points to the elements of v.
    const Value value = values_.value_of(inner);
    if (value.kind == Value::Kind::kAllocation && !value.node.empty()) return "*" + value.node;
  }
  return {};
}

void FunctionWalker::add_loops(Event& event, const Expr* arg) {
  if (!arg || !may_hold_pointer(arg->getType())) return;
  if (record_name(arg->getType()) == "dim3") return;  // cudaLaunchKernel(k, grid, ...): an extent picks no element
  for (const auto& [parameter, picked] : picking_parameters()) {
    if (mentions(arg, picked)) event.loops.picked_by.push_back(parameter);
  }
  for (const OpenLoop& open : loops_) {
    if (mentions(arg, open.scan.varying)) event.loops.varies_with.push_back(open.region);
    if (mentions(arg, open.scan.kept)) event.loops.keeps_new.push_back(open.region);
  }
}

// The function's whole-number parameters that may pick an element, each with the variables computed from it.
const std::vector<std::pair<int, std::set<const Decl*>>>& FunctionWalker::picking_parameters() {
  constexpr unsigned kMostParameters = 8;  // a function with more parameters is not called for an index alone
  if (has_read_picks_) return picks_;
  has_read_picks_ = true;
  if (!decl_->getBody() || decl_->getNumParams() > kMostParameters) return picks_;
  for (const ParmVarDecl* parameter : decl_->parameters()) {
    if (!parameter->getType().getNonReferenceType()->isIntegerType()) continue;
    std::set<const Decl*> picked = picked_from(parameter, decl_->getBody());
    if (!picked.empty()) picks_.emplace_back(static_cast<int>(parameter->getFunctionScopeIndex()), std::move(picked));
  }
  return picks_;
}

// Removes parameters that pick elements if the launches for all elements update the same memory: each launch then
// depends on the one before.
void FunctionWalker::leave_out_recurrences(Event& event, const CUDAKernelCallExpr* call, const FunctionDecl* kernel) {
  erase_if(event.loops.picked_by, [&](int parameter) {
    for (const auto& [index, picked] : picking_parameters()) {
      for (unsigned i = 0; index == parameter && i < call->getNumArgs(); ++i) {
        const QualType type = parameter_type(kernel, i);
        const bool written = type.isNull() || (type->isPointerType() && !type->getPointeeType().isConstQualified());
        if (written && may_hold_pointer(call->getArg(i)->getType()) && !mentions(call->getArg(i), picked)) return true;
      }
    }
    return false;
  });
}

Value FunctionWalker::any_listed(const Expr* list) const {
  Value any;
  any.kind = Value::Kind::kAny;
  for (const Expr* tensor : listed_tensors(list)) any.operands.push_back(values_.value_of(tensor));
  return any;
}

void FunctionWalker::add_argument(Event& event, const Expr* arg, QualType parameter) {
  Argument given;
  Value& value = given.value;
  value = parameter.isNull() ? values_.value_of(arg) : bound_value(arg, parameter);
  // A number points to nothing. If it is bound to a reference, `node` says what the callee may write.
  const bool stands_somewhere = value.kind == Value::Kind::kNode || value.kind == Value::Kind::kContent;
  if (stands_somewhere && arg->getType()->isArithmeticType() && (parameter.isNull() || !parameter->isReferenceType()))
    value = {};
  // index({i, j}), stack({a, b}), and forward({x}) with a vector of tensors for its parameter: any of the tensors.
  const bool is_new_list = is_list_of_tensors(strip(arg)->getType()) && isa<CXXConstructExpr>(strip(arg));
  if ((value.kind == Value::Kind::kUnknown && isa<InitListExpr>(strip(arg))) || is_new_list) {
    if (Value listed = any_listed(arg); !listed.operands.empty()) value = std::move(listed);
  }
  // A policy in a variable is recognized by its type.
  if (record_name(strip(arg)->getType()).contains("nosync"))
    value.text = kAsynchronousPolicy;
  else if (record_name(strip(arg)->getType()).ends_with("counting_iterator"))
    value.text = kAnySystem;
  else if (event.kind == Event::Kind::kApi && event.callee.id.str().starts_with("thrust::")) {
    if (strip(arg)->getType()->isPointerType())
      value.text = kHostSystem;
    else if (is_device_policy(strip(arg)->getType()))
      value.text = kDeviceSystem;
  }
  const QualType pointee = parameter.isNull() ? QualType() : parameter->getPointeeType();
  given.read_only = !pointee.isNull() && pointee.isConstQualified();
  given.text = source_text(arg->getSourceRange(), context_, 80);
  given.node = target_of(arg, parameter);
  Expr::EvalResult result;
  const bool known =
      !arg->isValueDependent() && arg->getType()->isIntegralOrEnumerationType() && arg->EvaluateAsInt(result, context_);
  if (known) given.constant = bits_of(result.Val.getInt());
  if (arg->getType()->isPointerType()) given.constant = constant_argument(arg, context_).value_or(given.constant);
  event.args.push_back(std::move(given));
  const FieldGetter getter = field_getter(arg);
  const Expr* picks = getter.field ? getter.object : arg;
  add_loops(event, picks);
  for (const OpenLoop& open : loops_) {
    const bool number = arg->getType()->isIntegerType() && mentions(arg, open.scan.induction);
    const bool picked = event.kind != Event::Kind::kApi && event.kind != Event::Kind::kTensor &&
                        may_hold_pointer(arg->getType()) && mentions(picks, open.scan.varying);
    if (!number && !picked) continue;
    event.loops.index_args.push_back(static_cast<int>(event.args.size()) - 1);
    event.loops.index_args.push_back(open.region);
  }
}

void FunctionWalker::add_sums(Event& event, const CallExpr* call) const {
  const HostSums sums(context_, writes_, decl_, call);
  const unsigned first = isa<CXXOperatorCallExpr>(call) && isa_and_nonnull<CXXMethodDecl>(call->getDirectCallee());
  for (unsigned i = first; i < call->getNumArgs(); ++i) event.arg_sums.push_back(sums.of(call->getArg(i)));
  const auto* launch = dyn_cast<CUDAKernelCallExpr>(call);
  const CallExpr* on = launch ? launch->getConfig() : nullptr;
  for (unsigned i : {0, 1, 3}) {
    if (on && i < on->getNumArgs()) event.launched_on.push_back(sums.of(on->getArg(i)));
  }
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call))
    event.launched_on.push_back(sums.of(member->getImplicitObjectArgument()));
  else if (first != 0)
    event.launched_on.push_back(sums.of(call->getArg(0)));
}

void FunctionWalker::name_stream(Event& event, const std::string& text, const std::string& node) {
  const bool is_default = text == "0" || text == "nullptr" || text == "NULL";
  event.stream.text = is_default ? "" : text;
  event.stream.node = node;
}

void FunctionWalker::add_no_argument(Event& event) { event.args.emplace_back(); }

void FunctionWalker::flow(const std::string& into, Value value, SourceRange at) {
  if (into.empty()) return;
  flow(into, std::move(value), place_of(at, context_));
}

void FunctionWalker::flow(const std::string& into, Value value, const Place& place) {
  const auto named = referred_.find(into);
  const bool is_its_own =
      value.kind == Value::Kind::kContent && named != referred_.end() && named->second == "*" + value.node.str();
  if (named != referred_.end() && !is_its_own) unit_.flows.push_back({named->second, value, place, function_, region_});
  unit_.flows.push_back({into, std::move(value), place, function_, region_});
}

// What a table entry says about memory: allocations returned through an argument, pages pinned in place.
void FunctionWalker::api_flows(const Event& event, const ApiFact& api) {
  const auto allocate = [&](int arg, MemoryKind kind, const std::string& node) {
    if (arg < 0 || arg >= static_cast<int>(event.args.size()) || node.empty()) return;
    Value value;
    value.kind = Value::Kind::kAllocation;
    value.memory = kind;
    value.place = event.place;
    value.text = event.text.substr(0, 80);
    flow(node, std::move(value), event.place);
  };
  if (api.allocates != MemoryKind::kUnknown && api.out_arg >= 0 && api.out_arg < static_cast<int>(event.args.size())) {
    allocate(api.out_arg, api.allocates, event.args[api.out_arg].node);
  }
  if (api.registers_arg >= 0 && api.registers_arg < static_cast<int>(event.args.size())) {
    const Value& pinned = event.args[api.registers_arg].value;
    if (!pinned.node.empty()) allocate(api.registers_arg, MemoryKind::kPinned, pinned.node);
    // for (auto& buffer : buffers) cudaHostRegister(buffer.data(), ...)
    for (const OpenLoop& open : loops_) {
      const auto* range = dyn_cast<CXXForRangeStmt>(open.stmt);
      if (!range || !range->getRangeInit() || node_of(range->getLoopVariable()) != pinned.node.str()) continue;
      const std::string list = values_.assigned_node(range->getRangeInit());
      if (!list.empty()) allocate(api.registers_arg, MemoryKind::kPinned, "*" + list);
    }
  }
  if (std::max(api.renames_arg, api.out_arg) < static_cast<int>(event.args.size()) && api.renames_arg >= 0 &&
      api.out_arg >= 0)
    unit_.flows.push_back(
        {event.args[api.out_arg].node, event.args[api.renames_arg].value, event.place, function_, region_});
}

void FunctionWalker::mark_statement(Event& event, const Expr* expr) {
  const SourceManager& sm = context_.getSourceManager();
  SourceLocation begin = sm.getFileLoc(expr->getBeginLoc());
  if (begin.isInvalid() || !event.place.length || !plain_statement_) return;
  if (!is_written_here(expr->getBeginLoc(), sm) || !plain_.leaves_no_trace(plain_statement_)) return;
  bool bad = false;
  StringRef text = sm.getBufferData(sm.getFileID(begin), &bad);
  if (bad) return;
  auto [from, to] = whole_statement(text, event.place.offset, event.place.offset + event.place.length);
  if (to <= from) return;
  // It must be a statement of the block itself, not the only statement in the body of an if.
  if (sm.getFileOffset(sm.getFileLoc(plain_statement_->getBeginLoc())) != from) return;
  event.statement.place = event.place;
  event.statement.place.offset = static_cast<unsigned>(from);
  event.statement.place.length = static_cast<unsigned>(to - from);
  event.statement.text = text.substr(from, to - from).str();
}

}  // namespace syncsniff::facts
