// dump_trace FILE: every record of a trace, a line each; for people who work on the shim.
#include <cstdio>

#include "tests/runtime/trace_scan.h"

using namespace syncsniff;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const tests::ScannedTrace t = tests::scan_trace(argv[1]);
  const auto zero = t.header.start_monotonic_ns;
  auto ms = [&](uint64_t ns) { return static_cast<double>(static_cast<int64_t>(ns - zero)) / 1e6; };
  std::printf("%s pid %u stop %u chunks %u dropped %llu driver %u\n", t.header.executable, t.header.pid,
              t.header.stop_reason, t.header.chunks, static_cast<unsigned long long>(t.header.dropped_records),
              t.header.driver_version);
  for (const auto& c : t.calls)
    std::printf(
        "call %-28s class %u flags %2u mem %u>%u stack %u dev %u at %.3f for %.3f ms bytes %llu polls %u result %d\n",
        t.apis.at(c.api).c_str(), c.call_class, c.flags, c.src_memory, c.dst_memory, c.stack, c.device, ms(c.begin_ns),
        static_cast<double>(c.duration_ns) / 1e6, static_cast<unsigned long long>(c.bytes), c.polls, c.result);
  for (const auto& s : t.sites)
    std::printf("site %-28s class %u mem %u>%u stack %u count %llu total %.3f ms bytes %llu\n",
                t.apis.at(s.api).c_str(), s.call_class, s.src_memory, s.dst_memory, s.stack,
                static_cast<unsigned long long>(s.count), static_cast<double>(s.total_ns) / 1e6,
                static_cast<unsigned long long>(s.bytes));
  for (const auto& i : t.idles)
    std::printf("idle after %s stack %u..%u at %.3f for %.3f ms\n", t.apis.at(i.wait_api).c_str(), i.wait_stack,
                i.enqueue_stack, ms(i.begin_ns), static_cast<double>(i.end_ns - i.begin_ns) / 1e6);
  for (const auto& b : t.bursts)
    std::printf("burst %u launches %u copies %u others at %.3f in calls %.3f ms\n", b.launches, b.copies, b.others,
                ms(b.first_begin_ns), static_cast<double>(b.in_calls_ns) / 1e6);
  for (const auto& r : t.ranges)
    std::printf("range %s depth %u at %.3f for %.3f ms\n", r.name ? t.strings.at(r.name).c_str() : "", r.depth,
                ms(r.begin_ns), static_cast<double>(r.end_ns - r.begin_ns) / 1e6);
  for (const auto& g : t.gpu_work)
    std::printf("gpu kind %u stream %u correlation %u for %.3f us %s\n", g.kind, g.stream, g.correlation,
                static_cast<double>(g.end_ns - g.begin_ns) / 1e3, g.name ? t.strings.at(g.name).c_str() : "");
  for (const auto& [id, s] : t.stacks) {
    std::printf("stack %u:", id);
    for (const auto a : s.addresses) std::printf(" %llx", static_cast<unsigned long long>(a));
    for (const auto& [code, at] : s.python) std::printf(" [%s+%u]", t.codes.at(code).name.c_str(), at);
    std::printf("\n");
  }
  for (const auto& [id, c] : t.codes)
    std::printf("code %u %s %s line %d table %zu\n", id, c.file.c_str(), c.name.c_str(), c.record.first_line,
                c.linetable.size());
  for (const auto& m : t.modules)
    std::printf("module %llx-%llx %s (%zu)\n", static_cast<unsigned long long>(m.record.begin),
                static_cast<unsigned long long>(m.record.end), m.path.c_str(), m.build_id.size());
  for (const auto& n : t.notes) std::printf("note %s\n", n.c_str());
}
