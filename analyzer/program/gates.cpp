#include "analyzer/program/gates.h"

#include <algorithm>
#include <regex>

#include "analyzer/facts/words.h"

namespace syncsniff::program {

using facts::words_of;

bool trains_by_name(const std::string& name) {
  static const std::regex kTraining("\\b(train|training|fit)\\b");
  return std::regex_search(words_of(name), kTraining);
}

bool counts_epochs(const Region& loop) {
  return loop.text.find("epoch") != std::string::npos || loop.text.find("Epoch") != std::string::npos;
}

bool goes_through_batches(const Region& loop) {
  static const std::regex kBatches(
      "(^|[^a-z_])(batch|batches|minibatch|minibatches|mini_batches|loader|dataloader|"
      "data_loader|train_loader|dataset)([^a-z_]|$)",
      std::regex::icase);
  return std::regex_search(loop.text, kBatches);
}

bool goes_through_layers(const Region& loop) {
  static const std::regex kLayers("(^|[^a-z])(layer|layers|param|params|parameters|blocks|heads)([^a-z]|$)",
                                  std::regex::icase);
  return std::regex_search(loop.text, kLayers);
}

void pass_wrapper_name(Heat& heat, const std::string& name) {
  static const std::regex kChecking("\\b(valid|validation|validate|verify)\\b");
  if (std::regex_search(words_of(name), kChecking)) heat.severity = std::min(heat.severity, Severity::kMedium);
}

void pass_name(Heat& heat, const std::string& name) {
  static const std::regex kHarness("\\b(bench|benchmark|benchmarks|profile|autotune|timeit|warmup|warm)\\b");
  static const std::regex kSaving("\\b(save|dump|checkpoint|export|print|debug|serialize|visualize|demo)\\b");
  static const std::regex kChecking("\\b(val|valid|validation|validate|eval|evaluate|evaluation|test|tests)\\b");
  const std::string words = words_of(name);
  if (trains_by_name(name)) return;
  if (std::regex_search(words, kHarness)) heat.dropped = true;
  if (std::regex_search(words, kSaving)) heat.severity = std::min(heat.severity, Severity::kLow);
  if (std::regex_search(words, kChecking)) heat.severity = std::min(heat.severity, Severity::kMedium);
}

}  // namespace syncsniff::program
