#include "analyzer/output/suppress.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "analyzer/output/annotations.h"
#include "rules/nearest_name.h"
#include "rules/rule_choice.h"

namespace syncsniff::output {
namespace {

using Kind = Annotation::Kind;
constexpr std::string_view kPrefix = "syncsniff-";

struct Block {
  const Annotation* begin;
  unsigned last_line;
};

struct FileComments {
  Annotations all;
  std::vector<Block> blocks;
  std::vector<const Annotation*> unpaired;
};

bool covers(const Annotation& annotation, const std::string& rule) {
  if (!annotation.has_names) return annotation.kind != Kind::kAllow;
  if (annotation.kind == Kind::kAllow)
    return std::find(annotation.names.begin(), annotation.names.end(), rule) != annotation.names.end();
  std::string check = std::string(kPrefix) + rule;
  return std::any_of(annotation.names.begin(), annotation.names.end(),
                     [&](const std::string& glob) { return glob_matches(glob, check); });
}

// Pairs as clang-tidy does: an END closes the innermost BEGIN, and only if both have the same list.
void pair_blocks(FileComments& file) {
  std::vector<const Annotation*> open;
  for (const Annotation& item : file.all.items) {
    if (item.kind == Kind::kBegin) open.push_back(&item);
    if (item.kind != Kind::kEnd) continue;
    bool pairs = !open.empty() && open.back()->spelling == item.spelling && open.back()->has_names == item.has_names;
    if (pairs) {
      file.blocks.push_back({open.back(), item.line});
      open.pop_back();
    } else {
      file.unpaired.push_back(&item);
    }
  }
  file.unpaired.insert(file.unpaired.end(), open.begin(), open.end());
}

bool is_loop(std::string_view text) {
  for (std::string_view keyword : {"for", "while", "do"}) {
    if (!text.starts_with(keyword)) continue;
    char next = text.size() > keyword.size() ? text[keyword.size()] : ' ';
    if (next == ' ' || next == '\t' || next == '(' || next == '{') return true;
  }
  return false;
}

// The lines on which a comment covers the finding: all lines of a call, but only the first of a loop, whose body is
// other code.
std::pair<unsigned, unsigned> finding_lines(const Location& place, const SourceText& source) {
  std::string_view text = source.line(place.line);
  if (place.column > 0 && place.column <= text.size()) text.remove_prefix(place.column - 1);
  return {place.line, is_loop(text) ? place.line : std::max(place.line, place.end_line)};
}

bool stands_directly_above(const Annotation& item, unsigned line, const std::vector<unsigned>& comment_lines) {
  if (!item.alone || item.line >= line) return false;
  for (unsigned above = line - 1; above > item.line; --above)
    if (!std::binary_search(comment_lines.begin(), comment_lines.end(), above)) return false;
  return true;
}

// Collects every comment of the file that allows the finding; the reason of the first one is kept.
void add_covers(const FileComments& file, const Finding& finding, std::pair<unsigned, unsigned> lines,
                std::vector<const Annotation*>& covers_found) {
  auto [first, last] = lines;
  auto within = [&](unsigned line) { return line >= first && line <= last; };
  for (const Annotation& item : file.all.items) {
    bool here = (item.kind == Kind::kLine && within(item.line)) ||
                (item.kind == Kind::kNextLine && within(item.line + 1)) ||
                (item.kind == Kind::kAllow &&
                 (within(item.line) || stands_directly_above(item, first, file.all.comment_lines)));
    if (here && covers(item, finding.rule)) covers_found.push_back(&item);
  }
  for (const Block& block : file.blocks)
    if (first >= block.begin->line && first <= block.last_line && covers(*block.begin, finding.rule))
      covers_found.push_back(block.begin);
}

bool names_our_rules(const Annotation& item) {
  return std::any_of(item.names.begin(), item.names.end(),
                     [](const std::string& name) { return name.starts_with(kPrefix); });
}

std::string unknown_rule(const std::string& id, const std::string& where, const std::vector<std::string>& rules) {
  std::string near = nearest_name(id, rules);
  return "unknown rule '" + id + "' in " + where + (near.empty() ? "" : "; did you mean '" + near + "'?");
}

const char* word_of(Kind kind) {
  switch (kind) {
    case Kind::kAllow:
      return "allow";
    case Kind::kNextLine:
      return "NOLINTNEXTLINE";
    case Kind::kBegin:
      return "NOLINTBEGIN";
    default:
      return "NOLINT";
  }
}

class FaultFinder {
 public:
  FaultFinder(std::string path, const std::vector<std::string>& rules) : path_(std::move(path)), rules_(rules) {}

  std::vector<CommentFault> run(const FileComments& file) {
    for (const Annotation& item : file.all.items) item.kind == Kind::kAllow ? allow(item) : nolint(item);
    for (const Annotation* item : file.unpaired)
      if (names_our_rules(*item))
        add(*item, item->kind == Kind::kBegin ? "NOLINTBEGIN without a NOLINTEND that names the same checks"
                                              : "NOLINTEND without a NOLINTBEGIN that names the same checks");
    return std::move(faults_);
  }

 private:
  bool known(const std::string& id) const { return std::find(rules_.begin(), rules_.end(), id) != rules_.end(); }

  void add(const Annotation& item, std::string message) {
    Location place{path_, item.line, item.column, item.line, item.column};
    faults_.push_back({place, std::move(message)});
  }

  void allow(const Annotation& item) {
    if (item.names.empty()) add(item, "allow names no rule; write `syncsniff: allow(<rule id>) reason`");
    for (const std::string& name : item.names)
      if (!known(name)) add(item, unknown_rule(name, "allow()", rules_));
  }

  void nolint(const Annotation& item) {
    for (const std::string& name : item.names) {
      if (known(name))
        add(item, std::string(word_of(item.kind)) + "(" + name + ") silences no finding of syncsniff; write " +
                      word_of(item.kind) + "(" + std::string(kPrefix) + name + ")");
      if (!name.starts_with(kPrefix) || name.find('*') != std::string::npos) continue;
      std::string id = name.substr(kPrefix.size());
      if (!known(id)) add(item, unknown_rule(id, "NOLINT()", rules_));
    }
  }

  std::string path_;
  const std::vector<std::string>& rules_;
  std::vector<CommentFault> faults_;
};

// Adds the files that are not in `paths` under another spelling.
void add_other_files(const std::vector<std::string>& files, std::set<std::string>& paths) {
  std::set<std::string> known;
  for (const std::string& path : paths) known.insert(real_path(path));
  for (const std::string& file : files)
    if (known.insert(real_path(file)).second) paths.insert(file);
}

// Comments that allow a finding, each with the finding's rule.
using Uses = std::set<std::pair<const Annotation*, std::string>>;

std::set<std::string> rules_meant(const Annotation& item, const std::string& name,
                                  const std::vector<std::string>& rules) {
  std::set<std::string> meant;
  for (const std::string& rule : rules)
    if (item.kind == Kind::kAllow ? name == rule
                                  : name.starts_with(kPrefix) && glob_matches(name, std::string(kPrefix) + rule))
      meant.insert(rule);
  return meant;
}

void add_names(const std::string& path, const FileComments& file, const Uses& uses,
               const std::vector<std::string>& rules, std::vector<SuppressionName>& names) {
  for (const Annotation& item : file.all.items) {
    if (item.kind == Kind::kEnd) continue;
    for (const std::string& name : item.names) {
      SuppressionName one;
      one.rules = rules_meant(item, name, rules);
      if (one.rules.empty()) continue;
      one.location = {path, item.line, item.column, item.line, item.column};
      one.spelling = std::string(word_of(item.kind)) + "(" + name + ")";
      one.used = std::any_of(one.rules.begin(), one.rules.end(),
                             [&](const std::string& rule) { return uses.count({&item, rule}) != 0; });
      names.push_back(std::move(one));
    }
  }
}

// Most files have no such comment, and two searches cost less than lexing the file.
bool worth_reading(const std::string& text) {
  return text.find("NOLINT") != std::string::npos || text.find("syncsniff:") != std::string::npos;
}

// The files in which comments are searched: those of findings, of their waits and calls, and `commented`.
std::set<std::string> paths_of(const FindingsDocument& document, const std::vector<std::string>& commented) {
  std::set<std::string> paths;
  for (const Finding& finding : document.findings) {
    paths.insert(finding.location.file);
    if (finding.wait.line) paths.insert(finding.wait.file);
    for (const Location& call : finding.calls) paths.insert(call.file);
  }
  add_other_files(commented, paths);
  return paths;
}

}  // namespace

Suppressions apply_suppressions(FindingsDocument& document, SourceCache& sources, const std::vector<std::string>& rules,
                                const std::vector<std::string>& commented) {
  Suppressions result;
  std::map<std::string, FileComments> files;
  for (const std::string& path : paths_of(document, commented)) {
    const SourceText* source = sources.get(path);
    if (!source || !worth_reading(source->text())) continue;
    FileComments& file = files[path];
    file.all = read_annotations(*source);
    pair_blocks(file);
    for (CommentFault& fault : FaultFinder(path, rules).run(file)) result.faults.push_back(std::move(fault));
  }
  Uses uses;
  for (Finding& finding : document.findings) {
    std::vector<const Annotation*> covers;
    // A comment counts at the finding's location; for a wrapper, also at the wait inside; and at each call from the hot
    // loop to the location, for findings that come through this call.
    std::vector<Location> places{finding.location, finding.wait};
    places.insert(places.end(), finding.calls.begin(), finding.calls.end());
    for (const Location& at : places) {
      auto file = files.find(at.file);
      if (file == files.end() || at.line == 0) continue;
      add_covers(file->second, finding, finding_lines(at, *sources.get(at.file)), covers);
    }
    if (covers.empty()) continue;
    for (const Annotation* cover : covers) uses.emplace(cover, finding.rule);
    const Annotation& first = *covers.front();
    finding.allowed = true;
    finding.allowed_because = !first.reason.empty() ? first.reason : first.kind == Kind::kAllow ? "" : "NOLINT";
  }
  for (const auto& [path, file] : files) add_names(path, file, uses, rules, result.comments);
  return result;
}

}  // namespace syncsniff::output
