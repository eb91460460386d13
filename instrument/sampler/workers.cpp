#include "instrument/sampler/workers.h"

#include <algorithm>
#include <string>

namespace syncsniff::sampler {
namespace {

constexpr size_t kMostWorkers = 64;
// Sampling a process with a thread in Python takes 30 us. If there are more than these, they take turns.
constexpr size_t kMostAtOnce = 16;

}  // namespace

void Workers::forget() { processes_.clear(); }

void Workers::find(RunProcesses& run, RemoteMemory& memory, const trace::Board& board, PythonCodeTable& codes,
                   SampleStore& store) {
  const uint64_t looks = run.table.refresh();
  if (looks == looks_) return;
  looks_ = looks;
  const std::vector<pid_t> found = run.table.descendants(pid_, run.traced);
  const std::unordered_set<pid_t> alive(found.begin(), found.end());
  std::erase_if(processes_, [&](const auto& entry) { return alive.count(entry.first) == 0; });
  if (found.empty()) return;
  if (!interpreter_.is_known()) interpreter_.learn(pid_, memory, board);
  for (const pid_t pid : found) {
    if (processes_.count(pid) != 0) continue;
    if (processes_.size() == kMostWorkers) {
      store.add_note("what other processes did is known for " + std::to_string(kMostWorkers) +
                     " processes at a time: others that the program had started were not sampled");
      return;
    }
    processes_[pid] = std::make_unique<WorkerProcess>(pid, board, interpreter_, codes);
    store.add_process(static_cast<uint32_t>(pid), process_name(pid));
  }
}

void Workers::sample(RunProcesses& run, RemoteMemory& memory, const trace::Board& board, PythonCodeTable& codes,
                     SampleStore& store) {
  find(run, memory, board, codes, store);
  auto next = processes_.upper_bound(last_);
  for (size_t i = 0; i < std::min(processes_.size(), kMostAtOnce); ++i, ++next) {
    if (next == processes_.end()) next = processes_.begin();
    last_ = next->first;
    next->second->sample(store);
  }
}

}  // namespace syncsniff::sampler
