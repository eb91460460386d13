#include "tests/analyzer/program/linked_sources.h"

#include <filesystem>
#include <stdexcept>

#include "analyzer/facts/unit.h"
#include "analyzer/frontend/command.h"
#include "rules/api_facts.h"

namespace syncsniff::test {

namespace fs = std::filesystem;

LinkedSources::LinkedSources(const std::map<std::string, std::string>& files)
    : apis_(ApiTable::load(data_directory() + "/rules/apis")),
      words_(Words::load(data_directory() + "/rules/words.yaml")) {
  std::vector<std::string> sources;
  for (const auto& [name, text] : files) {
    const std::string path = folder_.write(name, text);
    if (fs::path(name).extension() != ".h") sources.push_back(path);
  }
  write_database(folder_.path(), sources);
  const frontend::Toolchain toolchain = frontend::find_toolchain();
  for (const auto& command : frontend::load_compile_database(folder_.path(), nullptr)) {
    units_.push_back(facts::read_unit(frontend::translate(command, toolchain), folder_.path() + "/", apis_));
    if (!units_.back().errors.empty()) throw std::runtime_error(units_.back().errors.front());
  }
  programs_ = program::link_programs(units_, apis_, words_);
}

const program::Program& LinkedSources::program_of(const std::string& file) const {
  for (const auto& program : programs_) {
    for (const auto* f : program->functions()) {
      if (f->is_main && fs::path(f->place.file.str()).filename() == file) return *program;
    }
  }
  throw std::runtime_error("no program has its main in " + file);
}

program::Site LinkedSources::site(const program::Program& program, const std::string& file, unsigned line,
                                  const std::string& callee) {
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& events = program.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (events[e].place.line == line && events[e].callee.name == callee &&
          fs::path(events[e].place.file.str()).filename() == file) {
        return {f, e};
      }
    }
  }
  throw std::runtime_error("no call of " + callee + " at " + file + ":" + std::to_string(line));
}

int LinkedSources::function(const program::Program& program, const std::string& name) {
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    if (program.function(f).name == name) return f;
  }
  throw std::runtime_error("no function " + name);
}

program::Origins LinkedSources::origins(const program::Program& program, const std::string& file, unsigned line,
                                        const std::string& callee, int argument) {
  const program::Site at = site(program, file, line, callee);
  return program.origins(program.event(at).args[static_cast<size_t>(argument)].value, at.function);
}

}  // namespace syncsniff::test
