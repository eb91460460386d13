// The context of a wait: is it for timing, does the host need its result, which host work does it expose.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analyzer/checks/check.h"
#include "analyzer/checks/managed_memory.h"

namespace syncsniff::checks {

// A clock or an elapsed-time query is read soon after the wait.
bool is_timing(const Program& program, Site wait);

// What the program says of memory that host and GPU share; worked out once.
class SharedMemory {
 public:
  explicit SharedMemory(const Program& program);

  const ManagedMemory mapped;  // pinned memory that kernels are handed
  const bool handed_on;        // functions such as MPI's use the GPU's memory at once

  struct Touched {
    ManagedMemory managed;
    bool declared = false;  // a __managed__ variable, too, which has no allocation to be known by
  };
  // What the function's own code reads or writes on the host.
  const Touched& touched_in(int function) const;

 private:
  const Program& program_;
  mutable std::map<int, Touched> by_function_;  // a function with many waits is asked about for each
};

// Whether the host accesses memory after the wait that kernels before it may have written: managed or mapped memory,
// or the GPU's own by a function such as MPI_Allreduce. Accesses to the memory `but_for` are left out.
HostTouch shared_access_behind(const Program& program, const Located& where, const SharedMemory& shared,
                               const ManagedMemory& but_for = {});

// The asynchronous copy to the host that was enqueued just before in the same function: together with the wait it is
// one read-back.
std::optional<Located> read_back_before(const Program& program, const Located& where);

// The other way round: a wait follows the copy with nothing launched in between, in the iterations that make the copy.
bool is_waited_for_at_once(const Program& program, const Located& copy);

// Long host work between the wait and the next enqueue in the same function: "reads data", "prints"; empty: none seen.
std::string exposed_host_work(const Program& program, Site wait);

}  // namespace syncsniff::checks
