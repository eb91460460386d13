#include "tests/runtime/clients/descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "tests/runtime/clients/session.h"

namespace client {
namespace {

// What a process does with its descriptors, one thing at a time, from several threads. Those that it knows are its own;
// whatever else is open was left to it by somebody, and is closed or taken over.
class Storm {
 public:
  explicit Storm(unsigned seed) : random_(seed) { known_ = {{0, -1}, {1, -1}, {2, -1}}; }

  void step() {
    const std::lock_guard lock(mutex_);
    switch (random_() % 7) {
      case 0:
        return open_file();
      case 1:
        return close_own();
      case 2:
        return close_unknown();
      case 3:
        return take_over();
      case 4:
        return pass_on();
      default:
        return write_own();
    }
  }
  void print() const {
    for (const auto& [number, bytes] : bytes_) std::printf("file%d %ld\n", number, bytes);
  }

 private:
  static constexpr int kNumbers = 24;

  int some_own() {
    std::vector<int> own;
    for (const auto& [descriptor, file] : known_)
      if (file >= 0) own.push_back(descriptor);
    return own.empty() ? -1 : own[random_() % own.size()];
  }
  void open_file() {
    if (known_.size() > 12) return;
    const int file = next_file_++ % 40;
    const int descriptor = open(("file" + std::to_string(file)).c_str(),
                                O_WRONLY | O_CREAT | O_APPEND | (random_() % 2 ? O_CLOEXEC : 0), 0644);
    if (descriptor < 0) fail("open");
    if (known_.count(descriptor) != 0) fail("open gave a number that is in use");
    known_[descriptor] = file;
    bytes_.try_emplace(file, 0);
  }
  void close_own() {
    const int descriptor = some_own();
    if (descriptor < 0) return;
    if (close(descriptor) != 0) fail("close: somebody has closed our file");
    known_.erase(descriptor);
  }
  void close_unknown() {
    for (int i = 3; i < kNumbers; ++i)
      if (known_.count(i) == 0) close(i);
    close_range(kNumbers, ~0u, 0);
  }
  void take_over() {
    const int own = some_own(), other = 3 + static_cast<int>(random_() % (kNumbers - 3));
    if (own < 0 || known_.count(other) != 0) return;
    if (dup2(own, other) != other) fail("dup2");
    known_[other] = known_[own];
  }
  void write_through(int descriptor) {
    const int file = known_[descriptor];
    char block[777];
    for (char& byte : block) byte = storm_byte(file, bytes_[file]++);
    if (write(descriptor, block, sizeof(block)) != sizeof(block)) fail("write");
  }
  void write_own() {
    const int descriptor = some_own();
    if (descriptor >= 0) write_through(descriptor);
  }
  // A child writes instead of us, and answers through a pipe.
  void pass_on() {
    const int descriptor = some_own();
    int ends[2];
    if (descriptor < 0 || pipe(ends) != 0) return;
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      write_through(descriptor);
      _exit(write(ends[1], "done", 4) == 4 ? 0 : 1);
    }
    close(ends[1]);
    char answer[8];
    if (read(ends[0], answer, sizeof(answer)) != 4) fail("a child lost its pipe");
    close(ends[0]);
    waitpid(child, nullptr, 0);
    bytes_[known_[descriptor]] += 777;
  }

  std::mutex mutex_;
  std::mt19937 random_;
  std::map<int, int> known_;   // descriptor -> file; -1: the standard streams
  std::map<int, long> bytes_;  // file -> what it must hold
  int next_file_ = 0;
};

}  // namespace

// Leaves with its file open.
void closed_and_written(const Driver& driver) {
  Session s(driver);
  wait_often(s, 10);
  close_range(3, ~0u, 0);
  const int file = open("checkpoint.bin", O_RDWR | O_CREAT | O_TRUNC, 0644);
  const std::vector<char> data(3000000, 'c');
  if (write(file, data.data(), data.size()) != static_cast<ssize_t>(data.size())) fail("write");
  wait_often(s, 40000);
  std::printf("descriptor %d\n", file);
}

// Eight pipes, so that they have every number that was another's before.
void pipe_after_closing(const Driver& driver) {
  Session s(driver);
  wait_often(s, 10);
  close_range(3, ~0u, 0);
  int ends[8][2];
  for (auto& pair : ends)
    if (pipe(pair) != 0) fail("pipe");
  const pid_t child = fork();
  if (child == 0) {
    int whole = 0;
    char text[8];
    for (const auto& pair : ends) whole += read(pair[0], text, 5) == 5;
    _exit(whole);
  }
  for (const auto& pair : ends)
    if (write(pair[1], "hello", 5) != 5) fail("write");
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child_read %d\n", WEXITSTATUS(status));
}

// The trace is made, grows and is closed while three threads are at their descriptors.
void descriptor_storm(const Driver& driver) {
  const char* seed = std::getenv("CLIENT_SEED");
  Storm storm(seed != nullptr ? static_cast<unsigned>(std::atoi(seed)) : 1);
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (!done.load()) storm.step();
    });
  usleep(2000);
  {
    Session s(driver);
    wait_often(s, 40000);
  }
  done.store(true);
  for (auto& thread : threads) thread.join();
  storm.print();
}

// All numbers that it may have are in use.
void few_descriptors(const Driver& driver) {
  const rlimit limit{3, 3};
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) fail("setrlimit");
  Session s(driver);
  wait_often(s, 10);
}

}  // namespace client
