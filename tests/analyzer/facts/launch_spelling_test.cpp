// Launches with their brackets apart, as nvcc takes them.
#include "analyzer/facts/launch_spelling.h"

#include <gtest/gtest.h>

namespace syncsniff::facts {
namespace {

std::string joined(const std::string& text) {
  std::string out;
  return join_launch_brackets(text, out) ? out : text;
}

TEST(LaunchSpelling, BracketsOfLaunchesAreJoined) {
  EXPECT_EQ(joined("k << <1, 32 >> > (p);"), "k <<< 1, 32 >>>  (p);");
  EXPECT_EQ(joined("k<< <1, 32>> >(p);"), "k<<< 1, 32>>> (p);");
  EXPECT_EQ(joined("k<<<1, 32>> >(p);"), "k<<<1, 32>>> (p);");
  EXPECT_EQ(joined("k << < 1, 32>>>(p);"), "k <<<  1, 32>>>(p);");
  EXPECT_EQ(joined("k<T> <<\t<dim3(n >> 5), n > 3 ? 1 : 2 >>\t> (p);"),
            "k<T> <<< dim3(n >> 5), n > 3 ? 1 : 2 >>>  (p);");
  EXPECT_EQ(joined("a << <1, 2 >> > (p); b << <3, 4 >> > (q);"), "a <<< 1, 2 >>>  (p); b <<< 3, 4 >>>  (q);");
}

TEST(LaunchSpelling, EverythingElseStays) {
  for (const char* text :
       {"k<<<1, 32>>>(p);", "out << x; in >> y;", "friend O& operator<< <T>(O&, const V<T>&);", "a < b; c << d < e;",
        "std::vector<std::vector<std::vector<int>> > v;", "b = n >> 2 > 1;", "operator << <char>(o, c);", "<<", ""}) {
    std::string out;
    EXPECT_FALSE(join_launch_brackets(text, out)) << text << " -> " << out;
  }
}

TEST(LaunchSpelling, NoByteMovesToAnotherLine) {
  const std::string text = "// a\nk << <1,\n  32 >> > (p);\nnext();\n", out = joined(text);
  ASSERT_EQ(out.size(), text.size());
  for (size_t i = 0; i < text.size(); ++i) EXPECT_EQ(out[i] == '\n', text[i] == '\n') << i;
  EXPECT_EQ(out.find("next"), text.find("next"));
}

}  // namespace
}  // namespace syncsniff::facts
