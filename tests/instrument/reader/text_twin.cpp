#include "instrument/reader/text_twin.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>

#include "instrument/reader/layout.h"
#include "instrument/reader/record_fields.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

std::string dumped(const std::string& bytes) {
  std::ostringstream text;
  reader::dump_trace(bytes.data(), bytes.size(), "t", text);
  return text.str();
}

std::string twin(const char* name) { return test::read_file(std::string(SYNCSNIFF_TWINS) + "/" + name); }

TEST(TextTwin, GoesRoundByteForByte) {
  size_t traces = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SYNCSNIFF_TWINS)) {
    if (entry.path().extension() != ".txt") continue;
    const std::string name = entry.path().filename().string();
    const std::string bytes = reader::undump_trace(twin(name.c_str()), name);
    EXPECT_GT(bytes.size(), trace::kHeaderBytes) << name;
    EXPECT_EQ(reader::undump_trace(dumped(bytes), "again"), bytes) << name;
    ++traces;
  }
  EXPECT_GE(traces, 4u);
}

TEST(TextTwin, AChunkThatWasNeverUsedComesBack) {
  const std::string text =
      "trace version=2 chunk_bytes=65536 pid=1\nchunk empty\nchunk tid=3\ncall begin=1\nchunk empty\nchunk empty\n";
  const std::string bytes = reader::undump_trace(text, "t");
  EXPECT_EQ(bytes.size(), trace::kHeaderBytes + 4 * trace::kChunkBytes);
  EXPECT_EQ(dumped(bytes), text);
  EXPECT_EQ(reader::undump_trace("trace pid=1\n  chunk   empty # why not\n", "t").size(),
            trace::kHeaderBytes + trace::kChunkBytes);
}

// 12 bytes of text are 64 KiB of trace.
TEST(TextTwin, ASmallTextMakesNoHugeTrace) {
  for (const std::string line : {"chunk tid=1\n", "chunk empty\n"}) {
    std::string text = "trace pid=1\n";
    while (text.size() < 1 << 20) text += line;
    try {
      reader::undump_trace(text, "bomb.txt");
      ADD_FAILURE() << line << "was not refused";
    } catch (const reader::TraceError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("bomb.txt:17410: one chunk of 64 KiB too many", 0), 0u) << error.what();
    }
  }
}

TEST(TextTwin, NamesEveryFieldOfEveryRecord) {
  const std::string bytes = reader::undump_trace(twin("every_record.txt"), "t");
  EXPECT_EQ(dumped(bytes).find("raw"), std::string::npos);
  const auto trace = reader::read_trace_bytes(bytes.data(), bytes.size(), "t");
  ASSERT_EQ(trace.calls.size(), 1u);
  const auto& call = trace.calls[0].record;
  EXPECT_EQ(call.duration_ns, 40u);
  EXPECT_EQ(call.flags, trace::kBlocked | trace::kDrained);
  EXPECT_EQ(call.src_memory, static_cast<uint8_t>(trace::HostMemory::kPageable));
  EXPECT_EQ(call.result, -3);
  EXPECT_EQ(trace.calls[0].tid, 7u);
  EXPECT_EQ(trace.api_name(1), "cuMemcpyHtoD_v2");
  EXPECT_EQ(trace.stacks.at(1).native, (std::vector<uint64_t>{0x1100, 0x1200}));
  EXPECT_EQ(trace.stacks.at(1).python.at(0).code, 1u);
  EXPECT_EQ(trace.modules.at(0).build_id, "00ff10");
  EXPECT_EQ(trace.codes.at(1).line_table.size(), 3u);
  EXPECT_EQ(trace.notes.at(0), "a \"quoted\" note\nof two lines");
  EXPECT_EQ(trace.thread_names.at(7), "main");
  EXPECT_EQ(trace.gpu_work.at(0).record.grid[2], 3u);
  EXPECT_EQ(trace.symbols.at(0x1100).at(0).line, 12u);
  EXPECT_EQ(trace.command_line(), (std::vector<std::string>{"./train", "-e", "3"}));
}

struct FieldNames {
  std::vector<std::string> names;
  template <class... Rest>
  void num(const char* name, Rest&&...) {
    names.push_back(name);
  }
  template <class... Rest>
  void hex(const char* name, Rest&&...) {
    names.push_back(name);
  }
  template <class... Rest>
  void word(const char* name, Rest&&...) {
    names.push_back(name);
  }
  template <class... Rest>
  void flags(const char* name, Rest&&...) {
    names.push_back(name);
  }
};

// A new field that no twin sets is one that no test reads.
TEST(TextTwin, EveryFieldHasAValueInEveryRecord) {
  std::map<std::string, std::string> lines;
  std::istringstream text(twin("every_record.txt"));
  for (std::string line; std::getline(text, line);) lines[line.substr(0, line.find(' '))] += line + " ";
  size_t records = 0;
  for (int type = 0; type < 64; ++type) {
    reader::with_record(static_cast<trace::RecordType>(type), [&](const char* keyword, auto record) {
      FieldNames fields;
      reader::visit_fields(record, fields);
      ++records;
      for (const std::string& name : fields.names)
        EXPECT_NE(lines[keyword].find(" " + name + "="), std::string::npos) << keyword << ": no value for " << name;
    });
  }
  EXPECT_GT(records, 15u);
}

TEST(TextTwin, ReservedBytesAndUnknownTypesStayAsRawLines) {
  std::string bytes =
      reader::undump_trace("trace pid=1 start=5 end=9\nchunk tid=1\ncall begin=1\nraw bytes=2a002a00ff\n", "t");
  bytes[trace::kHeaderBytes + trace::kRecordBytes + 63] = 0;
  std::string odd = bytes;
  odd[odd.size() - trace::kChunkBytes + trace::kRecordBytes + 2] = 1;  // still the api field: named
  std::string reserved = reader::undump_trace("trace pid=1\nchunk tid=1\nidle begin=1 end=2\n", "t");
  reserved[trace::kHeaderBytes + 2 * trace::kRecordBytes - 1] = 0x55;  // a reserved byte of the idle record
  for (const std::string& trace : {bytes, odd, reserved}) EXPECT_EQ(reader::undump_trace(dumped(trace), "t"), trace);
  EXPECT_NE(dumped(reserved).find("raw bytes="), std::string::npos);
}

TEST(TextTwin, PayloadsCrossChunks) {
  std::string text = "trace pid=1\nchunk tid=3\n";
  for (size_t i = 0; i + 1 < reader::kRecordsPerChunk; ++i) text += "call begin=" + std::to_string(i + 1) + "\n";
  text += "note text=\"" + std::string(200, 'x') + "\"\nchunk tid=3 sequence=1\ncall begin=5000\n";
  const std::string bytes = reader::undump_trace(text, "t");
  const auto trace = reader::read_trace_bytes(bytes.data(), bytes.size(), "t");
  EXPECT_EQ(trace.notes.at(0), std::string(200, 'x'));
  EXPECT_EQ(trace.calls.size(), reader::kRecordsPerChunk);
  EXPECT_EQ(reader::undump_trace(dumped(bytes), "t"), bytes);
}

TEST(TextTwin, AChunkIsHandedOnToTheThreadThatItNames) {
  const std::string text =
      "trace version=2 chunk_bytes=65536 pid=1\n"
      "chunk tid=3\nthread id=3 text=\"first\"\ncall begin=1\nthread id=9 text=\"second\"\ncall begin=2\n"
      "thread text=\"of old\"\ncall begin=3\n"
      "chunk tid=3 sequence=1\ncall begin=4\n";
  const std::string bytes = reader::undump_trace(text, "t");
  const auto trace = reader::read_trace_bytes(bytes.data(), bytes.size(), "t");
  std::vector<uint32_t> tids;
  for (const auto& call : trace.calls) tids.push_back(call.tid);
  EXPECT_EQ(tids, (std::vector<uint32_t>{3, 9, 9, 3}));
  EXPECT_EQ(trace.thread_names.at(3), "first");
  EXPECT_EQ(trace.thread_names.at(9), "of old") << "without a number: the thread that has the chunk";
  EXPECT_EQ(dumped(bytes), text);
}

TEST(TextTwin, ReadsTracesOfTheFirstVersion) {
  const std::string bytes =
      reader::undump_trace("trace version=1 pid=1\nchunk tid=3\nthread text=\"a\"\ncall begin=1\n", "t");
  const auto trace = reader::read_trace_bytes(bytes.data(), bytes.size(), "t");
  EXPECT_EQ(trace.header.version, 1u);
  EXPECT_EQ(trace.calls.at(0).tid, 3u);
  EXPECT_EQ(trace.thread_names.at(3), "a");
  EXPECT_EQ(reader::undump_trace(dumped(bytes), "t"), bytes);
}

TEST(TextTwin, FaultsNameTheLine) {
  auto message = [](const std::string& text) {
    try {
      reader::undump_trace(text, "x.txt");
    } catch (const reader::TraceError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("trace pid=1\nchunk tid=1\ncall beginn=3\n"), "x.txt:3: 'beginn' is not a field of 'call'");
  EXPECT_EQ(message("trace pid=1\nchunk tid=1\n\ncal begin=3\n"), "x.txt:4: 'cal' is not a kind of record");
  EXPECT_EQ(message("trace pid=abc\n"), "x.txt:1: pid=abc: not a value of this field");
  EXPECT_EQ(message("chunk tid=1\n"), "x.txt:1: the first line must be a `trace` line");
  EXPECT_EQ(message("trace\nchunk tid=1\nnote text=\"open\n"), "x.txt:3: a quoted value is not closed");
  EXPECT_EQ(message("trace\nchunk full\n"), "x.txt:2: 'full': expected name=value");
  EXPECT_EQ(message("trace\nchunk empty tid=1\n"), "x.txt:2: 'tid' is not a field of 'chunk'");
  EXPECT_EQ(message("trace\nchunk empty\ncall begin=1\n"), "x.txt:3: a record needs a `chunk` line before it");
}

}  // namespace
}  // namespace syncsniff
