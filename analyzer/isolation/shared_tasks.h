// Tasks that this process and forks of it do between them: each takes the next one that nobody has. For work whose
// input is already here and is only read. Knows nothing of what it is.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace syncsniff::isolation {

struct SharedTasks {
  std::function<void(size_t task)> run;                          // here or in a fork, once for each task
  std::function<std::string(size_t task)> pack;                  // in a fork: what run() made
  std::function<void(size_t task, std::string_view made)> take;  // here: what a fork has packed
  std::function<void()> waited = [] {};                          // here: the forks have ended
};

// `processes`: this one and the forks. A fork that crashes or reaches a limit costs nothing but time: what it did not
// hand back is run here afterwards, and fails here as it would have without a fork. No other thread may run in this
// process. Errors: std::bad_alloc.
void share_tasks(size_t count, unsigned processes, const SharedTasks& tasks);

}  // namespace syncsniff::isolation
