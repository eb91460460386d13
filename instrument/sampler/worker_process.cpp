#include "instrument/sampler/worker_process.h"

#include <algorithm>

#include "instrument/sampler/clock.h"

namespace syncsniff::sampler {
namespace {

// A process that has just begun executes another program and loads libraries, so it is examined again soon; an old one
// does neither.
constexpr uint64_t kFirstLookNs = 200'000'000, kLastLookNs = 60'000'000'000;

}  // namespace

// What is known of the program that the process runs.
struct WorkerProcess::Image {
  Image(pid_t pid, RemoteMemory& memory, const trace::Board& traced, const TracedInterpreter& interpreter,
        PythonCodeTable& table)
      : board(traced),
        objects(pid),
        codes(memory, board, table),
        addresses(memory, objects),
        threads(pid, memory, objects) {
    std::fill(std::begin(board.threads), std::end(board.threads), trace::BoardThread{});
    python_thread = interpreter.find_thread(memory, objects, board);
  }

  trace::Board board;
  MappedObjects objects;
  PythonCodes codes;
  ReturnAddresses addresses;
  OtherThreads threads;
  uint64_t python_thread = 0;
};

WorkerProcess::WorkerProcess(pid_t pid, const trace::Board& traced, const TracedInterpreter& interpreter,
                             PythonCodeTable& table)
    : pid_(pid), traced_(traced), interpreter_(interpreter), table_(table), memory_(pid) {}
WorkerProcess::~WorkerProcess() = default;

void WorkerProcess::look_again(uint64_t now_ns) {
  image_ = std::make_unique<Image>(pid_, memory_, traced_, interpreter_, table_);
  looked_ns_ = now_ns;
  look_again_after_ns_ = std::clamp(2 * look_again_after_ns_, kFirstLookNs, kLastLookNs);
}

void WorkerProcess::sample(SampleStore& store) {
  const uint64_t now_ns = monotonic_ns();
  if (now_ns - looked_ns_ >= look_again_after_ns_) look_again(now_ns);
  ProcessView view{memory_, image_->board, image_->codes, image_->addresses};
  view.python_thread = image_->python_thread;
  view.objects = &image_->objects;
  image_->threads.sample(view, store);
}

}  // namespace syncsniff::sampler
