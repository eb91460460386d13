#include "analyzer/facts/use_tokens.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <initializer_list>

namespace syncsniff::facts {

using namespace clang;

namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

}  // namespace

size_t after_arguments(const std::vector<UseToken>& tokens, size_t open) {
  constexpr size_t kLongest = 200;
  int depth = 0;
  for (size_t i = open; i < std::min(tokens.size(), open + kLongest); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "<") ++depth;
    if (text == ">") --depth;
    if (text == ">>") depth -= 2;
    if (depth <= 0) return i + 1;
    if (is_one_of(text, {";", "{", "}", "&&", "||"})) break;
  }
  return tokens.size();
}

std::vector<UseToken> use_tokens(llvm::StringRef source) {
  LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = true;
  Lexer lexer(SourceLocation(), options, source.begin(), source.begin(), source.end());
  std::vector<UseToken> tokens;
  Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof); lexer.LexFromRawLexer(token)) {
    const char* end = lexer.getBufferLocation();
    tokens.push_back({std::string_view(end - token.getLength(), token.getLength()), token.is(tok::raw_identifier)});
  }
  return tokens;
}

void classify_use(UnknownName& name, const std::vector<UseToken>& tokens, size_t begin, size_t end) {
  const auto text = [&](size_t i) { return i < tokens.size() ? tokens[i].text : std::string_view(); };
  const auto is_name = [&](size_t i) { return i < tokens.size() && tokens[i].is_name; };
  const std::string_view before = begin > 0 ? text(begin - 1) : "";
  const std::string_view after = text(end);
  const bool is_alias = before == "=" && begin >= 3 && text(begin - 3) == "namespace";
  if (before == "namespace" || is_alias) {
    name.is_namespace = true;
  } else if (after == "<") {
    const size_t behind = after_arguments(tokens, end);
    const std::string_view next = text(behind);
    if (behind >= tokens.size()) {
      name.is_value = true;
    } else {
      name.is_template = true;
      (next == "(" && before != "new" ? name.is_called : name.is_type) = true;
    }
  } else if (is_one_of(before, {"new", "typename", "public", "protected", "private", "virtual", "using"})) {
    name.is_type = true;
  } else if (is_name(end) || after == "{" || after == "...") {
    name.is_type = true;  // Loader loader; Options{...}
  } else if (is_one_of(after, {"*", "&", "&&"})) {
    // Loader& loader = ..., against a * b: a product is seldom followed by `=` or the end of a parameter.
    const bool declares = is_name(end + 1) ? is_one_of(text(end + 2), {"=", ";", ",", ")", ":", "(", "["})
                                           : is_one_of(text(end + 1), {">", ",", ")", "*", "&"});
    (declares ? name.is_type : name.is_value) = true;
  } else if (is_one_of(before, {"<", ","}) && is_one_of(after, {">", ">>", ","})) {
    // std::map<int, X> all, against f(a, X, b) and f(a, X > 3).
    const bool compares =
        after == ">" && !is_name(end + 1) && !is_one_of(text(end + 1), {"(", ">", "::", "&", "*", "{"});
    (before == "<" || (after != "," && !compares) ? name.is_type : name.is_value) = true;
  } else {
    (after == "(" ? name.is_called : name.is_value) = true;
  }
}

}  // namespace syncsniff::facts
