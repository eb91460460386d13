// What names suggest about how often code runs: rules/words.yaml, and files of that form that a user adds. Used by
// analyzer/frequency/, which limits how much that counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace syncsniff {

// Where a group's words are looked for.
enum class NamePlace : uint8_t {
  kFunction,               // anywhere in a function's name
  kLoopFunctionStart,      // the first word of the function that the outermost loop stands in
  kWrapper,                // anywhere in the name of a function that only hands its arguments to a wait
  kCondition,              // an operand that must be true for the branch to run
  kConditionFalse,         // one variable, field or call that must be false
  kTurningCondition,       // one variable or field that must be true, and that the branch itself may change
  kTurningConditionFalse,  // the same, and it must be false
  kLoop,                   // the head of a loop
};

struct WordGroup {
  std::string name;
  std::string because;  // "a model is checked here, not trained"
  std::set<NamePlace> where;
  std::set<std::string> words, unless;
};

// Which of the loops around a place this one is.
enum class LoopKind : uint8_t { kEpochs, kBatches, kLayers, kSteps };

class Words {
 public:
  // Throws DataError for a file that is none, or breaks the schema.
  static Words load(const std::string& file);
  // Adds what a user's file of the same form says.
  void add_file(const std::string& file);

  struct Match {
    const WordGroup* group;
    std::string word;
  };
  // The first group for `where` that has a word of `text`, which is words with blanks between them.
  std::optional<Match> match(NamePlace where, std::string_view text) const;
  bool trains(std::string_view text) const;
  // The word that says so.
  std::optional<std::string> goes_through(LoopKind kind, std::string_view text) const;
  // The word by which a function that a loop calls for each element is a pass through one part of a network.
  std::optional<std::string> passes(std::string_view text) const;

 private:
  std::vector<WordGroup> groups_;
  std::set<std::string> training_;
  std::map<LoopKind, std::set<std::string>> loops_;
  std::set<std::string> passes_;
};

}  // namespace syncsniff
