#include "analyzer/facts/unit.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PreprocessorOptions.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "analyzer/facts/adopted_headers.h"
#include "analyzer/facts/facts_consumer.h"
#include "analyzer/facts/name_errors.h"
#include "analyzer/facts/parse.h"
#include "analyzer/facts/preamble_check.h"
#include "analyzer/facts/unused_functions.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

void sort_by_file(std::vector<SourceContent>& sources) {
  const auto key = [](const SourceContent& source) { return std::tie(source.file, source.hash); };
  std::sort(sources.begin(), sources.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
  sources.erase(std::unique(sources.begin(), sources.end(), same), sources.end());
}

// The inputs of one reading of a unit.
struct Reading {
  const PreambleUse* preamble;
  const frontend::UnitCommand& command;
  const std::string& project_root;
  const ApiTable& apis;
  const SourceTexts& texts;
  std::vector<std::string> adopted = {};  // see adopted_headers.h
};

class FactsAction : public ASTFrontendAction {
 public:
  FactsAction(const Reading& reading, UnitFacts& unit, const ProjectFiles& project, PreambleVerdict& verdict,
              NameErrors* names)
      : reading_(reading), unit_(unit), project_(project), verdict_(verdict), names_(names) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    if (reading_.preamble) watch_beginning(compiler, reading_.preamble->preamble, project_, verdict_);
    return facts_consumer(unit_, project_, reading_.apis, names_);
  }
  bool BeginInvocation(CompilerInstance& compiler) override {
    set_up(compiler);
    if (reading_.preamble) {
      compiler.getPreprocessorOpts().ImplicitPCHInclude = kPreambleFile;
      // The preamble was made with the same options, from files with the same content. Clang's own validation would
      // compare their times.
      compiler.getPreprocessorOpts().DisablePCHOrModuleValidation = DisableValidationForModuleKind::PCH;
    }
    return true;
  }

 private:
  const Reading& reading_;
  UnitFacts& unit_;
  const ProjectFiles& project_;
  PreambleVerdict& verdict_;
  NameErrors* const names_;
};

// Errors of a first reading that a second one can avoid, by declaring the names that are missing.
struct Faults {
  NameErrors names;
  bool sides_differ = false;
  GpuLibraries libraries;  // their bodies were not read, although they put work on the GPU
};

// Nothing if the preamble does not fit the unit. `stand_ins` are declarations to read before it; avoidable errors are
// recorded in `faults`, if given.
std::optional<UnitFacts> read_once(const Reading& reading, const std::string& stand_ins, UnitInputs* inputs,
                                   Faults* faults) {
  const frontend::UnitCommand& command = reading.command;
  UnitFacts unit;
  unit.file = command.file;
  unit.per_thread_default_stream = command.per_thread_default_stream;
  const ProjectFiles project(reading.project_root, command.file, reading.adopted);
  PreambleVerdict verdict;
  Parse parse({command, reading.project_root, reading.texts});
  VirtualFiles extra;
  if (const PreambleUse* preamble = reading.preamble)
    extra = {{kPreambleSource, preamble->text}, {kPreambleFile, preamble->precompiled}};
  if (!stand_ins.empty()) extra[kStandIns] = stand_ins;
  const bool wants_names = faults && command.language != frontend::Language::kC;
  auto action =
      std::make_unique<FactsAction>(reading, unit, project, verdict, wants_names ? &parse.errors.names : nullptr);
  const bool ran =
      parse.run(command.file, std::move(action), std::move(extra), stand_ins.empty() ? std::string() : kStandIns);
  if (reading.preamble && (!verdict.holds(reading.preamble->preamble) || parse.errors.in_preamble)) return std::nullopt;
  unit.errors.assign(parse.errors.errors.begin(), parse.errors.errors.end());
  unit.error_count = parse.errors.error_count;
  unit.fatal = parse.errors.fatal;
  unit.sources = std::move(parse.contents);
  // Clang's driver did not find the unit itself, and the log does not record that search: the file may exist the next
  // time.
  if (unit.sources.empty()) parse.log.unreadable();
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
  if (!faults) return unit;
  *faults = {std::move(parse.errors.names), parse.errors.sides_differ,
             gpu_libraries(parse.log, command, project, reading.apis)};
  unit.unread_libraries = faults->libraries.too_large;
  if (reading.preamble)
    for (const UnreadLibrary& library : reading.preamble->preamble.unread_libraries)
      unit.unread_libraries.push_back(library);
  return unit;
}

size_t things_read(const UnitFacts& unit) {
  size_t count = 0;
  for (const Function& function : unit.functions) count += function.events.size() + function.regions.size();
  return count;
}

// A second reading reports the errors of the first one.
void take_errors(UnitFacts& first, UnitFacts& second) {
  second.errors = std::move(first.errors);
  second.error_count = first.error_count;
  second.fatal = first.fatal;
}

// Reads the unit again with the headers that it lacks of known libraries; nothing if errors remain. In
// `f(thrust::host_vector<T>& rows)` the name `rows` is undeclared, too, while its type is.
std::optional<UnitFacts> read_with_headers(const Reading& reading, UnitFacts& first, const UnknownNames& names) {
  const std::string headers = names.headers();
  if (headers.empty()) return std::nullopt;
  std::optional<UnitFacts> more = read_once(reading, headers, nullptr, nullptr);
  if (!more || more->error_count != 0 || things_read(*more) < things_read(first)) return std::nullopt;
  more->sources = std::move(first.sources);
  more->unread_libraries = std::move(first.unread_libraries);
  return more;
}

// If names are undeclared or ambiguous, reads the unit again with declarations that stand in for them.
std::optional<UnitFacts> read_with_stand_ins(const Reading& reading, std::optional<UnitFacts> unit,
                                             const NameErrors& names) {
  if (names.ambiguous.empty())
    if (std::optional<UnitFacts> whole = read_with_headers(reading, *unit, names.unknown)) return whole;
  const bool is_cuda = reading.command.language == frontend::Language::kCuda;
  // The second reading reads the same files: only declarations are added, and names replaced. The errors reported to
  // the user are those of the first reading.
  SourceTexts texts = names.ambiguous.texts();
  texts.insert(reading.texts.begin(), reading.texts.end());
  const Reading again{reading.preamble, reading.command, reading.project_root, reading.apis, texts, reading.adopted};
  std::optional<UnitFacts> more = read_once(again, names.stand_ins(is_cuda), nullptr, nullptr);
  if (!more || things_read(*more) < things_read(*unit)) return unit;
  names.ambiguous.restore(*more);
  take_errors(*unit, *more);
  more->sources = std::move(unit->sources);
  more->unread_libraries = std::move(unit->unread_libraries);
  return more;
}

// Errors in bodies of the library do not concern the user: those of the first reading stand.
void read_adopted(const Reading& reading, UnitFacts& unit, Faults& faults) {
  Faults of_whole;
  std::optional<UnitFacts> whole = read_once(reading, {}, nullptr, &of_whole);
  if (!whole || things_read(*whole) < things_read(unit)) return;
  take_errors(unit, *whole);
  unit = *std::move(whole);
  faults.names = std::move(of_whole.names);
}

std::optional<UnitFacts> read(const Reading& reading, UnitInputs* inputs) {
  Faults faults;
  std::optional<UnitFacts> unit = read_once(reading, {}, inputs, &faults);
  if (!unit) return unit;
  const std::vector<std::string> adopted = std::move(faults.libraries.to_read);
  if (!adopted.empty()) {
    if (reading.preamble) return std::nullopt;  // it may hold headers of the library without bodies
    read_adopted({nullptr, reading.command, reading.project_root, reading.apis, reading.texts, adopted}, *unit, faults);
  }
  std::optional<frontend::UnitCommand> command;
  if (faults.sides_differ) {
    if (reading.preamble) return std::nullopt;  // its templates have other __host__ attributes
    Faults left;
    const frontend::UnitCommand host_alone = frontend::without_host_device_templates(reading.command);
    std::optional<UnitFacts> more = read_once(
        {nullptr, host_alone, reading.project_root, reading.apis, reading.texts, adopted}, {}, nullptr, &left);
    if (things_read(*more) >= things_read(*unit)) {
      unit = std::move(more);
      faults = std::move(left);
      command = host_alone;
    }
  }
  if (faults.names.empty()) return unit;
  const Reading best{reading.preamble,     command ? *command : reading.command,
                     reading.project_root, reading.apis,
                     reading.texts,        adopted};
  return read_with_stand_ins(best, std::move(unit), faults.names);
}

void tidy(UnitFacts& unit) {
  drop_unused_functions(unit);
  unit.no_code = unit.functions.empty();
}

}  // namespace

UnitFacts read_unit(const frontend::UnitCommand& command, const std::string& project_root, const ApiTable& apis,
                    UnitInputs* inputs, const SourceTexts& texts) {
  UnitFacts unit = *read({nullptr, command, project_root, apis, texts}, inputs);
  tidy(unit);
  return unit;
}

std::optional<UnitFacts> read_unit_after(const PreambleUse& preamble, const frontend::UnitCommand& command,
                                         const std::string& project_root, const ApiTable& apis, UnitInputs& inputs,
                                         const SourceTexts& texts) {
  std::optional<UnitFacts> unit = read({&preamble, command, project_root, apis, texts}, &inputs);
  if (unit) tidy(*unit);
  return unit;
}

}  // namespace syncsniff::facts
