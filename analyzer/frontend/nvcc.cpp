#include "analyzer/frontend/nvcc.h"

#include <stdexcept>

#include "analyzer/frontend/arguments.h"
#include "analyzer/frontend/nvcc_options.h"

namespace syncsniff::frontend {
namespace {

constexpr int kMaxOptionsFileDepth = 16;
constexpr size_t kMaxHostArguments = 1'000'000;

// nvcc's list values are split at commas; a comma after a backslash or between quotes is part of the text.
std::vector<std::string> split_list(const std::string& value) {
  std::vector<std::string> parts(1);
  char quote = 0;
  for (size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == '\\' && i + 1 < value.size() && value[i + 1] == ',') {
      parts.back() += ',';
      ++i;
    } else if (c == ',' && !quote) {
      parts.emplace_back();
    } else {
      if ((c == '"' || c == '\'') && (!quote || quote == c)) quote = quote ? 0 : c;
      parts.back() += c;
    }
  }
  return parts;
}

class NvccReader {
 public:
  explicit NvccReader(const std::string& directory) : directory_(directory) {}

  void read(const std::vector<std::string>& words, int depth) {
    for (size_t i = 0; i < words.size(); ++i) {
      std::string value;
      bool has_value = false;
      const NvccOption* option = find_nvcc_option(words[i], value, has_value);
      if (!option) {
        call_.host_arguments.push_back(words[i]);  // an input, or an option for the host compiler
        if (words[i] == "-MT" || words[i] == "-MQ") ++i;
        continue;
      }
      std::string spelled = words[i];
      if (option->takes_value && !has_value) {
        if (i + 1 == words.size()) {
          call_.ignored.push_back(spelled);
          return;
        }
        value = words[++i];
        spelled += " " + value;
      }
      apply(*option, option->is_list ? split_list(value) : std::vector<std::string>{value}, spelled, depth);
    }
  }

  NvccCall take() { return std::move(call_); }

 private:
  void emit(const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      if (value.empty()) continue;
      call_.host_arguments.push_back(option);
      call_.host_arguments.push_back(value);
    }
  }

  void define(const char* macro) { emit("-D", {macro}); }

  void read_options_files(const std::vector<std::string>& files, int depth) {
    for (const std::string& file : files) {
      if (depth >= kMaxOptionsFileDepth || call_.host_arguments.size() > kMaxHostArguments)
        throw std::runtime_error(file + ": options file includes itself or nests too deep; check the build's command");
      call_.options_files.push_back(file);
      read(read_words(file, directory_), depth + 1);
    }
  }

  // nvcc passes the value of -Xcompiler to a shell: each part may be several words.
  void forward_host_options(const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
      for (const std::string& word : split_command(part)) call_.host_arguments.push_back(word);
  }

  void apply(const NvccOption& option, const std::vector<std::string>& values, const std::string& spelled, int depth) {
    using enum NvccMeaning;
    switch (option.meaning) {
      case kNothing:
        call_.ignored.push_back(spelled);
        break;
      case kForward:
        call_.host_arguments.push_back("-" + std::string(option.long_name) +
                                       (option.takes_value ? "=" + values[0] : ""));
        break;
      case kDefine:
        emit("-D", values);
        break;
      case kUndefine:
        emit("-U", values);
        break;
      case kInclude:
        emit("-I", values);
        break;
      case kSystemInclude:
        emit("-isystem", values);
        break;
      case kPreInclude:
        emit("-include", values);
        break;
      case kStandard:
        call_.host_arguments.push_back("-std=" + values[0]);
        break;
      case kLanguage:
        call_.language = values[0];
        break;
      case kHostOptions:
        forward_host_options(values);
        break;
      case kOptionsFile:
        read_options_files(values, depth);
        break;
      case kDefaultStream:
        call_.per_thread_default_stream = values[0] == "per-thread";
        if (call_.per_thread_default_stream) define("CUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        break;
      case kNoExceptions:
        call_.host_arguments.push_back("-fno-exceptions");
        break;
      case kRelaxedConstexpr:
        define("__CUDACC_RELAXED_CONSTEXPR__=1");
        break;
      case kExtendedLambda:
        define("__CUDACC_EXTENDED_LAMBDA__=1");
        break;
      case kRelocatableFlag:
        define("__CUDACC_RDC__=1");
        break;
      case kRelocatable:
        if (values[0] == "true") define("__CUDACC_RDC__=1");
        break;
    }
  }

  std::string directory_;
  NvccCall call_;
};

}  // namespace

NvccCall read_nvcc_arguments(const std::vector<std::string>& arguments, const std::string& directory) {
  NvccReader reader(directory);
  reader.read(arguments, 0);
  return reader.take();
}

}  // namespace syncsniff::frontend
