#include "analyzer/checks/mirror_paths.h"

#include <cctype>
#include <functional>
#include <vector>

namespace syncsniff::checks {

namespace {

constexpr size_t kLongestPath = 2000;
constexpr char kClassMark = '|';

// Removes address-of and dereference: &(x) and *(x) become x, since a pointer to an object stands for the object.
std::string without_addresses(const std::string& text) {
  std::string out;
  std::vector<bool> dropped;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool takes = (text[i] == '&' || text[i] == '*') && i + 1 < text.size() && text[i + 1] == '(';
    if (takes) {
      dropped.push_back(true);
      ++i;
    } else if (text[i] == '(') {
      dropped.push_back(false);
      out += '(';
    } else if (text[i] == ')' && !dropped.empty()) {
      if (!dropped.back()) out += ')';
      dropped.pop_back();
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string shortened(std::string text) {
  if (text.size() <= kLongestPath) return text;
  return text.substr(0, kLongestPath / 2) + "~" + std::to_string(std::hash<std::string>{}(text));
}

}  // namespace

std::string object_path(const facts::Sum& object) {
  return shortened(facts::without_writes(without_addresses(text_of(object))));
}

// Examples: v[i] and vectors.at(i), but not v[0].
bool picks_element(const std::string& key) {
  for (size_t open = key.find('['); open != std::string::npos; open = key.find('[', open + 1)) {
    const size_t close = key.find(']', open);
    const std::string index = key.substr(open + 1, close == std::string::npos ? close : close - open - 1);
    if (index.find_first_not_of("0123456789") != std::string::npos) return true;
  }
  return key.find('(') != std::string::npos;
}

std::string key_for(const std::string& path, const std::string& class_name) { return path + kClassMark + class_name; }

std::string path_in(const std::string& key) { return key.substr(0, key.find(kClassMark)); }

std::string class_in(const std::string& key) { return key.substr(key.find(kClassMark) + 1); }

}  // namespace syncsniff::checks
