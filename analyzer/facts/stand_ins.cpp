#include "analyzer/facts/unknown_names.h"

namespace syncsniff::facts {

namespace {

// A class of values of which nothing is known: constructed from anything, converted to anything, called, indexed,
// iterated over. `@` stands for the attributes __host__ and __device__, if needed.
constexpr const char* kUnknownHead = R"(
struct Unknown : MaybeTensor {
  @ Unknown();
  template <class... A> @ Unknown(A&&...);
  template <class T> @ operator T() const;
  template <class... A> @ Unknown operator()(A&&...) const;
  template <class I> @ Unknown& operator[](I&&) const;
  template <class A> @ Unknown& operator=(A&&);
  @ Unknown& operator*() const;
  @ Unknown* operator->() const;
  @ Unknown* begin() const;
  @ Unknown* end() const;
)";

// Arithmetic and comparisons with such a value; with a tensor the result is a tensor, and << on a stream returns the
// stream.
constexpr const char* kOperators = R"(
template <class T> struct Plain { typedef T type; };
template <class T> struct Plain<T&> { typedef T type; };
template <class T> struct Plain<T&&> { typedef T type; };
template <class T> struct Plain<const T> { typedef T type; };
template <class T> struct Plain<const T&> { typedef T type; };
template <bool known, class A, class B> struct Combined {};
template <class A, class B> struct Combined<true, A, B> { typedef Unknown type; };
template <class B> struct Combined<true, at::Tensor, B> { typedef at::Tensor type; };
template <class A> struct Combined<true, A, at::Tensor> { typedef at::Tensor type; };
template <class A, class B> struct Result
    : Combined<__is_base_of(Unknown, typename Plain<A>::type) || __is_base_of(Unknown, typename Plain<B>::type),
               typename Plain<A>::type, typename Plain<B>::type> {};
template <bool prints, class A> struct Printed {};
template <class A> struct Printed<true, A> { typedef A& type; };
template <class A, class B> struct Stream
    : Printed<!__is_base_of(Unknown, A) && __is_base_of(Unknown, typename Plain<B>::type), A> {};
template <class A, class B> @ typename Stream<A, B>::type operator<<(A&, B&&);
template <class A> @ Unknown operator<<(const Unknown&, A&&);
)";

// The result of a library's function template that is called with such a value: none of its own candidates may fit.
constexpr const char* kOfUnknown = R"(
template <unsigned long> struct Complete { typedef void type; };
template <class T, class Whole = void> struct IsUnknown { static const bool value = false; };
template <class T> struct IsUnknown<T, typename Complete<sizeof(T)>::type> {
  static const bool value = __is_base_of(Unknown, T);
};
template <bool found, class... A> struct OneOf {};
template <class... A> struct OneOf<true, A...> { typedef Unknown type; };
template <class A, class... More> struct OneOf<false, A, More...>
    : OneOf<IsUnknown<typename Plain<A>::type>::value, More...> {};
)";

constexpr const char* kCombining[] = {"+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^"};

class Writer {
 public:
  explicit Writer(bool is_cuda) : both_sides_(is_cuda ? "__attribute__((host, device))" : "") {}

  void write_unknown(const std::set<std::string>& data, const std::set<std::string>& methods,
                     const std::set<std::string>& of_tensors, const std::set<std::string>& types) {
    text_ += "namespace c10 { class Scalar; }\nnamespace at { class Tensor; }\n";
    text_ += "namespace " + std::string(kStandInNamespace) + " {\nstruct " + kMaybeTensor + " {\n";
    for (const std::string& name : of_tensors) write_tensor_method(name);
    text_ += "};\n";
    write_template(kUnknownHead);
    for (const std::string& name : methods)
      if (name != "begin" && name != "end" && !of_tensors.contains(name))
        text_ += "  template <class... T, class... A> " + both_sides_ + " Unknown " + name + "(A&&...) const;\n";
    for (const std::string& name : data) text_ += "  Unknown& " + name + ";\n";
    for (const std::string& name : types)
      if (!of_tensors.contains(name)) text_ += "  typedef Unknown " + name + ";\n";
    text_ += "};\n";
    write_template(kOperators);
    for (const char* name : kCombining)
      text_ += "template <class A, class B> " + both_sides_ + " typename Result<A, B>::type operator" + name +
               "(A&&, B&&);\n";
    text_ += "}\n";
  }

  void write_templates(const std::set<TemplateName>& templates) {
    if (templates.empty()) return;
    const std::string space = kStandInNamespace;
    text_ += "namespace " + space + " {";
    write_template(kOfUnknown);
    text_ += "}\n";
    for (const TemplateName& function : templates) {
      for (const std::string& scope : function.scope) text_ += "namespace " + scope + " { ";
      text_ += "template <class... T, class... A> " + both_sides_ + " typename ::" + space +
               "::OneOf<false, A...>::type " + function.name + "(A&&...);" + std::string(function.scope.size(), '}') +
               "\n";
    }
  }

  void write_members(const UnknownName& scope, bool in_class) {
    for (const auto& [name, what] : scope.members) write(name, what, in_class);
  }

  std::string take() { return std::move(text_); }

 private:
  void write_template(const char* text) {
    for (const char c : std::string_view(text)) c == '@' ? text_ += both_sides_ : text_ += c;
  }

  // Only item() has a template argument: the type that it returns.
  void write_tensor_method(const std::string& name) {
    text_ += name == "item" ? "  template <class T = c10::Scalar, class... A> " + both_sides_ + " T " + name
                            : "  template <class... A> " + both_sides_ + " at::Tensor " + name;
    text_ += "(A&&...) const;\n";
  }

  void write(const std::string& name, const UnknownName& what, bool in_class) {
    const std::string unknown = "::" + std::string(kStandInNamespace) + "::Unknown";
    const bool is_class = what.is_type || (in_class && !what.members.empty());
    if (is_class) {
      if (what.is_template) text_ += "template <class...> ";
      text_ += "struct " + name + " : " + unknown + " {\n";
      text_ += both_sides_ + " " + name + "();\n";
      text_ += "template <class... A> " + both_sides_ + " " + name + "(A&&...);\n";
      text_ += "using " + unknown + "::operator=;\n";
      write_members(what, true);
      text_ += "};\n";
    } else if (what.is_namespace || !what.members.empty()) {
      text_ += "namespace " + name + " {\n";
      write_members(what, false);
      text_ += "}\n";
    } else if (what.is_called && !what.is_value) {
      const std::string head = what.is_template ? "template <class... T, class... A> " : "template <class... A> ";
      text_ += head + (in_class ? "static " : "") + both_sides_ + " " + unknown + " " + name + "(A&&...);\n";
    } else {
      text_ += (in_class ? "static " : "extern ") + unknown + " " + name + ";\n";
    }
  }

  const std::string both_sides_;
  std::string text_;
};

}  // namespace

std::string UnknownNames::headers() const {
  std::string text;
  for (const std::string& header : standard_headers_)
    text += "#if __has_include(" + header + ")\n#include " + header + "\n#endif\n";
  return text;
}

std::string UnknownNames::stand_ins(bool is_cuda) const {
  const std::string text = headers();
  if (names_.members.empty()) return text;
  Writer writer(is_cuda);
  writer.write_unknown(data_, methods_, tensor_methods_, types_inside_);
  writer.write_members(names_, false);
  writer.write_templates(templates_);
  return text + writer.take();
}

}  // namespace syncsniff::facts
