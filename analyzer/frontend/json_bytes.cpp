#include "analyzer/frontend/json_bytes.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace syncsniff::frontend {
namespace {

// Encodings in the private area: U+10FF00 is an unpaired surrogate, U+10FF80 to U+10FFFF a byte. In UTF-8: F4 8F BC 80,
// and F4 8F, then BE or BF, then the byte's low six bits.
constexpr std::string_view kArea = "\xF4\x8F";
constexpr std::string_view kHalfPair = "\xF4\x8F\xBC\x80";

void put_byte(unsigned char byte, std::string& out) {
  out += kArea;
  out += static_cast<char>(0xBC | byte >> 6);
  out += static_cast<char>(0x80 | (byte & 0x3F));
}

// The UTF-8 characters that begin with a byte from `first` to `last`: their size, and the least and greatest second
// byte. Further bytes are 80 to BF. Overlong forms, surrogates and codes beyond U+10FFFF are left out.
struct Utf8Row {
  unsigned first, last, bytes, least, most;
};
constexpr Utf8Row kUtf8[] = {{0x00, 0x7F, 1, 0, 0},       {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
                             {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
                             {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F}};

// Size in bytes of the UTF-8 character at `at`; 0: not UTF-8.
size_t character_bytes(std::string_view text, size_t at) {
  const auto is_within = [&](size_t i, unsigned least, unsigned most) {
    if (i >= text.size()) return false;
    const unsigned byte = static_cast<unsigned char>(text[i]);
    return byte >= least && byte <= most;
  };
  for (const Utf8Row& row : kUtf8) {
    if (!is_within(at, row.first, row.last)) continue;
    if (row.bytes > 1 && !is_within(at + 1, row.least, row.most)) return 0;
    for (size_t i = 2; i < row.bytes; ++i)
      if (!is_within(at + i, 0x80, 0xBF)) return 0;
    return row.bytes;
  }
  return 0;
}

// Whether a character of the text is in our private area. Its bytes are encoded one by one, so that they are decoded
// unchanged.
bool is_ours(std::string_view text, size_t at) { return text.substr(at, 3) >= "\xF4\x8F\xBC" && text[at] == kArea[0]; }

// The code of `\uXXXX` at `at`; 0x10000: there is no such escape.
uint32_t escape_at(std::string_view text, size_t at) {
  constexpr uint32_t kNone = 0x10000;
  if (text.size() < at + 6 || text[at] != '\\' || text[at + 1] != 'u') return kNone;
  uint32_t code = 0;
  const char* const digits = text.data() + at + 2;
  const auto [end, error] = std::from_chars(digits, digits + 4, code, 16);
  return error == std::errc() && end == digits + 4 ? code : kNone;
}

bool is_high_half(uint32_t code) { return code >= 0xD800 && code <= 0xDBFF; }
bool is_low_half(uint32_t code) { return code >= 0xDC00 && code <= 0xDFFF; }

// Copies the escape that begins with the backslash at `at`; returns its size in the text in bytes.
size_t put_escape(std::string_view text, size_t at, std::string& out) {
  const uint32_t code = escape_at(text, at);
  size_t bytes = code > 0xFFFF ? 2 : 6;
  if (is_high_half(code) && is_low_half(escape_at(text, at + 6))) {
    bytes = 12;
    // Surrogate pairs of our private area, U+10FF00 on.
    if (code == 0xDBFF && escape_at(text, at + 6) >= 0xDF00) {
      out += kHalfPair;
      return bytes;
    }
  } else if (code >= 0xDC80 && code <= 0xDCFF) {
    put_byte(static_cast<unsigned char>(code & 0xFF), out);
    return bytes;
  } else if (is_high_half(code) || is_low_half(code)) {
    out += kHalfPair;
    return bytes;
  }
  out += text.substr(at, bytes);
  return bytes;
}

}  // namespace

std::string json_of_bytes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\\') {
      at += put_escape(text, at, out);
      continue;
    }
    const size_t bytes = character_bytes(text, at);
    if (bytes == 0 || is_ours(text, at)) {
      put_byte(static_cast<unsigned char>(text[at++]), out);
      continue;
    }
    out += text.substr(at, bytes);
    at += bytes;
  }
  return out;
}

bool bytes_from_json(std::string_view text, std::string& bytes) {
  bytes.clear();
  for (size_t at = 0; at < text.size();) {
    if (!is_ours(text, at)) {
      bytes += text[at++];
      continue;
    }
    if (text.substr(at, kHalfPair.size()) == kHalfPair) return false;
    bytes += static_cast<char>((text[at + 2] & 0x03) << 6 | (text[at + 3] & 0x3F));
    at += 4;
  }
  return true;
}

}  // namespace syncsniff::frontend
