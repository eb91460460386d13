// Visits every text in a part of the facts, at any depth.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "analyzer/facts/archive.h"

namespace syncsniff::facts {

// Calls `change` with each.
template <class Change>
class EachText {
 public:
  explicit EachText(Change change) : change_(std::move(change)) {}
  template <class... T>
  void operator()(T&... values) {
    (visit(values), ...);
  }

 private:
  template <class T>
  void visit(T& value) {
    if constexpr (!std::is_arithmetic_v<T> && !std::is_enum_v<T>) fields(*this, value);
  }
  void visit(Text& text) { change_(text); }
  void visit(std::string&) {}
  void visit(std::vector<bool>&) {}
  template <class T>
  void visit(List<T>& items) {
    for (T& item : items) visit(item);
  }
  template <class T>
  void visit(std::vector<T>& items) {
    for (T& item : items) visit(item);
  }

  Change change_;
};

}  // namespace syncsniff::facts
