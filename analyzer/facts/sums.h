// Whole numbers and addresses as sums of products of symbols, in one order: `n * size + i` and `i + size * n` are
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

// A number that no symbol stands in.
bool is_constant(const Sum& sum);
long long constant_part(const Sum& sum);
std::string text_of(const Sum& sum);

// "{k}": what parameter k of the function was given. The object that a method is called on is "{this}".
std::string parameter_symbol(int parameter);
// k where the sum is what parameter k of the function was given, and nothing else; -1 otherwise.
int parameter_in(const Sum& sum);
inline const char* const kThisSymbol = "{this}";
// Symbols that mean something in their own function only begin so.
inline const char* const kLocalSymbol = "local ";
// After an object's symbol, before a number: it is the same object after so many calls that may have written to it.
inline const char* const kWrittenObject = "'";

// Writes to an object's fields do not make it another object: the text without such numbers.
std::string without_writes(const std::string& text);

// What a sum of a function means where the function is called.
struct CallArguments {
  std::vector<Sum> arguments;
  Sum object;
  std::string call;  // tells what one call's locals hold from what another's do
};
// Of an event that calls or launches.
CallArguments arguments_of(const Event& call);
Sum with_arguments(const Sum& sum, const CallArguments& call);
// A lambda names the parameters that it has captured by their nodes. In the function that has them, of this USR, they
// are parameters.
Sum with_own_parameters(const Sum& sum, const std::string& function);

}  // namespace syncsniff::facts
