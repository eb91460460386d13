// Names under which programs keep functions: functions["relu"] = relu, register("relu", relu), table.at("relu")(x).
#pragma once

#include <clang/AST/Expr.h>

#include <string>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// The literal that the argument is, or holds as a part: "relu", {device, "relu"}, std::string("relu"). Where there is
// none, the enumerator that it is or holds. Empty: neither.
std::string key_in(const clang::Expr* argument);
// The same of several arguments: the first literal, else the first enumerator.
std::string key_of(llvm::ArrayRef<const clang::Expr*> arguments);

// What is kept under a key; the value itself where the key is empty.
Value kept_under(std::string key, Value value);

// A function pointer, a reference to a function, std::function, or a class of the project that holds one: of its fields
// one is such a thing, or a pointer to anything, and it is made from whatever it is given.
bool holds_one_function(clang::QualType type);

}  // namespace syncsniff::facts
