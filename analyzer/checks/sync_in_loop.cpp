// sync-in-loop: an explicit host-device synchronization in a loop that launches GPU work.
#include <filesystem>

#include "analyzer/checks/branches.h"
#include "analyzer/checks/check.h"
#include "analyzer/checks/copies.h"
#include "analyzer/checks/copy_stream.h"
#include "analyzer/checks/device_algorithms.h"
#include "analyzer/checks/earlier_step.h"
#include "analyzer/checks/exposure.h"
#include "analyzer/checks/managed_scalar.h"
#include "analyzer/checks/mirror_classes.h"
#include "analyzer/checks/stream_slots.h"

namespace syncsniff::checks {

namespace {

const char* object_of_wait(const ApiFact& fact) {
  switch (fact.waits_for) {
    case WaitsFor::kStream:
      return "a stream";
    case WaitsFor::kEvent:
      return "an event";
    default:
      return "the device";
  }
}

// The loop that polls the query, as in while (cudaEventQuery(e) == cudaErrorNotReady) {}; -1: the query is in no such
// loop.
int polling_loop(const Program& program, Site query) {
  const auto& f = program.function(query.function);
  for (int r = program.event(query).region; r >= 0; r = f.regions[r].parent) {
    if (f.regions[r].kind != Region::Kind::kLoop) continue;
    const bool is_polling = f.regions[r].text.rfind("while", 0) == 0 || f.regions[r].text.rfind("do", 0) == 0;
    return is_polling && !program.effects().of_region(query.function, r).enqueues ? r : -1;
  }
  return -1;
}

// Whether the loop only reads memory that the GPU can write: while (*flag == 0) {}.
bool only_reads_mapped_memory(const Program& program, Site read, int loop) {
  const auto& function = program.function(read.function);
  for (const Event& event : function.events) {
    const bool calls = event.kind == Event::Kind::kCall || event.kind == Event::Kind::kApi;
    if (calls && !event.callee.harmless && program.inside(function, event.region, loop)) return false;
  }
  const auto origins = program.origins(program.event(read).object, program.reading(read));
  return !origins.unknown && (origins.proved() == MemoryKind::kPinned || origins.proved() == MemoryKind::kManaged);
}

void polls_of_memory(const Program& program, Reporter& reporter) {
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& function = program.function(f);
    for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
      const Event& read = function.events[e];
      if (read.kind != Event::Kind::kHostRead || !read.is_volatile) continue;
      const int loop = polling_loop(program, {f, e});
      if (loop < 0 || !only_reads_mapped_memory(program, {f, e}, loop)) continue;
      const int around = function.regions[loop].parent;
      const Located where = located_at({f, e}, program.hotness().heat(f, around), around);
      if (!where.heat.hot || where.heat.dropped) continue;
      reporter.report(
          "sync-in-loop", program, where,
          "the host polls memory that the GPU writes ('" + read.text + "') until it changes, " + often(where.heat));
    }
  }
}

void polls_of_queries(const Program& program, Reporter& reporter) {
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& function = program.function(f);
    for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
      const ApiFact* fact = program.api(function.events[e]);
      if (!fact || fact->blocks != Blocks::kPoll || function.events[e].kind != Event::Kind::kApi) continue;
      const int loop = polling_loop(program, {f, e});
      if (loop < 0) continue;
      const int around = function.regions[loop].parent;
      const Located where = located_at({f, e}, program.hotness().heat(f, around), around);
      if (!where.heat.hot || where.heat.dropped || waits_for_earlier_step(program, where)) continue;
      reporter.report(
          "sync-in-loop", program, where,
          "the host polls (" + function.events[e].callee.name + ") until the GPU is done, " + often(where.heat));
    }
  }
}

// An asynchronous copy to the host and the wait for it are one read-back, reported under the rule for read-backs.
void report_read_back(const Program& program, const Located& wait, const Located& copy, Reporter& reporter) {
  const Copy read = read_copy(program, copy);
  const Event &waits = program.event(wait.api), &copies = program.event(copy.api);
  const bool scalar = is_scalar(read, most_scalar_bytes(reporter));
  Finding& finding = reporter.report(scalar ? "scalar-readback" : "blocking-copy-in-loop", program, wait,
                                     copies.callee.name + " fetches " + human_bytes(read.bytes) + " from the GPU and " +
                                         waits.callee.name + " waits for them at once, " + often(wait.heat));
  finding.callee = copies.callee.id;
  if (scalar)
    report_as_branch(program, copy, read.host_arg, finding, reporter);
  else
    reporter.use_fix_for(finding, "readback");
  const Location from = to_location(program.event(copy.at).place);
  if (from.file == finding.location.file && from.line <= finding.location.line) {
    finding.location.line = from.line;
    finding.location.column = from.column;
  } else {
    finding.evidence.push_back({from, "'" + copies.callee.name + "' is enqueued here"});
  }
}

// The host waits for a result of a few bytes that a kernel writes to managed memory, and reads it there.
void report_managed_scalar(const Program& program, const Located& wait, Site read, Reporter& reporter) {
  const Event &waits = program.event(wait.api), &reads = program.event(read);
  Finding& finding =
      reporter.report("scalar-readback", program, wait,
                      waits.callee.name + " waits so that the host can read a few bytes of managed memory ('" +
                          reads.text + "'), " + often(wait.heat));
  finding.evidence.push_back({to_location(reads.place), "the host reads them here"});
  if (const auto decision = decision_by_read(program, read))
    report_as_branch(program, wait, *decision, finding, reporter);
}

// Whether the source of a thrust::copy is on the GPU, too, or is a generator such as counting_iterator. No bytes cross
// the bus, but the host waits all the same. blocking-copy-in-loop reports the copies that do cross it.
bool copies_on_device(const Program& program, const Located& where) {
  const Event& event = program.event(where.api);
  const ApiFact* fact = program.api(event);
  if (!fact->copy) return true;
  const Direction direction = read_copy(program, where).direction;
  if (direction == Direction::kHostToDevice || direction == Direction::kDeviceToHost) return false;
  if (has_device_policy(event)) return true;
  const Value* target = argument_value(event, copy_of(event, *fact).dst);
  return target && program.origins(*target, program.reading(where.api), where.context()).has(MemoryKind::kDevice);
}

// Reports algorithms of Thrust, which wait for their stream even if they return no result to the host.
void algorithms(const Program& program, Reporter& reporter) {
  const auto waits_at_its_end = [](const Event& event, const ApiFact& fact) {
    const bool copies = fact.copy && fact.copy->direction == CopyDirection::kByPointers && fact.copy->dst != kObject;
    const bool assigns = event.callee.id == "thrust::device_vector::operator=";
    return event.kind == Event::Kind::kApi && fact.waits_for == WaitsFor::kStream && !is_asynchronous(event) &&
           (assigns || fact.blocks == Blocks::kHostPolicy || (copies && event.callee.id.rfind("thrust::copy", 0) == 0));
  };
  for (const Located& where : hot_calls(program, waits_at_its_end)) {
    if (!runs_on_device(program, where) || !copies_on_device(program, where)) continue;
    Finding& finding = reporter.report(
        "sync-in-loop", program, where,
        program.event(where.api).callee.name + " waits for its stream before it returns, " + often(where.heat));
    reporter.use_fix_for(finding, "thrust");
  }
}

// Why the wait is needed, worded to follow "no finding: "; empty: it is not needed.
std::string why_needed(const Program& program, const Located& where, const HostTouch& shared) {
  if (shared.always) {
    const std::string why = "the host may access memory that it shares with the GPU only after this wait";
    if (!shared.touch) return why;
    const facts::Place& place = program.event(*shared.touch).place;
    return why + ": line " + std::to_string(place.line) + " of " +
           std::filesystem::path(place.file.str()).filename().string();
  }
  if (waits_for_earlier_step(program, where))
    return "it waits for an earlier step's work, to limit how far the host runs ahead";
  if (waits_for_other_slot(program, where))
    return "it waits for another stream's earlier work, while the GPU works on what was enqueued since";
  if (waits_for_upload_alone(program, where) || waits_for_upload_beside_kernels(program, where))
    return "it waits for an upload alone, so that the host may fill its memory again";
  if (waits_for_prefetched_copies(program, where)) return "it waits for copies that were enqueued one step earlier";
  return "";
}

std::string what_it_waits_for(const Program& program, const Located& where, bool timing, const HostTouch& shared) {
  const Event& event = program.event(where.api);
  std::string message = "the host waits for " + std::string(object_of_wait(*program.api(event))) + " (" +
                        event.callee.name + ") " + often(where.heat);
  if (timing)
    message += ", to time the GPU work";
  else if (std::string work = exposed_host_work(program, where.at); !work.empty())
    message += ", then " + work + " while the GPU is idle";
  if (shared.seldom) message += ", though the host needs the result in only some iterations";
  return message;
}

}  // namespace

void sync_in_loop(const Program& program, Reporter& reporter) {
  const MirrorClasses mirrors(program);
  const SharedMemory shared_memory(program);
  for (Located& where : hot_calls(program, is_explicit_wait)) {
    const HostTouch shared = shared_access_behind(program, where, shared_memory);
    if (shared.always && shared.touch &&
        is_managed_scalar_read(program, where.at, *shared.touch, shared_memory, most_scalar_bytes(reporter))) {
      report_managed_scalar(program, where, *shared.touch, reporter);
      continue;
    }
    if (const std::string why = why_needed(program, where, shared); !why.empty()) {
      reporter.withhold("sync-in-loop", program, where, why);
      continue;
    }
    if (const auto copy = read_back_before(program, where)) {
      // blocking-copy-in-loop reports it, with the access that makes it necessary
      if (mirrors.is_lazy(*copy)) continue;
      report_read_back(program, where, *copy, reporter);
      continue;
    }
    const bool timing = is_timing(program, where.api) || is_timing(program, where.at);
    if (timing && (where.heat.by == Heat::By::kEachCall || where.heat.checks_only)) {
      reporter.withhold("sync-in-loop", program, where,
                        "it waits to time the GPU work, and no training step is known to run it");
      continue;
    }
    if (timing) where.heat.severity = std::min(where.heat.severity, Severity::kLow);
    Finding& finding =
        reporter.report("sync-in-loop", program, where, what_it_waits_for(program, where, timing, shared));
    if (shared.seldom)
      finding.evidence.push_back({to_location(program.event(*shared.seldom).place),
                                  "the host accesses the memory here, behind a condition: wait there"});
    if (const Site other = program.wrappers().other_way_of(where.api); other.event >= 0)
      finding.evidence.push_back(
          {to_location(program.event(other).place), "it waits here where the other branch runs"});
    if (!timing) continue;
    reporter.use_fix_for(finding, "timing");
    reporter.only_where(
        [](const Located& other) { return other.heat.by != Heat::By::kEachCall && !other.heat.checks_only; });
  }
  algorithms(program, reporter);
  polls_of_queries(program, reporter);
  polls_of_memory(program, reporter);
}

}  // namespace syncsniff::checks
