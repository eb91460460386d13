#include "tests/analyzer/frontend/parse_check.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Tooling/Tooling.h>

#include <chrono>

namespace syncsniff::frontend {
namespace {

class ErrorCollector : public clang::DiagnosticConsumer {
 public:
  explicit ErrorCollector(ParseOutcome& outcome) : outcome_(outcome) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    if (level < clang::DiagnosticsEngine::Error) return;
    outcome_.fatal |= level == clang::DiagnosticsEngine::Fatal;
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    std::string where;
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      const auto place = diagnostic.getSourceManager().getPresumedLoc(
          diagnostic.getSourceManager().getExpansionLoc(diagnostic.getLocation()));
      if (place.isValid()) where = std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) + ": ";
    }
    outcome_.errors.push_back(where + message.str().str());
  }

 private:
  ParseOutcome& outcome_;
};

// A missing header is an error like any other: what stands after it is still read.
class KeepGoing : public clang::SyntaxOnlyAction {
  bool BeginInvocation(clang::CompilerInstance& compiler) override {
    compiler.getDiagnostics().setFatalsAsError(true);
    return true;
  }
};

}  // namespace

ParseOutcome parse_unit(const UnitCommand& unit, const std::string& code) {
  ParseOutcome outcome;
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> command = {"clang"};
  command.insert(command.end(), unit.clang_args.begin(), unit.clang_args.end());
  command.push_back(unit.file);
  clang::FileSystemOptions options;
  options.WorkingDir = unit.directory;
  llvm::IntrusiveRefCntPtr<clang::FileManager> files(new clang::FileManager(options));
  clang::tooling::ToolInvocation invocation(command, std::make_unique<KeepGoing>(), files.get());
  ErrorCollector collector(outcome);
  invocation.setDiagnosticConsumer(&collector);
  if (!code.empty()) {
    llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(new llvm::vfs::InMemoryFileSystem);
    memory->addFile(unit.file, 0, llvm::MemoryBuffer::getMemBufferCopy(code));
    llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay(
        new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
    overlay->pushOverlay(memory);
    files->setVirtualFileSystem(overlay);
  }
  if (!invocation.run() && outcome.errors.empty()) outcome.errors.push_back("the parse did not start");
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace syncsniff::frontend
