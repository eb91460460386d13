#include "rules/words.h"

#include <algorithm>

#include "rules/data_error.h"
#include "rules/regular_file.h"
#include "rules/schema_reader.h"

namespace syncsniff {
namespace {

constexpr EnumWords<NamePlace> kPlaces = {
    {"function", NamePlace::kFunction},
    {"loop_function_start", NamePlace::kLoopFunctionStart},
    {"wrapper", NamePlace::kWrapper},
    {"condition", NamePlace::kCondition},
    {"condition_false", NamePlace::kConditionFalse},
    {"turning_condition", NamePlace::kTurningCondition},
    {"turning_condition_false", NamePlace::kTurningConditionFalse},
    {"loop", NamePlace::kLoop},
};

constexpr EnumWords<bool> kShowing = {{"no_gradients", true}};

bool is_between_words(std::string_view text, size_t at) {
  return at == std::string_view::npos || at >= text.size() || text[at] == ' ';
}

// Position of `phrase`, one word or more, in `text`, where it must be between blanks or the text's ends; npos: none.
size_t find_phrase(std::string_view text, std::string_view phrase) {
  for (size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    if ((at == 0 || text[at - 1] == ' ') && is_between_words(text, at + phrase.size())) return at;
  }
  return std::string_view::npos;
}

const std::string* find_any(const std::set<std::string>& words, std::string_view text) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
    return find_phrase(text, word) != std::string_view::npos;
  });
  return found == words.end() ? nullptr : &*found;
}

void add_words(std::set<std::string>& to, const YamlView& list, const char* key) {
  for (std::string& word : read_text_list(list, key)) {
    const bool plain = std::all_of(word.begin(), word.end(), [](char c) { return c == ' ' || (c >= 'a' && c <= 'z'); });
    if (!plain) fail_at(list, key, "'" + word + "': words are lower-case letters, with a blank between two of them");
    to.insert(std::move(word));
  }
}

void read_group(std::vector<WordGroup>& groups, const std::string& name, const YamlView& entry) {
  SchemaReader reader(entry, name);
  auto known = std::find_if(groups.begin(), groups.end(), [&](const WordGroup& g) { return g.name == name; });
  if (known == groups.end()) {
    WordGroup group;
    group.name = name;
    group.because = read_text(reader.required("because"), "because");
    const YamlView where = reader.required("where");
    if (where.kind() != YamlKind::kSequence || where.size() == 0) fail_at(where, "where", "must be a list of places");
    for (uint32_t i = 0; i < where.size(); ++i) group.where.insert(read_enum(where.element(i), "where", kPlaces));
    if (const auto shown = reader.optional("shown_by"))
      group.says_no_gradients = read_enum(*shown, "shown_by", kShowing);
    known = groups.insert(groups.end(), std::move(group));
  } else {  // its reason and its places stay as they are
    reader.optional("because");
    reader.optional("where");
    reader.optional("shown_by");
  }
  add_words(known->words, reader.required("words"), "words");
  if (const auto unless = reader.optional("unless")) add_words(known->unless, *unless, "unless");
  reader.finish();
}

template <class Kind>
void add_kinds(std::map<Kind, std::set<std::string>>& to, SchemaReader& reader, EnumWords<Kind> kinds) {
  for (const auto& [key, kind] : kinds) {
    if (const auto list = reader.optional(key)) add_words(to[kind], *list, key);
  }
  reader.finish();
}

}  // namespace

Words Words::load(const std::string& file) {
  Words words;
  words.add_file(file);
  return words;
}

void Words::add_file(const std::string& file) {
  std::string problem;
  const std::optional<std::string> text = read_regular_file(file, problem);
  if (!text) throw DataError(file, 0, "", problem);
  const YamlDocument document = YamlDocument::parse(file, *text, YamlDocument::Marks::kLinesAndColumns);
  SchemaReader reader((YamlView(document)), "the file");
  if (const auto lowering = reader.optional("lowering")) {
    expect_map(*lowering, "lowering");
    for (uint32_t i = 0; i < lowering->size(); ++i)
      read_group(groups_, read_text(lowering->key(i), "lowering"), lowering->value(i));
  }
  if (const auto training = reader.optional("training")) add_words(training_, *training, "training");
  if (const auto loops = reader.optional("loops")) {
    SchemaReader kinds(*loops, "loops");
    add_kinds(loops_, kinds,
              {{"epochs", LoopKind::kEpochs},
               {"batches", LoopKind::kBatches},
               {"layers", LoopKind::kLayers},
               {"steps", LoopKind::kSteps}});
  }
  if (const auto passes = reader.optional("passes")) add_words(passes_, *passes, "passes");
  reader.finish();
}

std::optional<Words::Match> Words::match(NamePlace where, std::string_view text) const {
  for (const WordGroup& group : groups_) {
    if (!group.where.count(where) || find_any(group.unless, text)) continue;
    if (where == NamePlace::kLoopFunctionStart) {
      const std::string first(text.substr(0, text.find(' ')));
      if (group.words.count(first)) return Match{&group, first};
      continue;
    }
    if (const std::string* word = find_any(group.words, text)) return Match{&group, *word};
  }
  return std::nullopt;
}

bool Words::trains(std::string_view text) const { return find_any(training_, text) != nullptr; }

std::optional<std::string> Words::goes_through(LoopKind kind, std::string_view text) const {
  const auto words = loops_.find(kind);
  const std::string* word = words == loops_.end() ? nullptr : find_any(words->second, text);
  return word ? std::optional(*word) : std::nullopt;
}

std::optional<std::string> Words::passes(std::string_view text) const {
  const std::string* word = find_any(passes_, text);
  return word ? std::optional(*word) : std::nullopt;
}

}  // namespace syncsniff
