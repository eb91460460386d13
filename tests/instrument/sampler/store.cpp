// Samples as records, and what adding them to a trace leaves of it.
#include <gtest/gtest.h>
#include <unistd.h>

#include "instrument/reader/append_chunks.h"
#include "instrument/sampler/sample_store.h"
#include "tests/instrument/support.h"

namespace syncsniff::sampler {
namespace {

Sample sample_at(uint64_t time_ns, StackName stack) { return {time_ns, 7, stack, trace::HostState::kRead, false}; }

TEST(SampleStoreOf, StacksAreNamedOnce) {
  SampleStore store;
  const StackName first = store.name_of({{1, 2}, {{1, 4}}});
  EXPECT_EQ(store.name_of({{1, 2}, {{1, 4}}}).number, first.number);
  EXPECT_NE(store.name_of({{1, 2}, {{1, 6}}}).number, first.number);
  EXPECT_NE(store.name_of({{1}, {{2, 0}, {1, 4}}}).number, first.number);
  EXPECT_EQ(store.name_of({}).number, 0u);
}

TEST(SampleStoreOf, ThinningKeepsEverySecondSample) {
  SampleStore store;
  for (uint64_t i = 0; i < 9; ++i) store.add(sample_at(i, {}));
  store.thin();
  EXPECT_EQ(store.size(), 5u);
}

TEST(SampleStoreOf, ManyStacksEndInANote) {
  SampleStore store;
  uint32_t named = 0;
  for (uint64_t i = 1; i <= 30000; ++i) named += store.name_of({{i}, {}}).number != 0 ? 1 : 0;
  EXPECT_EQ(named, 20000u);
  EXPECT_NE(store.as_records({}, 0, 1, 1).find("different stacks"), std::string::npos);
}

// Of two processes that have this program at different addresses.
TEST(SampleStoreOf, FramesOfOtherProcessesAreRecordedByTheirObject) {
  const std::string folder = test::fresh_folder();
  const std::string path = folder + "/t.sstrace";
  test::write_file(path, reader::undump_trace("trace\nchunk tid=5\n", "t"));
  SampleStore store;
  RemoteMemory memory(getpid());
  const MappedObjects objects(getpid());
  const auto here = reinterpret_cast<uint64_t>(&sample_at);
  const MappedObject* const object = objects.at(here);
  ASSERT_NE(object, nullptr);
  std::vector<uint64_t> addresses{here, here + 4, 8};
  store.move_apart(addresses, objects, memory);
  EXPECT_NE(addresses[0], here);
  EXPECT_EQ(addresses[1], addresses[0] + 4);
  EXPECT_EQ(addresses[2], 8u) << "of no object";
  store.add_process(41, "decode");
  store.add(OtherSample{10, 42, 41, 0, store.name_of({addresses, {}}), trace::HostState::kRunning});
  ASSERT_TRUE(reader::append_chunks(path, reader::kSampleTid, store.as_records({}, 0, 1, 1)));
  const reader::Trace trace = reader::read_trace(path);
  ASSERT_EQ(trace.modules.size(), 1u);
  const reader::Module& module = trace.modules[0];
  EXPECT_EQ(module.path, object->path);
  EXPECT_TRUE(module.begin <= addresses[0] && addresses[1] < module.end);
  EXPECT_EQ(addresses[0] - module.load_bias, here - (object->begin - (module.begin - module.load_bias)));
  ASSERT_EQ(trace.other_samples.size(), 1u);
  EXPECT_EQ(trace.other_samples[0].pid, 41u);
  EXPECT_EQ(trace.processes.at(41), "decode");
}

class AddedSamples : public testing::Test {
 protected:
  void SetUp() override { test::write_file(path_, reader::undump_trace(kText, "t")); }
  static constexpr const char* kText =
      "trace\nchunk tid=5\nmodule bias=0x10000 begin=0x10000 end=0x90000 path=\"/home/u/train\"\n"
      "code id=3 version=0x30b first_line=1 file=\"a.py\" name=\"f\"\nstack id=4 native=0x10010 python=3:2\n"
      "chunk tid=6\nstack id=2 native=0x10020\n";
  const std::string path_ = test::fresh_folder() + "/t.sstrace";
};

TEST_F(AddedSamples, IdsGoOnAfterTheTracesOwn) {
  SampleStore store;
  const PythonCode code{"b.py", "g", "", 9};
  store.add(sample_at(20, store.name_of({{0x10030}, {{1, 6}}})));
  store.add(sample_at(10, {4, false}));
  store.add_note("said once");
  store.add_note("said once");
  const reader::LargestIds ids = reader::largest_ids(path_);
  EXPECT_EQ(ids.stack, 4u);
  EXPECT_EQ(ids.code, 3u);
  ASSERT_TRUE(
      reader::append_chunks(path_, reader::kSampleTid, store.as_records({code}, 0x030c, ids.stack + 1, ids.code + 1)));
  const reader::Trace trace = reader::read_trace(path_);
  ASSERT_EQ(trace.samples.size(), 2u);
  EXPECT_EQ(trace.samples[0].stack, 4u);
  EXPECT_EQ(trace.samples[1].stack, 5u);
  EXPECT_EQ(trace.samples[1].tid, 7u);
  EXPECT_EQ(trace.stacks.at(5).native, std::vector<uint64_t>{0x10030});
  EXPECT_EQ(trace.stacks.at(5).python.at(0).code, 4u);
  EXPECT_EQ(trace.codes.at(4).name, "g");
  EXPECT_EQ(trace.codes.at(4).version, 0x030c);
  EXPECT_EQ(trace.notes, std::vector<std::string>{"said once"});
}

TEST_F(AddedSamples, SymbolsAreStillAdded) {
  SampleStore store;
  std::vector<uint64_t> many(300, 0x10030);  // more than one chunk of stacks
  for (uint64_t i = 0; i < 500; ++i) {
    many[0] = 0x10030 + i;
    store.add(sample_at(i, store.name_of({many, {}})));
  }
  ASSERT_TRUE(reader::append_chunks(path_, reader::kSampleTid, store.as_records({}, 0, 5, 1)));
  const reader::Trace with_samples = reader::read_trace(path_);
  class OneSymbol : public reader::SymbolSource {
   public:
    reader::SymbolMap lookup(const reader::Module&, const std::vector<uint64_t>& addresses) override {
      reader::SymbolMap found;
      for (const uint64_t address : addresses) found[address] = {{"step()", "/home/u/train.cu", 30}};
      return found;
    }
  } symbols;
  for (int times = 0; times < 2; ++times)
    EXPECT_TRUE(reader::append_symbols(path_, reader::Places(with_samples, symbols)));
  const reader::Trace trace = reader::read_trace(path_);
  EXPECT_EQ(trace.samples.size(), 500u);
  EXPECT_EQ(trace.symbols.at(0x10030).size(), 1u);
  EXPECT_EQ(test::places_of(trace).user_place(trace.samples[499].stack).line, 30u);
}

TEST_F(AddedSamples, AFileThatIsNoTraceStaysAsItIs) {
  test::write_file(path_, "something else");
  EXPECT_FALSE(reader::append_chunks(path_, reader::kSampleTid, std::string(64, 'x')));
  EXPECT_EQ(test::read_file(path_), "something else");
}

}  // namespace
}  // namespace syncsniff::sampler
