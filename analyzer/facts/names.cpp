#include "analyzer/facts/names.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Index/USRGeneration.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>

#include "analyzer/facts/preamble.h"
#include "analyzer/facts/unknown_names.h"

namespace syncsniff::facts {
namespace {

using namespace clang;

const RecordDecl* record_of(QualType type) {
  if (type.isNull()) return nullptr;  // a braced list of a declaration with an error
  type = type.getNonReferenceType().getCanonicalType();
  const auto* record = type->getAs<RecordType>();
  return record ? record->getDecl() : nullptr;
}

bool record_named(QualType type, std::initializer_list<const char*> names) {
  const RecordDecl* record = record_of(type);
  if (!record || !record->getIdentifier()) return false;
  StringRef name = record->getName();
  return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
}

std::string squeeze(StringRef text, size_t most) {
  std::string out;
  bool blank = false;
  for (char c : text) {
    if (isspace(static_cast<unsigned char>(c))) {
      blank = !out.empty();
      continue;
    }
    // f(\n  x) becomes f(x): fingerprints are computed from texts and must not depend on line breaks.
    if (blank && c != ')' && out.back() != '(') out += ' ';
    blank = false;
    out += c;
  }
  if (out.size() > most) out = out.substr(0, most - 3) + "...";
  return out;
}

}  // namespace

// The place of a declaration in numbers that do not depend on how many files the unit read before: offsets in the
// source and, in a macro's expansion, in the macro.
std::string place_name(SourceLocation location, const SourceManager& sources) {
  std::string name = std::to_string(sources.getFileOffset(sources.getExpansionLoc(location)));
  if (location.isMacroID()) name += "/" + std::to_string(sources.getFileOffset(sources.getSpellingLoc(location)));
  return name;
}

std::string usr_of(const Decl* decl) {
  llvm::SmallString<128> usr;
  if (!decl || index::generateUSRForDecl(decl, usr)) return {};
  std::string out(usr);
  // At namespace scope all lambdas of one shape have the same USR; the place distinguishes them.
  const auto* method = dyn_cast<CXXMethodDecl>(decl);
  if (method && method->getParent()->isLambda() && !method->getParent()->getParentFunctionOrMethod())
    out += "@" + place_name(method->getLocation(), method->getASTContext().getSourceManager());
  return out;
}

bool is_stand_in(const RecordDecl* record) {
  const auto* space = dyn_cast<NamespaceDecl>(record->getDeclContext());
  return space && space->getName() == kStandInNamespace;
}

bool stands_for_unknown(const CXXRecordDecl* record) {
  if (is_stand_in(record)) return true;
  record = record->getDefinition();
  return record && std::any_of(record->bases_begin(), record->bases_end(), [](const CXXBaseSpecifier& base) {
           const CXXRecordDecl* of = base.getType()->getAsCXXRecordDecl();
           return of && is_stand_in(of);
         });
}

std::string api_name(const NamedDecl* decl) {
  std::string name = decl->getDeclName().getAsString();
  if (isa<CXXConstructorDecl>(decl)) name = "(constructor)";
  if (const auto* conversion = dyn_cast<CXXConversionDecl>(decl)) {
    name = conversion->getConversionType()->isBooleanType() ? "operator bool" : "(conversion)";
  }
  for (const DeclContext* c = decl->getDeclContext(); c && !c->isTranslationUnit(); c = c->getParent()) {
    if (const auto* space = dyn_cast<NamespaceDecl>(c)) {
      if (space->isInlineNamespace() || space->isAnonymousNamespace()) continue;
      // CCCL hides its version in an ordinary-looking inline namespace of some releases.
      name = space->getNameAsString() + "::" + name;
    } else if (const auto* record = dyn_cast<RecordDecl>(c)) {
      if (is_stand_in(record) && record->getName() == kMaybeTensor) return "at::Tensor::" + name;
      name = record->getNameAsString() + "::" + name;
    }
  }
  return name;
}

// TensorDevice<Expression, GpuDevice>: GpuDevice.
bool has_class_argument(const NamedDecl* method, llvm::StringRef name) {
  const auto* of = dyn_cast<ClassTemplateSpecializationDecl>(method->getDeclContext());
  return of && llvm::any_of(of->getTemplateArgs().asArray(), [&](const TemplateArgument& argument) {
           const auto* record =
               argument.getKind() == TemplateArgument::Type ? argument.getAsType()->getAsCXXRecordDecl() : nullptr;
           return record && record->getIdentifier() && record->getName() == name;
         });
}

const ApiFact* fact_of(const NamedDecl* decl, const std::string& name, const ApiTable& apis) {
  const ApiFact* fact = apis.find(name);
  if (fact && !fact->class_argument.empty() && !has_class_argument(decl, fact->class_argument)) return nullptr;
  const auto* function = dyn_cast<FunctionDecl>(decl);
  if (!fact || !function || fact->library != "libc" ||
      !function->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return fact;
  if (!function->isExternC()) return nullptr;
  const FunctionDecl* body = function->getDefinition();
  const SourceManager& sm = function->getASTContext().getSourceManager();
  return body && !sm.isInSystemHeader(body->getLocation()) ? nullptr : fact;
}

const ApiFact* fact_of(const NamedDecl* decl, const ApiTable& apis) { return fact_of(decl, api_name(decl), apis); }

std::string node_of(const ValueDecl* decl) {
  if (const auto* param = dyn_cast<ParmVarDecl>(decl)) {
    if (const auto* function = dyn_cast_or_null<FunctionDecl>(param->getDeclContext())) {
      return "p:" + usr_of(function) + "#" + std::to_string(param->getFunctionScopeIndex());
    }
  }
  if (const auto* field = dyn_cast<FieldDecl>(decl)) return "f:" + usr_of(field);
  if (const auto* var = dyn_cast<VarDecl>(decl); var && var->isLocalVarDecl() && !var->isStaticLocal()) {
    // USRs of locals repeat if a name is declared twice in one function; the place distinguishes them.
    const auto* function = dyn_cast_or_null<FunctionDecl>(var->getParentFunctionOrMethod());
    return "v:" + (function ? usr_of(function) : "") + "@" + var->getNameAsString() + "@" +
           place_name(var->getLocation(), var->getASTContext().getSourceManager());
  }
  return "v:" + usr_of(decl);
}

std::string return_node_of(const FunctionDecl* function) { return "r:" + usr_of(function); }
std::string this_node_of(const CXXMethodDecl* method) { return "t:" + usr_of(method); }

Place place_of(SourceRange range, const ASTContext& context) {
  const SourceManager& sm = context.getSourceManager();
  SourceLocation begin = sm.getFileLoc(range.getBegin());
  SourceLocation end = sm.getFileLoc(range.getEnd());
  if (range.getEnd().isMacroID() && !sm.isMacroArgExpansion(range.getEnd())) {
    end = sm.getExpansionRange(range.getEnd()).getEnd();
  }
  if (range.getBegin().isMacroID() && !sm.isMacroArgExpansion(range.getBegin())) {
    begin = sm.getExpansionRange(range.getBegin()).getBegin();
  }
  Place place;
  if (begin.isInvalid()) return place;
  if (end.isInvalid() || sm.getFileID(begin) != sm.getFileID(end)) end = begin;
  SourceLocation past = Lexer::getLocForEndOfToken(end, 0, sm, context.getLangOpts());
  if (past.isInvalid()) past = end;
  auto [file, offset] = sm.getDecomposedLoc(begin);
  unsigned last = sm.getFileOffset(past);
  if (auto entry = sm.getFileEntryRefForID(file)) {
    const StringRef real = entry->getFileEntry().tryGetRealPathName();
    // Clang resolves symbolic links when it opens a file, and it does not open the files of a preamble.
    place.file = sm.isLoadedFileID(file) ? real_path_of(*entry) : real.empty() ? entry->getName().str() : real.str();
  }
  place.line = sm.getLineNumber(file, offset);
  place.column = sm.getColumnNumber(file, offset);
  place.offset = offset;
  place.length = last > offset ? last - offset : 0;
  place.end_line = sm.getLineNumber(file, std::max(offset, last ? last - 1 : 0));
  place.end_column = sm.getColumnNumber(file, std::max(offset, last));
  return place;
}

// The text of a range in the body of a macro with parameters, as written there. Empty if the range begins or ends in a
// macro argument. A macro without parameters counts as a name: cublasDaxpy for cublasDaxpy_v2.
static std::string text_in_macro(SourceRange range, const SourceManager& sm, const LangOptions& language) {
  const auto is_of_body = [&](SourceLocation at) {
    return at.isMacroID() && sm.getSLocEntry(sm.getFileID(at)).getExpansion().isFunctionMacroExpansion();
  };
  if (!is_of_body(range.getBegin()) || !is_of_body(range.getEnd())) return {};
  const auto [file, begin] = sm.getDecomposedSpellingLoc(range.getBegin());
  const auto [same, last] = sm.getDecomposedSpellingLoc(range.getEnd());
  if (sm.getFileID(range.getBegin()) != sm.getFileID(range.getEnd()) || file != same || last < begin) return {};
  bool bad = false;
  const StringRef buffer = sm.getBufferData(file, &bad);
  const unsigned past = last + Lexer::MeasureTokenLength(sm.getSpellingLoc(range.getEnd()), sm, language);
  if (bad || past > buffer.size()) return {};
  std::string text = buffer.slice(begin, past).str();
  for (const char* goes_on : {"\\\n", "\\\r\n"})
    for (size_t at = 0; (at = text.find(goes_on, at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

std::string quoted_text(SourceRange range, const ASTContext& context, size_t most) {
  const std::string text = text_in_macro(range, context.getSourceManager(), context.getLangOpts());
  return text.empty() ? source_text(range, context, most) : squeeze(text, most);
}

std::string source_text(SourceRange range, const ASTContext& context, size_t most) {
  const SourceManager& sm = context.getSourceManager();
  const Place place = place_of(range, context);
  SourceLocation begin = sm.getFileLoc(range.getBegin());
  if (begin.isInvalid() || !place.length) return {};
  bool bad = false;
  StringRef buffer = sm.getBufferData(sm.getFileID(begin), &bad);
  if (bad || place.offset + place.length > buffer.size()) return {};
  return squeeze(buffer.substr(place.offset, place.length), most);
}

bool is_dispatched(const Expr* called, const FunctionDecl* callee) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (!method || !method->isVirtual()) return false;
  const auto* member = dyn_cast<MemberExpr>(called->IgnoreParenImpCasts());
  return !member || !member->hasQualifier();
}

bool is_managed(const Decl* decl) {
  for (const auto* attribute : decl->specific_attrs<AnnotateAttr>()) {
    if (attribute->getAnnotation() == "cuda_managed") return true;
  }
  return decl->hasAttr<HIPManagedAttr>();
}

bool is_of_libtorch(const Decl* decl) {
  const NamespaceDecl* outermost = nullptr;
  for (const DeclContext* at = decl ? decl->getDeclContext() : nullptr; at; at = at->getParent()) {
    if (const auto* space = dyn_cast<NamespaceDecl>(at)) outermost = space;
  }
  if (!outermost || !outermost->getIdentifier()) return false;
  const StringRef name = outermost->getName();
  return name == "at" || name == "torch" || name == "c10";
}

bool is_tensor(QualType type) {
  return record_named(type, {"Tensor", "TensorBase", "Variable", "TensorRef"}) && is_of_libtorch(record_of(type));
}

bool is_device_type(QualType type) {
  if (type.isNull()) return false;
  if (record_named(type, {"Device", "TensorOptions"})) return is_of_libtorch(record_of(type));
  const auto* enumeration = type.getNonReferenceType().getCanonicalType()->getAs<EnumType>();
  const EnumDecl* decl = enumeration ? enumeration->getDecl() : nullptr;
  return decl && decl->getIdentifier() && (decl->getName() == "DeviceType" || decl->getName() == "Backend") &&
         is_of_libtorch(decl);
}

bool is_text(QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (const auto* pointer = type->getAs<PointerType>()) return pointer->getPointeeType()->isAnyCharacterType();
  return record_named(type, {"basic_string", "basic_string_view"});
}

bool may_hold_pointer(QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isPointerType() || type->isArrayType() || type->isMemberPointerType()) return true;
  return type->isRecordType() || is_device_type(type);
}

QualType parameter_type(const FunctionDecl* callee, unsigned index) {
  return callee && index < callee->getNumParams() ? callee->getParamDecl(index)->getType() : QualType();
}

}  // namespace syncsniff::facts
