// Whole numbers and addresses as sums of products of symbols in canonical order: `n * size + i` and `i + size * n` are
// equal. Plain data, shared by the facts that write them and the checks that compare them.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

Sum sum_of(long long constant);
Sum sum_of(const std::string& symbol);
Sum sum_of(const Product& product);
Sum operator+(const Sum& a, const Sum& b);
Sum operator-(const Sum& a, const Sum& b);
Sum operator*(const Sum& a, const Sum& b);
bool operator==(const Sum& a, const Sum& b);

// A number without symbols.
bool is_constant(const Sum& sum);
long long constant_part(const Sum& sum);
std::string text_of(const Sum& sum);
// Whether a symbol of that kind, which is its first character, is a factor.
bool has_kind(const Product& product, char kind);
bool has_kind(const Sum& sum, char kind);

// "{k}": the value of parameter k of the function. The object that a method is called on is "{this}".
std::string parameter_symbol(int parameter);
// k if the sum is just parameter k of the function; -1 otherwise.
int parameter_in(const Sum& sum);
inline const char* const kThisSymbol = "{this}";
// The prefix of symbols that have a meaning only in their own function.
inline const char* const kLocalSymbol = "local ";
// Separates an object's symbol from a number: the same object after that many calls that may have written to it.
inline const char* const kWrittenObject = "'";

// The text without such numbers, since writes to an object's fields do not make it another object.
std::string without_writes(const std::string& text);

// The values to substitute into a function's sum at one of its calls.
struct CallArguments {
  std::vector<Sum> arguments;
  Sum object;
  std::string call;  // distinguishes the locals of one call from those of another
};
// `call` is an event that calls or launches.
CallArguments arguments_of(const Event& call);
Sum with_arguments(const Sum& sum, const CallArguments& call);
// A lambda names the parameters that it captures by their nodes. In the sum returned, those of `function` (a USR) are
// its parameters again.
Sum with_own_parameters(const Sum& sum, const std::string& function);

}  // namespace syncsniff::facts
