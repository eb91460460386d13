// Keys under which programs store functions: functions["relu"] = relu, register("relu", relu), table.at("relu")(x).
#pragma once

#include <clang/AST/Expr.h>

#include <string>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// The literal that the argument is or contains: "relu", {device, "relu"}, std::string("relu"). Without one, the
// enumerator that it is or contains. Empty if it has neither.
std::string key_in(const clang::Expr* argument);
// The same for several arguments: the first literal, else the first enumerator.
std::string key_of(llvm::ArrayRef<const clang::Expr*> arguments);

// The key of the element that is assigned to: functions["relu"]. Empty: it is no element, or has no such key.
std::string key_of_element(const clang::Expr* element);

// The value as stored under a key; the value itself if the key is empty.
Value kept_under(std::string key, Value value);

// A function pointer, a reference to a function, std::function, or a class of the project that holds one: a class with
// a field of such a type, or a pointer to anything, and a constructor that accepts any type.
bool holds_one_function(clang::QualType type);

}  // namespace syncsniff::facts
