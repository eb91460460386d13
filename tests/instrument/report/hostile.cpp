// A trace and findings whose every text commands terminals and CI services: dump, its way back, and both reports.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "instrument/report/ranks.h"
#include "instrument/report/report.h"
#include "rules/untrusted_text.h"
#include "tests/hostile_text.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

using test::Form;
using test::hostile_texts;
using test::unfit;

// Every byte as \xHH: not the quoting that is tested.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (unsigned char byte : text) {
    char escape[8];
    snprintf(escape, sizeof escape, "\\x%02x", byte);
    out += escape;
  }
  return out + "\"";
}

// Ten steps of one wait, with the word as every text that a trace holds; files keep a folder before it.
std::string trace_with(const std::string& word) {
  const std::string text = quoted(word), file = quoted("/home/u/" + word);
  std::ostringstream out;
  out << "trace version=2 timeline=2 pid=41 start=1000000 end=60000000 stop_reason=1 executable=" << file
      << " command=" << text << "\nchunk tid=41\nthread text=" << text << "\nnote time=1 text=" << text
      << "\napi id=3 text=" << text << "\nstring id=9 text=" << text
      << "\nmodule bias=0x1000 begin=0x1000 end=0x9000 path=" << file
      << "\nsymbol address=0x1100 line=12 function=" << text << " file=" << file
      << "\ncode id=1 version=0x30b first_line=7 file=" << file << " name=" << text
      << "\nstack id=4 python=1:12\nstack id=5 native=0x1100\nstack id=6 native=0x1800\n";
  for (int step = 2; step < 12; ++step) {
    const int at = step * 1000000;
    out << "call api=3 class=wait flags=blocked,drained stack=" << 4 + step % 3 << " begin=" << at
        << " duration=500000\nidle wait_api=3 wait_stack=4 enqueue_stack=5 begin=" << at + 500000
        << " end=" << at + 900000 << "\nrange depth=0 name=9 begin=" << at << " end=" << at + 900000
        << "\ngpu kind=kernel stream=7 begin=" << at << " end=" << at + 100000 << " name=9"
        << "\nburst launches=5 begin=" << at + 900000 << " end=" << at + 950000 << " first_stack=5 last_stack=5\n";
  }
  out << "clock monotonic=1000000 cupti=1000000\nchunk empty\nchunk tid=42\nthread text=" << text << "\nchunk empty\n";
  return out.str();
}

std::string dumped(const std::string& bytes) {
  std::ostringstream text;
  reader::dump_trace(bytes.data(), bytes.size(), "t", text);
  return text.str();
}

report::StaticSide findings_with(const std::string& word) {
  report::StaticSide side;
  side.given = true;
  for (unsigned line : {12u, 7u, 999u}) {
    Finding finding = test::hostile_finding(word);
    finding.location = {"/home/u/" + word, line, 1, line, 9};
    if (line == 12) finding.rule = "sync-in-loop";
    side.findings.push_back(finding);
  }
  side.notes = {word};
  return side;
}

TEST(Hostile, DumpIsFitAndComesBack) {
  for (const std::string& word : hostile_texts()) {
    const std::string bytes = reader::undump_trace(trace_with(word), "t"), text = dumped(bytes);
    EXPECT_EQ(unfit(text), "");
    EXPECT_EQ(text.find("raw "), std::string::npos) << text;
    EXPECT_EQ(reader::undump_trace(text, "t"), bytes);
    EXPECT_EQ(dumped(reader::undump_trace(text, "t")), text);
    EXPECT_EQ(test::trace_of(text).notes.at(0), word);
  }
}

TEST(Hostile, BothReports) {
  for (const std::string& word : hostile_texts()) {
    const auto trace = test::trace_of(trace_with(word));
    const auto places = test::places_of(trace);
    for (const report::StaticSide& side : {report::StaticSide{}, findings_with(word)}) {
      auto report = report::make_report(trace, places, {word}, side);
      report.notes.push_back("trace: " + word);
      std::ostringstream plain, coloured, json;
      report::write_terminal(report, false, plain);
      report::write_terminal(report, true, coloured);
      report::write_json(report, {}, json);
      EXPECT_EQ(unfit(plain.str()), "");
      EXPECT_EQ(unfit(coloured.str(), Form::kColoured), "");
      EXPECT_EQ(test::without_own_colours(coloured.str()), plain.str());
      EXPECT_EQ(unfit(json.str()), "");
      EXPECT_TRUE(nlohmann::json::accept(json.str()));
      EXPECT_NE(plain.str().find("what the host did meanwhile"), std::string::npos)
          << "a part of the report is not fed";
    }
  }
}

TEST(Hostile, TheTableStandsInLineWhateverItsTextsAre) {
  for (const char* name :
       {"d\xc3\xa9j\xc3\xa0.py", "\xe6\x97\xa5\xe6\x9c\xac.py", "\x1b[31m.py", "ฝึกสอน/ขั้นตอน.py", "प्रशिक्षण.py"}) {
    const auto trace = test::trace_of(trace_with(name));
    std::ostringstream out;
    report::write_terminal(report::make_report(trace, test::places_of(trace), {}, {}), false, out);
    std::istringstream lines(out.str());
    size_t head = 0, rows = 0;
    for (std::string line; std::getline(lines, line);) {
      const size_t verdict = line.find("  verdict"), row = line.find("  run only");
      if (verdict != std::string::npos) head = columns_of(line.substr(0, verdict));
      if (row == std::string::npos) continue;
      EXPECT_EQ(columns_of(line.substr(0, row)), head) << out.str();
      ++rows;
    }
    EXPECT_GT(rows, 0u) << out.str();
  }
}

}  // namespace
}  // namespace syncsniff
