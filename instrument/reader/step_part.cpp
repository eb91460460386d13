#include "instrument/reader/step_part.h"

namespace syncsniff::reader {
namespace {

struct Known {
  std::string_view file, function;  // file: part of the file's path; function: end of the function's name, empty: any
  StepPart part;
};

// PyTorch's own files, since every library that trains uses them; then loggers.
constexpr Known kKnown[] = {
    {"-packages/torch/utils/data/", "", StepPart::kData},
    {"-packages/torch/optim/", "", StepPart::kOptimizer},
    {"-packages/torch/_tensor.py", "backward", StepPart::kBackward},
    {"-packages/torch/autograd/__init__.py", "backward", StepPart::kBackward},
    {"-packages/torch/autograd/__init__.py", "grad", StepPart::kBackward},
    {"-packages/torch/autograd/graph.py", "_engine_run_backward", StepPart::kBackward},
    {"-packages/torch/nn/modules/module.py", "_call_impl", StepPart::kForward},
    {"-packages/torch/nn/functional.py", "", StepPart::kForward},
    {"-packages/torch/utils/tensorboard/", "", StepPart::kLogging},
    {"-packages/tensorboardX/", "", StepPart::kLogging},
    {"-packages/wandb/", "", StepPart::kLogging},
    {"-packages/mlflow/", "", StepPart::kLogging},
    {"-packages/tqdm/", "", StepPart::kLogging},
    {"/logging/__init__.py", "", StepPart::kLogging},
};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

const char* to_string(StepPart part) {
  static constexpr const char* kNames[kStepParts] = {"the rest",  "forward",      "backward",
                                                     "optimizer", "data loading", "logging"};
  return kNames[static_cast<size_t>(part)];
}

StepPart part_of_frame(std::string_view file, std::string_view function) {
  for (const Known& known : kKnown)
    if (file.find(known.file) != std::string_view::npos && ends_with(function, known.function)) return known.part;
  return StepPart::kOther;
}

Updates updates_of_frame(std::string_view file, std::string_view function) {
  if (file.find("-packages/torch/optim/") == std::string_view::npos) return Updates::kUnknown;
  if (ends_with(file, "sparse_adam.py") || ends_with(file, "lbfgs.py")) return Updates::kOther;
  const auto begins = [&](std::string_view prefix) { return function.substr(0, prefix.size()) == prefix; };
  if (begins("_fused_")) return Updates::kFused;
  if (begins("_multi_tensor_")) return Updates::kForeach;
  return begins("_single_tensor_") ? Updates::kOneByOne : Updates::kUnknown;
}

}  // namespace syncsniff::reader
