#include "instrument/compare/line_match.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "instrument/compare/file_match.h"
#include "instrument/compare/nearest_in_order.h"

namespace syncsniff::compare {
namespace {

using reader::Place;

// "step(float*, int)" -> "step": an edit may change the parameters.
std::string bare_name(const std::string& function) { return function.substr(0, function.find('(')); }

// A place's line number or, without lines, its offset in its object file.
int64_t position(const Place& place) {
  return place.line != 0 ? static_cast<int64_t>(place.line) : static_cast<int64_t>(place.offset);
}

std::tuple<int64_t, int64_t, int64_t> order_of(const LineId& line) {
  return {position(line.place), position(line.inner), position(line.before)};
}

// Lines match only if their keys are equal.
using Key = std::vector<std::string>;
struct Group {
  std::vector<size_t> a, b;  // ascending by line
};

class Matcher {
 public:
  Matcher(const std::vector<LineId>& a, const std::vector<LineId>& b)
      : a_(a), b_(b), done_a_(a.size()), done_b_(b.size()) {
    std::set<std::string> files_a, files_b;
    for (const LineId& line : a) files_a.insert({line.place.file, line.inner.file, line.before.file});
    for (const LineId& line : b) files_b.insert({line.place.file, line.inner.file, line.before.file});
    old_name_ = match_files(files_a, files_b);
  }

  std::vector<LinePair> run() {
    match_all(group(
        [](const LineId& line, bool) { return line.fingerprint.empty() ? Key() : Key{line.what, line.fingerprint}; }));
    const std::map<Key, Group> groups = group([this](const LineId& line, bool is_b) { return key(line, is_b, true); });
    learn_shifts(groups);
    match_all(groups);
    find_renamed();
    match_all(group(
        [this](const LineId& line, bool is_b) { return is_renamed(line, is_b) ? key(line, is_b, false) : Key(); }));
    for (size_t i = 0; i < a_.size(); ++i)
      if (!done_a_[i]) pairs_.push_back({i, kNoLine});
    for (size_t i = 0; i < b_.size(); ++i)
      if (!done_b_[i]) pairs_.push_back({kNoLine, i});
    return std::move(pairs_);
  }

 private:
  // The file's name in a; a file of b gets the name of its counterpart in a.
  std::string file_of(const Place& place, bool is_b) const {
    const auto it = is_b ? old_name_.find(place.file) : old_name_.end();
    return it == old_name_.end() ? place.file : it->second;
  }

  Key key(const LineId& line, bool is_b, bool with_function) const {
    return {line.what,
            file_of(line.place, is_b),
            with_function ? bare_name(line.place.function) : "",
            file_of(line.inner, is_b),
            bare_name(line.inner.function),
            file_of(line.before, is_b),
            with_function ? bare_name(line.before.function) : ""};
  }

  template <class KeyOf>
  std::map<Key, Group> group(KeyOf key_of) const {
    std::map<Key, Group> groups;
    for (size_t i = 0; i < a_.size(); ++i)
      if (!done_a_[i]) groups[key_of(a_[i], false)].a.push_back(i);
    for (size_t i = 0; i < b_.size(); ++i)
      if (!done_b_[i]) groups[key_of(b_[i], true)].b.push_back(i);
    for (auto& [key, group] : groups) {
      std::sort(group.a.begin(), group.a.end(),
                [this](size_t x, size_t y) { return order_of(a_[x]) < order_of(a_[y]); });
      std::sort(group.b.begin(), group.b.end(),
                [this](size_t x, size_t y) { return order_of(b_[x]) < order_of(b_[y]); });
    }
    return groups;
  }

  // Notes how far each line moved whose key occurs once in a and once in b.
  void learn_shifts(const std::map<Key, Group>& groups) {
    for (const auto& [key, group] : groups) {
      if (group.a.size() != 1 || group.b.size() != 1) continue;
      const Place& from = a_[group.a[0]].place;
      shifts_[from.file][position(from)] = position(b_[group.b[0]].place) - position(from);
    }
  }

  // Where in b a line of a is expected: moved as far as the nearest line of its file whose move is known.
  int64_t expected(const Place& place) const {
    const int64_t at = position(place);
    const auto file = shifts_.find(place.file);
    if (file == shifts_.end()) return at;
    auto after = file->second.lower_bound(at);
    if (after == file->second.end() ||
        (after != file->second.begin() && at - std::prev(after)->first < after->first - at))
      --after;
    return at + after->second;
  }

  // Lines with an empty key stay unmatched in this pass.
  void match_all(const std::map<Key, Group>& groups) {
    for (const auto& [key, group] : groups)
      if (!key.empty()) match(group);
  }

  void match(const Group& group) {
    std::vector<int64_t> from, to;
    for (size_t i : group.a) from.push_back(expected(a_[i].place));
    for (size_t i : group.b) to.push_back(position(b_[i].place));
    for (const auto& [left, right] : nearest_in_order(from, to)) {
      pairs_.push_back({group.a[left], group.b[right]});
      done_a_[group.a[left]] = done_b_[group.b[right]] = true;
    }
  }

  using Functions = std::set<std::pair<std::string, std::string>>;  // file and name

  void find_renamed() {
    for (const LineId& line : a_) functions_a_.insert({line.place.file, bare_name(line.place.function)});
    for (const LineId& line : b_) functions_b_.insert({file_of(line.place, true), bare_name(line.place.function)});
  }

  bool is_renamed(const LineId& line, bool is_b) const {
    const Functions& others = is_b ? functions_a_ : functions_b_;
    return others.count({file_of(line.place, is_b), bare_name(line.place.function)}) == 0;
  }

  const std::vector<LineId>&a_, &b_;
  std::vector<bool> done_a_, done_b_;
  std::map<std::string, std::string> old_name_;
  std::map<std::string, std::map<int64_t, int64_t>> shifts_;  // file of a -> line -> number of lines that it moved down
  Functions functions_a_, functions_b_;
  std::vector<LinePair> pairs_;
};

}  // namespace

std::vector<LinePair> match_lines(const std::vector<LineId>& a, const std::vector<LineId>& b) {
  return Matcher(a, b).run();
}

}  // namespace syncsniff::compare
