#include "instrument/report/loaded_run.h"

#include <utility>

namespace syncsniff::report {

std::unique_ptr<LoadedRun> load_run(const std::string& path, const StaticSide& side, const Reading& reading,
                                    bool embed_symbols) {
  reader::Trace trace = reader::read_trace(path);
  reader::ProcessSymbolizer symbolizer;
  reader::Places places(trace, symbolizer, reading.border);
  const bool travels = !embed_symbols || reader::append_symbols(path, places);
  auto loaded = std::make_unique<LoadedRun>(LoadedRun{std::move(trace), std::move(places), {}});
  loaded->report = make_report(loaded->trace, loaded->places, symbolizer.hints(), side, reading.step);
  if (!travels)
    loaded->report.notes.push_back(
        "no room for the program's lines in the trace: report it here, before the program is rebuilt");
  return loaded;
}

}  // namespace syncsniff::report
