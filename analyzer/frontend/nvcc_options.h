// nvcc's option list as data: which options take a value, which take a comma-separated list, and what each means for a
// host pass. A test compares it with `nvcc --help` wherever nvcc is installed.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace syncsniff::frontend {

enum class NvccMeaning {
  kNothing,  // about device code, linking or output: a host pass has no use for it
  kForward,  // same spelling and meaning for the host compiler
  kDefine,
  kUndefine,
  kInclude,
  kSystemInclude,
  kPreInclude,
  kStandard,
  kLanguage,
  kHostOptions,
  kOptionsFile,
  kDefaultStream,
  kNoExceptions,
  kRelaxedConstexpr,
  kExtendedLambda,
  kRelocatable,
  kRelocatableFlag,
};

struct NvccOption {
  std::string_view long_name;   // without dashes
  std::string_view short_name;  // without dash; empty: none
  bool takes_value = false;
  bool is_list = false;  // the value is split at commas
  NvccMeaning meaning = NvccMeaning::kNothing;
};

std::span<const NvccOption> nvcc_options();

// The option that `word` (with its dashes) names; nullptr: not an option of nvcc. `value` receives the part after `=`
// or attached to a one-letter name; `has_value` says whether there was one.
const NvccOption* find_nvcc_option(const std::string& word, std::string& value, bool& has_value);

}  // namespace syncsniff::frontend
