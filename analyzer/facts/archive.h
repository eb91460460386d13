// Facts to bytes and back: one description of each struct's fields serves both directions. A member missing from the
// description would be lost in both, so the compiler counts the members.
// The bytes are valid only for the same build of the same program on the same machine: the cache's key ensures that.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/text_table.h"

namespace syncsniff::facts {

template <class A>
auto fields(A& a, Place& p) {
  return a(p.file, p.line, p.column, p.end_line, p.end_column, p.offset, p.length);
}
template <class A>
auto fields(A& a, Value& v) {
  return a(v.kind, v.memory, v.device, v.pinned, v.new_memory, v.claims_pinned, v.event, v.node, v.text, v.place,
           v.operands);
}
template <class A>
auto fields(A& a, Question& q) {
  return a(q.function, q.answer, q.overridable, q.compared, q.flag, q.turned_to, q.off, q.size, q.of_object, q.by);
}
template <class A>
auto fields(A& a, NamedTerm& t) {
  return a(t.names, t.holds, t.alone, t.may_turn);
}
template <class A>
auto fields(A& a, Guard& g) {
  return a(g.gate, g.period, g.once_in, g.question, g.named);
}
template <class A>
auto fields(A& a, Turn& t) {
  return a(t.flag, t.setters, t.begins_true, t.begins_false, t.begins_as);
}
template <class A>
auto fields(A& a, Turn::Setter& s) {
  return a(s.function, s.to_true, s.to_false, s.to_zero);
}
template <class A>
auto fields(A& a, Turn::Given& g) {
  return a(g.function, g.parameter, g.left_out);
}
template <class A>
auto fields(A& a, UnreadLibrary& l) {
  return a(l.folder, l.headers, l.bytes);
}
template <class A>
auto fields(A& a, Undefined& u) {
  return a(u.usr, u.name, u.header);
}
template <class A>
auto fields(A& a, ComputedFrom& q) {
  return a(q.events, q.nodes, q.finiteness);
}
template <class A>
auto fields(A& a, ParameterTest& t) {
  return a(t.parameter, t.field, t.value, t.is, t.holds, t.left_out, t.pointer);
}
template <class A>
auto fields(A& a, ParameterTests& t) {
  return a(t.any);
}
template <class A>
auto fields(A& a, FieldValue& f) {
  return a(f.field, f.value);
}
template <class A>
auto fields(A& a, FlagValue& f) {
  return a(f.flag, f.value);
}
template <class A>
auto fields(A& a, FlagWrite& f) {
  return a(f.flag, f.region, f.value);
}
template <class A>
auto fields(A& a, Region& r) {
  return a(r.kind, r.parent, r.gate, r.period, r.once_in, r.question, r.named, r.trips, r.multiplies, r.tests,
           r.deeper_than, r.place, r.whole, r.text, r.condition, r.bare, r.is_switch, r.turns_state, r.forever,
           r.collection, r.over_tensors, r.over_dimension, r.neighbour_index, r.unit_step, r.varying, r.carries_value,
           r.asks, r.ends_if, r.leaves);
}
template <class A>
auto fields(A& a, Product& p) {
  return a(p.factor, p.of);
}
template <class A>
auto fields(A& a, Sum& s) {
  return a(s.products);
}
template <class A>
auto fields(A& a, KernelParam& p) {
  return a(p.reads, p.writes, p.elsewhere, p.at);
}
template <class A>
auto fields(A& a, KernelBody::Bound& b) {
  return a(b.index, b.limit);
}
template <class A>
auto fields(A& a, KernelBody::Walk& w) {
  return a(w.place, w.loop, w.text, w.apart, w.bytes);
}
template <class A>
auto fields(A& a, KernelBody::Unsynced& u) {
  return a(u.write, u.read, u.array, u.write_text, u.read_text, u.by_one_thread);
}
template <class A>
auto fields(A& a, KernelBody& k) {
  return a(k.elementwise, k.updates, k.sums, k.slices, k.own_slices, k.params, k.bounds, k.walks, k.unsynced);
}
template <class A>
auto fields(A& a, Callee& c) {
  return a(c.id, c.name, c.of_class, c.is_virtual, c.indirect, c.harmless, c.own_allocator);
}
template <class A>
auto fields(A& a, Argument& g) {
  return a(g.value, g.text, g.node, g.constant, g.read_only);
}
template <class A>
auto fields(A& a, StreamUse& s) {
  return a(s.text, s.node, s.by_turns, s.own);
}
template <class A>
auto fields(A& a, LoopUse& u) {
  return a(u.varies_with, u.into_varies_with, u.keeps_new, u.carries_in, u.picked_by, u.index_args);
}
template <class A>
auto fields(A& a, Statement& s) {
  return a(s.place, s.text, s.in_macro, s.run, s.position);
}
template <class A>
auto fields(A& a, Event& e) {
  return a(e.kind, e.region, e.order, e.place, e.text, e.callee, e.object, e.args, e.arg_sums, e.launched_on, e.key,
           e.into, e.result, e.result_bytes, e.stream, e.loops, e.statement, e.is_volatile, e.left);
}
template <class A>
auto fields(A& a, Flow& f) {
  return a(f.into, f.value, f.place, f.function, f.region);
}
template <class A>
auto fields(A& a, StateTerm& t) {
  return a(t.kind, t.value, t.name, t.object, t.values, t.operands);
}
template <class A>
auto fields(A& a, StateStep& s) {
  return a(s.kind, s.event, s.target, s.value, s.first, s.second);
}
template <class A>
auto fields(A& a, Function& f) {
  return a(f.usr, f.name, f.place, f.params, f.param_is_pointer, f.overrides, f.regions, f.events, f.is_kernel,
           f.kernel, f.is_main, f.is_adopted, f.resumed_as, f.resumed_loop, f.labels, f.is_static_or_local,
           f.class_is_in_source, f.owner, f.when_true, f.when_false, f.returns, f.flag_writes, f.returns_time,
           f.returns_time_if, f.states, f.state_answer);
}
template <class A>
auto fields(A& a, SourceContent& s) {
  return a(s.file, s.hash);
}
template <class A>
auto fields(A& a, UnitFacts& u) {
  return a(u.file, u.sources, u.functions, u.flows, u.turns, u.undefined, u.unread_libraries, u.errors, u.error_count,
           u.fatal, u.no_code, u.mentions_cuda_device, u.per_thread_default_stream);
}

// Converts to anything, so that {AnyMember, AnyMember} initializes a struct that has two members or more.
struct AnyMember {
  template <class T>
  operator T() const;
};
template <class T, class... Members>
constexpr size_t member_count() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; })
    return member_count<T, Members..., AnyMember>();
  else
    return sizeof...(Members);
}
struct FieldCounter {
  template <class... T>
  std::integral_constant<size_t, sizeof...(T)> operator()(T&...) const {
    return {};
  }
};
template <class T>
inline constexpr bool kAllMembersArchived =
    decltype(fields(std::declval<FieldCounter&>(), std::declval<T&>()))::value == member_count<T>();

// Writes each different Text once, before everything else, and its number in place of each use. 0: the empty text.
class ByteWriter {
 public:
  template <class... T>
  void operator()(T&... values) {
    (put(values), ...);
  }
  std::string bytes() const {
    ByteWriter whole;
    whole.put_size(texts_.size());
    for (const Text text : texts_) {
      uint64_t hash = text.hash();
      whole.put(hash);
      whole.put_size(text.size());
      whole.raw(text.data(), text.size());
    }
    return std::move(whole.bytes_) + bytes_;
  }

 private:
  template <class T>
  void put(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      raw(&value, sizeof(T));
    else
      put_members(value);
  }
  template <class T>
  void put_members(T& value) {
    static_assert(kAllMembersArchived<T>, "fields() leaves out a member of this struct, or names one twice");
    fields(*this, value);
  }
  void put(Text& text) {
    if (text.empty()) return put_size(0);
    const auto [number, is_new] = numbers_.try_emplace(text, texts_.size() + 1);
    if (is_new) texts_.push_back(text);
    put_size(number->second);
  }
  void put(std::string_view& text) { put_size(text.size()), raw(text.data(), text.size()); }
  void put(std::string& text) { put_size(text.size()), raw(text.data(), text.size()); }
  void put(std::vector<bool>& bits) {
    put_size(bits.size());
    for (bool bit : bits) bytes_ += bit ? '\1' : '\0';
  }
  template <class T>
  void put(List<T>& items) {
    put_items(items);
  }
  template <class T>
  void put(std::vector<T>& items) {
    put_items(items);
  }
  template <class Items>
  void put_items(Items& items) {
    put_size(items.size());
    for (auto& item : items) put(item);
  }
  void put_size(size_t n) {
    uint32_t v = static_cast<uint32_t>(n);
    raw(&v, sizeof v);
  }
  void raw(const void* data, size_t n) { bytes_.append(static_cast<const char*>(data), n); }
  std::string bytes_;
  std::vector<Text> texts_;
  std::unordered_map<Text, size_t> numbers_;
};

// Reads what ByteWriter wrote. If the input is too short or invalid, `ok()` is false and the result must be discarded.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {
    constexpr size_t kAhead = 8;
    std::vector<std::pair<uint64_t, std::string_view>> written(size(sizeof(uint64_t) + sizeof(uint32_t)));
    for (auto& [hash, text] : written) {
      number(hash);
      get(text);
    }
    if (!ok_) return;
    texts_.reserve(written.size());
    for (size_t i = 0; i < written.size(); ++i) {
      if (i + kAhead < written.size()) expect_text(written[i + kAhead].first);
      texts_.push_back(Text::with_hash(written[i].second, written[i].first));
    }
  }
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  bool ok() const { return ok_; }
  bool at_end() const { return bytes_.empty(); }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      number(value);
    else
      get_members(value);
  }
  template <class T>
  void get_members(T& value) {
    static_assert(kAllMembersArchived<T>, "fields() leaves out a member of this struct, or names one twice");
    fields(*this, value);
  }
  void get(Text& text) {
    uint32_t which = 0;
    number(which);
    if (which > texts_.size())
      ok_ = false;
    else if (which > 0)
      text = texts_[which - 1];
  }
  // A view into the input, which has to outlive it.
  void get(std::string_view& text) {
    const size_t n = size(1);
    text = bytes_.substr(0, n);
    bytes_.remove_prefix(n);
  }
  void get(std::string& text) {
    text.resize(size(1));
    raw(text.data(), text.size());
  }
  void get(std::vector<bool>& bits) {
    bits.resize(size(1));
    for (size_t i = 0; i < bits.size(); ++i) {
      char bit = 0;
      number(bit);
      bits[i] = bit != 0;
    }
  }
  template <class T>
  void get(std::vector<T>& items) {
    get_items(items);
  }
  template <class T>
  void get(List<T>& items) {
    get_items(items);
  }
  template <class Items>
  void get_items(Items& items) {
    // An element takes at least one byte, so a count beyond the rest of the input is damage, not a reason to allocate.
    items.resize(size(1));
    for (auto& item : items) {
      if (!ok_) return;
      get(item);
    }
  }
  size_t size(size_t least) {
    uint32_t n = 0;
    number(n);
    if (ok_ && n * least > bytes_.size()) ok_ = false;
    return ok_ ? n : 0;
  }
  template <class T>
  void number(T& to) {  // written with the size of its type
    if (bytes_.size() < sizeof(T)) ok_ = false;
    if (!ok_) return;
    std::memcpy(&to, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
  }
  void raw(void* to, size_t n) {
    if (!ok_ || n > bytes_.size()) {
      ok_ = false;
      return;
    }
    std::memcpy(to, bytes_.data(), n);
    bytes_.remove_prefix(n);
  }
  std::string_view bytes_;
  bool ok_ = true;
  std::vector<Text> texts_;
};

}  // namespace syncsniff::facts
