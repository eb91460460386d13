// A vector of 8 bytes. Facts hold millions of lists, most of them empty; std::vector's 24 bytes for each would be a
// quarter of the memory of a large program.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace syncsniff::facts {

// Like std::vector, for fewer than 2^32 elements; the element type may be incomplete.
template <class T>
class List {
 public:
  using value_type = T;
  using size_type = size_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  List() = default;
  List(std::initializer_list<T> items) : List(items.begin(), items.end()) {}
  List(const std::vector<T>& items) : List(items.begin(), items.end()) {}
  List(std::vector<T>&& items) {
    reserve(items.size());
    for (T& item : items) push_back(std::move(item));
  }
  template <std::forward_iterator Iterator>
  List(Iterator first, Iterator last) {
    reserve(static_cast<size_t>(std::distance(first, last)));
    for (; first != last; ++first) push_back(*first);
  }
  List(const List& other) : List(other.begin(), other.end()) {}
  List(List&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  List& operator=(List other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~List() {
    if (!block_) return;
    std::destroy(begin(), end());
    ::operator delete(block_);
  }

  T* begin() { return block_ ? items() : nullptr; }
  T* end() { return begin() + size(); }
  const T* begin() const { return block_ ? items() : nullptr; }
  const T* end() const { return begin() + size(); }
  auto rbegin() { return std::make_reverse_iterator(end()); }
  auto rend() { return std::make_reverse_iterator(begin()); }
  auto rbegin() const { return std::make_reverse_iterator(end()); }
  auto rend() const { return std::make_reverse_iterator(begin()); }
  T* data() { return begin(); }
  const T* data() const { return begin(); }
  size_t size() const { return block_ ? block_->size : 0; }
  bool empty() const { return size() == 0; }
  T& operator[](size_t i) { return items()[i]; }
  const T& operator[](size_t i) const { return items()[i]; }
  T& front() { return items()[0]; }
  const T& front() const { return items()[0]; }
  T& back() { return items()[block_->size - 1]; }
  const T& back() const { return items()[block_->size - 1]; }

  void reserve(size_t capacity) {
    if (block_ && block_->capacity >= capacity) return;
    if (capacity == 0) return;
    auto* larger = static_cast<Block*>(::operator new(header() + capacity * sizeof(T)));
    const size_t count = size();
    larger->size = static_cast<uint32_t>(count);
    larger->capacity = static_cast<uint32_t>(capacity);
    std::uninitialized_move(begin(), end(), items_of(larger));
    List old;
    old.block_ = std::exchange(block_, larger);
  }
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (block_ && block_->size < block_->capacity) return *append(std::forward<Arguments>(arguments)...);
    T made(std::forward<Arguments>(arguments)...);  // before reserve(), which may move its source
    reserve(block_ ? size_t{block_->capacity} * 2 : 1);
    return *append(std::move(made));
  }
  void push_back(const T& item) { emplace_back(item); }
  void push_back(T&& item) { emplace_back(std::move(item)); }
  void pop_back() {
    std::destroy_at(&back());
    --block_->size;
  }
  void clear() { *this = List(); }
  void resize(size_t count) {
    reserve(count);
    while (size() > count) pop_back();
    while (size() < count) append();
  }
  void assign(size_t count, const T& item) {
    clear();
    reserve(count);
    while (size() < count) append(item);
  }
  template <std::forward_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    *this = List(first, last);
  }
  T* insert(const T* before, T item) {
    const auto at = before - begin();
    push_back(std::move(item));
    std::rotate(begin() + at, end() - 1, end());
    return begin() + at;
  }
  template <std::forward_iterator Iterator>
  T* insert(const T* before, Iterator first, Iterator last) {
    const auto at = before - begin(), count = std::distance(first, last);
    reserve(size() + static_cast<size_t>(count));
    for (; first != last; ++first) push_back(*first);
    std::rotate(begin() + at, end() - count, end());
    return begin() + at;
  }
  T* erase(const T* first, const T* last) {
    T* const at = begin() + (first - begin());
    T* kept = std::move(begin() + (last - begin()), end(), at);
    while (kept != end()) pop_back();
    return at;
  }
  T* erase(const T* item) { return erase(item, item + 1); }

  template <class Test>
  friend size_t erase_if(List& list, Test test) {
    T* const kept = std::remove_if(list.begin(), list.end(), test);
    const auto gone = static_cast<size_t>(list.end() - kept);
    list.erase(kept, list.end());
    return gone;
  }
  operator std::vector<T>() const { return {begin(), end()}; }
  friend bool operator==(const List& a, const List& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
  friend auto operator<=>(const List& a, const List& b)
    requires requires(const T& x) { x <=> x; }
  {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  struct Block {
    uint32_t size, capacity;
  };
  static constexpr size_t header() {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    return std::max(sizeof(Block), alignof(T));
  }
  static T* items_of(Block* block) { return reinterpret_cast<T*>(reinterpret_cast<char*>(block) + header()); }
  T* items() const { return items_of(block_); }
  template <class... Arguments>
  T* append(Arguments&&... arguments) {
    return std::construct_at(items() + block_->size++, std::forward<Arguments>(arguments)...);
  }

  Block* block_ = nullptr;
};

}  // namespace syncsniff::facts
