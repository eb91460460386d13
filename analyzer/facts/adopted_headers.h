// Foreign header libraries that launch kernels or call CUDA themselves, as a tensor library that is kept beside the
// project. The project's own lines wait and launch through them, so their bodies are read along with the unit's.
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

// Whether the file's text suggests that it puts work on the GPU, copies or waits. False for headers of the system.
bool may_be_adopted(std::string_view path, std::string_view text);

// Libraries by folder (canonical, with a '/' at its end); one library is everything below one name in an include
// folder. Without those of the system and of the CUDA toolkit, and without libraries that the API tables describe.
struct GpuLibraries {
  std::vector<std::string> to_read;
  std::vector<UnreadLibrary> too_large;  // the unit reads so much of it that parsing it takes longer than the project
};
GpuLibraries gpu_libraries(const FileLog& log, const frontend::UnitCommand& command, const ProjectFiles& project,
                           const ApiTable& apis);

}  // namespace syncsniff::facts
