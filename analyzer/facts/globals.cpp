#include "analyzer/facts/globals.h"

#include <clang/AST/ExprCXX.h>

#include <set>

#include "analyzer/facts/callables.h"
#include "analyzer/facts/keys.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// std::map<std::string, Op>{{"scale", scale}}: a constructor gets the braced list.
bool constructs_of_list(const Expr* init) {
  const auto* construct = dyn_cast<CXXConstructExpr>(strip(init));
  return construct && construct->isListInitialization();
}

// `const auto relu = Function("relu", relu_forward);` before C++17: without the copy of the temporary, which is elided.
const Expr* without_elided_copies(const Expr* init) {
  const Expr* made = strip(init);
  for (const auto* copy = dyn_cast_or_null<CXXConstructExpr>(made);
       copy && copy->isElidable() && copy->getNumArgs() != 0; copy = dyn_cast_or_null<CXXConstructExpr>(made))
    made = strip(copy->getArg(0));
  return made;
}

class Globals {
 public:
  Globals(const ASTContext& context, const ApiTable& apis, const ProjectFiles& project, UnitFacts& unit,
          std::vector<std::pair<const FunctionDecl*, std::string>>& bodies)
      : context_(context), values_(context, apis), project_(project), unit_(unit), bodies_(bodies) {}

  void read(const DeclContext* scope) {
    // Declarations from a preamble are never the project's, and iterating over them would load all of it.
    for (const Decl* decl : scope->noload_decls()) {
      if (isa<NamespaceDecl, LinkageSpecDecl>(decl)) {
        if (project_.contains(decl->getLocation(), context_.getSourceManager())) read(cast<DeclContext>(decl));
        continue;
      }
      if (const auto* record = dyn_cast<CXXRecordDecl>(decl)) read_fields(record);
      const auto* var = dyn_cast<VarDecl>(decl);
      if (!var || !var->getInit() || !project_.contains(var->getLocation(), context_.getSourceManager())) continue;
      if (var->getInit()->containsErrors())
        read_unresolved(var);
      else if (!var->isInvalidDecl() && !var->getType()->isDependentType())
        read(var);
    }
  }

 private:
  // struct Layer { std::function<void()> run = [this] { ... }; }: the initial value of every object's field, which need
  // not occur in any function. struct Ops { Operation add[2] = {add_on_cpu, add_on_gpu}; }: the braced values are the
  // array's elements.
  void read_fields(const CXXRecordDecl* record) {
    if (!record->isThisDeclarationADefinition() || record->isDependentContext() || record->isLambda()) return;
    if (!project_.contains(record->getLocation(), context_.getSourceManager())) return;
    for (const Decl* decl : record->decls()) {
      if (const auto* inner = dyn_cast<CXXRecordDecl>(decl)) read_fields(inner);
      const auto* field = dyn_cast<FieldDecl>(decl);
      const Expr* init = field && field->hasInClassInitializer() ? field->getInClassInitializer() : nullptr;
      if (!init || init->containsErrors()) continue;
      Value value = values_.callables_in(init);
      if (value.kind != Value::Kind::kFunction && value.operands.empty()) continue;
      add_lambdas(init);
      const Place place = place_of(field->getSourceRange(), context_);
      if (isa<InitListExpr>(strip(init)) || constructs_of_list(init))
        unit_.flows.push_back({"*" + node_of(field), value, place, -1});
      unit_.flows.push_back({node_of(field), std::move(value), place, -1});
    }
  }

  void read(const VarDecl* var) {
    const Place place = place_of(var->getSourceRange(), context_);
    hand_over(var->getInit(), place);
    read_stores(var->getInit(), place);
    read_listed(var, place);
    if (!may_hold_pointer(var->getType())) return;
    unit_.flows.push_back({node_of(var), values_.value_of(var->getInit()), place, -1});
    if (const auto* list = dyn_cast<InitListExpr>(strip(var->getInit()))) read_list("*" + node_of(var), list, place);
  }

  // `static auto registry = Registry("relu", &relu<float>);`, if Clang does not know Registry or one of its functions:
  // whatever it is, it may call the functions that it is given.
  void read_unresolved(const VarDecl* var) {
    Value value = values_.callables_in(var->getInit());
    if (value.kind != Value::Kind::kFunction && value.operands.empty()) return;
    unit_.flows.push_back({"*" + node_of(var), std::move(value), place_of(var->getSourceRange(), context_), -1});
    add_lambdas(var->getInit());
  }

  // `static const Ops ops = {[](float* x) { ... }};`, `static std::map<std::string, Op> table = {{"scale", scale}};`:
  // the braced values are those of the variable's fields and elements.
  void read_listed(const VarDecl* var, const Place& place) {
    const Expr* init = strip(var->getInit());
    const bool is_filled = constructs_of_list(init);
    if (!isa<InitListExpr>(init) && !is_filled) return;
    add_lambdas(init);
    if (!is_filled) return;
    Value value = values_.callables_in(init);
    if (value.kind == Value::Kind::kFunction || !value.operands.empty())
      unit_.flows.push_back({"*" + node_of(var), std::move(value), place, -1});
  }

  // `static bool added = registry().emplace("sgd", sgd).second;`, `= (registry()["sgd"] = sgd, true);`: what is put
  // into containers on the way.
  void read_stores(const Stmt* stmt, const Place& place) {
    if (!stmt || isa<LambdaExpr>(stmt)) return;
    const auto* call = dyn_cast<CallExpr>(stmt);
    const auto* member = dyn_cast<CXXMemberCallExpr>(stmt);
    const auto* method = member ? member->getMethodDecl() : nullptr;
    const auto* binary = dyn_cast<BinaryOperator>(stmt);
    const auto* assigns = dyn_cast<CXXOperatorCallExpr>(stmt);
    if (method && method->getIdentifier() && stores_element(method->getName()) && call->getNumArgs() != 0) {
      const std::string key = call->getNumArgs() == 2 ? key_in(call->getArg(0)) : "";
      store("*" + values_.container_node(member->getImplicitObjectArgument()), call->getArg(call->getNumArgs() - 1),
            key, place);
    } else if (binary && binary->getOpcode() == BO_Assign) {
      store(values_.assigned_node(binary->getLHS()), binary->getRHS(), key_of_element(binary->getLHS()), place);
    } else if (assigns && assigns->getOperator() == OO_Equal && assigns->getNumArgs() == 2) {
      store(values_.assigned_node(assigns->getArg(0)), assigns->getArg(1), key_of_element(assigns->getArg(0)), place);
    }
    for (const Stmt* child : stmt->children()) read_stores(child, place);
  }

  void store(const std::string& into, const Expr* kept, const std::string& key, const Place& place) {
    if (into.size() <= 1) return;
    add_lambdas(kept);
    if (const auto* list = dyn_cast<InitListExpr>(strip(kept))) read_list(into, list, place);
    Value value = values_.callables_in(kept);
    if (value.kind != Value::Kind::kFunction && value.operands.empty()) return;
    unit_.flows.push_back({into, kept_under(key, std::move(value)), place, -1});
  }

  // `static forward_fn table[] = {a, b};`
  void read_list(const std::string& elements, const InitListExpr* list, const Place& place) {
    for_each_field(list, [&](const FieldDecl* field, const Expr* init) {
      unit_.flows.push_back({node_of(field), values_.value_of(init), place, -1});
    });
    if (!list->getType()->isArrayType()) return;
    for (const Expr* init : list->inits()) {
      unit_.flows.push_back({elements, values_.value_of(init), place, -1});
      if (const auto* inner = dyn_cast_or_null<InitListExpr>(strip(init))) read_list(elements, inner, place);
    }
  }

  // `static Register sgd_registered("sgd", sgd);`, `static bool added = add("sgd", sgd);`: no function of the program
  // contains the call, so flows into the parameters are recorded here.
  void hand_over(const Expr* init, const Place& place) {
    const Expr* made = without_elided_copies(init);
    const FunctionDecl* callee = nullptr;
    llvm::ArrayRef<const Expr*> arguments;
    if (const auto* construct = dyn_cast_or_null<CXXConstructExpr>(made)) {
      callee = construct->getConstructor();
      arguments = {construct->getArgs(), construct->getNumArgs()};
    } else if (const auto* call = dyn_cast_or_null<CallExpr>(made)) {
      callee = call->getDirectCallee();
      arguments = {call->getArgs(), call->getNumArgs()};
    }
    // `static const bool added = [] { add("sgd", sgd); return true; }();`
    if (const auto* lambda = dyn_cast_or_null<CXXOperatorCallExpr>(made);
        lambda && isa<LambdaExpr>(strip(lambda->getArg(0))))
      return add_lambdas(lambda->getArg(0));
    if (!callee || isa<CXXOperatorCallExpr>(made)) return;
    const std::string key = key_of(arguments);
    for (unsigned i = 0; i < arguments.size() && i < callee->getNumParams(); ++i) {
      Value value = values_.callables_in(arguments[i]);
      if (value.kind != Value::Kind::kFunction && value.operands.empty()) continue;
      add_lambdas(arguments[i]);
      unit_.flows.push_back({node_of(callee->getParamDecl(i)), kept_under(key, std::move(value)), place, -1});
    }
  }

  void add_lambdas(const Stmt* stmt) {
    if (!stmt) return;
    if (const auto* lambda = dyn_cast<LambdaExpr>(stmt)) {
      if (!known_.insert(lambda).second) return;
      for (const FunctionDecl* body : bodies_of(lambda)) bodies_.emplace_back(body, "");
      return;
    }
    for (const Stmt* child : stmt->children()) add_lambdas(child);
  }

  const ASTContext& context_;
  const Values values_;
  const ProjectFiles& project_;
  UnitFacts& unit_;
  std::vector<std::pair<const FunctionDecl*, std::string>>& bodies_;
  std::set<const LambdaExpr*> known_;
};

}  // namespace

void read_globals(const ASTContext& context, const ApiTable& apis, const ProjectFiles& project, UnitFacts& unit,
                  std::vector<std::pair<const FunctionDecl*, std::string>>& bodies) {
  Globals(context, apis, project, unit, bodies).read(context.getTranslationUnitDecl());
}

}  // namespace syncsniff::facts
