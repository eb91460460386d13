// The parts of the sampler, on this process's own memory and on made-up texts.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "instrument/reader/text_twin.h"
#include "instrument/sampler/clock.h"
#include "instrument/sampler/host_state.h"
#include "instrument/sampler/last_call.h"
#include "instrument/sampler/mapped_objects.h"
#include "instrument/sampler/process_table.h"
#include "instrument/sampler/python_frames.h"
#include "instrument/sampler/trace_tail.h"
#include "tests/instrument/support.h"

namespace syncsniff::sampler {
namespace {

using trace::HostState;

TEST(HostStateOf, SystemCallsAreToldByWhatTheyWaitFor) {
  const InterpreterData python{0x1000, 0x2000};
  const std::pair<const char*, HostState> cases[] = {
      {"running\n", HostState::kRunning},
      {"230 0x0 0x0 0x7ffd 0x7ffd 0x0 0x0 0x7ffd 0x7f03\n", HostState::kAsleep},
      {"202 0x2fff 0x189 0x0 0x0 0x0 0x0 0x7ffd 0x7f03\n", HostState::kLock},
      {"202 0x1800 0x189 0x0 0x0 0x0 0x0 0x7ffd 0x7f03\n", HostState::kInterpreter},
      {"202 0x2000 0x189 0x0 0x0 0x0 0x0 0x7ffd 0x7f03\n", HostState::kLock},
      {"0 0x3 0x7fef 0x20000 0x0 0x0 0x0 0x7ffd 0x7f03\n", HostState::kRead},
      {"45 0x3 0x7fef 0x20000 0x0 0x0 0x0 0x7ffd 0x7f03\n", HostState::kRead},
      {"7 0x7fef 0x1 0xffffffff 0x0 0x0 0x0 0x7ffd 0x7f03\n", HostState::kPoll},
      {"7 0x0 0x0 0x64 0x0 0x0 0x0 0x7ffd 0x7f03\n", HostState::kAsleep},
      {"23 0x0 0x0 0x0 0x0 0x7ffd 0x0 0x7ffd 0x7f03\n", HostState::kAsleep},
      {"232 0x4 0x7fef 0x8 0xffffffff 0x0 0x0 0x7ffd 0x7f03\n", HostState::kPoll},
      {"61 0xffffffffffffffff 0x7fef 0x0 0x0 0x0 0x0 0x7ffd 0x7f03\n", HostState::kProcess},
      {"-1 0x7ffd 0x7f03\n", HostState::kUnknown},
      {"16 0x3 0x4600 0x7fef 0x0 0x0 0x0 0x7ffd 0x7f03\n", HostState::kUnknown},  // ioctl
      {"202", HostState::kUnknown},
      {"202 0x", HostState::kUnknown},
      {"", HostState::kUnknown},
      {"nonsense", HostState::kUnknown},
  };
  for (const auto& [text, state] : cases) EXPECT_EQ(state_of_syscall(text, python), state) << text;
  EXPECT_EQ(state_of_syscall("202 0x0 0x0 0x0", {}), HostState::kLock) << "no interpreter: no lock of its own";
}

TEST(HostStateOf, AThreadsStatTellsWhetherItRuns) {
  EXPECT_EQ(state_of_stat("41 (a) S b) R 1 2 3"), HostState::kRunning);
  EXPECT_EQ(state_of_stat("41 (a) R b) S 1 2 3"), HostState::kUnknown);
  EXPECT_EQ(state_of_stat("41 (a"), HostState::kUnknown);
  EXPECT_EQ(state_of_stat(""), HostState::kUnknown);
}

TEST(HostStateOf, TheFirstArgumentIsThatOfTheCall) {
  EXPECT_EQ(first_argument_of("0 0x3 0x7fef 0x20000 0x0 0x0 0x0 0x7ffd 0x7f03\n"), 3u);
  EXPECT_EQ(first_argument_of("running\n"), 0u);
}

TEST(ProcessNames, AScriptsNameIsThatOfItsProcess) {
  const auto name = [](std::initializer_list<const char*> words) {
    std::string line;
    for (const char* word : words) line += std::string(word) + '\0';
    return name_in_command(line);
  };
  EXPECT_EQ(name({"/usr/bin/python3", "-u", "tools/decode.py", "--fast"}), "decode.py");
  EXPECT_EQ(name({"python3.12", "-m", "decode"}), "decode");
  EXPECT_EQ(name({"/usr/bin/python3", "-c", "secret()"}), "python3");
  EXPECT_EQ(name({"/opt/ffmpeg", "-i", "a.mp4"}), "ffmpeg");
  EXPECT_EQ(name({}), "");
}

TEST(ProcessTableOf, AParentIsToldByItsStat) {
  EXPECT_EQ(parent_in_stat("41 (a) S 7) R 12 3"), 12);
  EXPECT_EQ(parent_in_stat("41 (a"), 0);
  EXPECT_EQ(parent_in_stat(""), 0);
}

TEST(ProcessTableOf, ChildrenOfTracedProcessesAreNotAnothersWorkers) {
  int until[2];
  ASSERT_EQ(pipe(until), 0);
  const pid_t child = fork();
  if (child == 0) {
    char end = 0;
    close(until[1]);
    _exit(read(until[0], &end, 1) == 0 ? 0 : 1);
  }
  ProcessTable table;
  EXPECT_EQ(table.refresh(), 1u);
  EXPECT_EQ(table.refresh(), 1u) << "it has just looked";
  EXPECT_EQ(table.descendants(getpid(), {}), std::vector<pid_t>{child});
  EXPECT_TRUE(table.descendants(getpid(), {child}).empty());
  close(until[0]);
  close(until[1]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
}

TEST(MappedObjectsOf, AnAddressIsThatOfItsObject) {
  static int data = 0;  // zero-initialised: in no file
  const MappedObjects objects(getpid());
  const auto code = reinterpret_cast<uint64_t>(&parent_in_stat), zero = reinterpret_cast<uint64_t>(&data);
  const MappedObject* const object = objects.at(code);
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(objects.at(zero), object);
  EXPECT_EQ(objects.module_of(code), object->begin);
  EXPECT_EQ(objects.of_path(object->path), object);
  EXPECT_EQ(objects.of_path("/nonexistent"), nullptr);
  EXPECT_EQ(objects.module_of(8), 0u);
  EXPECT_EQ(objects.module_of(reinterpret_cast<uint64_t>(&code)), 0u) << "the stack is no object";
}

TEST(HostStateOf, AThreadThatIsNotThereHasEnded) {
  HostState state = HostState::kRunning;
  EXPECT_EQ(ThreadStateFile(getpid(), 0x3fffffff).read({}, state), ESRCH);
  EXPECT_EQ(state, HostState::kUnknown);
  EXPECT_EQ(ThreadStateFile(getpid(), static_cast<uint32_t>(getpid())).read({}, state), 0);
}

TEST(SnapshotOf, ReadsAcrossPiecesAndStopsWhereNothingIsMapped) {
  const auto page = static_cast<size_t>(getpagesize());
  char* const memory =
      static_cast<char*>(mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  for (size_t i = 0; i < 3 * page; ++i) memory[i] = static_cast<char>(i / 7);
  munmap(memory + 2 * page, page);
  RemoteMemory own(getpid());
  Snapshot snapshot;
  std::string text(2000, '\0');
  const auto at = reinterpret_cast<uint64_t>(memory);
  for (int round = 0; round < 3; ++round) {
    snapshot.take(own);
    ASSERT_TRUE(snapshot.read(at + 500, text.data(), text.size()));
    EXPECT_EQ(std::memcmp(text.data(), memory + 500, text.size()), 0);
    EXPECT_FALSE(snapshot.read(at + 2 * page - 100, text.data(), 200));
    // The first time each piece is read when it is asked for, later all at once; what is not there is asked for anew.
    uint64_t word = 0;
    EXPECT_FALSE(snapshot.load(8, word));
    EXPECT_FALSE(snapshot.is_of_one_moment());
  }
  snapshot.take(own);
  ASSERT_TRUE(snapshot.read(at + 500, text.data(), text.size()));
  EXPECT_TRUE(snapshot.is_of_one_moment());
  munmap(memory + page, page);  // a range that was read before is gone
  snapshot.take(own);
  EXPECT_TRUE(snapshot.read(at, text.data(), 1000));
  EXPECT_FALSE(snapshot.read(at + page, text.data(), 1000));
  munmap(memory, page);
}

TEST(SnapshotOf, AsksForNoMoreThanItHasRoomFor) {
  std::vector<char> large(1 << 20);
  RemoteMemory own(getpid());
  Snapshot snapshot;
  snapshot.take(own);
  std::vector<char> out(large.size());
  EXPECT_FALSE(snapshot.read(reinterpret_cast<uint64_t>(large.data()), out.data(), out.size()));
}

// Code with calls in it, as an object of a trace, and a stack of four frames that was recorded above it.
class FramesSince : public testing::Test {
 protected:
  void SetUp() override {
    code_[0x15] = 0xe8;                                        // a call that returns to 0x1a
    code_[0x24] = 0xff, code_[0x25] = 0xd0;                    // by a register, to 0x26
    code_[0x32] = 0xff, code_[0x33] = 0x15;                    // through a table, to 0x38
    const auto begin = reinterpret_cast<uint64_t>(&code_[0]);  // NOLINT: never run
    std::ostringstream text;
    text << "trace\nchunk tid=1\nmodule bias=0 begin=" << begin << " end=" << begin + sizeof code_ << " path=\"/p\"\n"
         << "stack id=1 native=" << begin + 0x50 << ',' << begin + 0x60 << ',' << begin + 0x70 << ',' << begin + 0x80
         << '\n';
    test::write_file(folder_ + "/t", reader::undump_trace(text.str(), "t"));
    recorded_ = {begin + 0x50, begin + 0x60, begin + 0x70, begin + 0x80};
    for (size_t i = 0; i < 4; ++i) stack_[1 + 4 * i] = recorded_[i];
    call_.frame = reinterpret_cast<uint64_t>(&stack_[2]);
    call_.offsets = {0, 32, 64, 96};
  }
  uint64_t in_code(size_t offset) const { return recorded_[0] - 0x50 + offset; }
  std::vector<uint64_t> frames(uint32_t most_frames = 40) {
    TraceTail trace(folder_ + "/t");
    const std::vector<uint64_t>* const recorded = trace.stack(1);
    if (recorded == nullptr || *recorded != recorded_) return {1};
    RemoteMemory own(getpid());
    Snapshot snapshot;
    snapshot.take(own);
    ReturnAddresses addresses(own, trace);
    return frames_since(snapshot, call_, *recorded, most_frames, addresses);
  }
  using Frames = std::vector<uint64_t>;
  const std::string folder_ = test::fresh_folder();
  unsigned char code_[256] = {};
  volatile uint64_t stack_[20] = {};
  std::vector<uint64_t> recorded_;
  LastCall call_;
};

TEST_F(FramesSince, AllWordsAsTheyWereIsTheCodeAfterTheCall) { EXPECT_EQ(frames(), recorded_); }

TEST_F(FramesSince, TheOutermostWordThatChangedTells) {
  stack_[1] = in_code(0x26);
  EXPECT_EQ(frames(), (Frames{in_code(0x26), recorded_[1], recorded_[2], recorded_[3]}));
  stack_[9] = in_code(0x38);
  EXPECT_EQ(frames(), (Frames{in_code(0x38), recorded_[3]}));
  stack_[5] = 77;  // further in: not looked at
  EXPECT_EQ(frames(), (Frames{in_code(0x38), recorded_[3]}));
}

TEST_F(FramesSince, AWordThatNoCallReturnsToIsNoFrame) {
  for (const uint64_t word : {in_code(0x27), uint64_t{0x1234}, uint64_t{0}, in_code(sizeof code_ + 64)}) {
    stack_[5] = word;
    EXPECT_EQ(frames(), (Frames{recorded_[2], recorded_[3]})) << word;
  }
}

TEST_F(FramesSince, TheOutermostFrameIsTrustedOnlyWhereTheStackEnds) {
  stack_[13] = in_code(0x1a);
  EXPECT_EQ(frames(), Frames{in_code(0x1a)});
  EXPECT_EQ(frames(4), Frames{});
}

TEST_F(FramesSince, AStackThatIsNotMappedGivesNothing) {
  call_.frame = 4096;
  EXPECT_EQ(frames(), Frames{});
  call_.offsets.pop_back();
  EXPECT_EQ(frames(), Frames{});
}

// The shim turns the header's word and wakes whoever waits for it; the launcher's own end is another thread's wake-up.
class TurnOfWindows : public testing::Test {
 protected:
  static constexpr uint64_t kLongNs = 20'000'000'000;  // nobody waits so long
  void SetUp() override {
    test::write_file(folder_ + "/t", reader::undump_trace("trace\n", "t"));
    const int file = open((folder_ + "/t").c_str(), O_RDWR | O_CLOEXEC);
    header_ = static_cast<trace::FileHeader*>(
        mmap(nullptr, trace::kHeaderBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
    ASSERT_NE(header_, MAP_FAILED);
    begin_ns_ = monotonic_ns();
  }
  void TearDown() override { munmap(header_, trace::kHeaderBytes); }
  uint64_t passed_ns() const { return monotonic_ns() - begin_ns_; }
  const std::string folder_ = test::fresh_folder();
  trace::FileHeader* header_ = nullptr;
  uint64_t begin_ns_ = 0;
};

TEST_F(TurnOfWindows, OneThatHasBeenTurnedIsNotWaitedFor) {
  const TraceTail trace(folder_ + "/t");
  EXPECT_EQ(trace.window_turn(), 0u);
  header_->window_turn = 1;
  EXPECT_TRUE(trace.wait_for_turn(0, kLongNs));
  EXPECT_EQ(trace.window_turn(), 1u);
  EXPECT_LT(passed_ns(), kLongNs / 2);
}

TEST_F(TurnOfWindows, AWaitEndsAtATurnAtAWakeUpAndInTime) {
  const TraceTail trace(folder_ + "/t");
  std::atomic<bool> has_ended = false;
  std::thread turns([&] {
    usleep(50'000);
    __atomic_store_n(&header_->window_turn, uint64_t{1}, __ATOMIC_RELEASE);
    syscall(SYS_futex, &header_->window_turn, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    for (; !has_ended; usleep(1000)) trace.wake_waiter();
  });
  EXPECT_TRUE(trace.wait_for_turn(0, kLongNs));
  while (trace.window_turn() == 0) EXPECT_TRUE(trace.wait_for_turn(0, kLongNs));
  EXPECT_TRUE(trace.wait_for_turn(1, kLongNs)) << "woken, and not turned";
  has_ended = true;
  turns.join();
  EXPECT_TRUE(trace.wait_for_turn(1, 1'000'000)) << "its time has passed";
  EXPECT_LT(passed_ns(), kLongNs / 2);
}

TEST(TurnOfNoTrace, CannotBeWaitedFor) { EXPECT_FALSE(TraceTail("/nonexistent").wait_for_turn(0, 1'000'000)); }

TEST(PythonChains, OfAThreadThatGoesOnTheOuterFramesAreKept) {
  const std::vector<PythonFrame> earlier{{30, 3, 8}, {20, 2, 10}, {10, 1, 6}},
      later{{40, 4, 2}, {20, 2, 12}, {10, 1, 6}};
  const auto common = common_outer(earlier, later);
  ASSERT_EQ(common.size(), 2u);
  EXPECT_EQ(common[0].instruction, 12u);
  EXPECT_TRUE(common_outer({}, later).empty());
  EXPECT_EQ(common_outer(later, later).size(), 3u);
}

PythonChain chain_of(size_t frames, bool is_whole) {
  PythonChain chain;
  for (size_t i = 0; i < frames; ++i) chain.frames.push_back({1000 - i, static_cast<uint32_t>(1000 - i), 0});
  for (PythonFrame& frame : chain.frames)
    frame.frame -= 1000 - frames, frame.code -= 1000 - static_cast<uint32_t>(frames);
  chain.is_whole = is_whole;
  return chain;
}

TEST(PythonWalks, AWalkThatEndedTooSoonSaysNothing) {
  PythonWalks walks;
  walks.add(chain_of(5, false));
  EXPECT_TRUE(walks.frames().empty());
  walks.add(chain_of(4, true));
  EXPECT_EQ(walks.frames().size(), 4u) << "one whole walk is all there is";
  walks.add(chain_of(5, false));
  EXPECT_EQ(walks.frames().size(), 4u);
  walks.add(chain_of(3, true));
  EXPECT_EQ(walks.frames().size(), 3u) << "the outer three are the same";
}

TEST(PythonWalks, DeepStacksAreComparedFromTheOutsideAndKeptFromTheInside) {
  PythonWalks walks;
  walks.add(chain_of(61, true));
  walks.add(chain_of(60, true));
  const std::vector<PythonFrame> frames = walks.frames();
  ASSERT_EQ(frames.size(), 48u);
  EXPECT_EQ(frames.front().frame, 60u);
}

}  // namespace
}  // namespace syncsniff::sampler
