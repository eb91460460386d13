// Build tool: generates the shim's wrappers, their table and its export list from rules/apis/cuda_driver.yaml. Writes
// <out>/wrappers_<n>.inc, api_table.inc, api_names.inc, rows.inc and exports.map; contains no hook's behaviour.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int kParts = 4;  // so that the generated sources compile in parallel

struct Parameter {
  std::string name, type;
};

struct Function {
  std::string symbol;
  std::vector<Parameter> parameters;
  std::map<std::string, int> versions;
  std::map<std::string, std::string> fields;  // initialisers of ApiInfo, by member
  std::string per_thread_suffix;
};

[[noreturn]] void fail(const std::string& symbol, const std::string& problem) {
  throw std::runtime_error(symbol + ": " + problem);
}

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// A type that is passed the same way, so that no CUDA header is needed to build.
std::string abi_type(const std::string& symbol, const std::string& type) {
  static const std::map<std::string, std::string> kByValue = {{"int", "int"},
                                                              {"unsigned int", "unsigned int"},
                                                              {"unsigned short", "unsigned short"},
                                                              {"unsigned char", "unsigned char"},
                                                              {"size_t", "uint64_t"},
                                                              {"unsigned long long", "uint64_t"},
                                                              {"cuuint32_t", "uint32_t"},
                                                              {"cuuint64_t", "uint64_t"},
                                                              {"CUdeviceptr", "uint64_t"},
                                                              {"CUdevice", "int"},
                                                              {"CUmemGenericAllocationHandle", "uint64_t"},
                                                              {"CUstreamCaptureMode", "int"},
                                                              {"CUkernelNodeAttrID", "int"},
                                                              {"CUmemLocation", "syncsniff::shim::MemLocation"},
                                                              {"CUipcMemHandle", "syncsniff::shim::IpcMemHandle"}};
  static const char* const kHandles[] = {
      "CUstream", "CUevent",          "CUcontext",           "CUgreenCtx",  "CUfunction",
      "CUhostFn", "CUstreamCallback", "CUgraphExec",         "CUgraph",     "CUgraphNode",
      "CUarray",  "CUmipmappedArray", "CUmemoryPool",        "CUmodule",    "CUlibrary",
      "CUkernel", "CUlinkState",      "CUexternalSemaphore", "CUuserObject"};
  if (type.back() == '*') return "void*";
  if (auto it = kByValue.find(type); it != kByValue.end()) return it->second;
  if (std::find(std::begin(kHandles), std::end(kHandles), type) != std::end(kHandles)) return "void*";
  fail(symbol, "type '" + type +
                   "' is passed by value and not known to the generator; add it to abi_type() in "
                   "runtime/shim/generator/generate_wrappers.cpp");
}

std::vector<Parameter> parse_parameters(const std::string& symbol, const std::string& signature) {
  const auto open = signature.find('('), close = signature.rfind(')');
  if (open == std::string::npos || close == std::string::npos || signature.rfind("CUresult ", 0) != 0 ||
      trim(signature.substr(9, open - 9)) != symbol)
    fail(symbol, "signature does not read 'CUresult " + symbol + "(...)'");
  std::vector<Parameter> parameters;
  std::string list = trim(signature.substr(open + 1, close - open - 1));
  if (list == "void" || list.empty()) return parameters;
  for (size_t at = 0; at <= list.size();) {
    const auto comma = std::min(list.find(',', at), list.size());
    const std::string one = trim(list.substr(at, comma - at));
    const auto cut = one.find_last_of(" *");
    if (cut == std::string::npos) fail(symbol, "parameter '" + one + "' has no name");
    parameters.push_back({one.substr(cut + 1), trim(one.substr(0, cut + 1))});
    at = comma + 1;
  }
  return parameters;
}

int position(const Function& function, const YAML::Node& name) {
  if (!name) return -1;
  const auto text = name.as<std::string>();
  for (size_t i = 0; i < function.parameters.size(); ++i)
    if (function.parameters[i].name == text) return static_cast<int>(i);
  fail(function.symbol, "no parameter '" + text + "'");
}

std::string choose(const Function& function, const YAML::Node& node, const std::string& fallback,
                   const std::map<std::string, std::string>& words) {
  if (!node) return fallback;
  const auto it = words.find(node.as<std::string>());
  if (it == words.end()) fail(function.symbol, "word '" + node.as<std::string>() + "' is not known to the generator");
  return it->second;
}

int position_of_type(const Function& function, const std::string& type) {
  for (size_t i = 0; i < function.parameters.size(); ++i)
    if (function.parameters[i].type == type) return static_cast<int>(i);
  return -1;
}

// What a function does with graphs follows from its argument types.
std::string graph_use_of(const Function& function) {
  auto takes = [&](const char* type) { return position_of_type(function, type) >= 0; };
  if (takes("CUgraphExec*") || (takes("CUgraphExec") && takes("CUgraph"))) return "kMakesExec";
  if (takes("CUgraphExec")) return "kUsesExec";
  static const char* const kParts[] = {"CUgraph", "CUgraph*", "CUgraphNode", "CUgraphNode*", "const CUgraphNode*"};
  return std::any_of(std::begin(kParts), std::end(kParts), takes) ? "kBuilds" : "kNone";
}

void read_roles(Function& f, const YAML::Node& node) {
  auto put = [&](const char* member, const YAML::Node& name) { f.fields[member] = std::to_string(position(f, name)); };
  put("stream_arg", node["stream"]);
  put("event_arg", node["event"]);
  put("out_arg", node["out"]);
  put("registers_arg", node["registers"]);
  put("freed_arg", node["freed"]);
  const YAML::Node copy = node["copy"];
  put("dst_arg", copy ? copy["dst"] : YAML::Node(YAML::NodeType::Undefined));
  put("src_arg", copy ? copy["src"] : YAML::Node(YAML::NodeType::Undefined));
  put("descriptor_arg", copy ? copy["descriptor"] : YAML::Node(YAML::NodeType::Undefined));
  put("bytes_arg", copy && copy["bytes"] ? copy["bytes"] : node["bytes"]);
  int object = position_of_type(f, "CUfunction");
  if (object < 0) object = position_of_type(f, "CUgraphExec");
  f.fields["object_arg"] = std::to_string(object);
  f.fields["config_arg"] = std::to_string(position_of_type(f, "const CUlaunchConfig*"));
  f.fields["direction"] = choose(
      f, copy ? copy["direction"] : YAML::Node(YAML::NodeType::Undefined), "kNoCopy",
      {{"h2d", "kHostToDevice"}, {"d2h", "kDeviceToHost"}, {"d2d", "kDeviceToDevice"}, {"by_pointers", "kByPointers"}});
}

void read_function(Function& f, const YAML::Node& node) {
  if (node["versions"])
    for (const auto& v : node["versions"]) f.versions[v.first.as<std::string>()] = v.second.as<int>();
  f.parameters = parse_parameters(f.symbol, node["signature"].as<std::string>());
  f.fields["call_class"] = choose(f, node["class"], "kOther",
                                  {{"wait", "kWait"},
                                   {"poll", "kPoll"},
                                   {"enqueue", "kOther"},
                                   {"launch", "kLaunch"},
                                   {"other", "kOther"},
                                   {"copy", "kCopy"},
                                   {"allocate", "kAllocate"},
                                   {"free", "kFree"},
                                   {"module_load", "kModuleLoad"}});
  f.fields["enqueues"] =
      choose(f, node["enqueues"], "kNothing",
             {{"kernel", "kKernel"}, {"copy", "kCopyWork"}, {"memset", "kMemset"}, {"other", "kOtherWork"}});
  f.fields["blocks"] =
      choose(f, node["blocks_host"], "kNever",
             {{"always", "kAlways"}, {"pageable", "kPageable"}, {"poll", "kNever"}, {"never", "kNever"}});
  f.fields["waits_for"] =
      choose(f, node["waits_for"], "kNoWait", {{"device", "kDevice"}, {"stream", "kStream"}, {"event", "kEvent"}});
  f.fields["allocates"] = choose(f, node["allocates"], node["registers"] ? "kPinned" : "kUnknown",
                                 {{"device", "kDevice"}, {"pinned", "kPinned"}, {"managed", "kManaged"}});
  f.fields["capture"] = choose(f, node["capture"], "kNoCapture", {{"begin", "kBegin"}, {"end", "kEnd"}});
  f.fields["handles"] = choose(f, node["creates"] ? node["creates"] : node["destroys"], "kNoHandle",
                               {{"stream", node["creates"] ? "kCreatesStream" : "kDestroysStream"},
                                {"event", node["creates"] ? "kNoHandle" : "kDestroysEvent"}});
  f.fields["graph"] = graph_use_of(f);
  read_roles(f, node);
  const bool copies_or_sets = f.fields["enqueues"] == "kCopyWork" || f.fields["enqueues"] == "kMemset";
  if (f.fields["stream_arg"] != "-1" || f.fields["config_arg"] != "-1") {
    if (f.fields["handles"] == "kNoHandle") f.per_thread_suffix = "_ptsz";
  } else if (copies_or_sets) {
    f.per_thread_suffix = "_ptds";
  }
}

std::vector<Function> read_functions(const std::string& path) {
  std::vector<Function> functions;
  const YAML::Node root = YAML::LoadFile(path);
  for (const auto& entry : root["functions"]) {
    if (!entry.second["class"]) continue;
    Function function;
    function.symbol = entry.first.as<std::string>();
    read_function(function, entry.second);
    functions.push_back(std::move(function));
  }
  if (functions.empty()) throw std::runtime_error("no function with a class");
  return functions;
}

void write_wrappers(const std::vector<Function>& functions, int part, std::ostream& out) {
  for (size_t i = part; i < functions.size(); i += kParts) {
    const Function& f = functions[i];
    std::string types, typed, names;
    for (size_t k = 0; k < f.parameters.size(); ++k) {
      const std::string type = abi_type(f.symbol, f.parameters[k].type), name = "a" + std::to_string(k);
      types += ", " + type;
      typed += (k ? ", " : "") + type + " " + name;
      names += ", " + name;
    }
    auto direct = [&](const std::string& symbol, int slot) {
      out << "SYNCSNIFF_EXPORT int " << symbol << "(" << typed << ") noexcept { return SYNCSNIFF_DIRECT(" << i << ", "
          << slot << names << "); }\n";
    };
    direct(f.symbol, 0);
    if (!f.per_thread_suffix.empty()) direct(f.symbol + f.per_thread_suffix, 1);
    out << "SYNCSNIFF_ROW(" << i << types << ")\n";
  }
}

void write_table(const std::vector<Function>& functions, std::ostream& out) {
  static const char* const kMembers[] = {"call_class", "enqueues", "blocks",     "waits_for",     "direction",
                                         "allocates",  "capture",  "handles",    "graph",         "stream_arg",
                                         "event_arg",  "dst_arg",  "src_arg",    "bytes_arg",     "descriptor_arg",
                                         "config_arg", "out_arg",  "object_arg", "registers_arg", "freed_arg"};
  static const std::map<std::string, std::string> kScopes = {{"call_class", "trace::CallClass::"},
                                                             {"enqueues", "Enqueues::"},
                                                             {"blocks", "Blocks::"},
                                                             {"waits_for", "WaitsFor::"},
                                                             {"direction", "Direction::"},
                                                             {"allocates", "trace::HostMemory::"},
                                                             {"capture", "Capture::"},
                                                             {"handles", "Handles::"},
                                                             {"graph", "GraphCall::"}};
  out << "inline constexpr unsigned kApiCount = " << functions.size() << ";\n";
  for (size_t i = 0; i < functions.size(); ++i)
    out << "inline constexpr unsigned kApi_" << functions[i].symbol << " = " << i << ";\n";
  out << "inline constexpr ApiInfo kApis[kApiCount] = {\n";
  for (const Function& f : functions) {
    out << "    {\"" << f.symbol << "\"";
    for (const char* member : kMembers) {
      const auto scope = kScopes.find(member);
      out << ", " << (scope == kScopes.end() ? "" : scope->second) << f.fields.at(member);
    }
    out << "},\n";
  }
  out << "};\n";
}

void write_rows(const std::vector<Function>& functions, std::ostream& out) {
  for (size_t i = 0; i < functions.size(); ++i)
    out << "[[gnu::visibility(\"hidden\")]] void* syncsniff_row_" << i << "(unsigned slot) noexcept;\n";
  out << "static void* (*const kRows[])(unsigned) noexcept = {\n";
  for (size_t i = 0; i < functions.size(); ++i) out << "    syncsniff_row_" << i << ",\n";
  out << "};\n";
}

void write_names(const std::vector<Function>& functions, std::ostream& out) {
  std::map<std::string, std::pair<size_t, int>> symbols;
  std::map<std::string, std::map<int, size_t>> versions;
  for (size_t i = 0; i < functions.size(); ++i) {
    symbols[functions[i].symbol] = {i, 0};
    if (!functions[i].per_thread_suffix.empty()) symbols[functions[i].symbol + functions[i].per_thread_suffix] = {i, 1};
    for (const auto& [name, version] : functions[i].versions) versions[name][version] = i;
  }
  out << "inline constexpr SymbolName kSymbols[] = {\n";
  for (const auto& [name, where] : symbols)
    out << "    {\"" << name << "\", " << where.first << ", " << where.second << "},\n";
  out << "};\ninline constexpr VersionedName kVersions[] = {\n";
  for (const auto& [name, list] : versions)
    for (const auto& [version, api] : list) out << "    {\"" << name << "\", " << version << ", " << api << "},\n";
  out << "};\n";
}

// Writes the version script: only names in it are exported. `fixed`: file with the names that are no wrappers.
void write_exports(const std::vector<Function>& functions, const std::string& fixed, std::ostream& out) {
  out << "{\nglobal:\n";
  std::ifstream names(fixed);
  for (std::string name; std::getline(names, name);)
    if (!name.empty() && name[0] != '#') out << "  " << name << ";\n";
  for (const Function& f : functions) {
    out << "  " << f.symbol << ";\n";
    if (!f.per_thread_suffix.empty()) out << "  " << f.symbol + f.per_thread_suffix << ";\n";
  }
  out << "local: *;\n};\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: generate_wrappers cuda_driver.yaml exports.txt OUT_DIR\n";
    return 2;
  }
  try {
    const auto functions = read_functions(argv[1]);
    const std::string out = argv[3];
    for (int part = 0; part < kParts; ++part) {
      std::ofstream file(out + "/wrappers_" + std::to_string(part) + ".inc");
      write_wrappers(functions, part, file);
    }
    std::ofstream table(out + "/api_table.inc"), map(out + "/exports.map"), names(out + "/api_names.inc"),
        rows(out + "/rows.inc");
    write_table(functions, table);
    write_names(functions, names);
    write_rows(functions, rows);
    write_exports(functions, argv[2], map);
  } catch (const std::exception& error) {
    std::cerr << argv[1] << ": " << error.what() << "\n";
    return 1;
  }
  return 0;
}
