#include "analyzer/facts/words.h"

#include <cctype>

namespace syncsniff::facts {

std::string words_of(std::string_view name) {
  const size_t colon = name.rfind("::");
  const std::string_view last = colon == std::string_view::npos ? name : name.substr(colon + 2);
  std::string words;
  for (size_t i = 0; i < last.size(); ++i) {
    const auto c = static_cast<unsigned char>(last[i]);
    if (!std::isalnum(c)) {  // `l.update_gpu` is "l update gpu"
      if (!words.empty() && words.back() != ' ') words += ' ';
      continue;
    }
    if (std::isupper(c) && i && std::islower(static_cast<unsigned char>(last[i - 1]))) words += ' ';
    words += static_cast<char>(std::tolower(c));
  }
  return words;
}

}  // namespace syncsniff::facts
