// A folder of its own for each test, and the text of what a call throws.
#pragma once

#include <filesystem>
#include <string>

namespace syncsniff::test {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // Returns the file's path.
  std::string write(const std::string& name, const std::string& text) const;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string read_text_file(const std::filesystem::path& path);

// what() of what `call` throws, with `folder` and its slash cut out; "nothing was thrown" otherwise.
template <typename Call>
std::string error_of(const std::string& folder, Call call) {
  std::string message = "nothing was thrown";
  try {
    call();
  } catch (const std::exception& error) {
    message = error.what();
  }
  for (size_t at; !folder.empty() && (at = message.find(folder + "/")) != std::string::npos;)
    message.erase(at, folder.size() + 1);
  return message;
}

}  // namespace syncsniff::test
