// Places in the form of SARIF 2.1.0: percent-encoded URIs below SRCROOT, columns in UTF-16 code units.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "analyzer/output/source_text.h"
#include "rules/finding.h"

namespace syncsniff::output {

using Json = nlohmann::ordered_json;

// An RFC 3986 path: all characters but unreserved ones and `/` are percent-encoded.
std::string encode_path(const std::string& path);

// A relative path with uriBaseId SRCROOT below the root; a file URI elsewhere.
Json artifact_location(const std::string& file, const SourceCache& sources);

// nullopt if the line is unknown.
std::optional<Json> region(const Location& location, SourceCache& sources);

Json physical_location(const Location& location, SourceCache& sources);

// The bytes [offset, offset + length) as lines and columns; nullopt if they are not in the file.
std::optional<Json> byte_region(const SourceText& source, size_t offset, size_t length);

}  // namespace syncsniff::output
