// A copy of a function under another name: its own variables, parameters and results are the copy's.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "analyzer/facts/archive.h"

namespace syncsniff::facts {

// Replaces the USR `from` wherever a text of what is visited names it or a variable of it: not where it begins the USR
// of an overload or of a lambda of its.
class Renaming {
 public:
  Renaming(std::string from, std::string to) : from_(std::move(from)), to_(std::move(to)) {}
  template <class... T>
  void operator()(T&... values) {
    (visit(values), ...);
  }

 private:
  template <class T>
  void visit(T& value) {
    if constexpr (!std::is_arithmetic_v<T> && !std::is_enum_v<T>) fields(*this, value);
  }
  void visit(Text& text) {
    if (text.find(from_) == std::string::npos) return;
    std::string renamed = text;
    for (size_t at = renamed.find(from_); at != std::string::npos; at = renamed.find(from_, at)) {
      const std::string_view rest = std::string_view(renamed).substr(at + from_.size());
      const bool is_own = rest.empty() || rest[0] == '#' || (rest[0] == '@' && !rest.starts_with("@Sa"));
      if (is_own) renamed.replace(at, from_.size(), to_);
      at += is_own ? to_.size() : from_.size();
    }
    text = renamed;
  }
  void visit(std::vector<bool>&) {}
  template <class T>
  void visit(List<T>& items) {
    for (T& item : items) visit(item);
  }
  template <class T>
  void visit(std::vector<T>& items) {
    for (T& item : items) visit(item);
  }

  const std::string from_, to_;
};

}  // namespace syncsniff::facts
