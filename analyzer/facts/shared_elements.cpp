#include "analyzer/facts/shared_elements.h"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <cstdlib>

namespace syncsniff::facts {

using namespace clang;

namespace {

// The symbol's coefficient: the products that contain it, without it, as a sum.
Sum factor_of(const Sum& sum, const std::string& symbol) {
  Sum out;
  for (const Product& p : sum.products) {
    if (std::find(p.of.begin(), p.of.end(), symbol) == p.of.end()) continue;
    Sum product = sum_of(p.factor);
    for (const std::string& s : p.of) {
      if (s != symbol) product = product * sum_of(s);
    }
    out = out + product;
  }
  return out;
}

// Whether the sum has only thread indices, block sizes and constants.
bool is_plain(const Sum& sum) {
  return std::all_of(sum.products.begin(), sum.products.end(), [](const Product& p) {
    return std::all_of(p.of.begin(), p.of.end(),
                       [](const std::string& s) { return s[0] == kThread || s[0] == kBlockSize; });
  });
}

const std::string kX = std::string(1, kThread) + "x", kY = std::string(1, kThread) + "y";

bool has_rows(const SharedElement& element) {
  return std::any_of(element.index.begin(), element.index.end(), [](const Sum& sum) {
    return !factor_of(sum, kY).products.empty() || !factor_of(sum, std::string(1, kThread) + "z").products.empty();
  });
}

bool is_tree_step(const Sum& sum) {
  return sum.products.size() == 1 && sum.products.front().of.size() == 1 &&
         sum.products.front().of.front()[0] == kTreeStep && std::llabs(sum.products.front().factor) == 1;
}

// For one index in x: whether `other` is another thread's element, and not only by chance that of a few neighbours.
bool another_column(const Sum& own, const Sum& other) {
  const Sum step = factor_of(own, kX);
  if (!is_constant(step) || constant_part(step) == 0) return false;
  const Sum apart = other - own;
  if (is_constant(apart)) return constant_part(apart) != 0 && constant_part(apart) % constant_part(step) == 0;
  // s[t + k], where k is halved, starting at half a block.
  if (is_constant(step) && constant_part(step) == 1 && is_tree_step(apart)) return true;
  return !(factor_of(other, kX) == step);  // the first thread's element, all elements in turn, or the reverse order
}

// Rows of a block may be shorter than a warp, so only an element of another row counts as another warp's.
bool another_row(const Sum& own, const Sum& other) {
  const Sum step = factor_of(own, kY);
  if (step.products.empty()) return false;
  const Sum apart = other - own;
  if (is_constant(apart) && is_constant(step) && std::llabs(constant_part(step)) < kWarp) {
    // [threadIdx.y] and [threadIdx.y + 1]: rows may share a warp, but the neighbour of a warp's last row is in the next
    // warp.
    return constant_part(apart) != 0 && factor_of(own, kX).products.empty();
  }
  return !(factor_of(other, kY) == step);
}

}  // namespace

bool is_of_another_warp(const SharedElement& own, const SharedElement& other) {
  if (own.index.size() != other.index.size()) return false;
  const bool rows = has_rows(own);
  for (size_t d = 0; d < own.index.size(); ++d) {
    if (rows ? another_row(own.index[d], other.index[d]) : another_column(own.index[d], other.index[d])) return true;
  }
  return false;
}

std::optional<SharedElement> SharedElements::named(const Expr* expr) const {
  std::vector<const Expr*> indices;
  const Expr* base = unwrapped(expr);
  while (const auto* subscript = dyn_cast<ArraySubscriptExpr>(base)) {
    indices.insert(indices.begin(), subscript->getIdx());
    base = subscript->getBase()->IgnoreParenImpCasts();
  }
  const auto* reference = dyn_cast<DeclRefExpr>(base);
  const auto* array = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (!array || !array->hasAttr<CUDASharedAttr>() || array->getType()->isArrayType() == indices.empty()) return {};
  if (expr->getType().isVolatileQualified()) return {};
  SharedElement element;
  element.array = array;
  element.known = true;
  for (const Expr* index : indices) {
    const auto sum = index_.of(index);
    element.known &= sum.has_value();
    element.index.push_back(sum.value_or(Sum{}));
  }
  return element;
}

std::optional<SharedElement> SharedElements::of(const Expr* expr) const {
  std::optional<SharedElement> element = named(expr);
  if (!element || element->index.empty()) return {};
  const auto* sized = context_.getAsConstantArrayType(element->array->getType());
  // One element for each warp, or a block of one warp.
  if (sized && context_.getConstantArrayElementCount(sized) <= static_cast<uint64_t>(kWarp)) return {};
  element->own = element->known && std::all_of(element->index.begin(), element->index.end(), is_plain) &&
                 std::any_of(element->index.begin(), element->index.end(), has_thread);
  return element;
}

std::optional<SharedElement> SharedElements::common(const Expr* expr) const {
  std::optional<SharedElement> element = named(expr);
  if (!element || !element->known || !std::all_of(element->index.begin(), element->index.end(), is_constant)) return {};
  return expr->getType()->isScalarType() ? element : std::nullopt;
}

bool SharedElements::elects(const Expr* condition) const {
  condition = condition->IgnoreParenImpCasts();
  const auto* op = dyn_cast<BinaryOperator>(condition);
  if (op && op->getOpcode() == BO_LAnd) return elects(op->getLHS()) || elects(op->getRHS());
  if (const auto* no = dyn_cast<UnaryOperator>(condition); no && no->getOpcode() == UO_LNot) {
    const auto index = index_.of(no->getSubExpr());
    return index && has_thread(*index);
  }
  if (!op || op->getOpcode() != BO_EQ) return false;
  const auto left = index_.of(op->getLHS()), right = index_.of(op->getRHS());
  return left && right && has_thread(*left - *right);
}

std::optional<long long> SharedElements::chosen_thread(const Expr* condition) const {
  const auto* op = dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
  if (op && op->getOpcode() == BO_LAnd) {
    const auto left = chosen_thread(op->getLHS());
    return left ? left : chosen_thread(op->getRHS());
  }
  if (!op || op->getOpcode() != BO_EQ) return {};
  const auto left = index_.of(op->getLHS()), right = index_.of(op->getRHS());
  if (!left || !right) return {};
  const Sum apart = *left - *right;  // x - 3
  Sum rest = apart - sum_of(kX);
  if (is_constant(rest)) return -constant_part(rest);
  rest = apart + sum_of(kX);
  return is_constant(rest) ? std::optional<long long>(constant_part(rest)) : std::nullopt;
}

bool is_element_of_thread(const SharedElement& own, long long thread, const SharedElement& other) {
  if (own.index.size() != other.index.size()) return false;
  for (size_t d = 0; d < own.index.size(); ++d) {
    Sum there;
    for (const Product& p : own.index[d].products) {
      const bool of_thread = p.of.size() == 1 && p.of.front() == kX;
      Sum product = sum_of(of_thread ? p.factor * thread : p.factor);
      for (const std::string& s : p.of) {
        if (!of_thread) product = product * sum_of(s);
      }
      there = there + product;
    }
    if (!(there == other.index[d])) return false;
  }
  return true;
}

bool SharedElements::may_choose_one_warp(const Expr* condition) const {
  const auto* op = dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
  if (op && op->isLogicalOp()) return may_choose_one_warp(op->getLHS()) || may_choose_one_warp(op->getRHS());
  if (!op || !op->isComparisonOp()) return true;
  if (index_.names_tree_step(op)) return false;  // t < k, t % (2 * k) == 0: threads of all warps, depending on k
  const auto left = index_.of(op->getLHS()), right = index_.of(op->getRHS());
  const auto depends_on_block = [](const std::optional<Sum>& side) {
    return !side || (has_thread(*side) && !has_kind(*side, kBlock));
  };
  return depends_on_block(left) || depends_on_block(right);
}

}  // namespace syncsniff::facts
