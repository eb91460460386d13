#include "analyzer/facts/ambiguous_names.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Lex/Lexer.h>

#include <filesystem>
#include <map>
#include <optional>

#include "analyzer/facts/each_text.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

constexpr size_t kMostUses = 1000;

const NamespaceDecl* namespace_of(const NamedDecl* decl) {
  if (const auto* alias = dyn_cast<NamespaceAliasDecl>(decl)) return alias->getNamespace();
  return dyn_cast<NamespaceDecl>(decl);
}

// The name after `::` at `at`: `par` for cuda::par. Empty if there is no `::`.
std::string member_after(SourceLocation at, const ASTContext& context) {
  const SourceManager& sources = context.getSourceManager();
  const auto colons = Lexer::findNextToken(at, sources, context.getLangOpts());
  if (!colons || colons->isNot(tok::coloncolon)) return {};
  const auto member = Lexer::findNextToken(colons->getLocation(), sources, context.getLangOpts());
  return member && member->is(tok::raw_identifier) ? member->getRawIdentifier().str() : std::string();
}

// Before `::`, the namespace that has the member; otherwise the program's own declaration, not that of a system header.
const NamedDecl* meant(const std::vector<const NamedDecl*>& candidates, const std::string& member,
                       ASTContext& context) {
  const NamedDecl* only = nullptr;
  for (const NamedDecl* candidate : candidates) {
    const NamespaceDecl* space = namespace_of(candidate);
    const bool fits = member.empty()
                          ? !space && !context.getSourceManager().isInSystemHeader(candidate->getLocation())
                          : space && !space->getPrimaryContext()->lookup(&context.Idents.get(member)).empty();
    if (!fits) continue;
    if (only) return nullptr;
    only = candidate;
  }
  return only;
}

// A name as long as `name` that does not occur in `text`; only the last character differs.
std::optional<std::string> unused_name(std::string name, llvm::StringRef text) {
  if (name.size() < 2) return std::nullopt;
  for (const char last : std::string_view("0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    name.back() = last;
    if (!text.contains(name)) return name;
  }
  return std::nullopt;
}

std::string real_path(FileID file, const SourceManager& sources) {
  const auto entry = sources.getFileEntryRefForID(file);
  if (!entry) return {};
  llvm::SmallString<256> path(entry->getName());
  sources.getFileManager().makeAbsolutePath(path);
  std::error_code error;
  const std::string real = std::filesystem::weakly_canonical(std::string(path), error).string();
  return error ? std::string() : real;
}

}  // namespace

void AmbiguousNames::restore(UnitFacts& unit) const {
  if (written_.empty()) return;
  EachText restore([&](Text& text) {
    for (const auto& [ours, theirs] : written_) {
      if (text.find(ours) == std::string::npos) continue;
      std::string changed = text.str();
      for (size_t at = 0; (at = changed.find(ours, at)) != std::string::npos; at += theirs.size())
        changed.replace(at, ours.size(), theirs);
      text = Text(changed);
    }
  });
  restore(unit);
}

void AmbiguousNames::note(const Diagnostic& diagnostic) {
  if (diagnostic.getID() == diag::err_ambiguous_reference) {
    if (uses_.size() >= kMostUses || !diagnostic.hasSourceManager() || !diagnostic.getLocation().isFileID()) return;
    if (!diagnostic.getSourceManager().isLoadedSourceLocation(diagnostic.getLocation()))
      uses_.push_back({diagnostic.getLocation(), {}});
  } else if (diagnostic.getID() == diag::note_ambiguous_candidate && !uses_.empty()) {
    if (diagnostic.getNumArgs() == 0 || diagnostic.getArgKind(0) != DiagnosticsEngine::ak_nameddecl) return;
    uses_.back().candidates.push_back(reinterpret_cast<const NamedDecl*>(diagnostic.getRawArg(0)));
  }
}

bool AmbiguousNames::drop_forward_declaration(const Use& use, ASTContext& context) {
  const SourceManager& sources = context.getSourceManager();
  const NamedDecl *ahead = nullptr, *real = nullptr;
  for (const NamedDecl* candidate : use.candidates) {
    const auto* record = dyn_cast<CXXRecordDecl>(candidate);
    if (const auto* made = dyn_cast<ClassTemplateDecl>(candidate)) record = made->getTemplatedDecl();
    const bool is_own = !sources.isInSystemHeader(candidate->getLocation());
    if (is_own && record && !record->hasDefinition()) ahead = candidate;
    if (!is_own) real = candidate;
  }
  if (!ahead || !real) return false;
  if (dropped_.contains(ahead)) return true;
  const auto [file, begin] = sources.getDecomposedLoc(ahead->getSourceRange().getBegin());
  const auto [last_file, last] = sources.getDecomposedLoc(ahead->getSourceRange().getEnd());
  const auto text = sources.getBufferDataOrNone(file);
  const std::string path = real_path(file, sources);
  const std::string header = real_path(sources.getFileID(sources.getFileLoc(real->getLocation())), sources);
  if (file != last_file || !text || path.empty() || header.empty()) return false;
  const unsigned end =
      last + Lexer::MeasureTokenLength(ahead->getSourceRange().getEnd(), sources, context.getLangOpts());
  std::string& changed = texts_.try_emplace(path, text->str()).first->second;
  for (unsigned at = begin; at < end && at < changed.size(); ++at)
    if (changed[at] != '\n') changed[at] = ' ';
  const std::string include = "#include \"" + header + "\"\n";
  if (definitions_.find(include) == std::string::npos) definitions_ = include + definitions_;
  dropped_.insert(ahead);
  return true;
}

void AmbiguousNames::choose(ASTContext& context) {
  const SourceManager& sources = context.getSourceManager();
  std::map<std::string, std::optional<std::string>> names;  // by the declaration that is meant
  for (const Use& use : uses_) {
    if (drop_forward_declaration(use, context)) continue;
    const auto [file, offset] = sources.getDecomposedLoc(use.at);
    const NamedDecl* decl = meant(use.candidates, member_after(use.at, context), context);
    const auto text = sources.getBufferDataOrNone(file);
    const std::string path = real_path(file, sources);
    if (!decl || !decl->getIdentifier() || !text || path.empty()) continue;
    const std::string name = decl->getName().str();
    const std::string whole = decl->getQualifiedNameAsString();
    const auto [known, fresh] = names.try_emplace(whole);
    if (fresh) {
      known->second = unused_name(name, *text);
      if (known->second) {
        definitions_ += "#define " + *known->second + " ::" + whole + "\n";
        written_.emplace_back(*known->second, name);
      }
    }
    if (!known->second || text->substr(offset, name.size()) != name) continue;
    std::string& changed = texts_.try_emplace(path, text->str()).first->second;
    changed.replace(offset, name.size(), *known->second);
  }
}

}  // namespace syncsniff::facts
