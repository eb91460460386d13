#include "analyzer/facts/preamble_check.h"

#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>

namespace syncsniff::facts {

using namespace clang;

namespace {

class Beginning : public PPCallbacks {
 public:
  Beginning(Preprocessor& preprocessor, const Preamble& preamble, const ProjectFiles& project, PreambleVerdict& verdict)
      : preprocessor_(preprocessor),
        sources_(preprocessor.getSourceManager()),
        preamble_(preamble),
        project_(project),
        verdict_(verdict) {}

  void InclusionDirective(SourceLocation at, const Token&, StringRef name, bool, CharSourceRange,
                          OptionalFileEntryRef file, StringRef, StringRef, const Module*, bool,
                          SrcMgr::CharacteristicKind kind) override {
    if (!matters(at)) return;
    if (file && !SrcMgr::isSystem(kind) && project_.contains(*file, sources_.getFileManager())) return;
    const Preamble::Header& next = preamble_.headers[verdict_.headers_met];
    if (!file || name != next.name || real_path_of(*file) != next.path) return fail();
    if (++verdict_.headers_met == preamble_.headers.size()) preprocessor_.setTokenWatcher(nullptr);
  }
  // An include guard: the preamble's headers must not mention its name.
  void Ifndef(SourceLocation at, const Token& name, const MacroDefinition&) override { names(at, name); }
  void MacroDefined(const Token& name, const MacroDirective*) override { names(name.getLocation(), name); }
  // No other directive may come before the last of the headers.
  void Ifdef(SourceLocation at, const Token&, const MacroDefinition&) override { other(at); }
  void If(SourceLocation at, SourceRange, ConditionValueKind) override { other(at); }
  void Elif(SourceLocation at, SourceRange, ConditionValueKind, SourceLocation) override { other(at); }
  void Elifdef(SourceLocation at, const Token&, const MacroDefinition&) override { other(at); }
  void Elifdef(SourceLocation at, SourceRange, SourceLocation) override { other(at); }
  void Elifndef(SourceLocation at, const Token&, const MacroDefinition&) override { other(at); }
  void Elifndef(SourceLocation at, SourceRange, SourceLocation) override { other(at); }
  void Else(SourceLocation at, SourceLocation) override { other(at); }
  void MacroExpands(const Token& name, const MacroDefinition&, SourceRange, const MacroArgs*) override {
    other(name.getLocation());
  }
  void MacroUndefined(const Token& name, const MacroDefinition&, const MacroDirective*) override {
    other(name.getLocation());
  }
  void Ident(SourceLocation at, StringRef) override { other(at); }
  void PragmaDirective(SourceLocation at, PragmaIntroducerKind) override {
    const auto [file, offset] = sources_.getDecomposedLoc(sources_.getFileLoc(at));
    StringRef text = sources_.getBufferData(file).substr(offset);
    text.consume_front("#");
    text = text.ltrim(" \t");
    if (!text.consume_front("pragma") || !text.ltrim(" \t").starts_with("once")) other(at);
  }
  void token(const Token& token) { other(token.getLocation()); }

 private:
  // Whether `at` is before the last header and in a file of the project. Standard headers do not matter: reading one
  // again has no further effect.
  bool matters(SourceLocation at) {
    if (verdict_.broken || verdict_.headers_met == preamble_.headers.size() || at.isInvalid()) return false;
    const SourceLocation file = sources_.getFileLoc(at);
    const OptionalFileEntryRef entry = sources_.getFileEntryRefForID(sources_.getFileID(file));
    return entry && project_.contains(file, sources_);
  }
  void names(SourceLocation at, const Token& name) {
    if (!matters(at) || !name.getIdentifierInfo()) return;
    const uint32_t hash = identifier_hash(name.getIdentifierInfo()->getName());
    if (std::binary_search(preamble_.names.begin(), preamble_.names.end(), hash)) fail();
  }
  void other(SourceLocation at) {
    if (matters(at)) fail();
  }
  void fail() { verdict_.broken = true; }

  Preprocessor& preprocessor_;
  SourceManager& sources_;
  const Preamble& preamble_;
  const ProjectFiles& project_;
  PreambleVerdict& verdict_;
};

}  // namespace

void watch_beginning(CompilerInstance& compiler, const Preamble& preamble, const ProjectFiles& project,
                     PreambleVerdict& verdict) {
  Preprocessor& preprocessor = compiler.getPreprocessor();
  auto beginning = std::make_unique<Beginning>(preprocessor, preamble, project, verdict);
  preprocessor.setTokenWatcher([watch = beginning.get()](const Token& token) { watch->token(token); });
  preprocessor.addPPCallbacks(std::move(beginning));
}

}  // namespace syncsniff::facts
