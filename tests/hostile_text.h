// Strings that nobody should be able to say to a terminal or a CI service through our output, and a check of that
// output. Every writer of both halves is fed all of them in every field it prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rules/finding.h"

namespace syncsniff::test {

inline const std::vector<std::string>& hostile_texts() {
  using namespace std::string_literals;
  static const std::vector<std::string> texts{
      "\x1b[41mred\x1b[7m",             // colours that we never use
      "\x1b]0;title\x07",               // the window's title
      "\x1b]8;;http://evil\x1b\\link",  // a link
      "\x1bP1$r0m\x1b\\\x1b_x\x1b\\",   // other strings that terminals take
      "\x9b\x34\x31m raw",              // CSI as one byte
      "\xc2\x9b\x34\x31m \xc2\x85 x",   // CSI and NEL as UTF-8
      "bell\x07 back\b\b\b del\x7f form\f vertical\v",
      "nul\0byte"s,
      "two\nlines",
      "two\r\nlines\rthree",
      "new\n::error::x",
      "::error::first",
      "::stop-commands::token",
      "  ::error::behind blanks",
      "\t::error::behind a tab",
      "\xc2\xa0\xe3\x80\x80::error::behind wide blanks",
      "\r::warning file=a.cu::x",
      "##[error]old",
      "text ##[group]anywhere",
      "text ##vso[task.complete result=Failed;]done",
      "##VSO[task.x]",
      "\xe2\x80\xae"
      "evil\xe2\x80\xac",  // U+202E, U+202C
      "\xe2\x81\xa6"
      "isolate\xe2\x81\xa9",
      "a\xe2\x80\xa8::error::b\xe2\x80\xa9::error::c",                 // line and paragraph separators
      "\xff\xfe\x80 \xc0\xaf \xed\xa0\x80 \xf5\x80\x80\x80 \xe2\x80",  // no UTF-8: lone, overlong, surrogate, cut off
      "%0A::error::percent %1B",
      "quote \" back \\ <b>&amp;</script>",
      // Wherever a line of the report is broken, the next one begins with a command.
      "w ::error::a ::error::b ::error::c ::error::d ::error::e ::error::f ::error::g ::error::h ::error::i ::error::j "
      "::error::k ::error::l ::error::m ::error::n ::error::o ::error::p ::error::q ::error::r ::error::s ::error::t",
      std::string(300, '\xe2') + "::error::",
      "fine: d\xc3\xa9j\xc3\xa0 \xe6\x97\xa5\xe6\x9c\xac a::b",
  };
  return texts;
}

// `word` in place of a text in every field that holds one.
inline Finding hostile_finding(const std::string& word) {
  const Location at{word, 1, 1, 1, 4}, elsewhere{"other" + word, 1, 1, 1, 2};
  Finding finding;
  finding.rule = word;
  finding.message = word;
  finding.location = finding.release = finding.scope = finding.wait = at;
  finding.function = word;
  const PathStep here{at, word}, next{elsewhere, word};
  finding.path = {here, next};
  finding.evidence = {here};
  finding.fix = {FixTier::kSuggested, word, {}};
  finding.fingerprint = word;
  return finding;
}

enum class Form { kText, kColoured, kGithub };

inline std::string without_own_colours(std::string text) {
  for (const char* code : {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1;32m",
                           "\x1b[1;34m", "\x1b[1;35m", "\x1b[1;36m"})
    for (size_t at; (at = text.find(code)) != std::string::npos;) text.erase(at, std::string_view(code).size());
  return text;
}

inline bool is_own_command(std::string_view line) {
  for (std::string_view begin : {"::warning file=", "::error file=", "::notice file="})
    if (line.substr(0, begin.size()) == begin) return true;
  return false;
}

// What a GitHub or Azure runner would obey in this line; both trim it first, by what Unicode calls blank.
inline std::string command_in(std::string_view line, Form form) {
  for (bool again = true; again;) {
    again = false;
    for (std::string_view blank : {" ", "\t", "\xc2\xa0", "\xe3\x80\x80"})
      if (line.substr(0, blank.size()) == blank) line.remove_prefix(blank.size()), again = true;
  }
  const bool own = form == Form::kGithub && is_own_command(line);
  if (line.substr(0, 2) == "::" && !own) return "a line begins with ::";
  for (const char* mark : {"##[", "##vso[", "##VSO["})
    if (line.find(mark) != std::string_view::npos) return std::string(mark) + " stands in a line";
  return "";
}

// Empty when `output` is fit to print; else what is wrong and in which line.
inline std::string unfit(const std::string& output, Form form = Form::kText) {
  const std::string text = form == Form::kColoured ? without_own_colours(output) : output;
  try {
    (void)nlohmann::json(text).dump();  // throws at what is no UTF-8
  } catch (const nlohmann::json::exception&) {
    return "no UTF-8: " + text;
  }
  for (unsigned char c : text)
    if ((c < 0x20 && c != '\n') || c == 0x7f) return "control byte " + std::to_string(c) + ": " + text;
  for (size_t at = 0; at + 1 < text.size(); ++at) {
    auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0; };
    if (byte(0) == 0xc2 && byte(1) < 0xa0) return "C1: " + text;
    if (byte(0) == 0xe2 && byte(1) == 0x80 && byte(2) >= 0xa8 && byte(2) <= 0xae) return "separator or bidi: " + text;
    if (byte(0) == 0xe2 && byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9) return "bidi: " + text;
  }
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (std::string problem = command_in(line, form); !problem.empty()) return problem + ": " + std::string(line);
    at = end + 1;
  }
  return "";
}

}  // namespace syncsniff::test
