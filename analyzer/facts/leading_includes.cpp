#include "analyzer/facts/leading_includes.h"

#include <clang/Lex/Lexer.h>
#include <clang/Tooling/Inclusions/StandardLibrary.h>

#include <filesystem>
#include <set>

#include "analyzer/facts/include_search.h"
#include "analyzer/facts/known_files.h"
#include "analyzer/facts/project_files.h"
#include "rules/regular_file.h"

namespace syncsniff::facts {
namespace {

using namespace clang;
namespace fs = std::filesystem;

constexpr size_t kMostForeignHeaders = 64;
constexpr size_t kMostSources = 256;  // of the project
constexpr uint64_t kMostSourceBytes = 16u << 20;

// One directive of a source: its name, and the rest of its line.
struct Directive {
  std::string name, rest;
};

// The directives at the beginning of a source, up to the first line that is no directive.
class DirectiveReader {
 public:
  explicit DirectiveReader(const std::string& text)
      : text_(text), lexer_(SourceLocation(), options(), text.c_str(), text.c_str(), text.c_str() + text.size()) {
    lexer_.LexFromRawLexer(token_);
  }

  // False: a line that is no directive, or the end of the text.
  bool next(Directive& out) {
    if (!token_.is(tok::hash) || !token_.isAtStartOfLine()) return false;
    lexer_.LexFromRawLexer(token_);
    if (!token_.is(tok::raw_identifier) || token_.isAtStartOfLine()) return false;
    out.name = token_.getRawIdentifier().str();
    const size_t begin = offset();
    size_t end = begin;
    while (!token_.is(tok::eof)) {
      lexer_.LexFromRawLexer(token_);
      if (token_.is(tok::eof) || token_.isAtStartOfLine()) break;
      end = offset();
    }
    out.rest = StringRef(text_).substr(begin, end - begin).trim().str();
    return true;
  }
  bool at_end() const { return token_.is(tok::eof); }

 private:
  static LangOptions options() {
    LangOptions options;
    options.CPlusPlus = options.LineComment = true;
    return options;
  }
  size_t offset() const { return static_cast<size_t>(lexer_.getBufferLocation() - text_.c_str()); }

  const std::string& text_;
  Lexer lexer_;
  Token token_;
};

class LeadingIncludes {
 public:
  LeadingIncludes(const frontend::UnitCommand& command, const std::string& root, const SourceTexts& texts)
      : project_(root, command.file), search_(command), replaced_(texts) {}

  std::vector<std::string> of(const std::string& file) {
    scan(file);
    return std::move(headers_);
  }

 private:
  // Returns false when it meets something other than an include or an include guard.
  bool scan(const std::string& file) {
    if (!sources_.insert(file).second) return true;
    if (sources_.size() > kMostSources) return false;
    std::string problem;
    const std::string* replaced = replaced_.text_of(file);
    const std::optional<std::string> text = replaced ? *replaced : read_regular_file(file, problem, kMostSourceBytes);
    if (!text) return false;
    DirectiveReader reader(*text);
    std::string guard;
    bool guarded = false;
    for (Directive directive; reader.next(directive);) {
      if (directive.name == "ifndef" && guard.empty())
        guard = directive.rest;
      else if (directive.name == "define" && !guarded && !guard.empty() && directive.rest == guard)
        guarded = true;
      else if (directive.name == "endif" && guarded)
        guarded = false;
      else if (directive.name == "include" && (guarded || guard.empty()) && include(directive.rest, file))
        continue;
      else if (directive.name != "pragma" || directive.rest != "once")
        return false;
    }
    return reader.at_end();
  }

  bool include(const std::string& rest, const std::string& includer) {
    if (rest.size() < 3) return false;
    const bool angled = rest.front() == '<';
    if (!(angled ? rest.back() == '>' : rest.front() == '"' && rest.back() == '"')) return false;
    const std::string name = rest.substr(1, rest.size() - 2);
    const auto found = search_.find(name, angled, includer);
    if (!found) return add(name, is_standard_header(name) || is_there("/usr/include/" + name));
    using Where = IncludedFile::Where;
    if (found->where != Where::kSystemFolder && project_.contains(found->path)) return scan(found->path);
    return add(name, found->where == Where::kUserFolder || found->where == Where::kSystemFolder);
  }

  bool add(const std::string& name, bool can_be_named_in_angles) {
    if (!can_be_named_in_angles || headers_.size() == kMostForeignHeaders) return false;
    headers_.push_back(name);
    return true;
  }

  static bool is_there(const std::string& path) {
    std::error_code error;
    return fs::exists(path, error);
  }

  const ProjectFiles project_;
  const IncludeSearch search_;
  const KnownFiles replaced_;
  std::set<std::string> sources_;
  std::vector<std::string> headers_;
};

}  // namespace

std::vector<std::string> leading_includes(const frontend::UnitCommand& command, const std::string& project_root,
                                          const SourceTexts& texts) {
  return LeadingIncludes(command, project_root, texts).of(command.file);
}

bool is_standard_header(const std::string& name) {
  namespace stdlib = tooling::stdlib;
  const std::string spelled = "<" + name + ">";
  return stdlib::Header::named(spelled, stdlib::Lang::CXX) || stdlib::Header::named(spelled, stdlib::Lang::C);
}

}  // namespace syncsniff::facts
