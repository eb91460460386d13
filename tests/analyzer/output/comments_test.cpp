#include "analyzer/output/comments.h"

#include <gtest/gtest.h>

namespace syncsniff::output {
namespace {

struct Case {
  const char* name;
  std::string text;
  std::vector<std::string> comments;  // an alone one is marked with a leading '!'
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Comments : public testing::TestWithParam<Case> {};

TEST_P(Comments, AreFound) {
  const Case& c = GetParam();
  std::vector<std::string> found;
  for (const Comment& comment : find_comments(c.text))
    found.push_back((comment.alone ? "!" : "") + c.text.substr(comment.offset, comment.length));
  EXPECT_EQ(found, c.comments);
}

INSTANTIATE_TEST_SUITE_P(
    Lexer, Comments,
    testing::Values(
        Case{"Line", "a; // one\n  // two\n", {"// one", "!// two"}},
        Case{"LineCrlf", "a; // one\r\n// two\r\n", {"// one", "!// two"}}, Case{"LineAtEnd", "// end", {"!// end"}},
        Case{"Block", "/* a */ b /* c\n d */\n/* e */\n", {"/* a */", "/* c\n d */", "!/* e */"}},
        Case{"BlockThenLine", "/* a */ // b\n", {"!/* a */", "!// b"}},
        Case{"BlockBeforeCode", "/* a\n b */ x;\n", {"/* a\n b */"}}, Case{"BlockUnterminated", "x /* a\n", {"/* a\n"}},
        Case{"BlockSlashStarSlash", "/*/ a */ b", {"/*/ a */"}}, Case{"String", R"(s = "// no"; // yes)", {"// yes"}},
        Case{"StringEscape", R"(s = "a\"// no"; // yes)", {"// yes"}},
        Case{"StringBackslashes", R"(s = "\\"; // yes)", {"// yes"}},
        Case{"StringSplice", "s = \"a\\\n// no\"; // yes", {"// yes"}},
        Case{"StringUnterminated", "s = \"a\n// yes\n", {"!// yes"}},
        Case{"Raw", "s = R\"(// no \" )\"; // yes", {"// yes"}},
        Case{"RawDelimiter", "s = u8R\"x(// )\" no\n)x\"; // yes", {"// yes"}},
        Case{"RawNotAPrefix", "fooR\"(// no\"; // yes", {"// yes"}}, Case{"Char", R"(c = '"'; // yes)", {"// yes"}},
        Case{"CharEscape", R"(c = '\''; d = '"'; // yes)", {"// yes"}},
        Case{"DigitSeparator", "n = 1'000'000; // yes 'x\n", {"// yes 'x"}},
        Case{"HexSeparator", "n = 0xFF'AAu; // yes\n", {"// yes"}},
        Case{"PrefixedChar", "c = L'\"'; // yes\n", {"// yes"}},
        Case{"Include", "#include <a//b.h>\n# include <c/*.h> // yes\n", {"// yes"}},
        Case{"IncludeQuoted", "#include \"a//b.h\" // yes\n", {"// yes"}},
        Case{"Error", "#error don't\n// yes\n", {"!// yes"}},
        Case{"LineSplice", "// one \\\n still one\nx // two", {"!// one \\\n still one", "// two"}},
        Case{"LineSpliceCrlf", "// one \\\r\n still one\r\nx", {"!// one \\\r\n still one"}},
        Case{"Division", "a = b / c; d = e /f/ g; // yes", {"// yes"}}, Case{"Empty", "", {}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace syncsniff::output
