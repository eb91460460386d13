// What names suggest about how often code runs: rules/words.yaml, and users' files of the same form. Used by
// analyzer/frequency/, which limits how much names count.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace syncsniff {

// The names in which a group's words are searched.
enum class NamePlace : uint8_t {
  kFunction,               // anywhere in a function's name
  kLoopFunctionStart,      // the first word of the name of the function that contains the outermost loop
  kWrapper,                // anywhere in the name of a function that only passes its arguments to a wait
  kCondition,              // an operand that must be true if the branch is to run
  kConditionFalse,         // a single variable, field or call that must be false
  kTurningCondition,       // a single variable or field that must be true and that the branch itself may change
  kTurningConditionFalse,  // the same, but it must be false
  kLoop,                   // the head of a loop
};

struct WordGroup {
  std::string name;
  std::string because;  // "a model is checked here, not trained"
  std::set<NamePlace> where;
  std::set<std::string> words, unless;
  bool says_no_gradients = false;  // no more than code shows that computes no gradients: there the words count no more
};

// What a loop goes over.
enum class LoopKind : uint8_t { kEpochs, kBatches, kLayers, kSteps };

class Words {
 public:
  // Throws DataError for a file that cannot be read or violates the schema.
  static Words load(const std::string& file);
  // Adds the words of a user's file of the same form.
  void add_file(const std::string& file);

  struct Match {
    const WordGroup* group;
    std::string word;
  };
  // The first group for `where` that contains a word of `text`, whose words are separated by blanks.
  std::optional<Match> match(NamePlace where, std::string_view text) const;
  bool trains(std::string_view text) const;
  // The word that says what the loop goes over.
  std::optional<std::string> goes_through(LoopKind kind, std::string_view text) const;
  // The word which says that a function called for each element of a loop is a pass through one part of a network.
  std::optional<std::string> passes(std::string_view text) const;

 private:
  std::vector<WordGroup> groups_;
  std::set<std::string> training_;
  std::map<LoopKind, std::set<std::string>> loops_;
  std::set<std::string> passes_;
};

}  // namespace syncsniff
