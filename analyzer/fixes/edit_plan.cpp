#include "analyzer/fixes/edit_plan.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "analyzer/fetched.h"
#include "analyzer/fixes/apply_edits.h"
#include "analyzer/output/source_text.h"

namespace syncsniff::fixes {
namespace {

using output::real_path;

bool fits(const EditPlan& plan, const Finding& finding) {
  for (const Edit& edit : finding.fix.edits) {
    auto file = plan.files.find(real_path(edit.file));
    if (file == plan.files.end()) continue;
    for (const Edit& made : file->second.edits)
      if (clash(made, edit)) return false;
  }
  return true;
}

// A symbolic link may lead into a folder of downloaded projects, or out of it, so both paths are tested.
bool is_fetched(const FindingsDocument& document, const Finding& finding) {
  return std::any_of(finding.fix.edits.begin(), finding.fix.edits.end(), [&](const Edit& edit) {
    return document.fetched.count(edit.file) != 0 || is_below_fetched(edit.file) ||
           is_below_fetched(real_path(edit.file));
  });
}

void take(EditPlan& plan, const Finding& finding) {
  for (const Edit& edit : finding.fix.edits) {
    FilePlan& file = plan.files.try_emplace(real_path(edit.file), FilePlan{edit.file, {}}).first->second;
    auto equal = [&](const Edit& made) { return same_edit(made, edit); };
    if (std::none_of(file.edits.begin(), file.edits.end(), equal)) file.edits.push_back(edit);
  }
}

using Place = std::tuple<std::string, std::string, unsigned, unsigned>;

Place place_of(const Finding& finding) {
  return {finding.rule, finding.location.file, finding.location.line, finding.location.column};
}

bool only_deletes(const Finding& finding) {
  return std::all_of(finding.fix.edits.begin(), finding.fix.edits.end(),
                     [](const Edit& edit) { return edit.replacement.empty() || edit.replacement == "{}"; });
}

// Findings of other rules about code that a fix deletes disappear with it.
void drop_deleted(EditPlan& plan) {
  auto place = [](const Finding& finding) {
    return std::tie(finding.location.file, finding.location.line, finding.location.column);
  };
  std::vector<const Finding*> deleted = plan.fixed;
  std::erase_if(deleted, [](const Finding* finding) { return finding->location.line == 0 || !only_deletes(*finding); });
  std::erase_if(plan.by_hand, [&](const Finding* finding) {
    return std::any_of(deleted.begin(), deleted.end(),
                       [&](const Finding* gone) { return place(*gone) == place(*finding); });
  });
}

}  // namespace

EditPlan plan_edits(const FindingsDocument& document) {
  EditPlan plan;
  // An edit affects all callers of a place. If a comment allows a finding for one of the callers, nothing is changed
  // there.
  std::set<Place> allowed, planned;
  for (const Finding& finding : document.findings)
    if (finding.allowed && !finding.calls.empty()) allowed.insert(place_of(finding));
  for (const Finding& finding : document.findings) {
    if (finding.allowed) continue;
    if (finding.hot_call.line != 0 && !planned.insert(place_of(finding)).second)
      continue;  // already counted for another caller
    if (!finding.fix.edits.empty() && allowed.count(place_of(finding)) != 0) continue;
    if (finding.fix.tier != FixTier::kSafe || finding.fix.edits.empty()) {
      plan.by_hand.push_back(&finding);
    } else if (is_fetched(document, finding)) {
      plan.fetched.push_back(&finding);
    } else if (!fits(plan, finding)) {
      plan.clashing.push_back(&finding);
    } else {
      take(plan, finding);
      plan.fixed.push_back(&finding);
    }
  }
  drop_deleted(plan);
  for (auto& [path, file] : plan.files)
    std::sort(file.edits.begin(), file.edits.end(),
              [](const Edit& a, const Edit& b) { return std::tie(a.offset, a.length) < std::tie(b.offset, b.length); });
  return plan;
}

unsigned edit_count(const EditPlan& plan) {
  size_t count = 0;
  for (const auto& [path, file] : plan.files) count += file.edits.size();
  return static_cast<unsigned>(count);
}

}  // namespace syncsniff::fixes
