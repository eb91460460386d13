// JSON of file names: names are bytes in any encoding, and JSON is UTF-8 alone. What is no UTF-8 travels through the
// JSON reader as characters of the last private area, of which a name holds none.
#pragma once

#include <string>
#include <string_view>

namespace syncsniff::frontend {

// `text` as a JSON reader takes it. Bytes that are no UTF-8 are kept for bytes_from_json, and so are the bytes that
// Python writes as \udc80 to \udcff (its surrogateescape). Any other half of a surrogate pair is marked.
std::string json_of_bytes(std::string_view text);

// The bytes that a string of such a JSON stands for. False: it holds a marked half of a pair, which stands for none.
bool bytes_from_json(std::string_view text, std::string& bytes);

}  // namespace syncsniff::frontend
