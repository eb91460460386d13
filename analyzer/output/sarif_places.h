// Places as SARIF 2.1.0 wants them: percent-encoded URIs below SRCROOT, columns in UTF-16 code units.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "analyzer/output/source_text.h"
#include "rules/finding.h"

namespace syncsniff::output {

using Json = nlohmann::ordered_json;

// RFC 3986 path: everything but unreserved characters and `/` is percent-encoded.
std::string encode_path(const std::string& path);

// Below the root: relative, with uriBaseId SRCROOT. Elsewhere: a file URI.
Json artifact_location(const std::string& file, const SourceCache& sources);

// nullopt where no line is known.
std::optional<Json> region(const Location& location, SourceCache& sources);

Json physical_location(const Location& location, SourceCache& sources);

// The bytes [offset, offset + length) as lines and columns; nullopt when the file has no such bytes.
std::optional<Json> byte_region(const SourceText& source, size_t offset, size_t length);

}  // namespace syncsniff::output
