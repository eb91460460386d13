// Names that a unit uses and that nothing declares, because a foreign header is missing. Clang drops a range-for over a
// variable of such a type with its whole body, and drops expressions that begin with such a name. A second reading with
// stand-in declarations keeps both.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>
#include <llvm/ADT/DenseSet.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analyzer/facts/template_calls.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

// The path under which the unit includes the declarations; it is on no disk.
inline constexpr const char* kStandIns = "/syncsniff-stand-ins.h";
// The namespace of the stand-in classes. A MaybeTensor may be a tensor, because a tensor's methods are called on it:
// x.to(device).
inline constexpr const char* kStandInNamespace = "syncsniff_stand_ins";
inline constexpr const char* kMaybeTensor = "MaybeTensor";

// What a name has to be for its uses to parse.
struct UnknownName {
  bool is_type = false, is_template = false, is_called = false, is_value = false, is_namespace = false;
  std::map<std::string, UnknownName> members;  // in lib::Loader, Loader is a member of lib
};

class UnknownNames {
 public:
  // Takes any error; ignores one that is not about an undeclared name.
  void note(const clang::Diagnostic& error);

  // To be called at the end of the unit: finds how each name is used in the files that Clang complained about. A name
  // that the unit declares after all (after its use, say) is left out. `apis` says which methods are a tensor's.
  void read_uses(clang::ASTContext& context, const ApiTable& apis);

  // Function templates to be declared once more, for arguments that are stand-ins.
  void note_templates(std::set<TemplateName> templates) { templates_ = std::move(templates); }

  bool empty() const { return names_.members.empty() && standard_headers_.empty(); }
  // Includes of the headers that declare some of them. Another release of the C++ library or of Thrust includes these
  // by itself.
  std::string headers() const;

  // C++ declarations of all of them, to be included before the unit's first line: types, functions, and variables of a
  // class that has every member that is used, so that expressions keep their calls and their structure.
  std::string stand_ins(bool is_cuda) const;

 private:
  struct Root {
    std::vector<std::string> scope;  // enclosing namespaces that are declared, outermost first
    std::string name;
    bool operator<(const Root& other) const { return std::tie(scope, name) < std::tie(other.scope, other.name); }
  };
  class Uses;

  void note_incomplete_types(const clang::Diagnostic& error);
  bool is_declared(const Root& root, clang::ASTContext& context) const;
  bool take_from_standard_header(const Root& root, const clang::LangOptions& language);
  void take_from_thrust(const clang::SourceManager& sources);
  UnknownName& entry(const Root& root);

  std::set<Root> roots_;
  std::set<Root> types_;       // those that Clang looked up as a type
  std::set<Root> incomplete_;  // classes of the C++ library that are declared and not defined
  llvm::DenseSet<clang::FileID> files_;
  // Headers that the missing one would have included: <map> for std::map, <stdlib.h> for malloc, Thrust's.
  std::set<std::string> standard_headers_;
  UnknownName names_;                                      // the global namespace
  std::set<std::string> data_, methods_, tensor_methods_;  // names after a `.` or `->` anywhere in those files
  std::set<TemplateName> templates_;
  std::set<std::string> types_inside_;  // Ptr of `typename Cloud::Ptr`, whatever Cloud is
};

}  // namespace syncsniff::facts
