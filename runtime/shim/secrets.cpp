#include "runtime/shim/secrets.h"

#include <cstring>

namespace syncsniff::shim {
namespace {

// The value of a name that ends in one of these words is a secret: --api-key X, hfToken=X, WANDB_API_KEY=X.
constexpr const char* kSecretWords[] = {"apikey", "auth",       "credential", "credentials", "key",    "pass",
                                        "passwd", "passphrase", "password",   "pwd",         "secret", "token"};
// In any word, a text that begins with one of these prefixes and continues with at least `least` letters, digits, - and
// _ is a secret, too.
struct Shape {
  const char* prefix;
  unsigned least;
};
constexpr Shape kSecretShapes[] = {
    {"hf_", 16}, {"sk-", 16},  {"AKIA", 16},        {"ASIA", 16},   {"ghp_", 20},    {"gho_", 20}, {"ghs_", 20},
    {"xox", 16}, {"AIza", 30}, {"github_pat_", 20}, {"glpat-", 16}, {"Bearer ", 16}, {"eyJ", 20},
};
constexpr char kMask[] = "***";

bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_of_token(char c) noexcept { return is_upper(c) || is_lower(c) || is_digit(c) || c == '_' || c == '-'; }
bool is_of_name(char c) noexcept { return is_of_token(c) || c == '.'; }
char lower(char c) noexcept { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

struct Text {
  const char* begin;
  const char* end;
};

class Output {
 public:
  Output(char* out, size_t room) noexcept : begin_(out), at_(out), end_(out + room) {}
  void put(char c) noexcept {
    if (at_ < end_) *at_++ = c;
  }
  void mask() noexcept {
    for (const char* c = kMask; *c != '\0'; ++c) put(*c);
  }
  bool is_full() const noexcept { return at_ == end_; }
  size_t bytes() const noexcept { return static_cast<size_t>(at_ - begin_); }

 private:
  char *begin_, *at_, *end_;
};

// True if the name's last word is a secret word. Words end at -, _, . and where a capital follows a small letter;
// digits at the end are ignored.
bool is_secret_name(Text name) noexcept {
  while (name.end > name.begin && !is_upper(name.end[-1]) && !is_lower(name.end[-1])) --name.end;
  const char* first = name.end;
  while (first > name.begin && (is_upper(first[-1]) || is_lower(first[-1]))) {
    --first;
    if (first > name.begin && is_upper(*first) && is_lower(first[-1])) break;
  }
  const auto bytes = static_cast<size_t>(name.end - first);
  for (const char* word : kSecretWords) {
    if (std::strlen(word) != bytes) continue;
    size_t same = 0;
    while (same < bytes && lower(first[same]) == word[same]) ++same;
    if (same == bytes) return true;
  }
  return false;
}

// The end of a secret that begins at `at`, judging by its shape; nullptr: it does not look like one.
const char* end_of_shape(Text word, const char* at) noexcept {
  if (at > word.begin && is_of_token(at[-1])) return nullptr;
  for (const Shape& shape : kSecretShapes) {
    const size_t length = std::strlen(shape.prefix);
    if (static_cast<size_t>(word.end - at) < length + shape.least || std::memcmp(at, shape.prefix, length) != 0)
      continue;
    const char* end = at + length;
    // RFC 6750 allows these characters in a bearer's token, too.
    const char* more = shape.prefix[0] == 'B' ? ".~+/=" : ".";
    while (end < word.end && (is_of_token(*end) || (*end != '\0' && std::strchr(more, *end) != nullptr))) ++end;
    if (static_cast<size_t>(end - at) >= length + shape.least) return end;
  }
  return nullptr;
}

// The secret in `://user:password@` or `://token@` that begins at `at`; empty: there is none. A short name alone is
// taken for a user.
Text password_of_address(Text word, const char* at) noexcept {
  const Text none{at, at};
  if (word.end - at < 3 || std::memcmp(at, "://", 3) != 0) return none;
  const char *colon = nullptr, *sign = nullptr;
  for (const char* c = at + 3; c < word.end && std::strchr("/?# \t\n'\"", *c) == nullptr; ++c) {
    if (*c == ':' && colon == nullptr) colon = c;
    if (*c == '@') sign = c;
  }
  if (sign == nullptr) return none;
  if (colon != nullptr && colon < sign) return {colon + 1, sign};
  constexpr ptrdiff_t kLongestUser = 16;
  return sign - (at + 3) > kLongestUser ? Text{at + 3, sign} : none;
}

// The value in `name=value`, `name:value` and `"name": "value"`, whose sign is at `at`, if the name is that of a
// secret. If the argument begins with the name, the value extends to its end; otherwise it is one of several and ends
// at a usual separator.
Text value_of_secret(Text word, const char* at) noexcept {
  const Text none{at, at};
  const bool is_sign = *at == '=' || (*at == ':' && word.end - at > 1 && at[1] != '/' && at[1] != ':');
  if (!is_sign || at + 1 == word.end || at[1] == '=') return none;
  const char* name_end = at > word.begin && (at[-1] == '"' || at[-1] == '\'') ? at - 1 : at;
  const char* name = name_end;
  while (name > word.begin && is_of_name(name[-1])) --name;
  if (!is_secret_name({name, name_end})) return none;
  // Hydra's +name=X, ++name=X and ~name=X begin with the name, too.
  const char* signs = name;
  while (signs > word.begin && (signs[-1] == '+' || signs[-1] == '~')) --signs;
  if (signs == word.begin && name_end == at) return {at + 1, word.end};
  const char* begin = at + 1;
  while (begin < word.end && *begin == ' ') ++begin;
  const char quote = *begin == '"' || *begin == '\'' ? *begin++ : '\0';
  const char* end = begin;
  while (end < word.end && (quote != '\0' ? *end != quote : std::strchr("&;,)'\" \t\n", *end) == nullptr)) ++end;
  return {begin, end};
}

void mask_within(Text word, Output& out) noexcept {
  for (const char* at = word.begin; at < word.end && !out.is_full();) {
    if (const char* end = end_of_shape(word, at)) {
      out.mask();
      at = end;
      continue;
    }
    Text secret = value_of_secret(word, at);
    if (secret.begin == secret.end) secret = password_of_address(word, at);
    if (secret.begin == secret.end) {
      out.put(*at++);
      continue;
    }
    while (at < secret.begin) out.put(*at++);
    out.mask();
    at = secret.end;
  }
}

// True for `--token`, whose value is the next argument.
bool names_a_secret(Text word) noexcept {
  if (word.begin == word.end || *word.begin != '-') return false;
  for (const char* c = word.begin; c < word.end; ++c)
    if (!is_of_name(*c)) return false;
  return is_secret_name(word);
}

}  // namespace

size_t mask_secrets(const char* words, size_t bytes, char* out, size_t room) noexcept {
  Output output(out, room);
  bool is_value = false;
  for (const char *at = words, *const all = words + bytes; at < all && !output.is_full();) {
    const Text word{at, at + strnlen(at, static_cast<size_t>(all - at))};
    // A value may begin with --, as an option does, so the word after a secret's name is always masked. If that word is
    // an option after all, it may itself name the secret that follows.
    const bool is_option = word.end - word.begin > 2 && word.begin[0] == '-' && word.begin[1] == '-';
    if (is_value && word.begin != word.end)
      output.mask();
    else
      mask_within(word, output);
    is_value = names_a_secret(word) && !(is_value && !is_option);
    output.put('\0');
    at = word.end + 1;
  }
  return output.bytes();
}

}  // namespace syncsniff::shim
