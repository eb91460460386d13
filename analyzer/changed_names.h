// Names on lines that a change of a header touches, such as that of a constant: units that mention one may behave
// differently now, although their own text is the same.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/cache.h"
#include "analyzer/source_texts.h"

namespace syncsniff {

// The names on lines that only one of the texts has, without comments and without C++ keywords.
std::set<std::string> changed_names(const std::string& before, const std::string& now);

// Those of `names` that the text mentions.
std::set<std::string> mentioned_names(const std::string& text, const std::set<std::string>& names);

// The file's content: the text that replaces it, else what is on disk; empty if there is neither.
std::string present_text(const std::string& file, const SourceTexts& now);

// Which of these units mention, in code that has not changed, a name that is on a changed line of their headers. Names
// that more than 16 of them mention are ignored, and so are units beyond 32: at a commit the user does not wait until
// all are read. `before`: the changed files before the change; `now`: texts that replace files.
std::set<size_t> units_that_mention_changes(const std::vector<facts::StaleUnit>& stale, const SourceTexts& before,
                                            const SourceTexts& now);

}  // namespace syncsniff
