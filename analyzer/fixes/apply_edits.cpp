#include "analyzer/fixes/apply_edits.h"

#include <algorithm>
#include <stdexcept>

namespace syncsniff::fixes {

std::string apply_edits(const std::string& text, const std::vector<Edit>& edits) {
  std::string result;
  size_t at = 0;
  for (const Edit& edit : edits) {
    bool fits = edit.offset >= at && edit.offset <= text.size() && edit.length <= text.size() - edit.offset;
    if (!fits) throw std::out_of_range("edit at byte " + std::to_string(edit.offset));
    result.append(text, at, edit.offset - at).append(edit.replacement);
    at = size_t{edit.offset} + edit.length;
  }
  return result.append(text, at);
}

bool same_edit(const Edit& a, const Edit& b) {
  return a.offset == b.offset && a.length == b.length && a.replacement == b.replacement;
}

bool clash(const Edit& a, const Edit& b) {
  if (same_edit(a, b)) return false;
  size_t a_end = size_t{a.offset} + a.length, b_end = size_t{b.offset} + b.length;
  if (a.offset == b.offset) return true;  // two insertions clash, too, since their order is unknown
  return a.offset < b_end && b.offset < a_end;
}

}  // namespace syncsniff::fixes
