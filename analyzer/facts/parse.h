// One run of Clang over a unit's command: the file systems that it reads through, and the errors that it reports.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>

#include <memory>
#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/name_errors.h"
#include "analyzer/facts/virtual_files.h"
#include "analyzer/facts/watched_files.h"
#include "analyzer/frontend/command.h"
#include "analyzer/source_texts.h"

namespace syncsniff::facts {

class ErrorCollector : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  std::vector<std::string> errors;  // the first few
  unsigned error_count = 0;
  bool fatal = false;
  NameErrors names;
  bool sides_differ = false;  // a template is declared without __host__ or __device__ and defined with one of them
  bool in_preamble = false;   // the preamble could not be read, or one of its headers has an error
};

struct ParseInputs {
  const frontend::UnitCommand& command;
  const std::string& project_root;
  const SourceTexts& texts;
};

class Parse {
 public:
  explicit Parse(const ParseInputs& inputs) : inputs_(inputs) {}

  // Parses `file` with the options of the command; `extra` are files that are on no disk. If `before` is not empty, it
  // names one of them, which is read first. Returns false if Clang could not start.
  bool run(const std::string& file, std::unique_ptr<clang::FrontendAction> action, VirtualFiles extra = {},
           const std::string& before = {});

  FileLog log;
  std::vector<SourceContent> contents;  // of the project's sources
  ErrorCollector errors;

 private:
  const ParseInputs inputs_;
};

// Settings for every run: bodies may be skipped, and a missing header is not fatal.
void set_up(clang::CompilerInstance& compiler);

}  // namespace syncsniff::facts
