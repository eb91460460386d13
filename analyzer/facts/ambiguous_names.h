// Names that are ambiguous in this reading and have one meaning where the program is built: with `using namespace
// thrust`, newer headers have a namespace `cuda` beside thrust::cuda; with `using namespace std`, a later standard has
// std::data beside the program's own `data`; and where a program forward-declares thrust::pair, newer thrust may have
// made it an alias. Clang drops the whole statement. A second reading, in which the name is replaced by the one that is
// meant, keeps it.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/source_texts.h"

namespace syncsniff::facts {

class AmbiguousNames {
 public:
  // Takes any diagnostic; ignores those that are not about an ambiguous name.
  void note(const clang::Diagnostic& diagnostic);

  // Picks the candidate that is meant. To be called at the end of the unit, while its declarations exist.
  void choose(clang::ASTContext& context);

  bool empty() const { return texts_.empty(); }

  // The files with other names, each as long as the original, so that every offset in the file stays the same.
  const SourceTexts& texts() const { return texts_; }
  // Declarations of these names, and includes of headers: to be read before the unit.
  const std::string& definitions() const { return definitions_; }

  // Puts the names as written back into the texts of the second reading.
  void restore(UnitFacts& unit) const;

 private:
  struct Use {
    clang::SourceLocation at;
    std::vector<const clang::NamedDecl*> candidates;
  };

  // Removes the program's own forward declaration from the text, and has the library's header read before the unit.
  bool drop_forward_declaration(const Use& use, clang::ASTContext& context);

  std::vector<Use> uses_;
  std::set<const clang::NamedDecl*> dropped_;
  SourceTexts texts_;
  std::string definitions_;
  std::vector<std::pair<std::string, std::string>> written_;  // a name of ours, and the one that it replaces
};

}  // namespace syncsniff::facts
