// What becomes of text that others wrote: each kind of it, and the findings' JSON with it in every field.
#include "rules/untrusted_text.h"

#include <gtest/gtest.h>

#include "tests/hostile_text.h"
#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

TEST(UntrustedText, TheCheckOfTheTestsSeesEachKind) {
  for (const char* text : {"\x1b[1m", "a\tb", "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x80\xa8",
                           "\xff", "a\n::error::x", "a\n  ::error::x", "\xc2\xa0::x", "a ##[error]", "a ##vso[x]"})
    EXPECT_NE(test::unfit(text), "") << text;
  EXPECT_EQ(test::unfit("std::cout\n  a::b # [x] ::\n\xc3\xa9\n"), "");
  EXPECT_EQ(test::unfit("\x1b[1;35mwarning:\x1b[0m", test::Form::kColoured), "");
  EXPECT_NE(test::unfit("\x1b[41mwarning:\x1b[0m", test::Form::kColoured), "");
  EXPECT_EQ(test::unfit("::error file=a.cu::x", test::Form::kGithub), "");
  EXPECT_NE(test::unfit("::error::x", test::Form::kGithub), "");
}

TEST(UntrustedText, EachKindHasItsEscape) {
  EXPECT_EQ(printable("a\x1b[2J\nb\tc\rd"), "a\\x1b[2J\\nb\\tc\\rd");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\x9b \xc2\x9b"), "\\x9b \\u009b") << "a byte, and a character";
  EXPECT_EQ(printable("\xe2\x80\xae \xe2\x81\xa6 \xe2\x80\xa9"), "\\u202e \\u2066 \\u2029");
  EXPECT_EQ(printable("\xff\xc0\xaf\xed\xa0\x80"), "\\xff\\xc0\\xaf\\xed\\xa0\\x80");
  EXPECT_EQ(printable("##[error] ###vso[x] ##VSO[y]"), "\\x23#[error] #\\x23#vso[x] \\x23#VSO[y]");
}

TEST(UntrustedText, WhatIsFitStaysAndNothingIsEscapedTwice) {
  const std::string fit =
      "C:\\x \"d\xc3\xa9j\xc3\xa0\" \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80 a::b ## x[1] #[derive]";
  EXPECT_EQ(printable(fit), fit);
  for (const std::string& text : test::hostile_texts()) {
    EXPECT_EQ(printable(printable(text)), printable(text));
    EXPECT_EQ(guard_lines(guard_lines(text)), guard_lines(text));
    EXPECT_EQ(test::unfit(guard_lines(printable(text))), "");
    EXPECT_EQ(test::unfit(guard_lines(printable_lines(text))), "");
  }
}

TEST(UntrustedText, LinesMayNotBeginWithACommand) {
  EXPECT_EQ(printable_lines("a\n::error::b\x1b"), "a\n::error::b\\x1b");
  EXPECT_EQ(guard_lines("::a\nb::c\n  ::d\n"), "\\x3a:a\nb::c\n  \\x3a:d\n");
  EXPECT_EQ(guard_lines("\x1b[1m::error::x\x1b[0m"), "\x1b[1m\\x3a:error::x\x1b[0m") << "a colour is not seen";
  EXPECT_EQ(guard_lines("a #"
                        "#[error]"),
            "a \\x23#[error]");
}

TEST(UntrustedText, ColumnsAreThoseOfWhatIsPrinted) {
  EXPECT_EQ(columns_of("d\xc3\xa9j\xc3\xa0"), 4u);
  EXPECT_EQ(columns_of("\xe6\x97\xa5\xe6\x9c\xac"), 4u);
  EXPECT_EQ(columns_of("e\xcc\x81"), 1u);
  EXPECT_EQ(columns_of("ฝึก"), 2u) << "Thai: a vowel above the consonant";
  EXPECT_EQ(columns_of("हिन्दी"), 5u) << "Devanagari: vowel signs that stand beside count, a virama does not";
  EXPECT_EQ(columns_of("تَدرِيب"), 5u) << "Arabic with two vowel points";
  EXPECT_EQ(columns_of("אִמּוּן"), 4u) << "Hebrew with three points";
  EXPECT_EQ(columns_of("обучение"), 8u);
  EXPECT_EQ(columns_of("학습"), 4u);
  EXPECT_EQ(columns_of("\u1112\u1161\u11ab"), 2u) << "Hangul written as letters is one character";
  EXPECT_EQ(columns_of("ﾊﾝｶｸ"), 4u) << "half-width";
  EXPECT_EQ(columns_of("⚡🚀"), 4u);
  EXPECT_EQ(columns_of("\U000e0100"), 0u);
  EXPECT_EQ(tail_of("ฝึก", 1), "ก") << "no mark without its character";
  EXPECT_EQ(columns_of("a\x1b"), 5u) << "as escaped";
  EXPECT_EQ(head_of("\xe6\x97\xa5\xe6\x9c\xac", 3), "\xe6\x97\xa5") << "half a character is none";
  EXPECT_EQ(tail_of("\xe6\x97\xa5\xe6\x9c\xac", 3), "\xe6\x9c\xac");
  EXPECT_EQ(head_of("ab", 5), "ab");
  EXPECT_EQ(tail_of("ab", 5), "ab");
}

TEST(UntrustedText, FindingsInJsonMeanWhatTheyMeant) {
  const test::Scratch scratch;
  for (const std::string& word : test::hostile_texts()) {
    FindingsDocument document;
    document.findings.push_back(test::hostile_finding(word));
    document.findings[0].allowed = true;
    document.findings[0].allowed_because = word;
    document.findings[0].fix.edits = {{word, 1, 2, word}};
    document.units = {{word, "failed", word}};
    const std::string json = write_findings_json(document);
    EXPECT_EQ(test::unfit(json), "");
    const FindingsDocument again = read_findings_json(scratch.write("f.json", json));
    // Bytes that are no UTF-8 become U+FFFD; all else comes back.
    if (test::unfit(word).rfind("no UTF-8", 0) == 0) continue;
    EXPECT_EQ(again.findings.at(0).message, word);
    EXPECT_EQ(again.findings[0].location.file, word);
    EXPECT_EQ(again.findings[0].allowed_because, word);
    EXPECT_EQ(again.units.at(0).why, word);
  }
}

}  // namespace
}  // namespace syncsniff
