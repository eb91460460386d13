#include "analyzer/frontend/host_options.h"

#include <clang/Basic/LangStandard.h>
#include <clang/Driver/Options.h>
#include <llvm/Option/Arg.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/TargetParser/X86TargetParser.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "analyzer/frontend/arguments.h"

namespace syncsniff::frontend {
namespace {

namespace options = clang::driver::options;

// -f options that change declarations, keywords or types; each also in its -fno- form.
constexpr std::string_view kLanguageFlags[] = {
    "exceptions",
    "cxx-exceptions",
    "rtti",
    "char8_t",
    "coroutines",
    "gnu-keywords",
    "signed-char",
    "unsigned-char",
    "short-enums",
    "short-wchar",
    "ms-extensions",
    "blocks",
    "fast-math",
    "finite-math-only",
    "freestanding",
    "builtin",
    "declspec",
    "asm",
    "gnu89-inline",
    "dollars-in-identifiers",
    "operator-names",
    "aligned-allocation",
    "sized-deallocation",
    "hosted",
};
constexpr std::string_view kLimitFlags[] = {
    "ftemplate-depth=", "fconstexpr-depth=", "fconstexpr-steps=", "fbracket-depth="};

bool keeps_language_flag(std::string_view spelling) {
  if (spelling.substr(0, 2) != "-f") return false;
  std::string_view name = spelling.substr(2);
  if (name.substr(0, 3) == "no-") name.remove_prefix(3);
  return std::ranges::find(kLanguageFlags, name) != std::end(kLanguageFlags);
}

bool known_standard(const std::string& name) {
  return clang::LangStandard::getLangKind(name) != clang::LangStandard::lang_unspecified;
}

bool known_cpu(llvm::StringRef name) { return name == "native" || llvm::X86::parseArchX86(name) != llvm::X86::CK_None; }

// A folder relative to the sysroot ("=/usr/include") is left to the driver.
std::string include_path(llvm::StringRef value, const std::string& directory) {
  return value.starts_with("=") ? value.str() : absolute_path(value.str(), directory);
}

class HostReader {
 public:
  explicit HostReader(std::string directory) : directory_(std::move(directory)) {}

  void read(const llvm::opt::InputArgList& arguments) {
    for (const llvm::opt::Arg* argument : arguments)
      if (!read_paths(*argument) && !read_language(*argument) && !read_machine(*argument)) drop(*argument, arguments);
  }

  HostOptions take() { return std::move(options_); }

 private:
  void drop(const llvm::opt::Arg& argument, const llvm::opt::ArgList& list) {
    const unsigned id = argument.getOption().getID();
    if (id == options::OPT_INPUT || id == options::OPT_o || id == options::OPT_c) return;
    options_.ignored.push_back(argument.getAsString(list));
  }

  bool read_paths(const llvm::opt::Arg& argument) {
    switch (argument.getOption().getID()) {
      case options::OPT_I:
        return add_directory("-I", argument);
      case options::OPT_iquote:
        return add_directory("-iquote", argument);
      case options::OPT_isystem:
        return add_directory("-isystem", argument);
      case options::OPT_cxx_isystem:
        return add_directory("-cxx-isystem", argument);
      case options::OPT_idirafter:
      case options::OPT_isystem_after:
        return add_directory("-idirafter", argument);
      case options::OPT_include:
        return add_forced("-include", argument.getValue());
      case options::OPT_imacros:
        return add_forced("-imacros", argument.getValue());
      case options::OPT_cuda_path_EQ:
        options_.cuda_path = absolute_path(argument.getValue(), directory_);
        return true;
      case options::OPT_isysroot:
      case options::OPT__sysroot_EQ:
        return add_root("--sysroot=", argument);
      case options::OPT_gcc_toolchain:
        return add_root("--gcc-toolchain=", argument);
      case options::OPT_gcc_install_dir_EQ:
        return add_root("--gcc-install-dir=", argument);
      default:
        return false;
    }
  }

  bool read_language(const llvm::opt::Arg& argument) {
    switch (argument.getOption().getID()) {
      case options::OPT_D:
        return add_macro("-D", argument.getValue());
      case options::OPT_U:
        return add_macro("-U", argument.getValue());
      case options::OPT_Wp_COMMA:
        return add_preprocessor_words(argument);
      case options::OPT_Xclang:
        return add_clang_word(argument.getValue());
      case options::OPT_x:
        options_.language = argument.getValue();
        return true;
      case options::OPT_ansi:
        options_.flags.push_back("-ansi");
        return true;
      case options::OPT_std_EQ:
        if (!known_standard(argument.getValue())) return false;
        options_.standard = argument.getValue();
        return true;
      case options::OPT_fopenmp:
      case options::OPT_fopenmp_EQ:
        options_.openmp = true;
        return false;
      case options::OPT_fno_openmp:
        options_.openmp = false;
        return false;
      case options::OPT_pthread:
      case options::OPT_nostdinc:
      case options::OPT_nostdincxx:
        options_.flags.push_back(argument.getSpelling().str());
        return true;
      default:
        break;
    }
    const llvm::StringRef spelling = argument.getSpelling();
    if (keeps_language_flag(spelling)) {
      options_.flags.push_back(spelling.str());
      return true;
    }
    for (std::string_view limit : kLimitFlags)
      if (spelling.drop_front(1) == llvm::StringRef(limit)) {
        options_.flags.push_back(spelling.str() + argument.getValue());
        return true;
      }
    return false;
  }

  bool read_machine(const llvm::opt::Arg& argument) {
    const llvm::opt::Option& option = argument.getOption();
    switch (option.getID()) {
      case options::OPT_m64:
      case options::OPT_m32:
        options_.flags.push_back(argument.getSpelling().str());
        return true;
      case options::OPT_march_EQ:
        if (!known_cpu(argument.getValue())) return false;
        options_.flags.push_back("-march=" + std::string(argument.getValue()));
        return true;
      case options::OPT_target:
        options_.chooses_library = true;
        options_.flags.push_back("--target=" + std::string(argument.getValue()));
        return true;
      case options::OPT_stdlib_EQ:
        options_.chooses_library = true;
        options_.flags.push_back("-stdlib=" + std::string(argument.getValue()));
        return true;
      default:
        break;
    }
    if (!option.matches(options::OPT_m_x86_Features_Group) || argument.getNumValues() != 0) return false;
    options_.flags.push_back(argument.getSpelling().str());
    return true;
  }

  bool add_directory(const char* option, const llvm::opt::Arg& argument) {
    llvm::StringRef value = argument.getValue();
    // "-isystem=/p" is nvcc's spelling. For gcc "=" would mean a sysroot, so it is kept only if one is given.
    if (value.starts_with("=") && !options_.chooses_library) value = value.drop_front(1);
    if (value.empty()) return false;
    options_.includes.push_back({option, include_path(value, directory_)});
    return true;
  }

  bool add_root(const char* option, const llvm::opt::Arg& argument) {
    options_.chooses_library = true;
    options_.flags.push_back(option + absolute_path(argument.getValue(), directory_));
    return true;
  }

  // gcc looks in the working directory first, then along the include path.
  bool add_forced(const std::string& option, const std::string& file) {
    const std::string beside = absolute_path(file, directory_);
    std::error_code none;
    options_.forced.push_back(option);
    options_.forced.push_back(std::filesystem::exists(beside, none) ? beside : file);
    return true;
  }

  // Words for Clang itself, as CMake passes the header of a precompiled one: -Xclang -include -Xclang pch.hxx.
  bool add_clang_word(const std::string& word) {
    if (clang_option_.empty()) {
      if (word != "-include" && word != "-imacros") return false;
      clang_option_ = word;
      return true;
    }
    return add_forced(std::exchange(clang_option_, {}), word);
  }

  bool add_macro(const char* option, const std::string& value) {
    const std::string name = value.substr(0, value.find('='));
    if (name.empty()) return false;
    if (name == "CUDA_API_PER_THREAD_DEFAULT_STREAM") options_.per_thread_default_stream = option[1] == 'D';
    options_.macros.push_back(option);
    options_.macros.push_back(value);
    return true;
  }

  // -Wp,-DX: only macros are kept; -Wp,-MD,file would write a file.
  bool add_preprocessor_words(const llvm::opt::Arg& argument) {
    bool all = true;
    for (const char* word : argument.getValues()) {
      const llvm::StringRef text(word);
      if (text.size() > 2 && text.starts_with("-D"))
        add_macro("-D", text.substr(2).str());
      else if (text.size() > 2 && text.starts_with("-U"))
        add_macro("-U", text.substr(2).str());
      else
        all = false;
    }
    return all;
  }

  std::string directory_;
  HostOptions options_;
  std::string clang_option_;  // from -Xclang; its value follows in another -Xclang
};

}  // namespace

HostOptions read_host_arguments(const std::vector<std::string>& arguments, const std::string& directory) {
  std::vector<const char*> words;
  words.reserve(arguments.size());
  for (const std::string& argument : arguments)
    if (!argument.empty()) words.push_back(argument.c_str());
  unsigned missing_index = 0, missing_count = 0;
  const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      words, missing_index, missing_count, llvm::opt::Visibility(options::ClangOption));
  HostReader reader(directory);
  reader.read(parsed);
  HostOptions result = reader.take();
  if (missing_count != 0) result.ignored.push_back(words[missing_index]);
  return result;
}

}  // namespace syncsniff::frontend
