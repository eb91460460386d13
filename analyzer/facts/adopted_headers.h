// Header libraries of others that launch kernels or call CUDA themselves, as a tensor library that stands beside the
// project: the project's own lines wait and launch through them, so their bodies are read with the unit's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/project_files.h"
#include "analyzer/facts/watched_files.h"
#include "analyzer/frontend/command.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

// Does the file put work on the GPU, copy or wait, by its text? A header of the system is none of a library's.
bool may_be_adopted(std::string_view path, std::string_view text);

// By folder (canonical, with a '/' at its end): what lies below one name of an include folder. Not those of the system
// and of the CUDA toolkit, and not libraries that the API tables describe.
struct GpuLibraries {
  std::vector<std::string> to_read;
  std::vector<UnreadLibrary> too_large;  // the unit reads so much of it that parsing takes longer than the project
};
GpuLibraries gpu_libraries(const FileLog& log, const frontend::UnitCommand& command, const ProjectFiles& project,
                           const ApiTable& apis);

}  // namespace syncsniff::facts
