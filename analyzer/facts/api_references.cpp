#include "analyzer/facts/api_references.h"

#include <algorithm>

#include "analyzer/facts/names.h"
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

const ApiFact* handed_api(const DeclRefExpr* reference, const ApiTable& apis) {
  const auto* handed = dyn_cast<FunctionDecl>(reference->getDecl());
  const ApiFact* api = handed ? fact_of(handed, apis) : nullptr;
  return api && api->tensor.empty() ? api : nullptr;
}

std::string handed_api_usr(const DeclRefExpr* reference) {
  const Decl* handed = reference->getDecl();
  return usr_of(handed) + "@" + place_name(reference->getLocation(), handed->getASTContext().getSourceManager());
}

// The function gets a stand-in body that calls it with its own parameters, so that a call of what was passed on reaches
// it.
void FunctionWalker::reference(const DeclRefExpr* reference) {
  const ApiFact* api = reference == called_name_ ? nullptr : handed_api(reference, apis_);
  if (!api) return;
  const auto* handed = cast<FunctionDecl>(reference->getDecl());
  const std::string usr = handed_api_usr(reference);
  const auto is_it = [&](const Function& function) { return function.usr == usr; };
  if (std::any_of(unit_.functions.begin(), unit_.functions.end(), is_it)) return;
  Function body;
  body.usr = usr;
  body.name = api->name;
  body.place = place_of(reference->getSourceRange(), context_);
  body.is_static_or_local = true;
  Region root;
  root.place = root.whole = body.place;
  body.regions.push_back(root);
  Event event;
  event.kind = Event::Kind::kApi;
  event.callee.id = event.callee.name = api->name;
  event.place = body.place;
  event.text = api->name;
  for (const ParmVarDecl* parameter : handed->parameters()) {
    body.params.push_back(node_of(parameter));
    body.param_is_pointer.push_back(may_hold_pointer(parameter->getType()));
    add_no_argument(event);
    event.args.back().value.kind = Value::Kind::kNode;
    event.args.back().value.node = node_of(parameter);
    event.args.back().text = parameter->getNameAsString();
  }
  body.events.push_back(std::move(event));
  unit_.functions.push_back(std::move(body));
}

}  // namespace syncsniff::facts
