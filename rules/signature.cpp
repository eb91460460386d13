#include <cctype>
#include <stdexcept>

#include "rules/api_reader.h"

namespace syncsniff {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The last identifier of a parameter, which is its name: x in `const float* x[3]`.
std::string last_word(const std::string& parameter) {
  size_t end = parameter.find('[');
  if (end == std::string::npos) end = parameter.size();
  while (end > 0 && !is_word(parameter[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_word(parameter[begin - 1])) --begin;
  return parameter.substr(begin, end - begin);
}

}  // namespace

std::vector<std::string> parameter_names(const std::string& signature, const std::string& name) {
  const size_t open = signature.find(name + "(");
  const bool whole_word = open != std::string::npos && open > 0 && !is_word(signature[open - 1]);
  if (!whole_word || signature.back() != ')') {
    throw std::invalid_argument("'" + signature + "' is not a prototype of " + name);
  }
  const size_t first = open + name.size() + 1;
  const std::string list = signature.substr(first, signature.size() - first - 1);
  std::vector<std::string> names;
  if (list.empty() || list == "void") return names;
  int depth = 0;  // the parameters of a callback parameter contain commas, too
  std::string parameter;
  for (char c : list + ",") {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c != ',' || depth > 0) {
      parameter += c;
      continue;
    }
    names.push_back(parameter.find("...") == std::string::npos ? last_word(parameter) : "...");
    parameter.clear();
  }
  return names;
}

}  // namespace syncsniff
