#include "instrument/report/formats.h"

#include <ostream>

#include "instrument/report/job.h"
#include "instrument/report/terminal_table.h"

namespace syncsniff::report {
namespace {

void write_text(const Job& job, bool colour, std::ostream& out) {
  if (job.ranks.size() > 1) {
    write_ranks(job.ranks, Style(colour), out);
    out << "The report of " << name_of(job.ranks[telling_rank(job.ranks)]) << ":\n";
  }
  write_terminal(job.shown->report, colour, out);
}

void write_job_json(const Job& job, bool, std::ostream& out) { write_json(job.shown->report, job.ranks, out); }

}  // namespace

const std::vector<Format<Job>>& report_formats() {
  static const std::vector<Format<Job>> kFormats = {
      {"text", "for people", write_text},
      {"json", "for programs: every figure, line and prediction", write_job_json},
  };
  return kFormats;
}

}  // namespace syncsniff::report
