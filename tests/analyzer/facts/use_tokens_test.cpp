// What the uses of an undeclared name show it to be.
#include "analyzer/facts/use_tokens.h"

#include <gtest/gtest.h>

#include <string>

namespace syncsniff::facts {
namespace {

// As words, for each use of X in the source.
std::string kinds_of_x(const std::string& source) {
  const std::vector<UseToken> tokens = use_tokens(source);
  std::string kinds;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != "X") continue;
    UnknownName name;
    classify_use(name, tokens, i, i + 1);
    if (name.is_namespace) kinds += "namespace ";
    if (name.is_template) kinds += "template ";
    if (name.is_type) kinds += "type ";
    if (name.is_called) kinds += "called ";
    if (name.is_value) kinds += "value ";
  }
  if (!kinds.empty()) kinds.pop_back();
  return kinds;
}

TEST(UseTokens, SplitsSourceAndSkipsComments) {
  const std::string source = "a->b /* X */ << 3; // X\n\"X\"";
  const std::vector<UseToken> tokens = use_tokens(source);
  ASSERT_EQ(tokens.size(), 7u);
  EXPECT_EQ(tokens[1].text, "->");
  EXPECT_EQ(tokens[3].text, "<<");
  EXPECT_TRUE(tokens[2].is_name);
  EXPECT_FALSE(tokens[6].is_name);
}

TEST(UnknownNameUses, Types) {
  for (const char* source :
       {"X x;", "X x(1);", "const X& x = y;", "f(X* x)", "auto x = new X(3);", "X{1, 2};", "class A : public X {",
        "std::vector<X> all;", "std::map<int, X> all;", "(X*)pointer", "using X;", "f(X&& x)"})
    EXPECT_EQ(kinds_of_x(source), "type") << source;
}

TEST(UnknownNameUses, Templates) {
  for (const char* source : {"X<int> x;", "X<a, b<c>>& x = y;", "f(X<int>{})", "new X<int>(3);"})
    EXPECT_EQ(kinds_of_x(source), "template type") << source;
  EXPECT_EQ(kinds_of_x("auto x = X<int, 3>(y);"), "template called");
}

TEST(UnknownNameUses, ValuesAndCalls) {
  for (const char* source : {"f(X);", "int n = X;", "if (n < X) f();", "if (X < n) f();", "n = X * 3;", "f(a, X, b);",
                             "f(a, X > 3);", "case X:", "X->run();", "X.run();"})
    EXPECT_EQ(kinds_of_x(source), "value") << source;
  EXPECT_EQ(kinds_of_x("X(n) << 3;"), "called");
}

TEST(UnknownNameUses, Namespaces) {
  EXPECT_EQ(kinds_of_x("using namespace X;"), "namespace");
  EXPECT_EQ(kinds_of_x("namespace y = X;"), "namespace");
}

}  // namespace
}  // namespace syncsniff::facts
