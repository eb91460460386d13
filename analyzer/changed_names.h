// Names that a change of a header touches, such as that of a constant: units that mention one may mean something else
// now, though their own text is the same.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/cache.h"
#include "analyzer/source_texts.h"

namespace syncsniff {

// The names on lines that one text has and the other has not, comments apart. Words of C++ are none.
std::set<std::string> changed_names(const std::string& before, const std::string& now);

// Those of `names` that the text mentions.
std::set<std::string> mentioned_names(const std::string& text, const std::set<std::string>& names);

// What the file holds: a text that stands in for it, else what is on the disk; empty where there is neither.
std::string present_text(const std::string& file, const SourceTexts& now);

// Which of these units mention a name that is on a changed line of their headers, in what has not changed. A name that
// more than 16 of them mention is passed over, and so is what is beyond 32 units: at a commit nobody waits until all
// are read. `before`: the changed files as they were; `now`: texts that stand in for files.
std::set<size_t> units_that_mention_changes(const std::vector<facts::StaleUnit>& stale, const SourceTexts& before,
                                            const SourceTexts& now);

}  // namespace syncsniff
