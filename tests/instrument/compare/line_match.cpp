// Lines of two versions of a program.
#include "instrument/compare/line_match.h"

#include <gtest/gtest.h>

#include <map>

#include "instrument/compare/file_match.h"
#include "instrument/compare/nearest_in_order.h"

namespace syncsniff::compare {
namespace {

LineId at(uint32_t line, const std::string& function, const std::string& what = "cudaMemcpy",
          const std::string& file = "/a/train.cu") {
  LineId id;
  id.place = {file, line, function, 0};
  id.what = what;
  return id;
}

LineId found(LineId id, const std::string& fingerprint) {
  id.fingerprint = fingerprint;
  return id;
}

// Line of a -> line of b; 0: none.
std::map<uint32_t, uint32_t> matched(const std::vector<LineId>& a, const std::vector<LineId>& b) {
  std::map<uint32_t, uint32_t> lines;
  for (const LinePair& pair : match_lines(a, b))
    if (pair.a != kNoLine) lines[a[pair.a].place.line] = pair.b == kNoLine ? 0 : b[pair.b].place.line;
  return lines;
}

using Lines = std::map<uint32_t, uint32_t>;

TEST(LineMatch, LinesThatMovedTogetherMatchInOrder) {
  const Lines lines = matched({at(10, "f"), at(20, "f"), at(30, "f")}, {at(17, "f"), at(27, "f"), at(37, "f")});
  EXPECT_EQ(lines, (Lines{{10, 17}, {20, 27}, {30, 37}}));
}

TEST(LineMatch, TheOneThatWasDeletedIsFoundByHowFarItsNeighboursMoved) {
  // 8 lines were put in above; of three copies the second is gone. By numbers alone 28 is nearer to 30's old place.
  const std::vector<LineId> a{at(12, "f", "cudaFree"), at(14, "f"), at(20, "f"), at(30, "f")};
  const std::vector<LineId> b{at(20, "f", "cudaFree"), at(22, "f"), at(38, "f")};
  EXPECT_EQ(matched(a, b), (Lines{{12, 20}, {14, 22}, {20, 0}, {30, 38}}));
}

TEST(LineMatch, AnotherFunctionFileOrCallIsAnotherLine) {
  EXPECT_EQ(matched({at(10, "f"), at(90, "g")}, {at(10, "g"), at(90, "f")}), (Lines{{10, 90}, {90, 10}}));
  EXPECT_EQ(matched({at(10, "f")}, {at(10, "f", "cudaMemcpyAsync")}), (Lines{{10, 0}}));
  EXPECT_EQ(matched({at(10, "f")}, {at(10, "f", "cudaMemcpy", "/a/model.cu")}), (Lines{{10, 0}}));
}

TEST(LineMatch, NewParametersAndAnotherCheckoutAreTheSameFunction) {
  EXPECT_EQ(matched({at(10, "step(float*)")}, {at(11, "step(float*, int)", "cudaMemcpy", "/b/src/train.cu")}),
            (Lines{{10, 11}}));
}

TEST(LineMatch, AFindingIsTheSameWhereverItsLineWent) {
  const std::vector<LineId> a{found(at(10, "f"), "x"), at(20, "f")};
  const std::vector<LineId> b{at(11, "f"), found(at(90, "g"), "x")};
  EXPECT_EQ(matched(a, b), (Lines{{10, 90}, {20, 11}}));
  EXPECT_EQ(matched({found(at(10, "f"), "x")}, {found(at(12, "f"), "y")}), (Lines{{10, 12}}))
      << "another text of the line, the same place";
  EXPECT_EQ(matched({found(at(10, "f"), "x")}, {found(at(10, "g", "cudaFree"), "x")}), (Lines{{10, 0}}));
}

TEST(LineMatch, ARenamedFunctionKeepsItsLines) {
  EXPECT_EQ(matched({at(10, "train"), at(20, "train")}, {at(12, "train_epoch"), at(22, "train_epoch")}),
            (Lines{{10, 12}, {20, 22}}));
  // `load` is still there: its wait has gone, and the one in `save` is new.
  EXPECT_EQ(matched({at(10, "load"), at(12, "load", "cudaMalloc")}, {at(30, "save"), at(12, "load", "cudaMalloc")}),
            (Lines{{10, 0}, {12, 12}}));
}

TEST(LineMatch, LibraryLinesBelongToTheirUsersLine) {
  LineId forward = at(20, "step", "launching", "/a/train.py"), backward = forward;
  forward.inner = {"/lib/attention.py", 119, "forward", 0};
  backward.inner = {"/lib/mlp.py", 48, "forward", 0};
  LineId later = forward, other = backward;
  later.place.line = other.place.line = 26;
  const auto pairs = match_lines({forward, backward}, {other, later});
  ASSERT_EQ(pairs.size(), 2u);
  for (const LinePair& pair : pairs) EXPECT_NE(pair.a, pair.b) << "attention with mlp";
}

TEST(LineMatch, EveryLineIsInOnePair) {
  std::vector<LineId> a, b;
  for (uint32_t i = 0; i < 300; ++i) a.push_back(at(i * 7 % 1000, i % 3 == 0 ? "f" : "g"));
  for (uint32_t i = 0; i < 200; ++i) b.push_back(at(i * 11 % 1000, i % 2 == 0 ? "f" : "h"));
  std::vector<int> in_a(a.size()), in_b(b.size());
  for (const LinePair& pair : match_lines(a, b)) {
    EXPECT_TRUE(pair.a != kNoLine || pair.b != kNoLine);
    if (pair.a != kNoLine) ++in_a[pair.a];
    if (pair.b != kNoLine) ++in_b[pair.b];
  }
  EXPECT_EQ(in_a, std::vector<int>(a.size(), 1));
  EXPECT_EQ(in_b, std::vector<int>(b.size(), 1));
}

TEST(NearestInOrder, LeavesTheFarthestOut) {
  using Pairs = std::vector<std::pair<size_t, size_t>>;
  EXPECT_EQ(nearest_in_order({10, 20, 30}, {11, 29}), (Pairs{{0, 0}, {2, 1}}));
  EXPECT_EQ(nearest_in_order({11, 29}, {10, 20, 30}), (Pairs{{0, 0}, {1, 2}}));
  EXPECT_EQ(nearest_in_order({}, {1}), Pairs{});
  EXPECT_EQ(nearest_in_order({1}, {INT64_MAX, INT64_MIN}).size(), 1u) << "no overflow";
  EXPECT_EQ(nearest_in_order(std::vector<int64_t>(100000, 1), std::vector<int64_t>(100, 1)).size(), 100u);
}

TEST(FileMatch, TakesTheLongestCommonEnd) {
  const auto old = match_files({"/a/net/model.py", "/a/data/model.py"}, {"/b/data/model.py", "/b/net/model.py"});
  EXPECT_EQ(old.at("/b/net/model.py"), "/a/net/model.py");
  EXPECT_EQ(old.at("/b/data/model.py"), "/a/data/model.py");
  EXPECT_EQ(match_files({"/a/x.py"}, {"/a/y.py"}).size(), 0u);
}

}  // namespace
}  // namespace syncsniff::compare
