// A launch of an elementwise kernel, directly, by a library's function or through functions that only launch it, or a
// copy from device memory to device memory, described at the call site: which arrays it reads and writes at each
// thread's own index, over which extent, on which stream.
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
    // The same before and after calls that may have written the object which holds the array's address.
    std::string name() const { return facts::without_writes(text_of(base)); }
  };
  std::vector<Array> arrays;
  std::vector<facts::KernelBody::Bound> bounds;  // none: as many elements as grid and block have threads
  Sum grid, block, stream;
  bool waits = false;     // the function that launches also waits, before or behind it
  bool stores = false;    // the function that launches may also give its argument's fields other values
  bool by_count = false;  // a function that goes over vectors: `at` is the distance of two elements
  bool copies = false;    // one that copies memory: its limit is a number of bytes
  // Of a library's function `stream` is the handle; nothing in the program gives one another stream than the default.
  bool by_default_handle = false;
};

class KernelLinks {
 public:
  explicit KernelLinks(const Program& program) : program_(program) {}
  std::optional<KernelLink> at(Site site);
  // In a branch that handles an error or is never taken.
  bool is_off(Site site) const;
  // The array that a call returns, where it is a method that returns a pointer stored in its object: `x.data()` and
  // `x.mutable_data()` may be the same array.
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
  std::optional<std::set<int>> assigning_;                // functions that assign fields
  std::optional<bool> sets_streams_;                      // the program gives a library's handle a stream
  std::map<int, std::map<std::string, Sum>> handed_out_;  // by function and the text of the call
};

// The thread or the function that reads or writes an element of the one does so with that of the other.
bool same_element(const KernelLink& a, const KernelLink::Array& x, const KernelLink& b, const KernelLink::Array& y);
// Both go over the same elements on the same stream.
bool same_extent(const KernelLink& a, const KernelLink& b);
// The same, or each goes over as many elements as the same fields of its own operand say: x.size and y.size, or
// a.rows * a.cols and b.rows * b.cols. Where both touch one array, the operands have its length.
bool may_be_same_extent(const KernelLink& a, const KernelLink& b);

}  // namespace syncsniff::checks
