// hostile_client garbage|threads|killed: what a sampler may meet. `garbage` scribbles over the table that the launcher
// reads, and over what that leads to; `threads` come and go; `killed` dies in its host work.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <random>
#include <thread>
#include <vector>

#include "runtime/trace/board.h"
#include "runtime/trace/format.h"
#include "tests/runtime/clients/session.h"

namespace {

using client::Session;
using syncsniff::trace::Board;

void call_and_work(const Session& s, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    s.launch(s.stream);
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Board* find_board() {
  for (const auto& entry : std::filesystem::directory_iterator(std::getenv("SYNCSNIFF_TRACE_FOLDER"))) {
    syncsniff::trace::FileHeader header{};
    const int file = open(entry.path().c_str(), O_RDONLY);
    const bool whole = file >= 0 && read(file, &header, sizeof header) == static_cast<ssize_t>(sizeof header);
    close(file);
    if (whole && header.pid == static_cast<uint32_t>(getpid())) return reinterpret_cast<Board*>(header.board);
  }
  client::fail("no board");
}

// Words that are mostly addresses of words like them: chains without end, layouts that lead anywhere.
class Garbage {
 public:
  explicit Garbage(Board& board) : board_(board) {}
  void scribble() {
    for (uint64_t& word : words_) word = address();
    for (auto& entry : board_.threads) {
      entry.slot = address();
      entry.state = address();
      entry.python_thread = address();
      entry.tid = random_() % 4 == 0 ? static_cast<uint32_t>(random_()) : static_cast<uint32_t>(getpid());
    }
    fill(&board_.hooks, sizeof board_.hooks);
    fill(&board_.python, sizeof board_.python);
    board_.python_code_type = random_() % 2 == 0 ? address() : words_[random_() % words_.size()];
  }

 private:
  uint64_t address() {
    const uint64_t kind = random_() % 16;
    if (kind == 0) return random_();
    if (kind == 1) return random_() % 4096;
    return reinterpret_cast<uint64_t>(&words_[random_() % words_.size()]);
  }
  // Offsets are small numbers, now and then any.
  void fill(void* to, size_t bytes) {
    auto* const out = static_cast<unsigned char*>(to);
    for (size_t i = 0; i < bytes; i += 2) out[i] = static_cast<unsigned char>(random_());
    if (random_() % 4 == 0) out[random_() % bytes] = static_cast<unsigned char>(random_());
  }
  Board& board_;
  std::mt19937_64 random_{1};
  std::vector<uint64_t> words_ = std::vector<uint64_t>(8192);
};

void be_garbage(const Session& s) {
  call_and_work(s, 20);
  Garbage garbage(*find_board());
  std::atomic<bool> ends{false};
  std::thread scribbler([&] {
    while (!ends) {
      garbage.scribble();
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
  });
  call_and_work(s, 300);
  ends = true;
  scribbler.join();
}

void be_many_threads(const Session& s) {
  for (int round = 0; round < 40; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { call_and_work(s, 3); });
    for (std::thread& thread : threads) thread.join();
  }
}

void be_killed(const Session& s) {
  call_and_work(s, 50);
  kill(getpid(), SIGKILL);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  const client::Driver driver = client::open_driver(client::Way::kProcAddress);
  const Session session(driver);
  if (way == "garbage") be_garbage(session);
  if (way == "threads") be_many_threads(session);
  if (way == "killed") be_killed(session);
  std::puts("done");
  return 7;
}
