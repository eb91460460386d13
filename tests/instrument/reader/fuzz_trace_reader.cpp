// libFuzzer target: the reader, the text twin and the analysis on any bytes. Seeds: undump of tests/instrument/twins.
#include <cstdint>
#include <sstream>

#include "instrument/reader/text_twin.h"
#include "instrument/timeline/analysis.h"
#include "tests/instrument/support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* bytes = reinterpret_cast<const char*>(data);
  try {
    const auto trace = syncsniff::reader::read_trace_bytes(bytes, size, "fuzz");
    syncsniff::timeline::analyse(trace, syncsniff::test::places_of(trace));
    std::ostringstream text;
    syncsniff::reader::dump_trace(bytes, size, "fuzz", text);
    const std::string back = syncsniff::reader::undump_trace(text.str(), "fuzz");
    syncsniff::reader::read_trace_bytes(back.data(), back.size(), "fuzz");
  } catch (const syncsniff::reader::TraceError&) {
  }
  return 0;
}
