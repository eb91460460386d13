#include "analyzer/facts/thrust_headers.h"

#include <algorithm>
#include <filesystem>

#include "rules/regular_file.h"

namespace syncsniff::facts {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "/thrust/";

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string without_line_comments(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const size_t first = line.find_first_not_of(" \t");
    if (first != line.npos && line[first] != '*' && !line.substr(first).starts_with("/")) {
      out += line;
      out += '\n';
    }
    at = end + 1;
  }
  return out;
}

size_t uses_of(const std::string& name, const std::string& text) {
  size_t count = 0;
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool whole = (at == 0 || !is_in_name(text[at - 1])) &&
                       (at + name.size() == text.size() || !is_in_name(text[at + name.size()]));
    count += whole;
  }
  return count;
}

}  // namespace

ThrustHeaders::ThrustHeaders(const clang::SourceManager& sources) {
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end() && texts_.empty(); ++file) {
    const std::string path = file->first.getName().str();
    const size_t at = path.rfind(kFolder);
    if (at == std::string::npos) continue;
    const std::string folder = path.substr(0, at + kFolder.size());
    std::error_code error;
    if (!fs::exists(folder + "version.h", error)) continue;
    read(folder, "");
    read(folder + "iterator/", "iterator/");
  }
}

void ThrustHeaders::read(const std::string& folder, const std::string& prefix) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".h") continue;
    std::string problem;
    const std::optional<std::string> text = read_regular_file(entry.path().string(), problem);
    if (text) texts_.emplace_back(prefix + entry.path().filename().string(), without_line_comments(*text));
  }
  std::sort(texts_.begin(), texts_.end());
}

// The header with the name's own name declares it; otherwise the one that has it most often.
std::string ThrustHeaders::header_of(const std::string& name) const {
  size_t most = 0;
  const std::string* found = nullptr;
  for (const auto& [header, text] : texts_) {
    const size_t uses = uses_of(name, text);
    if (uses == 0) continue;
    if (fs::path(header).stem() == name) return "<thrust/" + header + ">";
    if (uses > most) found = &header;
    most = std::max(most, uses);
  }
  return found ? "<thrust/" + *found + ">" : "";
}

}  // namespace syncsniff::facts
