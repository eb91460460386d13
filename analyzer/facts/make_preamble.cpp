#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Serialization/ASTWriter.h>
#include <clang/Serialization/InMemoryModuleCache.h>
#include <clang/Serialization/PCHContainerOperations.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "analyzer/content_hash.h"
#include "analyzer/facts/adopted_headers.h"
#include "analyzer/facts/leading_includes.h"
#include "analyzer/facts/parse.h"
#include "analyzer/facts/preamble.h"
#include "analyzer/facts/project_files.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// What is learned about the headers while they are read.
struct Seen {
  std::vector<Preamble::Header> headers;  // those that the source itself includes
  bool project_header = false;
  bool all_guarded = true;
  std::vector<uint32_t> names;
};

class HeaderWatch : public PPCallbacks {
 public:
  HeaderWatch(Preprocessor& preprocessor, const ProjectFiles& project, Seen& seen)
      : preprocessor_(preprocessor), project_(project), seen_(seen) {}

  void InclusionDirective(SourceLocation at, const Token&, StringRef name, bool, CharSourceRange,
                          OptionalFileEntryRef file, StringRef, StringRef, const Module*, bool,
                          SrcMgr::CharacteristicKind kind) override {
    SourceManager& sources = preprocessor_.getSourceManager();
    if (!file) return;  // Clang reports an error
    if (!SrcMgr::isSystem(kind)) seen_.project_header |= project_.contains(*file, sources.getFileManager());
    if (sources.getFileID(at) == sources.getMainFileID()) included_.emplace_back(name.str(), *file);
  }
  void EndOfMainFile() override {
    for (const auto& [name, file] : included_) {
      seen_.headers.push_back({name, real_path_of(file)});
      seen_.all_guarded &=
          is_standard_header(name) || preprocessor_.getHeaderSearchInfo().isFileMultipleIncludeGuarded(file);
    }
    for (const auto& identifier : preprocessor_.getIdentifierTable())
      seen_.names.push_back(identifier_hash(identifier.getKey()));
  }

 private:
  Preprocessor& preprocessor_;
  const ProjectFiles& project_;
  Seen& seen_;
  std::vector<std::pair<std::string, FileEntryRef>> included_;
};

// Bodies in foreign headers are skipped in every unit, too.
class BodilessWriter : public PCHGenerator {
 public:
  using PCHGenerator::PCHGenerator;
  bool shouldSkipFunctionBody(Decl*) override { return true; }
};

class PreambleAction : public ASTFrontendAction {
 public:
  PreambleAction(const ProjectFiles& project, Seen& seen, std::shared_ptr<PCHBuffer> buffer)
      : project_(project), seen_(seen), buffer_(std::move(buffer)) {}

  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }
  bool BeginInvocation(CompilerInstance& compiler) override {
    set_up(compiler);
    return true;
  }
  bool BeginSourceFileAction(CompilerInstance& compiler) override {
    compiler.getLangOpts().CompilingPCH = true;
    return true;
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<HeaderWatch>(compiler.getPreprocessor(), project_, seen_));
    return std::make_unique<BodilessWriter>(compiler.getPreprocessor(), compiler.getModuleCache(), kPreambleFile, "",
                                            buffer_, llvm::ArrayRef<std::shared_ptr<ModuleFileExtension>>(),
                                            /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
  }

 private:
  const ProjectFiles& project_;
  Seen& seen_;
  const std::shared_ptr<PCHBuffer> buffer_;
};

}  // namespace

uint32_t identifier_hash(StringRef name) { return static_cast<uint32_t>(content_hash({name.data(), name.size()})); }

std::string real_path_of(FileEntryRef file) {
  const StringRef name = file.getName(), known = file.getFileEntry().tryGetRealPathName();
  std::error_code error;
  std::string path = std::filesystem::weakly_canonical((name.starts_with("/") ? name : known).str(), error).string();
  return error ? known.str() : path;
}

std::string preamble_text(const std::vector<std::string>& headers) {
  std::string text;
  for (const std::string& header : headers) text += "#include <" + header + ">\n";
  return text;
}

std::optional<MadePreamble> make_preamble(const frontend::UnitCommand& command, const std::string& project_root,
                                          const std::vector<std::string>& headers, const SourceTexts& texts,
                                          const ApiTable& apis) {
  const ProjectFiles project(project_root, command.file);
  const std::string text = preamble_text(headers);
  Seen seen;
  const auto buffer = std::make_shared<PCHBuffer>();
  Parse parse({command, project_root, texts});
  const bool ran =
      parse.run(kPreambleSource, std::make_unique<PreambleAction>(project, seen, buffer), {{kPreambleSource, text}});
  const UnitInputs inputs = parse.log.inputs();
  const KnownFiles replaced(texts);
  for (const UnitInputs::File& file : inputs.read)
    if (replaced.text_of(file.path)) return std::nullopt;
  auto dependencies = dependencies_of(inputs, texts);
  if (!dependencies) return std::nullopt;

  MadePreamble out;
  Preamble& made = out.preamble;
  made.headers = std::move(seen.headers);
  made.dependencies = *std::move(dependencies);
  // For a library that puts work on the GPU, bodies are needed (adopted_headers.h).
  GpuLibraries libraries = gpu_libraries(parse.log, command, project, apis);
  made.usable = ran && parse.errors.error_count == 0 && buffer->IsComplete && !seen.project_header &&
                libraries.to_read.empty() && seen.all_guarded && made.headers.size() == headers.size();
  if (!made.usable) return out;
  std::sort(seen.names.begin(), seen.names.end());
  made.names = std::move(seen.names);
  made.sources = std::move(parse.contents);
  made.unread_libraries = std::move(libraries.too_large);
  out.precompiled = std::move(buffer->Data);
  return out;
}

}  // namespace syncsniff::facts
