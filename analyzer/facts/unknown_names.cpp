#include "analyzer/facts/unknown_names.h"

#include <clang/AST/Decl.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Lex/Lexer.h>
#include <clang/Tooling/Inclusions/StandardLibrary.h>

#include "analyzer/facts/thrust_headers.h"
#include "analyzer/facts/use_tokens.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr size_t kMostNames = 500;  // if a unit lacks more names than these, stand-ins do not repair it

bool is_about_type(unsigned error) {
  return error == diag::err_unknown_typename || error == diag::err_typename_nested_not_found ||
         error == diag::err_expected_class_name;
}

bool is_about_name(unsigned error) {
  return is_about_type(error) || error == diag::err_undeclared_var_use || error == diag::err_no_template ||
         error == diag::err_no_member || error == diag::err_no_member_template ||
         error == diag::err_expected_namespace_name;
}

std::string identifier_at(SourceLocation at, const SourceManager& sources) {
  Token token;
  const SourceLocation spelled = sources.getSpellingLoc(at);
  if (Lexer::getRawToken(spelled, token, sources, LangOptions(), /*IgnoreWhiteSpace=*/true)) return {};
  return token.is(tok::raw_identifier) ? token.getRawIdentifier().str() : std::string();
}

// Reads the namespace that the error names, as in "no type named 'Loader' in namespace 'lib'". False: it names a class.
bool read_scope(const Diagnostic& error, std::vector<std::string>& scope) {
  for (unsigned i = 0; i < error.getNumArgs(); ++i) {
    if (error.getArgKind(i) == DiagnosticsEngine::ak_qualtype) return false;
    if (error.getArgKind(i) != DiagnosticsEngine::ak_declcontext) continue;
    const auto* context = reinterpret_cast<const DeclContext*>(error.getRawArg(i));
    for (; context && !context->isTranslationUnit(); context = context->getParent()) {
      const auto* space = dyn_cast<NamespaceDecl>(context);
      if (!space || !space->getIdentifier()) return false;
      if (!space->isInline()) scope.insert(scope.begin(), space->getName().str());
    }
  }
  return true;
}

}  // namespace

// "implicit instantiation of undefined template 'std::array<int, 4>'"
void UnknownNames::note_incomplete_types(const Diagnostic& error) {
  for (unsigned i = 0; i < error.getNumArgs(); ++i) {
    if (error.getArgKind(i) != DiagnosticsEngine::ak_qualtype) continue;
    const QualType type = QualType::getFromOpaquePtr(reinterpret_cast<void*>(error.getRawArg(i)));
    const auto* record = type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
    if (record && record->isInStdNamespace() && !record->hasDefinition())
      incomplete_.insert({{"std"}, record->getName().str()});
  }
}

void UnknownNames::note(const Diagnostic& error) {
  note_incomplete_types(error);
  if (!is_about_name(error.getID()) || !error.hasSourceManager() || error.getLocation().isInvalid()) return;
  const SourceManager& sources = error.getSourceManager();
  if (roots_.size() >= kMostNames || sources.isLoadedSourceLocation(error.getLocation())) return;
  Root root;
  root.name = identifier_at(error.getLocation(), sources);
  if (root.name.empty() || !read_scope(error, root.scope)) return;
  if (error.getID() == diag::err_no_member && root.scope.empty()) return;
  files_.insert(sources.getFileID(sources.getFileLoc(error.getLocation())));
  files_.insert(sources.getFileID(sources.getSpellingLoc(error.getLocation())));
  if (is_about_type(error.getID())) types_.insert(root);
  roots_.insert(std::move(root));
}

bool UnknownNames::is_declared(const Root& root, ASTContext& context) const {
  const DeclContext* scope = context.getTranslationUnitDecl();
  const auto find = [&](const std::string& name) { return scope->lookup(&context.Idents.get(name)); };
  for (const std::string& name : root.scope) {
    const DeclContext* inner = nullptr;
    for (NamedDecl* decl : find(name))
      if (auto* space = dyn_cast<NamespaceDecl>(decl->getUnderlyingDecl())) inner = space->getPrimaryContext();
    if (!inner) return false;
    scope = inner;
  }
  return !find(root.name).empty();
}

// Searches one file's tokens for the roots and for what follows them.
class UnknownNames::Uses {
 public:
  Uses(const std::vector<UseToken>& tokens, const std::set<Root>& roots) : tokens_(tokens) {
    for (const Root& root : roots) roots_[root.name].push_back(&root);
  }

  void add_to(UnknownNames& all) {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (!tokens_[i].is_name) continue;
      if (const auto named = roots_.find(tokens_[i].text); named != roots_.end()) {
        for (const Root* root : named->second)
          if (stands_in(root->scope, i)) add_use(all.entry(*root), i);
      }
      add_member(all, i);
      add_inherited(all, i);
    }
  }

 private:
  std::string_view text(size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
  std::string_view before(size_t i, size_t steps = 1) const { return i >= steps ? text(i - steps) : ""; }

  bool stands_in(const std::vector<std::string>& scope, size_t i) const {
    const std::string_view previous = before(i);
    if (previous == "." || previous == "->") return false;
    if (scope.empty()) return previous != "::" || i < 2 || !tokens_[i - 2].is_name;
    return previous == "::" && before(i, 2) == scope.back();
  }

  // The index at which the qualified name with the token at `i` begins.
  size_t start_of(size_t i) const {
    while (i >= 1 && text(i - 1) == "::") i -= i >= 2 && tokens_[i - 2].is_name ? 2 : 1;
    return i;
  }

  void add_use(UnknownName& root, size_t i) {
    UnknownName* name = &root;
    const size_t start = start_of(i);
    for (; text(i + 1) == "::" && i + 2 < tokens_.size() && tokens_[i + 2].is_name; i += 2)
      name = &name->members[std::string(text(i + 2))];
    classify_use(*name, tokens_, start, i + 1);
  }

  void add_member(UnknownNames& all, size_t i) {
    // lib::Base<T>::set(x) calls a method that the class inherits from lib, or begins the class's own definition of it.
    const bool is_of_template =
        before(i) == "::" && (before(i, 2) == ">" || before(i, 2) == ">>") && text(i + 1) == "(";
    if (before(i) != "." && before(i) != "->" && !is_of_template) return;
    const std::string_view next = text(i + 1);
    if (text(i) == "template" || text(i) == "operator" || next == "::") return;
    UnknownName use;
    classify_use(use, tokens_, i, i + 1);
    (use.is_called ? all.methods_ : all.data_).insert(std::string(text(i)));
  }

  // typename lib::Base<T>::Cloud; using lib::Base<T>::input_: shows that a class template of lib has these members.
  void add_inherited(UnknownNames& all, size_t i) {
    const bool is_type = text(i) == "typename";
    if (!is_type && text(i) != "using") return;
    bool has_arguments = false;
    size_t at = i + (is_type || text(i + 1) == "::" ? 1 : 2);
    for (std::string_view last;;) {
      if (text(at) == "<") {
        has_arguments = true;
        at = after_arguments(tokens_, at);
      } else if (text(at) == "::" && at + 1 < tokens_.size() && tokens_[at + 1].is_name && text(at + 1) != "template") {
        last = text(at + 1);
        at += 2;
        if (is_type && text(at) != "<") all.types_inside_.insert(std::string(last));
      } else if (is_type && at == i + 1 && at < tokens_.size() && tokens_[at].is_name) {
        ++at;
      } else {
        if (!is_type && has_arguments && !last.empty() && text(at) == ";") all.data_.insert(std::string(last));
        return;
      }
    }
  }

  const std::vector<UseToken>& tokens_;
  std::map<std::string_view, std::vector<const Root*>> roots_;  // by their own name
};

UnknownName& UnknownNames::entry(const Root& root) {
  UnknownName* name = &names_;
  for (const std::string& part : root.scope) {
    name = &name->members[part];
    name->is_namespace = true;
  }
  return name->members[root.name];
}

bool UnknownNames::take_from_standard_header(const Root& root, const LangOptions& language) {
  // Headers of a later standard than most units are compiled with: with an earlier one they declare nothing, or do not
  // exist.
  constexpr const char* kLate[] = {
      "<barrier>",    "<bit>",        "<compare>",  "<concepts>",   "<coroutine>",       "<expected>",
      "<flat_map>",   "<flat_set>",   "<format>",   "<generator>",  "<latch>",           "<mdspan>",
      "<numbers>",    "<print>",      "<ranges>",   "<semaphore>",  "<source_location>", "<span>",
      "<spanstream>", "<stacktrace>", "<stdfloat>", "<stop_token>", "<syncstream>"};
  if (!language.CPlusPlus) return false;
  namespace standard = tooling::stdlib;
  std::string scope;
  for (const std::string& part : root.scope) scope += part + "::";
  const auto symbol =
      standard::Symbol::named(scope, root.name, scope.empty() ? standard::Lang::C : standard::Lang::CXX);
  const auto header = symbol ? symbol->header() : std::nullopt;
  if (!header || llvm::is_contained(kLate, header->name())) return false;
  standard_headers_.insert(header->name().str());
  return true;
}

// thrust::host_vector of a program that was written for a release of which another header included its header.
void UnknownNames::take_from_thrust(const SourceManager& sources) {
  const auto of_thrust = [](const Root& root) { return root.scope.size() == 1 && root.scope.front() == "thrust"; };
  if (std::ranges::none_of(roots_, of_thrust)) return;
  const ThrustHeaders headers(sources);
  std::erase_if(roots_, [&](const Root& root) {
    const std::string header = of_thrust(root) ? headers.header_of(root.name) : "";
    if (!header.empty()) standard_headers_.insert(header);
    return !header.empty();
  });
}

void UnknownNames::read_uses(ASTContext& context, const ApiTable& apis) {
  for (const Root& type : incomplete_) take_from_standard_header(type, context.getLangOpts());
  // std::unique_ptr may be declared after its use, by a header that another one includes: <memory> must be included
  // first.
  std::erase_if(roots_, [&](const Root& root) {
    const bool is_standard = !root.scope.empty() && root.scope.front() == "std";
    if (!is_standard && is_declared(root, context)) return true;
    return take_from_standard_header(root, context.getLangOpts()) || (is_standard && is_declared(root, context));
  });
  take_from_thrust(context.getSourceManager());
  if (roots_.empty()) return;
  const SourceManager& sources = context.getSourceManager();
  for (const FileID file : files_) {
    const auto buffer = sources.getBufferOrNone(file);
    if (buffer) Uses(use_tokens(buffer->getBuffer()), roots_).add_to(*this);
  }
  // batch.data and rows.data(): a data member can be called, too, so a name that is used in both ways is a data member.
  for (const std::string& name : data_) methods_.erase(name);
  std::erase_if(types_inside_,
                [&](const std::string& name) { return data_.contains(name) || methods_.contains(name); });
  if (is_declared({{"at"}, "Tensor"}, context)) {
    for (const std::string& name : methods_)
      if (apis.find("at::Tensor::" + name)) tensor_methods_.insert(name);
  }
  for (const Root& root : types_) {
    if (!roots_.contains(root)) continue;
    UnknownName& name = entry(root);
    name.is_type |= !name.is_template && name.members.empty();
  }
}

}  // namespace syncsniff::facts
