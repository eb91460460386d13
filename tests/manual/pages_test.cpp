// Man pages and completions of a small table.
#include <gtest/gtest.h>

#include "manual/completions.h"
#include "manual/roff.h"

namespace syncsniff::manual {
namespace {

std::vector<CommandPage> pages() {
  return {{"", {"syncsniff COMMAND"}, "Finds waits.", "find waits", {{{"--version"}, "", "print the version", {}}}},
          {"run",
           {"syncsniff run [options] COMMAND"},
           ".starts like a request\n'and so does this, with a \\ in it",
           "run a program",
           {{{"-o", "--output"}, "FILE", "it's where to write", {}},
            {{"--format"}, "WORD", "form; of the report", {"text", "json"}},
            {{"--diff"}, "[=REV]", "since when", {}}}}};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ManPage, NamesEverything) {
  const std::string page = man_page(pages()[1], pages(), "1.2.3");
  EXPECT_EQ(man_name(pages()[1]), "syncsniff-run.1");
  EXPECT_EQ(page.rfind(".TH syncsniff-run 1 \"\" \"syncsniff 1.2.3\"", 0), 0u);
  EXPECT_TRUE(has(page, "syncsniff\\-run \\- run a program\n")) << page;
  EXPECT_TRUE(has(page, ".TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR FILE\n")) << page;
  EXPECT_TRUE(has(page, "\\fB\\-\\-diff\\fR[=REV]\n")) << page;
  EXPECT_TRUE(has(page, "\\fBsyncsniff\\fR(1)")) << page;
  EXPECT_TRUE(has(man_page(pages()[0], pages(), "1"), ".SH COMMANDS\n.TP\n\\fBrun\\fR\nrun a program\n"));
}

TEST(ManPage, NoTextBecomesARequest) {
  const std::string page = man_page(pages()[1], pages(), "1.2.3");
  EXPECT_TRUE(has(page, "\n\\&.starts like a request\n")) << page;
  EXPECT_TRUE(has(page, "\n\\&\\(aqand so does this, with a \\e in it\n")) << page;
}

TEST(Completions, KnowCommandsOptionsAndChoices) {
  for (const std::string& text : {bash_completion(pages()), zsh_completion(pages()), fish_completion(pages())}) {
    EXPECT_TRUE(has(text, "run")) << text;
    EXPECT_TRUE(has(text, "output")) << text;
    EXPECT_TRUE(has(text, "text json")) << text;
  }
  EXPECT_TRUE(has(bash_completion(pages()), "compgen -c -f"));  // a program follows
  EXPECT_TRUE(has(zsh_completion(pages()), "'--diff=-[since when]::value:'"));
  EXPECT_TRUE(has(zsh_completion(pages()), "'--output=[it'\\''s where to write]:value:_files'"));
  EXPECT_TRUE(has(fish_completion(pages()), "-l format -x -a 'text json' -d 'form'"));
}

}  // namespace
}  // namespace syncsniff::manual
