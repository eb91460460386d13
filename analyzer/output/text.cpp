#include "analyzer/output/text.h"

#include <algorithm>
#include <map>

#include "analyzer/output/display.h"
#include "analyzer/output/hot_calls.h"
#include "analyzer/output/snippet.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

// If a path is longer, its middle is omitted; JSON and SARIF contain all of it.
constexpr size_t kMaxPathNotes = 8;
// Further calls that make one place hot are only counted; JSON has a finding for each.
constexpr size_t kMaxFurtherCalls = 4;

bool same_place(const Location& a, const Location& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

// Findings at one place, each with another call that makes it hot, are one entry of the report.
bool one_entry(const Finding& a, const Finding& b) { return place_of(a) == place_of(b) && a.allowed == b.allowed; }

class TextWriter {
 public:
  TextWriter(SourceCache& sources, const TextStyle& style) : sources_(sources), style_(style), colours_(style.colour) {}

  // The first finding is printed completely; for the others, only the call that makes them hot.
  void entry(const std::vector<const Finding*>& findings) {
    const Finding& finding = *findings.front();
    out_ += headline(finding, style_.colour, findings.size() - 1);
    if (style_.quiet) return;
    excerpt(finding.location, true);
    path(finding);
    further_calls(findings);
    for (const PathStep& step : finding.evidence) note(step.location, step.message);
    if (finding.allowed) return note(finding.location, "allowed: " + reason(finding));
    if (!finding.fix.description.empty()) note(finding.location, fix_text(finding));
  }

  std::string take() { return std::move(out_); }

 private:
  static std::string reason(const Finding& finding) {
    return finding.allowed_because.empty() ? "no reason given" : finding.allowed_because;
  }

  // A fix text is printed once per rule; repeating it would hide what differs between findings.
  std::string fix_text(const Finding& finding) {
    const Fix& fix = finding.fix;
    bool by_itself = fix.tier == FixTier::kSafe && !fix.edits.empty();
    auto [said, first] = fixes_said_.emplace(fix.description, place(finding.location));
    return (by_itself ? "fix (`syncsniff fix` does it): " : "fix: ") +
           (first ? fix.description : "same as at " + said->second);
  }

  void note(const Location& location, const std::string& message) {
    out_ += colours_.bold(place(location) + ":") + " " + colours_.note("note:") + " " + printable(message) + "\n";
  }

  void excerpt(const Location& location, bool with_caret) {
    if (const SourceText* source = sources_.get(location.file))
      out_ += snippet(*source, location, with_caret, colours_);
  }

  // The source line of the loop is shown, since the reader must recognise the loop; of the calls in between, only the
  // places.
  void path(const Finding& finding) {
    size_t count = finding.path.size();
    if (count > 1 && same_place(finding.path.back().location, finding.location)) --count;
    size_t kept_ends = kMaxPathNotes / 2;
    for (size_t i = 0; i < count; ++i) {
      const PathStep& step = finding.path[i];
      if (count > kMaxPathNotes && i >= kept_ends && i < count - kept_ends) {
        if (i == kept_ends)
          note(step.location, "... " + plural(static_cast<unsigned>(count - 2 * kept_ends), "more step") + " ...");
        continue;
      }
      note(step.location, step.message);
      if (i == 0 && !same_place(step.location, finding.location)) excerpt(step.location, false);
    }
  }

  void further_calls(const std::vector<const Finding*>& findings) {
    for (size_t i = 1; i < findings.size(); ++i) {
      const Finding& other = *findings[i];
      const Location& call = other.hot_call.line ? other.hot_call : other.location;
      if (i > kMaxFurtherCalls) {
        const size_t left = findings.size() - i;
        return note(call, "... and by " + plural(static_cast<unsigned>(left), "more call") + ", listed in json ...");
      }
      // The call runs several callbacks; they differ in where each of them waits.
      const Location& first = findings[0]->hot_call.line ? findings[0]->hot_call : findings[0]->location;
      if (same_place(call, first) && !other.path.empty()) {
        const auto waits = [&](const PathStep& step) { return same_place(step.location, other.wait); };
        const auto step = std::find_if(other.path.begin(), other.path.end(), waits);
        const PathStep& shown = step != other.path.end() ? *step : other.path.back();
        note(shown.location, shown.message + ", too");
        continue;
      }
      note(call, "also reached by this call in '" + (other.hot_call.line ? other.hot_function : other.function) +
                     "' (" + to_string(other.severity) + ")");
    }
  }

  SourceCache& sources_;
  const TextStyle& style_;
  Colours colours_;
  std::map<std::string, std::string> fixes_said_;  // fix text -> the place where it was printed
  std::string out_;
};

}  // namespace

const char* diagnostic_word(Severity severity) { return severity >= Severity::kMedium ? "warning" : "remark"; }

std::string place(const Location& location) {
  // Most lines begin with the file name, and a file may be called `::error::x.cu`, so it is escaped.
  std::string text = location.file.empty() ? "<unknown>" : guard_lines(printable(location.file));
  if (location.line == 0) return text;
  text += ":" + std::to_string(location.line);
  return location.column == 0 ? text : text + ":" + std::to_string(location.column);
}

std::string headline(const Finding& finding, bool colour, size_t further_calls) {
  Colours colours(colour);
  std::string word = std::string(diagnostic_word(finding.severity)) + ":";
  word = finding.severity >= Severity::kMedium ? colours.warning(word) : colours.remark(word);
  return colours.bold(place(finding.location) + ":") + " " + word + " " + colours.bold(printable(finding.message)) +
         " [" + printable(finding.rule) + "] (" + to_string(finding.severity) + ")" +
         (finding.allowed ? " (allowed)" : "") + and_by_more_calls(further_calls) + "\n";
}

namespace {

using Entries = std::vector<std::vector<const Finding*>>;

// Searches backwards for the finding's entry; findings of one line are next to each other.
Entries::iterator entry_of(Entries& entries, const Finding& finding) {
  for (auto entry = entries.end(); entry != entries.begin();) {
    --entry;
    const Finding& first = *entry->front();
    if (first.location.file != finding.location.file || first.location.line != finding.location.line) break;
    if (one_entry(first, finding)) return entry;
  }
  return entries.end();
}

}  // namespace

std::string write_text(const FindingsDocument& document, const Baseline& baseline, SourceCache& sources,
                       const TextStyle& style) {
  TextWriter writer(sources, style);
  Entries entries;
  for (const Finding& finding : document.findings) {
    bool shown = finding.allowed ? style.show_allowed : !in_baseline(finding, baseline);
    if (!shown) continue;
    const auto entry = entry_of(entries, finding);
    entry == entries.end() ? entries.push_back({&finding}) : entry->push_back(&finding);
  }
  for (const auto& entry : entries) writer.entry(entry);
  return guard_lines(writer.take());
}

}  // namespace syncsniff::output
