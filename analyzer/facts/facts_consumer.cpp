#include "analyzer/facts/facts_consumer.h"

#include <clang/Sema/SemaConsumer.h>

#include <unordered_set>

#include "analyzer/facts/globals.h"
#include "analyzer/facts/host_functions.h"
#include "analyzer/facts/library_instances.h"
#include "analyzer/facts/library_version.h"
#include "analyzer/facts/made_once.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/parameter_tests.h"
#include "analyzer/facts/walker.h"
#include "analyzer/facts/writes.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

class FactsConsumer : public SemaConsumer {
 public:
  FactsConsumer(UnitFacts& unit, const ProjectFiles& project, const ApiTable& apis, NameErrors* names)
      : unit_(unit), project_(project), apis_(apis), names_(names) {}

  void Initialize(ASTContext& context) override { context_ = &context; }
  void InitializeSema(Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    if (sema_) ask_for_library_instances(group, project_, *sema_);
    return true;
  }

  // Bodies in foreign headers are never used; parsing them would be most of the time of a LibTorch unit.
  bool shouldSkipFunctionBody(Decl* decl) override {
    return !project_.contains(decl->getLocation(), context_->getSourceManager());
  }

  void HandleTranslationUnit(ASTContext& context) override {
    const HostFunctions found = host_functions(context, project_);
    const int torch = sema_ ? torch_version(sema_->getPreprocessor()) : 0;
    Writes writes(context);
    for (const FunctionDecl* decl : found.with_bodies) writes.add_body(decl);
    std::unordered_set<std::string> done;
    std::vector<std::pair<const FunctionDecl*, std::string>> queue;
    for (const FunctionDecl* decl : found.with_bodies) queue.emplace_back(decl, "");
    read_globals(context, apis_, project_, unit_, queue);
    for (size_t i = 0; i < queue.size(); ++i) {
      const auto [decl, owner] = queue[i];
      if (!decl->getBody() || !done.insert(usr_of(decl)).second) continue;
      FunctionWalker(context, apis_, project_, writes, unit_, queue, torch).walk(decl, owner);
    }
    keep_named(found);
    turns(writes);
    unit_.mentions_cuda_device = found.name_cuda;
    if (names_) names_->read_uses(context, apis_, found.with_bodies, project_);
  }

 private:
  // &Net::step: the address may be called from anywhere.
  void keep_named(const HostFunctions& found) {
    std::unordered_set<std::string> named;
    for (const CXXMethodDecl* method : found.named_methods) named.insert(usr_of(method));
    for (Function& function : unit_.functions) function.class_is_in_source &= named.count(function.usr.str()) == 0;
  }

  // Records flags that are not local to a function: other units may ask which functions change them.
  void turns(const Writes& writes) {
    for (const auto& [decl, all] : writes.all()) {
      const auto* var = dyn_cast<VarDecl>(decl);
      const bool shared = isa<FieldDecl>(decl) || (var && var->hasGlobalStorage());
      if (!shared || !(decl->getType()->isIntegralOrEnumerationType() || is_atomic(decl->getType()))) continue;
      Turn turn;
      for (const Write& write : all) {
        if (write.initial) {
          if (isa<FieldDecl>(decl) && decl->getType()->isBooleanType()) begin(turn, write);
          continue;
        }
        Turn::Setter& setter = setter_of(turn, write.in ? Text(usr_of(write.in)) : Text());
        setter.to_true |= write.may_be(true) || write.how == Write::How::kStep;
        setter.to_false |= write.may_be(false);
        setter.to_zero |= may_be_zero(write);
      }
      const bool begins = turn.begins_true || turn.begins_false || !turn.begins_as.empty();
      if (turn.setters.empty() && !begins) continue;
      turn.flag = node_of(decl);
      unit_.turns.push_back(std::move(turn));
    }
  }

  static Turn::Setter& setter_of(Turn& turn, const Text& function) {
    for (Turn::Setter& setter : turn.setters)
      if (setter.function == function) return setter;
    turn.setters.push_back({function});
    return turn.setters.back();
  }

  void begin(Turn& turn, const Write& write) const {
    const auto* constructor = dyn_cast_or_null<CXXConstructorDecl>(write.in);
    if (constructor && constructor->isCopyOrMoveConstructor()) return;  // it copies the flag of the other object
    if (!write.parameter || !constructor || constructor->isDependentContext()) {
      turn.begins_true |= write.may_be(true);
      turn.begins_false |= write.may_be(false);
      return;
    }
    turn.begins_as.push_back(
        {usr_of(constructor), write.parameter->getFunctionScopeIndex(), default_constant(write.parameter, *context_)});
  }

  UnitFacts& unit_;
  const ProjectFiles& project_;
  const ApiTable& apis_;
  NameErrors* const names_;
  ASTContext* context_ = nullptr;
  Sema* sema_ = nullptr;
};

}  // namespace

std::unique_ptr<ASTConsumer> facts_consumer(UnitFacts& unit, const ProjectFiles& project, const ApiTable& apis,
                                            NameErrors* names) {
  return std::make_unique<FactsConsumer>(unit, project, apis, names);
}

}  // namespace syncsniff::facts
