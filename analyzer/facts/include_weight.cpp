#include "analyzer/facts/include_weight.h"

#include <string_view>
#include <unordered_set>

#include "analyzer/facts/include_search.h"
#include "rules/regular_file.h"

namespace syncsniff::facts {
namespace {

// In bytes of text: cuda_runtime.h and what it includes have 2 MB, thrust/device_vector.h 14 MB, torch/torch.h 17 MB.
constexpr size_t kHeavyBytes = 8u << 20;
constexpr size_t kMostFiles = 4096;

// Calls `visit` with the name of each #include, and whether it is in angle brackets.
template <class Visit>
void for_each_include(std::string_view text, const Visit& visit) {
  const auto skip_blanks = [&](size_t at) { return std::min(text.find_first_not_of(" \t", at), text.size()); };
  for (size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    size_t name = skip_blanks(at + 1);
    if (text.compare(name, 7, "include") != 0) continue;
    name = skip_blanks(name + 7);
    if (name >= text.size() || (text[name] != '<' && text[name] != '"')) continue;
    const bool angled = text[name] == '<';
    const size_t end = text.find_first_of(angled ? ">\n" : "\"\n", name + 1);
    if (end != std::string_view::npos && text[end] != '\n')
      visit(std::string(text.substr(name + 1, end - name - 1)), angled);
  }
}

}  // namespace

std::vector<std::string> heavy_part(const std::vector<std::string>& headers, const frontend::UnitCommand& command) {
  const IncludeSearch search(command);
  std::unordered_set<std::string> seen;
  std::vector<std::string> open;
  const auto enter = [&](const std::string& name, bool angled, const std::string& includer) {
    const auto found = search.find(name, angled, includer);
    if (found && seen.size() < kMostFiles && seen.insert(found->path).second) open.push_back(found->path);
  };
  size_t bytes = 0;
  for (size_t i = 0; i < headers.size(); ++i) {
    enter(headers[i], true, "");
    while (!open.empty()) {
      const std::string path = std::move(open.back());
      open.pop_back();
      std::string problem;
      const std::optional<std::string> text = read_regular_file(path, problem);
      if (!text) continue;
      bytes += text->size();
      if (bytes >= kHeavyBytes) return {headers.begin(), headers.begin() + static_cast<ptrdiff_t>(i) + 1};
      for_each_include(*text, [&](const std::string& name, bool angled) { enter(name, angled, path); });
    }
  }
  return {};
}

}  // namespace syncsniff::facts
