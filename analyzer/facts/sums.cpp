#include "analyzer/facts/sums.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>

namespace syncsniff::facts {

namespace {

// A sum of more products than this is not the index of an element.
constexpr size_t kMostProducts = 32;

using Products = std::map<std::vector<Text>, long long>;

void add_to(Products& products, const Sum& sum, long long factor) {
  for (const Product& p : sum.products) products[p.of] += p.factor * factor;
}

Sum from(const Products& products) {
  Sum out;
  for (const auto& [of, factor] : products) {
    if (factor != 0) out.products.push_back({factor, of});
  }
  return out;
}

// The argument for the "{k}" at `at`; null if the call gives none.
const Sum* given(const std::string& symbol, size_t at, const CallArguments& call) {
  if (symbol.compare(at, std::strlen(kThisSymbol), kThisSymbol) == 0) return &call.object;
  const size_t k = std::strtoul(symbol.c_str() + at + 1, nullptr, 10);
  return k < call.arguments.size() ? &call.arguments[k] : nullptr;
}

// Replaces every "{k}" inside a symbol, such as `grid_of({0})`.
std::string replaced(const std::string& symbol, const CallArguments& call) {
  std::string out;
  for (size_t at = 0; at < symbol.size();) {
    const size_t end = symbol[at] == '{' ? symbol.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      out += symbol[at++];
      continue;
    }
    const Sum* sum = given(symbol, at, call);
    out += sum ? text_of(*sum) : call.call;
    at = end + 1;
  }
  const bool local = symbol.find(kLocalSymbol) != std::string::npos;
  return local ? out + " in " + call.call : out;
}

}  // namespace

Sum sum_of(long long constant) {
  Sum out;
  if (constant != 0) out.products.push_back({constant, {}});
  return out;
}

Sum sum_of(const std::string& symbol) {
  Sum out;
  out.products.push_back({1, {symbol}});
  return out;
}

Sum sum_of(const Product& product) { return {{product}}; }

Sum operator+(const Sum& a, const Sum& b) {
  Products products;
  add_to(products, a, 1);
  add_to(products, b, 1);
  return from(products);
}

Sum operator-(const Sum& a, const Sum& b) {
  Products products;
  add_to(products, a, 1);
  add_to(products, b, -1);
  return from(products);
}

Sum operator*(const Sum& a, const Sum& b) {
  if (a.products.size() * b.products.size() > kMostProducts) return sum_of("(" + text_of(a) + ")*(" + text_of(b) + ")");
  Products products;
  for (const Product& p : a.products) {
    for (const Product& q : b.products) {
      std::vector<Text> of = p.of;
      of.insert(of.end(), q.of.begin(), q.of.end());
      std::sort(of.begin(), of.end());
      products[of] += p.factor * q.factor;
    }
  }
  return from(products);
}

bool operator==(const Sum& a, const Sum& b) {
  return std::equal(a.products.begin(), a.products.end(), b.products.begin(), b.products.end(),
                    [](const Product& p, const Product& q) { return p.factor == q.factor && p.of == q.of; });
}

std::string without_writes(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool counts = text[i] == *kWrittenObject && i + 1 < text.size() && std::isdigit(text[i + 1]);
    if (!counts) {
      out += text[i];
      continue;
    }
    while (i + 1 < text.size() && std::isdigit(text[i + 1])) ++i;
  }
  return out;
}

bool is_constant(const Sum& sum) {
  return std::all_of(sum.products.begin(), sum.products.end(), [](const Product& p) { return p.of.empty(); });
}

long long constant_part(const Sum& sum) {
  for (const Product& p : sum.products) {
    if (p.of.empty()) return p.factor;
  }
  return 0;
}

std::string text_of(const Sum& sum) {
  std::string out;
  for (const Product& p : sum.products) {
    if (!out.empty()) out += " + ";
    if (p.factor != 1 || p.of.empty()) out += std::to_string(p.factor) + (p.of.empty() ? "" : "*");
    for (size_t i = 0; i < p.of.size(); ++i) out += (i ? "*" : "") + p.of[i];
  }
  return out.empty() ? "0" : out;
}

std::string parameter_symbol(int parameter) { return "{" + std::to_string(parameter) + "}"; }

int parameter_in(const Sum& sum) {
  if (sum.products.size() != 1 || sum.products[0].factor != 1 || sum.products[0].of.size() != 1) return -1;
  const std::string symbol = sum.products[0].of[0];
  const bool number = symbol.size() > 2 && std::isdigit(static_cast<unsigned char>(symbol[1])) != 0;
  return number && symbol.find('}') == symbol.size() - 1 ? std::stoi(symbol.substr(1)) : -1;
}

CallArguments arguments_of(const Event& event) {
  CallArguments out{event.arg_sums, {}, event.callee.id + "("};
  if (event.kind == Event::Kind::kCall && !event.launched_on.empty()) out.object = event.launched_on.front();
  for (const Sum& sum : event.arg_sums) out.call += text_of(sum) + ",";
  out.call += ")";
  return out;
}

Sum with_own_parameters(const Sum& sum, const std::string& function) {
  const std::string node = "p:" + function + "#";
  Sum out;
  for (const Product& p : sum.products) {
    Sum product = sum_of(p.factor);
    for (const Text symbol : p.of) {
      std::string named = symbol;
      for (size_t at = named.find(node); at != std::string::npos; at = named.find(node, at + 1)) {
        const size_t first = at + node.size(), last = named.find_first_not_of("0123456789", first);
        const std::string index = named.substr(first, last == std::string::npos ? last : last - first);
        if (!index.empty()) named.replace(at, node.size() + index.size(), "{" + index + "}");
      }
      product = product * sum_of(named);
    }
    out = out + product;
  }
  return out;
}

Sum with_arguments(const Sum& sum, const CallArguments& call) {
  Sum out;
  for (const Product& p : sum.products) {
    Sum product = sum_of(p.factor);
    for (const Text symbol : p.of) {
      const bool whole = symbol[0] == '{' && symbol.find('}') == symbol.size() - 1;
      const Sum* argument = whole ? given(symbol, 0, call) : nullptr;
      product = product * (argument ? *argument : sum_of(replaced(symbol, call)));
    }
    out = out + product;
  }
  return out;
}

bool has_kind(const Product& product, char kind) {
  return std::any_of(product.of.begin(), product.of.end(),
                     [&](const Text symbol) { return !symbol.empty() && symbol[0] == kind; });
}

bool has_kind(const Sum& sum, char kind) {
  return std::any_of(sum.products.begin(), sum.products.end(), [&](const Product& p) { return has_kind(p, kind); });
}

}  // namespace syncsniff::facts
