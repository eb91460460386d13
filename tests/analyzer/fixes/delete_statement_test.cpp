#include "analyzer/fixes/delete_statement.h"

#include <gtest/gtest.h>

#include "analyzer/fixes/apply_edits.h"

namespace syncsniff::fixes {
namespace {

struct Case {
  const char* name;
  std::string before;  // the statement stands between @ and @
  std::string after;
  bool sole_body = false;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class DeleteStatement : public testing::TestWithParam<Case> {};

TEST_P(DeleteStatement, LeavesTheRestRight) {
  const Case& c = GetParam();
  size_t begin = c.before.find('@'), end = c.before.find('@', begin + 1);
  std::string text = c.before.substr(0, begin) + c.before.substr(begin + 1, end - begin - 1) + c.before.substr(end + 1);
  Edit edit =
      delete_statement("f", text, static_cast<unsigned>(begin), static_cast<unsigned>(end - begin - 1), c.sole_body);
  EXPECT_EQ(edit.file, "f");
  EXPECT_EQ(apply_edits(text, {edit}), c.after);
}

INSTANTIATE_TEST_SUITE_P(
    Table, DeleteStatement,
    testing::Values(
        Case{"AloneOnItsLine", "a;\n  @s();@\nb;\n", "a;\nb;\n"}, Case{"Tabs", "a;\n\t@s();@ \t\nb;\n", "a;\nb;\n"},
        Case{"Crlf", "a;\r\n  @s();@\r\nb;\r\n", "a;\r\nb;\r\n"}, Case{"FirstLine", "@s();@\nb;\n", "b;\n"},
        Case{"LastLineWithoutNewline", "a;\n  @s();@", "a;\n"},
        Case{"OverLines", "a;\n  @s(x,\n    y);@\nb;\n", "a;\nb;\n"},
        Case{"TrailingComment", "a;\n  @s();@  // why\nb;\n", "a;\nb;\n"},
        Case{"TrailingBlockComment", "a;\n  @s();@  /* why */ // more\nb;\n", "a;\nb;\n"},
        Case{"CommentThatGoesOn", "a;\n  @s();@  /* why\n and */ b;\n", "a;\n  /* why\n and */ b;\n"},
        Case{"LineCommentThatGoesOn", "a;\n  @s();@  // why \\\n and\nb;\n", "a;\n  // why \\\n and\nb;\n"},
        Case{"CodeBehind", "a;\n  @s();@ b();\n", "a;\n  b();\n"},
        Case{"CodeBehindAComment", "  @s();@ /* x */ b();\n", "  /* x */ b();\n"},
        Case{"CodeBefore", "  a(); @s();@\nb;\n", "  a();\nb;\n"},
        Case{"CodeBeforeAndComment", "  a(); @s();@  // why\n", "  a();  // why\n"},
        Case{"CodeAround", "a(); @s();@ b();\n", "a(); b();\n"},
        Case{"InBraces", "if (x) { @s();@ }\n", "if (x) { }\n"},
        Case{"SoleBodyOfIf", "if (x) @s();@\nb;\n", "if (x) {}\nb;\n", true},
        Case{"SoleBodyOnItsLine", "if (x)\n  @s();@  // why\nelse\n  b;\n", "if (x)\n  {}  // why\nelse\n  b;\n", true},
        Case{"Label", "out:\n  @s();@\n}\n", "out:\n  ;\n}\n"},
        Case{"CaseLabel", "case 1: @s();@ break;\n", "case 1: ; break;\n"},
        Case{"ScopeIsNoLabel", "a; ::@s();@\n", "a; ::\n"},
        Case{"MacroBody", "#define M \\\n  a(); \\\n  @s();@ \\\n  b();\n", "#define M \\\n  a(); \\\n  b();\n"},
        Case{"MacroEnd", "#define M \\\n  a(); \\\n  @s();@\nint x;\n", "#define M \\\n  a(); \\\n  \nint x;\n"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace syncsniff::fixes
