// List against what std::vector does.
#include "analyzer/facts/list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace syncsniff::facts {
namespace {

using Texts = std::vector<std::string>;

Texts vector_of(const List<std::string>& list) { return list; }

struct Tree {
  int value = 0;
  List<Tree> children;  // of a type that is not complete here
};

TEST(List, TakesTheRoomOfAPointerAndHoldsNothingAtFirst) {
  const List<std::string> list;
  EXPECT_EQ(sizeof list, sizeof(void*));
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.begin(), list.end());
}

TEST(List, GrowsWhileItsOwnElementIsAdded) {
  List<std::string> list{"an element that is longer than a string keeps within itself"};
  for (int i = 0; i < 100; ++i) list.push_back(list.front());
  EXPECT_EQ(list.size(), 101u);
  EXPECT_EQ(list.back(), list.front());
}

TEST(List, InsertsAndErasesAsVectorDoes) {
  Texts expected{"a", "b", "c", "d"};
  List<std::string> list(expected);
  const Texts more{"x", "y"};
  expected.insert(expected.begin() + 1, more.begin(), more.end());
  list.insert(list.begin() + 1, more.begin(), more.end());
  EXPECT_EQ(vector_of(list), expected);
  expected.insert(expected.begin(), "z");
  list.insert(list.begin(), "z");
  EXPECT_EQ(vector_of(list), expected);
  expected.erase(expected.begin() + 2, expected.begin() + 4);
  list.erase(list.begin() + 2, list.begin() + 4);
  EXPECT_EQ(vector_of(list), expected);
  EXPECT_EQ(erase_if(list, [](const std::string& text) { return text == "a"; }), 1u);
  std::erase(expected, "a");
  EXPECT_EQ(vector_of(list), expected);
  list.resize(1);
  EXPECT_EQ(vector_of(list), Texts{"z"});
  list.assign(2, "w");
  EXPECT_EQ(vector_of(list), (Texts{"w", "w"}));
}

TEST(List, CopiesAreItsOwnAndMovesLeaveNothing) {
  List<std::string> list{"a", "b"};
  List<std::string> copy = list;
  copy[0] = "c";
  EXPECT_EQ(vector_of(list), (Texts{"a", "b"}));
  list = copy;
  EXPECT_EQ(list, copy);
  const List<std::string> moved = std::move(copy);
  EXPECT_EQ(moved, list);
  EXPECT_TRUE(copy.empty());
}

TEST(List, HoldsElementsOfItsOwnKind) {
  Tree tree;
  tree.children.emplace_back().value = 1;
  tree.children.front().children.emplace_back().value = 2;
  Tree other = tree;
  other.children.front().children.front().value = 3;
  EXPECT_EQ(tree.children.front().children.front().value, 2);
  tree = Tree(tree.children.front());  // from a part of itself
  EXPECT_EQ(tree.children.front().value, 2);
}

}  // namespace
}  // namespace syncsniff::facts
