#include "rules/path_glob.h"

#include <algorithm>

namespace syncsniff {
namespace {

constexpr const char* kExample = "name a folder, a file or an object, such as mylib or '*/site-packages/mylib/*'";

// The position of the `]` that closes the set which begins at `open`; npos: none. A `]` at the beginning is a member of
// the set.
size_t end_of_set(std::string_view glob, size_t open) {
  size_t first = open + 1;
  if (first < glob.size() && (glob[first] == '!' || glob[first] == '^')) ++first;
  return glob.find(']', first + 1);
}

bool is_in_set(std::string_view members, char c) {
  const bool inverted = !members.empty() && (members[0] == '!' || members[0] == '^');
  if (inverted) members.remove_prefix(1);
  bool found = false;
  for (size_t i = 0; i < members.size(); ++i) {
    const bool is_range = i + 2 < members.size() && members[i + 1] == '-';
    const char last = is_range ? members[i + 2] : members[i];
    found = found || (members[i] <= c && c <= last);
    if (is_range) i += 2;
  }
  return found != inverted;
}

// The position after the one pattern element at `at`, which is no `*`, if it matches `c`; 0: it does not match.
size_t after_one(std::string_view glob, size_t at, char c) {
  if (at >= glob.size()) return 0;
  if (glob[at] == '?') return at + 1;
  if (glob[at] != '[') return glob[at] == c ? at + 1 : 0;
  const size_t end = end_of_set(glob, at);
  return is_in_set(glob.substr(at + 1, end - at - 1), c) ? end + 1 : 0;
}

// Backtracks only to the last `*`, so the time is at most the length of the text times that of the pattern.
bool matches_whole(std::string_view glob, std::string_view text) {
  size_t at = 0, star = std::string_view::npos, star_text = 0;
  for (size_t i = 0; i < text.size();) {
    if (at < glob.size() && glob[at] == '*') {
      star = at++;
      star_text = i;
    } else if (const size_t next = after_one(glob, at, text[i]); next != 0) {
      at = next;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++star_text;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', at) == std::string_view::npos;
}

void check_sets(std::string_view glob) {
  for (size_t at = glob.find('['); at != std::string_view::npos; at = glob.find('[', at)) {
    const size_t end = end_of_set(glob, at);
    if (end == std::string_view::npos) throw PatternError("its [ has no ]; write [[] for the character itself");
    at = end + 1;
  }
}

}  // namespace

PathGlob::PathGlob(const std::string& pattern) : text_(pattern) {
  std::string glob = pattern;
  while (glob.rfind("./", 0) == 0) glob.erase(0, 2);
  // Any number of folders, also none, as for each pattern without a /.
  while (glob.starts_with("**/")) glob.erase(0, 3);
  while (!glob.empty() && glob.back() == '/') glob.pop_back();
  if (pattern.empty()) throw PatternError(std::string("the pattern is empty; ") + kExample);
  if (glob.empty() || glob == ".") throw PatternError(std::string("matches no single folder; ") + kExample);
  if (glob == ".." || glob.rfind("../", 0) == 0)
    throw PatternError("paths are matched as the report has them, from the root on: begin with a folder's name or /");
  check_sets(glob);
  whole_ = {glob, glob + "/*"};
  if (glob[0] != '/') whole_.insert(whole_.end(), {"*/" + glob, "*/" + glob + "/*"});
}

bool PathGlob::matches(std::string_view path) const {
  return std::any_of(whole_.begin(), whole_.end(), [&](const std::string& glob) { return matches_whole(glob, path); });
}

}  // namespace syncsniff
