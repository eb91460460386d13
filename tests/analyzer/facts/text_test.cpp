// Interned texts: one text is one address, whoever makes it.
#include "analyzer/facts/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "analyzer/facts/archive.h"

namespace syncsniff::facts {
namespace {

TEST(Text, OneTextIsOneAddress) {
  const Text a("v:count"), b(std::string("v:") + "count");
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.address(), b.address());
  EXPECT_NE(a, Text("v:counts"));
  EXPECT_EQ(a, "v:count");
  EXPECT_EQ(std::string("v:count"), a);
  EXPECT_TRUE(Text("").empty());
  EXPECT_EQ(Text(""), Text());
}

TEST(Text, TheOrderIsThatOfTheCharacters) {
  std::vector<Text> texts{"b", "a", "", "ab"};
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (std::vector<Text>{"", "a", "ab", "b"}));
}

TEST(Text, ThreadsThatMakeTheSameTextsGetTheSame) {
  constexpr int kTexts = 20'000;
  std::vector<std::vector<Text>> made(4);
  std::vector<std::thread> threads;
  for (std::vector<Text>& own : made)
    threads.emplace_back([&own] {
      for (int i = 0; i < kTexts; ++i) own.push_back("a text that is no other's " + std::to_string(i));
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Text>& own : made) {
    ASSERT_EQ(own, made.front());
    for (int i = 0; i < kTexts; ++i) ASSERT_EQ(own[i], "a text that is no other's " + std::to_string(i));
  }
}

TEST(Text, AnArchiveHasEachOnceAndRefusesNumbersOfNone) {
  std::vector<Text> texts(1000, "a long text that stands a thousand times"), again;
  ByteWriter writer;
  writer(texts);
  std::string bytes = writer.bytes();
  EXPECT_LT(bytes.size(), 5000u);
  ByteReader reader(bytes);
  reader(again);
  EXPECT_TRUE(reader.ok() && reader.at_end());
  EXPECT_EQ(again, texts);
  bytes.back() = '\7';
  ByteReader refused(bytes);
  refused(again);
  EXPECT_FALSE(refused.ok());
}

}  // namespace
}  // namespace syncsniff::facts
