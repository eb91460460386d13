// Pools: a search through memory that is kept, and an allocation if the search found nothing.
#pragma once

#include <clang/AST/ASTContext.h>

#include "analyzer/facts/conditions.h"

namespace syncsniff::facts {

// bool found = false; for (...) if (fits) { found = true; block = *it; kept_.erase(it); break; } if (!found) ...
// The loop takes what it finds out of a field or a global, or marks it as taken: a miss becomes rare as the pool fills.
bool is_pool_miss(const Term& term, const clang::ASTContext& context);

// auto [entry, fresh] = cache.try_emplace(n); if (fresh) cudaMalloc(&entry->second, n): once for each key. The branch
// must use the entry: otherwise it is about something else, such as a node that is visited for the first time.
bool makes_new_entry(const Term& term, const clang::Stmt* branch);

}  // namespace syncsniff::facts
