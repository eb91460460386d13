#include "analyzer/facts/parse.h"

#include <clang/Basic/Cuda.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/FileManager.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallString.h>

#include "analyzer/facts/launch_spelling.h"
#include "analyzer/facts/regular_files.h"
#include "analyzer/facts/replaced_texts.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

// A __host__ __device__ function calls a __device__ one: nvcc accepts that as long as only the device runs it, and
// reports nothing in a template. Clang has kept the call.
bool is_taken_by_nvcc(const Diagnostic& info) {
  constexpr unsigned kCaller = 3;
  return info.getID() == diag::err_ref_bad_target &&
         info.getRawArg(kCaller) == static_cast<uint64_t>(CUDAFunctionTarget::HostDevice);
}

}  // namespace

void ErrorCollector::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& info) {
  names.ambiguous.note(info);
  if (level < DiagnosticsEngine::Error || is_taken_by_nvcc(info)) return;
  fatal |= level == DiagnosticsEngine::Fatal;
  sides_differ |= info.getID() == diag::err_cuda_ovl_target;
  ++error_count;
  names.unknown.note(info);
  const unsigned category = DiagnosticIDs::getCategoryNumberForDiag(info.getID());
  in_preamble |= DiagnosticIDs::getCategoryNameFromID(category) == "AST Deserialization Issue";
  const bool has_place = info.hasSourceManager() && info.getLocation().isValid();
  // An error in a header of the preamble: there the header has another name, and the error's text would show it.
  in_preamble |= has_place && info.getSourceManager().isLoadedSourceLocation(info.getLocation());
  if (errors.size() >= 5) return;
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  std::string where;
  if (has_place) {
    where = info.getSourceManager().getFileLoc(info.getLocation()).printToString(info.getSourceManager()) + ": ";
  }
  errors.push_back(where + std::string(text));
}

bool Parse::run(const std::string& file, std::unique_ptr<FrontendAction> action, VirtualFiles extra,
                const std::string& before) {
  const frontend::UnitCommand& command = inputs_.command;
  std::vector<std::string> args{"syncsniff"};
  args.insert(args.end(), command.clang_args.begin(), command.clang_args.end());
  if (!before.empty()) args.insert(args.end(), {"-include", before});
  args.push_back("-fsyntax-only");
  args.push_back(file);
  // Each parse has its own file system, since units on other threads have other working directories.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> system(llvm::vfs::createPhysicalFileSystem().release());
  if (!command.directory.empty()) system->setCurrentWorkingDirectory(command.directory);
  ContentHashes hashes;
  auto sources = regular_files_of(system);
  if (!inputs_.texts.empty()) sources = with_replaced_texts(sources, inputs_.texts);
  sources = with_watched_files(sources, log);
  sources = with_joined_launches(sources, inputs_.project_root, command.file, hashes);
  if (!extra.empty()) sources = with_virtual_files(sources, std::move(extra));
  llvm::IntrusiveRefCntPtr<FileManager> files(new FileManager(FileSystemOptions(), sources));
  tooling::ToolInvocation invocation(args, std::move(action), files.get());
  invocation.setDiagnosticConsumer(&errors);
  const bool ran = invocation.run();
  for (const auto& [path, hash] : hashes) {
    llvm::SmallString<256> real;
    contents.push_back({sources->getRealPath(path, real) ? path : std::string(real), hash});
  }
  return ran;
}

void set_up(CompilerInstance& compiler) {
  compiler.getFrontendOpts().SkipFunctionBodies = true;
  compiler.getFrontendOpts().DisableFree = false;
  compiler.getDiagnosticOpts().ErrorLimit = 0;
  // This makes a missing header an ordinary error, so that the bodies after it are kept.
  compiler.getDiagnostics().setFatalsAsError(true);
}

}  // namespace syncsniff::facts
