#include "analyzer/facts/words.h"

#include <cctype>

namespace syncsniff::facts {

std::string last_name(std::string_view name) {
  const size_t colon = name.rfind("::");
  return std::string(colon == std::string_view::npos ? name : name.substr(colon + 2));
}

std::string_view class_part(std::string_view name) {
  const size_t colon = name.rfind("::");
  return name.substr(0, colon == std::string_view::npos ? 0 : colon);
}

bool names_destructor(std::string_view name) { return last_name(name).starts_with('~'); }

bool is_of_libtorch(std::string_view name) {
  return name.starts_with("torch::") || name.starts_with("at::") || name.starts_with("c10::");
}

std::string words_of_text(std::string_view text) {
  std::string words;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (!std::isalnum(c)) {  // `l.update_gpu` is "l update gpu"
      if (!words.empty() && words.back() != ' ') words += ' ';
      continue;
    }
    if (std::isupper(c) && i && std::islower(static_cast<unsigned char>(text[i - 1]))) words += ' ';
    words += static_cast<char>(std::tolower(c));
  }
  return words;
}

std::string words_of(std::string_view name) { return words_of_text(last_name(name)); }

}  // namespace syncsniff::facts
