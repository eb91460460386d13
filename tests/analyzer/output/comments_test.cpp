#include "analyzer/output/comments.h"

#include <gtest/gtest.h>

namespace syncsniff::output {
namespace {

struct CommentCase {
  const char* name;
  std::string text;
  std::vector<std::string> comments;  // an alone one is marked with a leading '!'
};

void PrintTo(const CommentCase& c, std::ostream* out) { *out << c.name; }

class Comments : public testing::TestWithParam<CommentCase> {};

TEST_P(Comments, AreFound) {
  const CommentCase& c = GetParam();
  std::vector<std::string> found;
  for (const Comment& comment : find_comments(c.text))
    found.push_back((comment.alone ? "!" : "") + c.text.substr(comment.offset, comment.length));
  EXPECT_EQ(found, c.comments);
}

INSTANTIATE_TEST_SUITE_P(
    Lexer, Comments,
    testing::Values(CommentCase{"Line", "a; // one\n  // two\n", {"// one", "!// two"}},
                    CommentCase{"LineCrlf", "a; // one\r\n// two\r\n", {"// one", "!// two"}},
                    CommentCase{"LineAtEnd", "// end", {"!// end"}},
                    CommentCase{"Block", "/* a */ b /* c\n d */\n/* e */\n", {"/* a */", "/* c\n d */", "!/* e */"}},
                    CommentCase{"BlockThenLine", "/* a */ // b\n", {"!/* a */", "!// b"}},
                    CommentCase{"BlockBeforeCode", "/* a\n b */ x;\n", {"/* a\n b */"}},
                    CommentCase{"BlockUnterminated", "x /* a\n", {"/* a\n"}},
                    CommentCase{"BlockSlashStarSlash", "/*/ a */ b", {"/*/ a */"}},
                    CommentCase{"String", R"(s = "// no"; // yes)", {"// yes"}},
                    CommentCase{"StringEscape", R"(s = "a\"// no"; // yes)", {"// yes"}},
                    CommentCase{"StringBackslashes", R"(s = "\\"; // yes)", {"// yes"}},
                    CommentCase{"StringSplice", "s = \"a\\\n// no\"; // yes", {"// yes"}},
                    CommentCase{"StringUnterminated", "s = \"a\n// yes\n", {"!// yes"}},
                    CommentCase{"Raw", "s = R\"(// no \" )\"; // yes", {"// yes"}},
                    CommentCase{"RawDelimiter", "s = u8R\"x(// )\" no\n)x\"; // yes", {"// yes"}},
                    CommentCase{"RawNotAPrefix", "fooR\"(// no\"; // yes", {"// yes"}},
                    CommentCase{"Char", R"(c = '"'; // yes)", {"// yes"}},
                    CommentCase{"CharEscape", R"(c = '\''; d = '"'; // yes)", {"// yes"}},
                    CommentCase{"DigitSeparator", "n = 1'000'000; // yes 'x\n", {"// yes 'x"}},
                    CommentCase{"HexSeparator", "n = 0xFF'AAu; // yes\n", {"// yes"}},
                    CommentCase{"PrefixedChar", "c = L'\"'; // yes\n", {"// yes"}},
                    CommentCase{"Include", "#include <a//b.h>\n# include <c/*.h> // yes\n", {"// yes"}},
                    CommentCase{"IncludeQuoted", "#include \"a//b.h\" // yes\n", {"// yes"}},
                    CommentCase{"Error", "#error don't\n// yes\n", {"!// yes"}},
                    CommentCase{"LineSplice", "// one \\\n still one\nx // two", {"!// one \\\n still one", "// two"}},
                    CommentCase{"LineSpliceCrlf", "// one \\\r\n still one\r\nx", {"!// one \\\r\n still one"}},
                    CommentCase{"Division", "a = b / c; d = e /f/ g; // yes", {"// yes"}},
                    CommentCase{"Empty", "", {}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace syncsniff::output
