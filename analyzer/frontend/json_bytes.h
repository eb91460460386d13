// JSON with file names: names are bytes in any encoding, but JSON must be UTF-8. Bytes that are not UTF-8 pass through
// the JSON reader as characters of the last private area, which names do not contain.
#pragma once

#include <string>
#include <string_view>

namespace syncsniff::frontend {

// `text` as a JSON reader accepts it. Bytes that are not UTF-8 are encoded for bytes_from_json, and so are bytes that
// Python writes as \udc80 to \udcff (its surrogateescape). Any other unpaired surrogate is marked.
std::string json_of_bytes(std::string_view text);

// Decodes a string of such a JSON into the original bytes. False: it contains a marked surrogate, which stands for no
// byte.
bool bytes_from_json(std::string_view text, std::string& bytes);

}  // namespace syncsniff::frontend
