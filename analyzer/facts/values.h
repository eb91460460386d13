// Expression -> Value: where a pointer, reference, function or tensor comes from.
// Reads one expression; calls inside it must have been recorded as events before (`event_of`).
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include <functional>
#include <unordered_map>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

class Values {
 public:
  Values(const clang::ASTContext& context, const ApiTable& apis) : context_(context), apis_(apis) {}

  void remember(const clang::Expr* call, int event) { event_of_[call] = event; }
  int event_of(const clang::Expr* call) const {
    auto found = event_of_.find(call);
    return found == event_of_.end() ? -1 : found->second;
  }
  void set_this(std::string node) { this_node_ = std::move(node); }

  // What the expression's value may be.
  Value value_of(const clang::Expr* expr) const;
  // The address of the object that the (l-value) expression names.
  Value object_of(const clang::Expr* expr) const;
  // What a method is called on: a container's elements, a pointer's target, the object itself.
  Value receiver(const clang::Expr* object) const;
  // The tensors that a LibTorch operation, as split() and meshgrid(), or a function of the project returns in a
  // container; unknown for anything else.
  Value elements_made_by(const clang::Expr* container) const;
  // The variable or field that is a container of tensors, if `arg` names or copies it; empty for anything else.
  std::string container_of_tensors(const clang::Expr* arg) const;
  // The device that a tensor operation runs on, by its operands or its options.
  Value place_of_operation(const clang::CallExpr* call) const;
  // Functions that an expression passes on: lambdas, functions by name, forwards of modules; in nested lists, too.
  Value callables_in(const clang::Expr* expr) const;
  // What was put into a container or a Sequential, at its construction or later.
  Value kept_in(const clang::Expr* container) const;
  // The node of the container that a reference, pointer or owner is made from: list, &list, std::move(owner).
  std::string container_named_by(const clang::Expr* expr) const;
  // The node of a container that a method is called on, also through ->.
  std::string container_node(const clang::Expr* container) const;
  // The node that an assignment to this l-value changes; empty when there is none.
  std::string assigned_node(const clang::Expr* lhs) const;
  // Element `index` of a tuple or pair.
  Value element_of(Value pack, int index) const;
  // Of p.first = x, std::get<0>(p) = x, and auto [a, b] = p; a = x: the node of the whole pair or tuple, and its value
  // after the assignment. The node is empty if the l-value is no element of a variable.
  std::pair<std::string, Value> pack_with(const clang::Expr* lhs, Value element) const;
  // The value of an expression whose type stands in for one that a missing header would declare: unknown_names.h.
  Value value_of_unknown_type(const clang::Expr* expr) const;

 private:
  Value value_of_call(const clang::CallExpr* call) const;
  Value value_of_member_call(const clang::CXXMemberCallExpr* call) const;
  Value value_of_construct(const clang::CXXConstructExpr* construct) const;
  Value value_of_reference(const clang::DeclRefExpr* reference) const;
  Value container_value(const clang::Expr* container) const;
  // `at`: the index or key of the element, where that is known.
  Value content_of(const clang::Expr* pointer, const clang::Expr* at = nullptr) const;
  Value value_of_member(const clang::MemberExpr* member) const;
  Value value_of_named_call(const clang::CallExpr* call, llvm::StringRef name) const;

  // packs.cpp
  Value pack_value(const clang::Expr* expr) const;
  Value packed(const clang::Expr* element) const;

  // tensors.cpp
  Value tensor_value(const clang::Expr* expr) const;
  Value tensor_from_call(const clang::CallExpr* call, const clang::FunctionDecl* callee,
                         const clang::Expr* object) const;
  Value tensor_from_operands(const clang::CallExpr* call, const clang::Expr* object, const std::string& role) const;
  Value device_value(const clang::Expr* expr) const;
  Value with_device(Value::Device device, const clang::Expr* expr) const;

  const clang::ASTContext& context_;
  const ApiTable& apis_;
  std::unordered_map<const clang::Expr*, int> event_of_;
  std::string this_node_;
};

// Visits the fields that a braced initializer of a record gives pointers, tensors or functions, with the expression for
// each.
void for_each_field(const clang::InitListExpr* list,
                    const std::function<void(const clang::FieldDecl*, const clang::Expr*)>& visit);

// A std::tuple or std::pair that contains a tensor, at any depth.
bool is_pack_of_tensors(clang::QualType type);
// std::tie(a, b); null for anything else.
const clang::CallExpr* tie_of_variables(const clang::Expr* expr);

// The expression without casts, parentheses, temporaries and cleanups.
const clang::Expr* strip(const clang::Expr* expr);
// p of `*p`. Any other expression as strip() returns it.
const clang::Expr* without_star(const clang::Expr* expr);
// The string literal behind `text`: itself, the literal that a string is made of, or that a constant is. Null: none.
const clang::StringLiteral* literal_of(const clang::Expr* text);

}  // namespace syncsniff::facts
