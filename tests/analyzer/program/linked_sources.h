// Sources given as text, read and linked: what a test asks the program about. Places are named by file and line.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/program/link.h"
#include "tests/analyzer/checks/test_program.h"

namespace syncsniff::test {

class LinkedSources {
 public:
  // File name -> text. .cu is read as nvcc would, .cpp as g++. Fails the test on a unit that has errors.
  explicit LinkedSources(const std::map<std::string, std::string>& files);

  const std::vector<std::unique_ptr<program::Program>>& programs() const { return programs_; }
  const program::Program& program(size_t i = 0) const { return *programs_.at(i); }
  // The program whose functions' files include this one; fails when there is none.
  const program::Program& program_of(const std::string& file) const;

  // The event on this line whose callee's name is this. Throws when there is none.
  static program::Site site(const program::Program& program, const std::string& file, unsigned line,
                            const std::string& callee);
  static int function(const program::Program& program, const std::string& name);
  // What the i-th argument of that call may point to.
  static program::Origins origins(const program::Program& program, const std::string& file, unsigned line,
                                  const std::string& callee, int argument);

 private:
  TemporaryFolder folder_;
  ApiTable apis_;
  Words words_;
  std::vector<facts::UnitFacts> units_;
  std::vector<std::unique_ptr<program::Program>> programs_;
};

}  // namespace syncsniff::test
