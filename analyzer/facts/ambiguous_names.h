// Names that mean two things in this reading and one where the program is built: with `using namespace thrust`, newer
// headers have a namespace `cuda` beside thrust::cuda; with `using namespace std`, a later standard has std::data
// beside the program's own `data`; and where a program declares thrust::pair ahead, thrust may have made it an alias
// since. Clang drops the whole statement. Read a second time with the name that is meant, it stays.
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

  // The files with other names, as long as those that they replace, so that every place stays what it was.
  const SourceTexts& texts() const { return texts_; }
  // What these names stand for, and headers: to be read before the unit.
  const std::string& definitions() const { return definitions_; }

  // Texts of the second reading with the names as the person wrote them.
  void restore(UnitFacts& unit) const;

 private:
  struct Use {
    clang::SourceLocation at;
    std::vector<const clang::NamedDecl*> candidates;
  };

  // Takes the program's own declaration ahead out of the text, and has the library's header read before the unit.
  bool drop_forward_declaration(const Use& use, clang::ASTContext& context);

  std::vector<Use> uses_;
  std::set<const clang::NamedDecl*> dropped_;
  SourceTexts texts_;
  std::string definitions_;
  std::vector<std::pair<std::string, std::string>> written_;  // what a name of ours replaces
};

}  // namespace syncsniff::facts
