// Tasks that this process and its forks share: each takes the next one that is free. For work whose input is already in
// memory and is only read. Knows nothing of what the tasks are.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace syncsniff::isolation {

struct SharedTasks {
  std::function<void(size_t task)> run;                          // here or in a fork, once for each task
  std::function<std::string(size_t task)> pack;                  // in a fork: the result of run() as bytes
  std::function<void(size_t task, std::string_view made)> take;  // here: receives the bytes that a fork has packed
  std::function<void()> waited = [] {};                          // here: called when the forks have ended
};

// `processes`: number of processes, including this one. A fork that crashes or reaches a limit costs nothing but time:
// tasks whose results it did not return are run here afterwards, and fail here as they would have without a fork. No
// other thread may run in this process. Errors: std::bad_alloc.
void share_tasks(size_t count, unsigned processes, const SharedTasks& tasks);

}  // namespace syncsniff::isolation
