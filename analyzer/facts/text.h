// A name, node, path or piece of source in the facts. Each different text is stored once in the process and never
// freed, so a Text takes 8 bytes, a copy costs nothing, and two are equal if their pointers are.
#pragma once

#include <compare>
#include <concepts>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace syncsniff::facts {

class Text;
template <class T>
concept OtherText = std::convertible_to<const T&, std::string_view> && !std::same_as<T, Text>;

class Text {
 public:
  // The hash is that of the characters, not of the address, so that hash tables have the same order in every run and
  // findings do not depend on memory addresses.
  struct Entry {
    std::string text;
    size_t hash = 0;
  };

  Text() = default;
  Text(const char* text) : Text(std::string_view(text)) {}
  Text(const std::string& text) : Text(std::string_view(text)) {}
  Text(std::string_view text) : entry_(text.empty() ? nullptr : intern(text, std::hash<std::string_view>{}(text))) {}

  // `hash`: the one that the text had when the same build wrote it.
  static Text with_hash(std::string_view text, size_t hash) {
    Text made;
    if (!text.empty()) made.entry_ = intern(text, hash);
    return made;
  }

  const std::string& str() const { return entry_ ? entry_->text : kEmpty; }
  operator const std::string&() const { return str(); }
  operator std::string_view() const { return str(); }
  size_t hash() const { return entry_ ? entry_->hash : std::hash<std::string_view>{}({}); }
  const void* address() const { return entry_; }

  bool empty() const { return !entry_; }
  size_t size() const { return str().size(); }
  char operator[](size_t i) const { return str()[i]; }
  char front() const { return str().front(); }
  char back() const { return str().back(); }
  auto begin() const { return str().begin(); }
  auto end() const { return str().end(); }
  const char* c_str() const { return str().c_str(); }
  const char* data() const { return str().data(); }
  void clear() { entry_ = nullptr; }
  std::string substr(size_t from, size_t n = std::string::npos) const { return str().substr(from, n); }
  template <class... A>
  size_t find(A&&... what) const {
    return str().find(std::forward<A>(what)...);
  }
  template <class... A>
  size_t rfind(A&&... what) const {
    return str().rfind(std::forward<A>(what)...);
  }
  template <class... A>
  size_t find_first_of(A&&... what) const {
    return str().find_first_of(std::forward<A>(what)...);
  }
  template <class... A>
  size_t find_last_of(A&&... what) const {
    return str().find_last_of(std::forward<A>(what)...);
  }
  template <class A>
  bool starts_with(A&& what) const {
    return str().starts_with(std::forward<A>(what));
  }
  template <class A>
  bool ends_with(A&& what) const {
    return str().ends_with(std::forward<A>(what));
  }
  template <class... A>
  int compare(A&&... what) const {
    return str().compare(std::forward<A>(what)...);
  }

  bool operator==(const Text& other) const { return entry_ == other.entry_; }
  std::strong_ordering operator<=>(const Text& other) const {
    return entry_ == other.entry_ ? std::strong_ordering::equal : str() <=> other.str();
  }
  template <OtherText T>
  friend bool operator==(const Text& a, const T& b) {
    return std::string_view(a) == std::string_view(b);
  }
  template <OtherText T>
  friend std::strong_ordering operator<=>(const Text& a, const T& b) {
    return std::string_view(a) <=> std::string_view(b);
  }
  friend std::string operator+(const Text& a, const Text& b) { return a.str() + b.str(); }
  template <OtherText T>
  friend std::string operator+(const Text& a, const T& b) {
    return a.str() + b;
  }
  template <OtherText T>
  friend std::string operator+(const T& a, const Text& b) {
    return a + b.str();
  }
  friend std::string operator+(std::string&& a, const Text& b) { return std::move(a) + b.str(); }
  friend std::ostream& operator<<(std::ostream& out, const Text& text) { return out << text.str(); }

 private:
  static const Entry* intern(std::string_view text, size_t hash);
  static inline const std::string kEmpty;
  const Entry* entry_ = nullptr;
};

}  // namespace syncsniff::facts

template <>
struct std::hash<syncsniff::facts::Text> {
  size_t operator()(const syncsniff::facts::Text& text) const { return text.hash(); }
};

namespace syncsniff::facts {

// For tables that nobody iterates over: hashes the address without reading the text.
struct ByAddress {
  size_t operator()(const Text& text) const { return reinterpret_cast<size_t>(text.address()) / alignof(Text::Entry); }
};
template <class T>
using TextMap = std::unordered_map<Text, T, ByAddress>;
using TextSet = std::unordered_set<Text, ByAddress>;

}  // namespace syncsniff::facts
