#include "analyzer/facts/unit.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PreprocessorOptions.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <unordered_set>

#include "analyzer/facts/conditions.h"
#include "analyzer/facts/globals.h"
#include "analyzer/facts/names.h"
#include "analyzer/facts/parse.h"
#include "analyzer/facts/preamble_check.h"
#include "analyzer/facts/unknown_names.h"
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// Every function with a body that runs on the host: instances of templates, not their patterns. And whether anything
// but a branch that is never taken names a CUDA device.
class FunctionCollector : public RecursiveASTVisitor<FunctionCollector> {
 public:
  FunctionCollector(const ASTContext& context, std::vector<const FunctionDecl*>& out) : context_(context), out_(out) {}
  bool names_cuda() const { return names_cuda_; }
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl* decl) {
    if (decl->isDependentContext() || !decl->doesThisDeclarationHaveABody() || !decl->hasBody()) return true;
    if (decl->hasAttr<CUDADeviceAttr>() && !decl->hasAttr<CUDAHostAttr>()) return true;
    const auto* method = dyn_cast<CXXMethodDecl>(decl);
    if (method && method->getParent()->isLambda()) return true;
    out_.push_back(decl);
    return true;
  }

  bool TraverseIfStmt(IfStmt* stmt) {
    const auto taken = constant_truth(stmt->getCond(), context_);
    if (!taken) return RecursiveASTVisitor::TraverseIfStmt(stmt);
    return TraverseStmt(stmt->getInit()) && TraverseStmt(*taken ? stmt->getThen() : stmt->getElse());
  }
  bool TraverseConditionalOperator(ConditionalOperator* choice) {
    const auto taken = constant_truth(choice->getCond(), context_);
    if (!taken) return RecursiveASTVisitor::TraverseConditionalOperator(choice);
    return TraverseStmt(*taken ? choice->getTrueExpr() : choice->getFalseExpr());
  }
  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    const NamedDecl* named = reference->getDecl();
    names_cuda_ |= named->getIdentifier() && (named->getName() == "kCUDA" || named->getName() == "CUDA");
    const auto* space = dyn_cast<NamespaceDecl>(named->getDeclContext()->getEnclosingNamespaceContext());
    const auto* outer = space ? dyn_cast<NamespaceDecl>(space->getDeclContext()) : nullptr;
    names_cuda_ |= outer && space->getName() == "cuda" && (outer->getName() == "c10" || outer->getName() == "at");
    return true;
  }
  bool VisitStringLiteral(clang::StringLiteral* literal) {
    if (literal->getCharByteWidth() != 1) return true;
    names_cuda_ |= literal->getString() == "cuda" || literal->getString().starts_with("cuda:");
    return true;
  }
  bool VisitMemberExpr(MemberExpr* member) {
    const NamedDecl* named = member->getMemberDecl();
    if (!isa<CXXMethodDecl>(named) || !named->getIdentifier()) return true;
    // x.is_cuda(): an extension that asks where the tensor is that Python gave it.
    names_cuda_ |= named->getName() == "cuda" || (named->getName() == "is_cuda" && is_of_tensor(member->getBase()));
    return true;
  }
  // x.is_cuda(), x.device().is_cuda(), x.type().is_cuda(): asked of a tensor. A device of the program's own is no
  // tensor's; one that is always the CPU is asked in the same way.
  static bool is_of_tensor(const Expr* object) {
    for (object = object->IgnoreParenImpCasts(); !is_tensor(object->getType());) {
      const auto* call = dyn_cast<CXXMemberCallExpr>(object);
      if (!call) return false;
      object = call->getImplicitObjectArgument()->IgnoreParenImpCasts();
    }
    return true;
  }
  // A program with kernels of its own has them for its tensors, too.
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr*) {
    names_cuda_ = true;
    return true;
  }

 private:
  const ASTContext& context_;
  std::vector<const FunctionDecl*>& out_;
  bool names_cuda_ = false;
};

bool mentions_cuda(llvm::StringRef text) {
  for (const char* token :
       {"kCUDA", "torch::cuda::", ".cuda()", "\"cuda", "DeviceType::CUDA", "c10::cuda", "at::cuda"}) {
    if (text.contains(token)) return true;
  }
  return false;
}

class FactsConsumer : public ASTConsumer {
 public:
  // `unknown` is null in C, and when the stand-ins are there already.
  FactsConsumer(UnitFacts& unit, const ProjectFiles& project, const ApiTable& apis, UnknownNames* unknown)
      : unit_(unit), project_(project), apis_(apis), unknown_(unknown) {}

  void Initialize(ASTContext& context) override { context_ = &context; }

  // Bodies in headers of others are never looked at; parsing them is most of what a LibTorch unit costs.
  bool shouldSkipFunctionBody(Decl* decl) override {
    return !project_.contains(decl->getLocation(), context_->getSourceManager());
  }

  void HandleTranslationUnit(ASTContext& context) override {
    const SourceManager& sources = context.getSourceManager();
    std::vector<const FunctionDecl*> found;
    FunctionCollector collector(context, found);
    std::unordered_set<unsigned> seen_files;
    // What a preamble declares is never the project's, and to look at each would load all of it.
    for (Decl* decl : context.getTranslationUnitDecl()->noload_decls()) {
      if (project_.contains(decl->getLocation(), sources)) collector.TraverseDecl(decl);
    }
    Writes writes(context);
    for (const FunctionDecl* decl : found) writes.add_body(decl);
    std::unordered_set<std::string> done;
    std::vector<std::pair<const FunctionDecl*, std::string>> queue;
    for (const FunctionDecl* decl : found) queue.emplace_back(decl, "");
    read_globals(context, apis_, project_, unit_, queue);
    for (size_t i = 0; i < queue.size(); ++i) {
      const auto [decl, owner] = queue[i];
      if (!decl->getBody() || !done.insert(usr_of(decl)).second) continue;
      FunctionWalker(context, apis_, project_, writes, unit_, queue).walk(decl, owner);
    }
    turns(writes);
    // Where something could not be read, what is left of an expression may not name its device any more.
    bool bad = false;
    unit_.mentions_cuda_device =
        collector.names_cuda() || (context.getDiagnostics().hasErrorOccurred() &&
                                   mentions_cuda(sources.getBufferData(sources.getMainFileID(), &bad)));
    if (unknown_) unknown_->read_uses(context, apis_);
  }

 private:
  // Flags that are not a function's own: another unit may ask who turns them.
  void turns(const Writes& writes) {
    for (const auto& [decl, all] : writes.all()) {
      const auto* var = dyn_cast<VarDecl>(decl);
      const bool shared = isa<FieldDecl>(decl) || (var && var->hasGlobalStorage());
      if (!shared || !(decl->getType()->isIntegralOrEnumerationType() || is_atomic(decl->getType()))) continue;
      Turn turn;
      for (const Write& write : all) {
        if (write.initial) continue;
        turn.to_true |= write.may_be(true) || write.how == Write::How::kStep;
        turn.to_false |= write.may_be(false);
      }
      if (!turn.to_true && !turn.to_false) continue;
      turn.flag = node_of(decl);
      unit_.turns.push_back(std::move(turn));
    }
  }

  UnitFacts& unit_;
  const ProjectFiles& project_;
  const ApiTable& apis_;
  UnknownNames* const unknown_;
  ASTContext* context_ = nullptr;
};

void sort_by_file(std::vector<SourceContent>& sources) {
  const auto key = [](const SourceContent& source) { return std::tie(source.file, source.hash); };
  std::sort(sources.begin(), sources.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
  sources.erase(std::unique(sources.begin(), sources.end(), same), sources.end());
}

// What one reading of a unit takes.
struct Reading {
  const PreambleUse* preamble;
  const frontend::UnitCommand& command;
  const std::string& project_root;
  const ApiTable& apis;
  const SourceTexts& texts;
};

class FactsAction : public ASTFrontendAction {
 public:
  FactsAction(const Reading& reading, UnitFacts& unit, const ProjectFiles& project, PreambleVerdict& verdict,
              UnknownNames* unknown)
      : reading_(reading), unit_(unit), project_(project), verdict_(verdict), unknown_(unknown) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    if (reading_.preamble) watch_beginning(compiler, reading_.preamble->preamble, project_, verdict_);
    return std::make_unique<FactsConsumer>(unit_, project_, reading_.apis, unknown_);
  }
  bool BeginInvocation(CompilerInstance& compiler) override {
    set_up(compiler);
    if (reading_.preamble) {
      compiler.getPreprocessorOpts().ImplicitPCHInclude = kPreambleFile;
      // It was made with the same options, of files that have the same content: Clang would compare their times.
      compiler.getPreprocessorOpts().DisablePCHOrModuleValidation = DisableValidationForModuleKind::PCH;
    }
    return true;
  }

 private:
  const Reading& reading_;
  UnitFacts& unit_;
  const ProjectFiles& project_;
  PreambleVerdict& verdict_;
  UnknownNames* const unknown_;
};

// Nothing where the preamble does not suit the unit. `stand_ins` are declarations to read before it; names that nothing
// declares are told in `unknown`, if given.
std::optional<UnitFacts> read_once(const Reading& reading, const std::string& stand_ins, UnitInputs* inputs,
                                   UnknownNames* unknown) {
  const frontend::UnitCommand& command = reading.command;
  UnitFacts unit;
  unit.file = command.file;
  unit.per_thread_default_stream = command.per_thread_default_stream;
  const ProjectFiles project(reading.project_root, command.file);
  PreambleVerdict verdict;
  Parse parse({command, reading.project_root, reading.texts});
  VirtualFiles extra;
  if (const PreambleUse* preamble = reading.preamble)
    extra = {{kPreambleSource, preamble->text}, {kPreambleFile, preamble->precompiled}};
  if (!stand_ins.empty()) extra[kStandIns] = stand_ins;
  auto action =
      std::make_unique<FactsAction>(reading, unit, project, verdict, unknown ? &parse.errors.unknown : nullptr);
  const bool ran =
      parse.run(command.file, std::move(action), std::move(extra), stand_ins.empty() ? std::string() : kStandIns);
  if (reading.preamble && (!verdict.holds(reading.preamble->preamble) || parse.errors.in_preamble)) return std::nullopt;
  unit.errors.assign(parse.errors.errors.begin(), parse.errors.errors.end());
  unit.error_count = parse.errors.error_count;
  unit.fatal = parse.errors.fatal;
  unit.sources = std::move(parse.contents);
  if (reading.preamble) {
    const std::vector<SourceContent>& more = reading.preamble->preamble.sources;
    unit.sources.insert(unit.sources.end(), more.begin(), more.end());
  }
  sort_by_file(unit.sources);
  if (!ran && unit.error_count == 0) {
    unit.fatal = true;
    unit.errors.push_back(command.file + ": Clang could not start on this unit");
    parse.log.unreadable();
  }
  if (inputs) *inputs = parse.log.inputs();
  if (unknown) *unknown = std::move(parse.errors.unknown);
  return unit;
}

size_t things_read(const UnitFacts& unit) {
  size_t count = 0;
  for (const Function& function : unit.functions) count += function.events.size() + function.regions.size();
  return count;
}

std::optional<UnitFacts> read(const Reading& reading, UnitInputs* inputs) {
  UnknownNames unknown;
  const bool is_c = reading.command.language == frontend::Language::kC;
  std::optional<UnitFacts> unit = read_once(reading, {}, inputs, is_c ? nullptr : &unknown);
  if (!unit || unknown.empty()) return unit;
  const bool is_cuda = reading.command.language == frontend::Language::kCuda;
  // It reads the same files: only declarations are added. The errors that a user is told are those of the first time.
  std::optional<UnitFacts> more = read_once(reading, unknown.stand_ins(is_cuda), nullptr, nullptr);
  if (!more || things_read(*more) < things_read(*unit)) return unit;
  more->errors = std::move(unit->errors);
  more->error_count = unit->error_count;
  more->fatal = unit->fatal;
  return more;
}

}  // namespace

UnitFacts read_unit(const frontend::UnitCommand& command, const std::string& project_root, const ApiTable& apis,
                    UnitInputs* inputs, const SourceTexts& texts) {
  return *read({nullptr, command, project_root, apis, texts}, inputs);
}

std::optional<UnitFacts> read_unit_after(const PreambleUse& preamble, const frontend::UnitCommand& command,
                                         const std::string& project_root, const ApiTable& apis, UnitInputs& inputs,
                                         const SourceTexts& texts) {
  return read({&preamble, command, project_root, apis, texts}, &inputs);
}

}  // namespace syncsniff::facts
