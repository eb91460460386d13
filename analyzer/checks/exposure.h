// The context of a wait: whether it is for timing, whether the host needs its result, and which host work it exposes.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analyzer/checks/check.h"
#include "analyzer/checks/managed_memory.h"

namespace syncsniff::checks {

// Whether a clock or an elapsed time is read soon after the wait.
bool is_timing(const Program& program, Site wait);

// The memory that host and GPU share anywhere in the program, computed once.
class SharedMemory {
 public:
  explicit SharedMemory(const Program& program);

  const ManagedMemory mapped;  // pinned memory that kernels access in place
  const bool handed_on;        // the program calls functions that use device memory at once, such as MPI's

  struct Touched {
    ManagedMemory managed;
    bool declared = false;  // a __managed__ variable is accessed, too; it has no allocation by which to identify it
  };
  // The shared memory that the function's own code reads or writes on the host.
  const Touched& touched_in(int function) const;

 private:
  const Program& program_;
  mutable std::map<int, Touched> by_function_;  // cached, since each wait of a function looks it up
};

// Whether the host accesses memory after the wait that kernels before it may have written: managed or mapped memory, or
// device memory through a function such as MPI_Allreduce. Accesses to the memory in `but_for` are left out.
HostTouch shared_access_behind(const Program& program, const Located& where, const SharedMemory& shared,
                               const ManagedMemory& but_for = {});

// The asynchronous copy to the host enqueued just before the wait in the same function; copy and wait are one
// read-back.
std::optional<Located> read_back_before(const Program& program, const Located& where);

// The reverse question: whether a wait follows the copy, with no launch in between, in each iteration that makes the
// copy.
bool is_waited_for_at_once(const Program& program, const Located& copy);

// Long host work between the wait and the next enqueue in the same function, such as "reads data" or "prints"; empty:
// none was found.
std::string exposed_host_work(const Program& program, Site wait);

}  // namespace syncsniff::checks
