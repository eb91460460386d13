#include "analyzer/facts/names_in_text.h"

#include "analyzer/facts/use_tokens.h"

namespace syncsniff::facts {

std::vector<std::string> names_in_text(const std::string& text) {
  std::vector<std::string> names;
  for (const UseToken& token : use_tokens(text))
    if (token.is_name) names.emplace_back(token.text);
  return names;
}

}  // namespace syncsniff::facts
