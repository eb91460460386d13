// What becomes of the traces of a run's folder, whatever /proc shows of the processes that write them.
#include "instrument/launcher/collect.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "runtime/trace/format.h"
#include "tests/instrument/support.h"

namespace syncsniff::launcher {
namespace {

namespace fs = std::filesystem;

constexpr off_t kRoomBytes = off_t{64} << 20;
constexpr uint32_t kChunks = 3;

// A trace as the shim makes it: long, mostly a hole, mapped by whoever writes it.
class LiveTrace {
 public:
  LiveTrace(const std::string& path, uint32_t pid, uint64_t end_ns) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    EXPECT_GE(file, 0) << path;
    EXPECT_EQ(ftruncate(file, kRoomBytes), 0);
    base_ = static_cast<char*>(mmap(nullptr, kRoomBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
    trace::FileHeader header{};
    std::memcpy(header.magic, trace::kMagic, sizeof header.magic);
    header.version = trace::kVersion;
    header.chunk_bytes = trace::kChunkBytes;
    header.pid = pid;
    header.chunks = kChunks;
    header.end_monotonic_ns = end_ns;
    std::memcpy(base_, &header, sizeof header);
  }
  LiveTrace(const LiveTrace&) = delete;
  LiveTrace& operator=(const LiveTrace&) = delete;
  ~LiveTrace() { munmap(base_, kRoomBytes); }
  // As the shim does with a chunk that is not counted yet. Of a file that was cut this raises SIGBUS.
  void write_beyond() { std::memset(base_ + trace::kHeaderBytes + (kChunks + 5) * trace::kChunkBytes, 1, 4096); }

 private:
  char* base_;
};

class CollectTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) / ("collect." + std::to_string(getpid()));
    fs::create_directories(root_ / ".t.sstrace.XXXXXX");
  }
  void TearDown() override { fs::remove_all(root_); }
  std::string output() const { return (root_ / "t.sstrace").string(); }
  std::string inner() const { return (root_ / ".t.sstrace.XXXXXX/t.sstrace").string(); }
  Collected collect(int child) {
    ChildEnd end{};
    end.pid = child;
    return collect_traces((root_ / ".t.sstrace.XXXXXX").string(), output(), {}, end);
  }
  static off_t size_of(const std::string& path) {
    struct stat info{};
    return stat(path.c_str(), &info) == 0 ? info.st_size : -1;
  }

  static constexpr off_t kUsed = trace::kHeaderBytes + off_t{kChunks} * trace::kChunkBytes;
  fs::path root_;
};

// Its pid is one of another namespace, or its maps cannot be read: it may be alive all the same.
TEST_F(CollectTest, ATraceThatNobodyHasEndedIsCopiedAndNeverCut) {
  LiveTrace live(inner(), 999'999'999, 0);
  const Collected collected = collect(12345);
  ASSERT_EQ(collected.traces, std::vector<std::string>{output()});
  EXPECT_EQ(size_of(output()), kUsed);
  live.write_beyond();
  EXPECT_EQ(fs::status(output()).permissions(), fs::perms(0600));
  EXPECT_FALSE(fs::exists(inner()));
}

TEST_F(CollectTest, NorIsOneAtItsOwnName) {
  LiveTrace live(output(), 999'999'999, 0);
  const Collected collected = collect(12345);
  ASSERT_EQ(collected.traces, std::vector<std::string>{output()});
  EXPECT_EQ(size_of(output()), kUsed);
  live.write_beyond();
}

TEST_F(CollectTest, TheChildsOwnIsTrimmed) {
  {
    LiveTrace killed(inner(), 12345, 0);
  }
  const Collected collected = collect(12345);
  ASSERT_EQ(collected.traces, std::vector<std::string>{output()});
  EXPECT_EQ(size_of(output()), kUsed);
}

TEST_F(CollectTest, OneThatWasNeverBegunIsSaidAndLeavesNoFile) {
  test::write_file(inner(), std::string(8192, '\0'));
  const Collected collected = collect(12345);
  EXPECT_TRUE(collected.traces.empty());
  ASSERT_EQ(collected.notes.size(), 1u);
  EXPECT_NE(collected.notes[0].find("ended before it had started the trace"), std::string::npos);
  EXPECT_FALSE(fs::exists(inner()));
  EXPECT_FALSE(fs::exists(output()));
}

}  // namespace
}  // namespace syncsniff::launcher
