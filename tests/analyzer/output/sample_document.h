// A document with one of everything the formats show, over the files of inputs/.
#pragma once

#include <string>

#include "analyzer/output/source_text.h"
#include "rules/finding.h"

namespace syncsniff::output {

FindingsDocument sample_document();

// Sources below tests/analyzer/output/inputs.
SourceCache sample_sources();

// Compares with golden/<name>; SYNCSNIFF_UPDATE_GOLDEN=1 rewrites the file instead.
void expect_golden(const std::string& name, const std::string& actual);

}  // namespace syncsniff::output
