#include "instrument/reader/places.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <utility>

#include "instrument/reader/python_lines.h"

namespace syncsniff::reader {
namespace {

const Module* module_of(const Trace& trace, uint64_t address) {
  auto it = std::upper_bound(trace.modules.begin(), trace.modules.end(), address,
                             [](uint64_t value, const Module& module) { return value < module.begin; });
  // The address range of an unloaded object may overlap that of a later one; the latest object that contains the
  // address counts.
  while (it != trace.modules.begin()) {
    --it;
    if (address < it->end) return &*it;
    if (address - it->begin > (uint64_t{1} << 32)) break;
  }
  return nullptr;
}

// The return address is after the call instruction; the byte before it belongs to the call's line.
uint64_t call_address(const Module& module, uint64_t return_address) { return return_address - module.load_bias - 1; }

// The CUDA runtime is linked statically into most programs, so its functions are in the user's object.
bool is_runtime_function(const std::string& function) {
  if (function.size() > 4 && function.compare(0, 4, "cuda") == 0 && function[4] >= 'A' && function[4] <= 'Z')
    return true;
  return function.rfind("cudart", 0) == 0 || function.rfind("__cuda", 0) == 0 ||
         function.rfind("libcudart_static", 0) == 0;
}

// The stem of the source, "main", in the name of nvcc's intermediate file for main.cu, such as
// /tmp/tmpxft_000005fe_00000000-6_main.cudafe1.cpp, which some lines keep. Empty for other files.
std::string source_stem(const std::string& file) {
  static const std::string kEnding = ".cudafe1.cpp", kBeginning = "tmpxft_";
  const std::string name = std::filesystem::path(file).filename().string();
  if (!name.starts_with(kBeginning) || !name.ends_with(kEnding)) return "";
  size_t at = kBeginning.size();
  for (int numbers = 0; numbers < 2 && at != 0; ++numbers) at = name.find('_', at) + 1;  // 0: there is no '_'
  return at == 0 || at + kEnding.size() > name.size() ? "" : name.substr(at, name.size() - kEnding.size() - at);
}

using Symbols = std::unordered_map<uint64_t, std::vector<SymbolFrame>>;

// Replaces such names by the source's path, if other lines have it.
void name_sources_of_nvcc(Symbols& symbols) {
  std::map<std::string, std::string> sources;  // by name without ".cu"
  for (const auto& [address, chain] : symbols)
    for (const SymbolFrame& symbol : chain)
      if (symbol.file.ends_with(".cu"))
        sources.emplace(std::filesystem::path(symbol.file).stem().string(), symbol.file);
  for (auto& [address, chain] : symbols)
    for (SymbolFrame& symbol : chain)
      if (const auto source = sources.find(source_stem(symbol.file)); source != sources.end())
        symbol.file = source->second;
}

bool is_library(const Frame& frame, CodeBorder& border) {
  return frame.python ? border.is_library_python(frame.file)
                      : border.is_library_frame(frame.file, frame.module, frame.line);
}

}  // namespace

// For stacks without lines: the first frame in an object of the user that is not the CUDA runtime itself; -1: none.
int Places::first_nameless(const std::vector<Frame>& frames) {
  for (size_t i = 0; i < frames.size(); ++i)
    if (!frames[i].python && !frames[i].module.empty() && !border_.is_library_object(frames[i].module) &&
        !is_runtime_function(frames[i].function))
      return static_cast<int>(i);
  return -1;
}

int Places::find_user(const std::vector<Frame>& frames) {
  for (size_t i = 0; i < frames.size(); ++i)
    if (!frames[i].library) return static_cast<int>(i);
  if (!border_.patterns()
           .empty()) {  // a thread of --library-code: its innermost line is more useful than a frame beneath it
    CodeBorder unmoved;
    for (size_t i = 0; i < frames.size(); ++i)
      if (!is_library(frames[i], unmoved)) return static_cast<int>(i);
  }
  for (size_t i = 0; i < frames.size(); ++i)  // if an installed package is run by itself: its innermost Python line
    if (frames[i].python && frames[i].line != 0) return static_cast<int>(i);
  return first_nameless(frames);
}

Places::Places(const Trace& trace, SymbolSource& source, CodeBorder border)
    : border_(std::move(border)), symbols_(trace.symbols) {
  symbolise(trace, source);
  for (const auto& [id, stack] : trace.stacks) {
    const ResolvedStack& resolved = stacks_.emplace(id, resolve(trace, stack)).first->second;
    has_user_code_ |= resolved.user >= 0 && !resolved.frames[static_cast<size_t>(resolved.user)].library;
  }
}

void Places::symbolise(const Trace& trace, SymbolSource& source) {
  std::map<const Module*, std::map<uint64_t, std::vector<uint64_t>>>
      wanted;  // object -> its address -> return addresses
  for (const auto& [id, stack] : trace.stacks)
    for (uint64_t address : stack.native) {
      if (symbols_.count(address) != 0) continue;
      const Module* module = module_of(trace, address);
      if (module == nullptr || border_.is_library_object(module->path)) continue;
      wanted[module][call_address(*module, address)].push_back(address);
    }
  for (auto& [module, addresses] : wanted) {
    std::vector<uint64_t> list;
    for (auto& [address, returns] : addresses) {
      std::sort(returns.begin(), returns.end());
      returns.erase(std::unique(returns.begin(), returns.end()), returns.end());
      list.push_back(address);
    }
    for (auto& [address, chain] : source.lookup(*module, list)) {
      auto it = addresses.find(address);
      if (it == addresses.end()) continue;
      for (uint64_t return_address : it->second) symbols_[return_address] = chain;
    }
  }
  name_sources_of_nvcc(symbols_);
}

ResolvedStack Places::resolve(const Trace& trace, const Stack& stack) {
  ResolvedStack resolved;
  for (uint64_t address : stack.native) {
    Frame base;
    const Module* module = module_of(trace, address);
    if (module != nullptr) {
      base.module = module->path;
      base.offset = call_address(*module, address);
    }
    auto it = symbols_.find(address);
    static const std::vector<SymbolFrame> kNothing(1);
    for (const SymbolFrame& symbol : it == symbols_.end() || it->second.empty() ? kNothing : it->second) {
      Frame frame = base;
      frame.function = symbol.function;
      frame.file = symbol.file;
      frame.line = symbol.line;
      frame.library = is_library(frame, border_);
      resolved.frames.push_back(std::move(frame));
    }
  }
  for (const PythonFrame& python : stack.python) {
    auto it = trace.codes.find(python.code);
    if (it == trace.codes.end()) continue;
    const PythonCode& code = it->second;
    Frame frame;
    frame.python = true;
    frame.function = code.name;
    frame.file = code.file;
    frame.line =
        static_cast<uint32_t>(std::max(0, python_line(code.line_table, code.first_line, code.version, python.offset)));
    frame.library = is_library(frame, border_);
    resolved.frames.push_back(std::move(frame));
  }
  resolved.user = find_user(resolved.frames);
  return resolved;
}

const ResolvedStack& Places::stack(uint32_t id) const {
  static const ResolvedStack kEmpty;
  auto it = stacks_.find(id);
  return it == stacks_.end() ? kEmpty : it->second;
}

Place Places::user_place(uint32_t id) const {
  const ResolvedStack& resolved = stack(id);
  Place place;
  if (resolved.user < 0) return place;
  const Frame& frame = resolved.frames[static_cast<size_t>(resolved.user)];
  place.function = frame.function;
  if (frame.line != 0) {
    place.file = frame.file;
    place.line = frame.line;
  } else {
    place.file = frame.module;
    place.offset = frame.offset;
  }
  return place;
}

Place Places::inner_place(uint32_t id) const {
  const ResolvedStack& resolved = stack(id);
  Place place;
  for (int i = 0; i < resolved.user; ++i) {
    const Frame& frame = resolved.frames[static_cast<size_t>(i)];
    if (!frame.python || frame.line == 0 || is_framework_source(frame.file)) continue;
    place.file = frame.file;
    place.line = frame.line;
    place.function = frame.function;
    break;
  }
  return place;
}

StepPart Places::part(uint32_t id) const {
  StepPart innermost = StepPart::kOther;
  for (const Frame& frame : stack(id).frames) {
    const StepPart part = frame.python ? part_of_frame(frame.file, frame.function) : StepPart::kOther;
    if (part == StepPart::kData) return part;
    if (innermost == StepPart::kOther) innermost = part;
  }
  return innermost;
}

Updates Places::updates(uint32_t id) const {
  for (const Frame& frame : stack(id).frames) {
    const Updates updates = frame.python ? updates_of_frame(frame.file, frame.function) : Updates::kUnknown;
    if (updates != Updates::kUnknown) return updates;
  }
  return Updates::kUnknown;
}

bool Places::is_programs(uint32_t id) const {
  const ResolvedStack& resolved = stack(id);
  if (resolved.user < 0) return false;
  const Frame& frame = resolved.frames[static_cast<size_t>(resolved.user)];
  return !has_user_code_ || !frame.python || !frame.library;
}

std::string function_text(const Place& place) { return place.function == "<module>" ? "" : place.function; }

std::string place_and_function(const Place& place) {
  const std::string function = function_text(place);
  return place_text(place) + (function.empty() ? "" : " " + function);
}

std::string place_text(const Place& place) {
  if (place.file.empty()) return "unknown place";
  const std::string name = place.file.substr(place.file.rfind('/') + 1);
  if (place.line != 0) return name + ":" + std::to_string(place.line);
  char digits[24];
  return name + "+0x" + std::string(digits, std::to_chars(digits, digits + sizeof digits, place.offset, 16).ptr);
}

}  // namespace syncsniff::reader
