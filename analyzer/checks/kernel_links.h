// Describes one elementwise launch as seen at the call site: which arrays it reads and writes at each thread's own
// index, over which extent, on which stream. The launch may be direct, in a library function, or in functions that only
// launch it; a copy from device memory to device memory also counts.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

using facts::Sum;

struct KernelLink {
  struct Array {
    Sum base, at;
    bool reads = false, writes = false;  // at the thread's own index `at`
    bool elsewhere = false;
    // The array's name without the number of earlier writes to the object that holds its address, so that it is the
    // same before and after such writes.
    std::string name() const { return facts::without_writes(text_of(base)); }
  };
  std::vector<Array> arrays;
  std::vector<facts::KernelBody::Bound> bounds;  // empty: as many elements as grid and block have threads
  Sum grid, block, stream;
  bool waits = false;     // the launching function also waits, before or after the launch
  bool stores = false;    // the launching function may also assign fields of its argument
  bool by_count = false;  // a library function on vectors: `at` is the distance between two elements
  bool copies = false;    // a memory copy: its limit is a number of bytes
  // For a library function: `stream` is the handle, and nothing in the program assigns a stream to a handle, so the
  // work runs on the default stream.
  bool by_default_handle = false;
};

class KernelLinks {
 public:
  explicit KernelLinks(const Program& program) : program_(program) {}
  std::optional<KernelLink> at(Site site);
  // Whether the site is in a branch that handles an error or is never taken.
  bool is_off(Site site) const;
  // The array that a call returns if it calls a method that returns a pointer stored in its object. `x.data()` and
  // `x.mutable_data()` may return the same array.
  std::optional<Sum> handed_out(Site call, int depth = 0);
  // An address in the function, with calls that return an array replaced by that array's name.
  Sum named(const Sum& address, int function);

 private:
  KernelLink with_arrays_named(KernelLink link, int function);
  std::optional<KernelLink> of_launch(const Event& event) const;
  std::optional<KernelLink> of_library(const Event& event);
  std::optional<KernelLink> of_copy(Site site) const;
  std::optional<KernelLink> of_call(Site site);
  int only_launching(const std::vector<int>& callees) const;
  const std::optional<KernelLink>& of_function(int function);
  std::optional<KernelLink> read_function(int function);
  bool are_alternatives(int function, int event, int other) const;

  const Program& program_;
  bool may_store(int function, const KernelLink& link);
  bool sets_streams_of_libraries();
  std::map<int, std::optional<KernelLink>> functions_;
  std::optional<std::set<int>> assigning_;  // functions that assign fields
  std::optional<bool> sets_streams_;        // the program assigns a stream to a library handle; unset: not yet computed
  std::map<int, std::map<std::string, Sum>> handed_out_;  // by function and the text of the call
};

// Whether the thread (or library function) that accesses an element of one array accesses the same element of the
// other.
bool same_element(const KernelLink& a, const KernelLink::Array& x, const KernelLink& b, const KernelLink::Array& y);
// Whether both cover the same elements on the same stream.
bool same_extent(const KernelLink& a, const KernelLink& b);
// Like same_extent(), but the limits may also be the same fields of different objects: x.size and y.size, or a.rows *
// a.cols and b.rows * b.cols. If both launches access one array, these objects have the same length.
bool may_be_same_extent(const KernelLink& a, const KernelLink& b);

}  // namespace syncsniff::checks
