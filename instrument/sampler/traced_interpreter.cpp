#include "instrument/sampler/traced_interpreter.h"

#include <algorithm>
#include <unordered_set>

#include "instrument/sampler/python_frames.h"

namespace syncsniff::sampler {
namespace {

constexpr uint64_t kMostData = 8 << 20;  // of the interpreter; 3.13 has 0.6 MB
// How much of a PyInterpreterState, which contains its list of threads, is read at most.
constexpr size_t kInterpreterBytes = 64 << 10;
constexpr size_t kLeastInterpreterBytes = 512;

std::vector<uint64_t> read_words(RemoteMemory& memory, uint64_t at, size_t bytes) {
  std::vector<uint64_t> words(bytes / sizeof(uint64_t));
  if (words.empty() || !memory.read(at, words.data(), words.size() * sizeof(uint64_t))) return {};
  return words;
}

uint64_t word_at(RemoteMemory& memory, uint64_t address) {
  uint64_t word = 0;
  return memory.read(address, &word, sizeof word) ? word : 0;
}

// Reads as much of the PyInterpreterState as is readable.
std::vector<uint64_t> read_interpreter(RemoteMemory& memory, uint64_t at) {
  for (size_t bytes = kInterpreterBytes; bytes >= kLeastInterpreterBytes; bytes /= 2)
    if (std::vector<uint64_t> words = read_words(memory, at, bytes); !words.empty()) return words;
  return {};
}

}  // namespace

void TracedInterpreter::learn(pid_t pid, RemoteMemory& memory, const trace::Board& board) {
  const uint64_t data = board.python_runtime[0], bytes = board.python_runtime[1] - data;
  const auto thread =
      std::find_if(std::begin(board.threads), std::end(board.threads),
                   [](const trace::BoardThread& one) { return one.tid != 0 && one.python_thread != 0; });
  if (board.python.version == 0 || data == 0 || bytes > kMostData || thread == std::end(board.threads)) return;
  const uint64_t interpreter = word_at(memory, thread->python_thread + trace::kPythonInterpreter);
  const std::vector<uint64_t> words = read_words(memory, data, bytes);
  const auto named = std::find(words.begin(), words.end(), interpreter);
  if (interpreter == 0 || named == words.end()) return;
  interpreter_at_ = static_cast<uint64_t>(named - words.begin()) * sizeof(uint64_t);
  std::unordered_set<uint64_t> threads;
  for (const auto& [tid, address] : python_threads(memory, board.python, thread->python_thread))
    threads.insert(address);
  const std::vector<uint64_t> parts = read_interpreter(memory, interpreter);
  threads_at_.clear();
  for (size_t i = 0; i < parts.size(); ++i)
    if (threads.count(parts[i]) != 0) threads_at_.push_back(i * sizeof(uint64_t));
  const MappedObjects objects(pid);
  const MappedObject* const object = objects.at(data);
  if (threads_at_.empty() || object == nullptr) return;
  begin_ = object->begin;
  path_ = object->path;
}

uint64_t TracedInterpreter::find_thread(RemoteMemory& memory, const MappedObjects& objects, trace::Board& board) const {
  const MappedObject* const object = is_known() ? objects.of_path(path_) : nullptr;
  if (object == nullptr) return 0;
  const uint64_t by = object->begin - begin_;  // for a forked process: 0
  const uint64_t interpreter = word_at(memory, board.python_runtime[0] + by + interpreter_at_);
  if (interpreter == 0) return 0;
  for (const uint64_t at : threads_at_) {
    const uint64_t thread = word_at(memory, interpreter + at);
    if (thread == 0 || word_at(memory, thread + trace::kPythonInterpreter) != interpreter) continue;
    board.python_code_type += by;
    for (uint64_t& end : board.python_runtime) end += by;
    return thread;
  }
  return 0;
}

}  // namespace syncsniff::sampler
