#include "analyzer/frontend/nvcc_options.h"

namespace syncsniff::frontend {
namespace {

// In the order of `nvcc --help` of CUDA 13.0; a missing short name is the long one with a single dash.
constexpr NvccOption kOptions[] = {
    {"cuda", ""},
    {"cubin", ""},
    {"fatbin", ""},
    {"ptx", ""},
    {"optix-ir", ""},
    {"ltoir", ""},
    {"preprocess", "E"},
    {"generate-dependencies", "M"},
    {"generate-nonsystem-dependencies", "MM"},
    {"generate-dependencies-with-compile", "MD"},
    {"generate-nonsystem-dependencies-with-compile", "MMD"},
    {"dependency-output", "MF"},
    {"generate-dependency-targets", "MP"},
    {"compile", "c"},
    {"device-c", "dc", false, false, NvccMeaning::kRelocatableFlag},
    {"device-w", "dw"},
    {"device-link", "dlink"},
    {"link", ""},
    {"lib", ""},
    {"run", ""},
    {"output-file", "o", true},
    {"pre-include", "include", true, true, NvccMeaning::kPreInclude},
    {"objdir-as-tempdir", "objtemp"},
    {"library", "l", true, true},
    {"define-macro", "D", true, true, NvccMeaning::kDefine},
    {"undefine-macro", "U", true, true, NvccMeaning::kUndefine},
    {"include-path", "I", true, true, NvccMeaning::kInclude},
    {"system-include", "isystem", true, true, NvccMeaning::kSystemInclude},
    {"library-path", "L", true, true},
    {"output-directory", "odir", true},
    {"compiler-bindir", "ccbin", true},
    {"allow-unsupported-compiler", ""},
    {"archiver-binary", "arbin", true},
    {"cudart", "", true},
    {"cudadevrt", "", true},
    {"libdevice-directory", "ldir", true},
    {"target-directory", "target-dir", true},
    {"use-local-env", ""},
    {"force-cl-env-setup", ""},
    {"profile", "pg"},
    {"debug", "g"},
    {"device-debug", "G"},
    {"generate-line-info", "lineinfo"},
    {"optimization-info", "opt-info", true, true},
    {"optimize", "O", true},
    {"Ofast-compile", "Ofc", true},
    {"dopt", "", true},
    {"dlink-time-opt", "dlto"},
    {"lto", ""},
    {"gen-opt-lto", ""},
    {"ftemplate-backtrace-limit", "", true},
    {"ftemplate-depth", "", true, false, NvccMeaning::kForward},
    {"no-exceptions", "noeh", false, false, NvccMeaning::kNoExceptions},
    {"shared", ""},
    {"x", "", true, false, NvccMeaning::kLanguage},
    {"std", "", true, false, NvccMeaning::kStandard},
    {"no-host-device-initializer-list", "nohdinitlist"},
    {"no-host-device-move-forward", "nohdmoveforward"},
    {"expt-relaxed-constexpr", "", false, false, NvccMeaning::kRelaxedConstexpr},
    {"extended-lambda", "", false, false, NvccMeaning::kExtendedLambda},
    {"expt-extended-lambda", "", false, false, NvccMeaning::kExtendedLambda},
    {"machine", "m", true},
    {"m64", "", false, false, NvccMeaning::kForward},
    {"compiler-options", "Xcompiler", true, true, NvccMeaning::kHostOptions},
    {"linker-options", "Xlinker", true, true},
    {"archive-options", "Xarchive", true, true},
    {"ptxas-options", "Xptxas", true, true},
    {"nvlink-options", "Xnvlink", true, true},
    {"static-global-template-stub", "", true},
    {"device-entity-has-hidden-visibility", "", true},
    {"forward-unknown-to-host-compiler", ""},
    {"forward-unknown-to-host-linker", ""},
    {"forward-unknown-opts", ""},
    {"dont-use-profile", "noprof"},
    {"dryrun", ""},
    {"verbose", "v"},
    {"threads", "t", true},
    {"split-compile", "", true},
    {"split-compile-extended", "", true},
    {"fdevice-syntax-only", ""},
    {"fdevice-time-trace", "", true},
    {"keep", ""},
    {"keep-dir", "", true},
    {"save-temps", ""},
    {"clean-targets", "clean"},
    {"time", "", true},
    {"run-args", "", true, true},
    {"input-drive-prefix", "idp", true},
    {"dependency-drive-prefix", "ddp", true},
    {"drive-prefix", "dp", true},
    {"dependency-target-name", "MT", true},
    {"no-align-double", ""},
    {"no-device-link", "nodlink"},
    {"gpu-architecture", "arch", true},
    {"gpu-code", "code", true, true},
    {"generate-code", "gencode", true, true},
    {"relocatable-device-code", "rdc", true, false, NvccMeaning::kRelocatable},
    {"entries", "e", true, true},
    {"maxrregcount", "", true},
    {"use_fast_math", ""},
    {"ftz", "", true},
    {"prec-div", "", true},
    {"prec-sqrt", "", true},
    {"fmad", "", true},
    {"extra-device-vectorization", ""},
    {"default-stream", "", true, false, NvccMeaning::kDefaultStream},
    {"disable-warnings", "w"},
    {"keep-device-functions", ""},
    {"source-in-ptx", "src-in-ptx"},
    {"restrict", ""},
    {"Wreorder", ""},
    {"Wdefault-stream-launch", ""},
    {"Wmissing-launch-bounds", ""},
    {"Wext-lambda-captures-this", ""},
    {"Wno-deprecated-declarations", ""},
    {"Wno-deprecated-gpu-targets", ""},
    {"Werror", "", true, true},
    {"resource-usage", "res-usage"},
    {"extensible-whole-program", "ewp"},
    {"no-compress", ""},
    {"qpp-config", ""},
    {"compile-as-tools-patch", "astoolspatch"},
    {"list-gpu-code", "code-ls"},
    {"list-gpu-arch", "arch-ls"},
    {"display-error-number", "err-no"},
    {"no-display-error-number", "no-err-no"},
    {"diag-error", "", true, true},
    {"diag-suppress", "", true, true},
    {"diag-warn", "", true, true},
    {"host-linker-script", "hls", true},
    {"augment-host-linker-script", "aug-hls"},
    {"relocatable-link", "r"},
    {"brief-diagnostics", "brief-diag", true},
    {"jump-table-density", "jtd", true},
    {"relocatable-ptx", "reloc-ptx"},
    {"device-stack-protector", "", true},
    {"compress-mode", "", true},
    {"frandom-seed", "", true},
    {"sanitize", "", true},
    {"jobserver", ""},
    {"help", "h"},
    {"version", "V"},
    {"options-file", "optf", true, true, NvccMeaning::kOptionsFile},
    // Accepted by nvcc, or by releases before 13.0, though its help does not list them.
    {"cudafe-options", "Xcudafe", true, true},
    {"cicc-options", "Xcicc", true, true},
    {"opencc-options", "Xopencc", true, true},
    {"fatbin-options", "Xfatbin", true, true},
    {"nvvm-options", "Xnvvm", true, true},
    {"diag_suppress", "diag_suppress", true, true},
    {"diag_error", "diag_error", true, true},
    {"diag_warn", "diag_warn", true, true},
    {"display_error_number", "display_error_number"},
    {"no-deprecated-gpu-targets", ""},
    {"generate-dependencies-to-file", "MQ", true},
    {"m32", "m32"},
    {"deviceemu", "deviceemu"},
    {"msvc-version", "", true},
    {"compiler-bindir-directory", "", true},
};

const NvccOption* by_name(std::string_view name) {
  for (const NvccOption& option : kOptions)
    if (option.long_name == name || (!option.short_name.empty() && option.short_name == name)) return &option;
  return nullptr;
}

}  // namespace

std::span<const NvccOption> nvcc_options() { return kOptions; }

const NvccOption* find_nvcc_option(const std::string& word, std::string& value, bool& has_value) {
  value.clear();
  has_value = false;
  if (word.size() < 2 || word[0] != '-') return nullptr;
  // nvcc requires two dashes before a long name; builds that a wrapper starts often have one: both are read.
  std::string_view name(word);
  name.remove_prefix(word[1] == '-' ? 2 : 1);
  if (const NvccOption* option = by_name(name)) return option;
  if (const size_t equals = name.find('='); equals != std::string_view::npos) {
    const NvccOption* option = by_name(name.substr(0, equals));
    if (option && option->takes_value) {
      value = name.substr(equals + 1);
      has_value = true;
      return option;
    }
  }
  // Only these one-letter names take an attached value ("-DX", "-Ipath", "-t0"); -xcu is an error to nvcc.
  constexpr std::string_view kAttachable = "DUILlO";
  const bool threads = name.size() > 1 && name[0] == 't' && name[1] >= '0' && name[1] <= '9';
  if (word[1] != '-' && name.size() > 1 && (threads || kAttachable.find(name[0]) != std::string_view::npos)) {
    value = name.substr(1);
    has_value = true;
    return by_name(name.substr(0, 1));
  }
  return nullptr;
}

}  // namespace syncsniff::frontend
