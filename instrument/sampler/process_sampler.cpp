#include "instrument/sampler/process_sampler.h"

#include <cerrno>
#include <cstring>
#include <unordered_set>

#include "instrument/sampler/clock.h"

namespace syncsniff::sampler {
namespace {

// Threads start and end rarely, and an old table at worst lists threads that have ended.
constexpr uint64_t kBoardNs = 5'000'000;

}  // namespace

std::unique_ptr<ProcessSampler> ProcessSampler::of_trace(const std::string& path) {
  trace::FileHeader header;
  if (!TraceTail(path).read_header(header) || header.board == 0) return nullptr;
  return std::unique_ptr<ProcessSampler>(new ProcessSampler(path, header));
}

bool ProcessSampler::is_open() const {
  if (!may_open()) return false;
  return header_.mode() == trace::TimelineMode::kFull || trace_.window_turn() % 2 == 1;
}

bool ProcessSampler::wait_for_window(uint64_t at_most_ns) const {
  const uint64_t turn = trace_.window_turn();
  return turn % 2 == 1 || trace_.wait_for_turn(turn, at_most_ns);
}

// Called when the process has ended or its memory may not be read; `error` shows which.
void ProcessSampler::end(int error) {
  has_ended_ = true;
  threads_.clear();
  others_.forget();
  workers_.forget();
  trace_.close();
  if (error != EPERM && error != ENOSYS && error != EACCES) return;
  store_.add_note(std::string("where the host was between CUDA calls is not known: the memory of process ") +
                  std::to_string(header_.pid) + " may not be read (" + std::strerror(error) +
                  "; ptrace is restricted here, by the container or by kernel.yama.ptrace_scope)");
}

bool ProcessSampler::read_board() {
  const uint64_t now_ns = monotonic_ns();
  if (now_ns - board_read_ns_ < kBoardNs) return true;
  board_read_ns_ = now_ns;
  if (!memory_.read(header_.board, &board_, sizeof board_)) return end(memory_.error()), false;
  // The process id may now belong to another process, or be that of a container's own namespace; the program may be
  // another one since exec.
  const bool is_ours = board_.start_monotonic_ns == header_.start_monotonic_ns && board_.bytes == sizeof board_ &&
                       board_.hooks.most_frames <= 256 && board_.hooks.place_bytes <= 4096;
  if (!is_ours) return end(0), false;
  forget_ended_threads();
  return true;
}

// Each reader holds a descriptor.
void ProcessSampler::forget_ended_threads() {
  std::unordered_set<uint32_t> listed;
  for (const trace::BoardThread& thread : board_.threads)
    if (thread.tid != 0) listed.insert(thread.tid);
  std::erase_if(threads_, [&](const auto& entry) { return listed.count(entry.first) == 0; });
  if (listed.size() == trace::kBoardThreads)
    store_.add_note("where the host was is known for " + std::to_string(trace::kBoardThreads) +
                    " threads at a time: other threads that make CUDA calls were not sampled");
}

StackName ProcessSampler::stack_of(const Look& look) {
  if (look.in_call || (look.is_after_call && look.python.empty())) return {look.call_stack, false};
  SampledStack stack;
  stack.native = look.native;
  for (const PythonFrame& frame : look.python) stack.python.emplace_back(frame.code, frame.instruction);
  return store_.name_of(stack);
}

trace::HostState ProcessSampler::sample_thread(const trace::BoardThread& thread) {
  auto& reader = threads_[thread.tid];
  if (reader == nullptr) reader = std::make_unique<ThreadReader>(static_cast<pid_t>(header_.pid), thread.tid);
  ProcessView view = this->view();
  Look look;
  Sample sample{};
  sample.time_ns = monotonic_ns();
  sample.tid = thread.tid;
  if (!reader->look(view, trace_, thread, look) || (!look.in_call && !look.has_called))
    return trace::HostState::kUnknown;
  if (!look.in_call) {
    const int error = reader->read_state(board_, sample.state);
    if (error == ESRCH) {  // the thread has ended meanwhile
      threads_.erase(thread.tid);
      return trace::HostState::kUnknown;
    }
    if (error != 0)
      store_.add_note(std::string("samples do not say what threads waited for: /proc/PID/task/TID/syscall cannot be "
                                  "read (") +
                      std::strerror(error) + ")");
  }
  sample.in_call = look.in_call;
  sample.stack = stack_of(look);
  store_.add(sample);
  return sample.in_call || sample.state == trace::HostState::kUnknown ? trace::HostState::kRunning : sample.state;
}

void ProcessSampler::sample(RunProcesses& run) {
  if (!read_board()) return;
  bool any_runs = false, any_waits = false;
  for (const trace::BoardThread& thread : board_.threads) {
    if (thread.tid == 0 || thread.tid >= (1u << 30)) continue;
    const trace::HostState state = sample_thread(thread);
    any_runs |= state == trace::HostState::kRunning;
    any_waits |= trace::waits_for_others(state);
  }
  if (any_runs || !any_waits || has_ended_) return;
  ProcessView view = this->view();
  others_.sample(view, store_);
  workers_.sample(run, memory_, board_, code_table_, store_);
}

}  // namespace syncsniff::sampler
