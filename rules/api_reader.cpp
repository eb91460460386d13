#include "rules/api_reader.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "rules/schema_reader.h"

namespace syncsniff {
namespace {

constexpr EnumWords<Blocks> kBlocksWords = {{"never", Blocks::kNever},
                                            {"always", Blocks::kAlways},
                                            {"pageable", Blocks::kPageable},
                                            {"host_result", Blocks::kHostResult},
                                            {"host_policy", Blocks::kHostPolicy},
                                            {"cuda_tensor", Blocks::kCudaTensor},
                                            {"poll", Blocks::kPoll}};
constexpr EnumWords<MemoryKind> kMemoryWords = {{"pageable", MemoryKind::kPageable},
                                                {"pinned", MemoryKind::kPinned},
                                                {"managed", MemoryKind::kManaged},
                                                {"device", MemoryKind::kDevice}};

// Reads an argument: its position, its name in the signature, `return`, or `object` for a method's object.
int read_argument(const YamlView& value, const char* key, const ApiFact& fact) {
  const std::string text = read_text(value, key);
  if (text == "return") return kReturn;
  if (text == "object") return kObject;
  int position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error == std::errc() && end == text.data() + text.size()) {
    const bool known = !fact.signature.empty();
    if (position < 0 || (known && position >= static_cast<int>(fact.parameters.size()))) {
      fail_at(value, key, fact.name + " has no argument " + text);
    }
    return position;
  }
  if (fact.signature.empty()) fail_at(value, key, "'" + text + "' names a parameter, but there is no signature");
  const auto found = std::find(fact.parameters.begin(), fact.parameters.end(), text);
  if (found == fact.parameters.end()) fail_at(value, key, "'" + text + "' is not a parameter of " + fact.name);
  return static_cast<int>(found - fact.parameters.begin());
}

class FactReader {
 public:
  FactReader(ApiFact& fact, const YamlView& entry) : fact_(fact), entry_(entry, fact.name) {}

  void read() {
    read_signature();
    read_blocking();
    read_enqueueing();
    read_memory();
    read_objects();
    read_shim();
    entry_.finish();
  }

 private:
  void argument(const char* key, int& position) {
    if (const auto value = entry_.optional(key)) position = read_argument(*value, key, fact_);
  }
  void text(const char* key, std::string& to) {
    if (const auto value = entry_.optional(key)) to = read_text(*value, key);
  }
  void word(const char* key, std::string& to, std::initializer_list<const char*> words) {
    if (const auto value = entry_.optional(key)) to = read_word(*value, key, words);
  }
  void flag(const char* key, bool& to) {
    if (const auto value = entry_.optional(key)) to = read_bool(*value, key);
  }
  template <typename Enum>
  void choice(const char* key, Enum& to, EnumWords<Enum> words) {
    if (const auto value = entry_.optional(key)) to = read_enum<Enum>(*value, key, words);
  }

  void read_signature() {
    text("header", fact_.header);
    text("removed_in", fact_.removed_in);
    text("fixed_in", fact_.fixed_in);
    const auto value = entry_.optional("signature");
    if (!value) return;
    fact_.signature = read_text(*value, "signature");
    try {
      fact_.parameters = parameter_names(fact_.signature, fact_.name);
    } catch (const std::invalid_argument& error) {
      fail_at(*value, "signature", error.what());
    }
  }

  // Throws if `key` is given without the key that it depends on. Otherwise no rule would report the function, and
  // nobody would know why.
  void need(const char* key, bool is_there, const char* what) {
    if (is_there) return;
    if (const auto value = entry_.optional(key)) fail_at(*value, key, what);
  }

  void read_blocking() {
    choice("blocks_host", fact_.blocks, kBlocksWords);
    choice<WaitsFor>("waits_for", fact_.waits_for,
                     {{"device", WaitsFor::kDevice},
                      {"stream", WaitsFor::kStream},
                      {"event", WaitsFor::kEvent},
                      {"result", WaitsFor::kResult}});
    bool implicit = false;
    flag("implicit", implicit);
    // Separate from waits_for, so that no rule about waits treats a cudaFree as a wait that can be deleted.
    if (implicit) std::swap(fact_.implicit_wait, fact_.waits_for);
    argument("stream", fact_.stream_arg);
    argument("event", fact_.event_arg);
    flag("records_event", fact_.records_event);
    flag("reads_elapsed", fact_.reads_elapsed);
    flag("other_extent", fact_.other_extent);
    argument("result", fact_.result_arg);
    const bool waits = fact_.waits_for != WaitsFor::kNothing || fact_.implicit_wait != WaitsFor::kNothing;
    need("blocks_host", waits || (fact_.blocks != Blocks::kAlways && fact_.blocks != Blocks::kPoll),
         "needs `waits_for` beside it: device, stream, event or result");
    need("waits_for", fact_.waits_for != WaitsFor::kEvent || fact_.event_arg != kNoArg,
         "needs `event` beside it: the parameter that is the event");
    need("blocks_host", fact_.blocks != Blocks::kHostResult || fact_.result_arg != kNoArg,
         "needs `result` beside it: the parameter that the result is written to");
    const auto list = entry_.optional("except");
    if (!list) return;
    if (list->kind() != YamlKind::kSequence) fail_at(*list, "except", "must be a list of exceptions");
    for (uint32_t i = 0; i < list->size(); ++i) fact_.except.push_back(read_exception(list->element(i)));
  }

  BlocksException read_exception(const YamlView& view) {
    SchemaReader map(view, "except");
    BlocksException exception;
    exception.arg = read_argument(map.required("arg"), "arg", fact_);
    exception.equals = read_text(map.required("equals"), "equals");
    exception.blocks = read_enum<Blocks>(map.required("blocks_host"), "blocks_host", kBlocksWords);
    map.finish();
    return exception;
  }

  void read_enqueueing() {
    word("enqueues", fact_.enqueued, {"kernel", "copy", "memset", "other"});
    fact_.enqueues = !fact_.enqueued.empty();
    fact_.launches_kernel = fact_.enqueued == "kernel";
    flag("elementwise", fact_.elementwise);
    if (const auto value = entry_.optional("elements")) read_elements(*value);
    word("group", fact_.group, {"begin", "end"});
    word("capture", fact_.capture, {"begin", "end"});
    word("sets", fact_.sets, {"pointer_mode", "math_mode", "precision", "stream"});
    word("product", fact_.product, {"fp32", "typed"});
    if (const auto value = entry_.optional("copy")) read_copy(*value);
  }

  void read_elements(const YamlView& view) {
    SchemaReader map(view, "elements");
    ElementsFact elements;
    elements.count = read_argument(map.required("count"), "count", fact_);
    const YamlView vectors = map.required("vectors");
    if (vectors.kind() != YamlKind::kSequence) fail_at(vectors, "vectors", "must be a list of vectors");
    for (uint32_t i = 0; i < vectors.size(); ++i) {
      SchemaReader vector(vectors.element(i), "vectors");
      const std::string access = read_word(vector.required("access"), "access", {"reads", "writes", "updates"});
      elements.vectors.push_back({read_argument(vector.required("arg"), "arg", fact_),
                                  read_argument(vector.required("stride"), "stride", fact_), access != "writes",
                                  access != "reads"});
      vector.finish();
    }
    map.finish();
    if (!fact_.elementwise) fail_at(view, "elements", "needs `elementwise: true`");
    fact_.elements = std::move(elements);
  }

  void read_copy(const YamlView& view) {
    SchemaReader map(view, "copy");
    CopyFact copy;
    const std::pair<const char*, int CopyFact::*> positions[] = {{"dst", &CopyFact::dst},
                                                                 {"src", &CopyFact::src},
                                                                 {"bytes", &CopyFact::bytes},
                                                                 {"kind", &CopyFact::kind},
                                                                 {"count", &CopyFact::count},
                                                                 {"element_size", &CopyFact::element_size},
                                                                 {"descriptor", &CopyFact::descriptor}};
    for (const auto& [key, member] : positions) {
      if (const auto value = map.optional(key)) copy.*member = read_argument(*value, key, fact_);
    }
    if (const auto value = map.optional("direction")) {
      copy.direction = read_enum<CopyDirection>(*value, "direction",
                                                {{"by_argument", CopyDirection::kByArgument},
                                                 {"h2d", CopyDirection::kHostToDevice},
                                                 {"d2h", CopyDirection::kDeviceToHost},
                                                 {"d2d", CopyDirection::kDeviceToDevice},
                                                 {"by_pointers", CopyDirection::kByPointers}});
    }
    map.finish();
    const bool says_direction = copy.direction != CopyDirection::kByArgument || copy.kind != kNoArg;
    if (!says_direction) fail_at(view, "copy", "needs `kind` or `direction`");
    fact_.copy = copy;
  }

  void read_memory() {
    choice("allocates", fact_.allocates, kMemoryWords);
    choice("frees", fact_.frees, kMemoryWords);
    argument("out", fact_.out_arg);
    argument("bytes", fact_.bytes_arg);
    argument("registers", fact_.registers_arg);
    argument("renames", fact_.renames_arg);
    argument("freed", fact_.freed_arg);
    flag("pooled", fact_.pooled);
  }

  void read_objects() {
    word("creates", fact_.creates, {"stream", "event", "graph", "handle"});
    word("destroys", fact_.destroys, {"stream", "event", "graph", "handle", "cache"});
    word("host_work", fact_.host_work, {"reads", "logs", "clock", "sleeps"});
    word("tensor", fact_.tensor,
         {"sync_scalar", "sync_size", "sync_inside", "to_host", "to_device", "move", "print", "clip_grad_norm",
          "factory_cpu", "pin", "shape_only", "elementwise", "reduction", "foreach", "op", "layer", "accessor"});
    flag("error_path", fact_.in_error_path);
    flag("reads_error", fact_.reads_error);
    flag("switches_device", fact_.switches_device);
    flag("runs_plan", fact_.runs_plan);
    flag("uses_device_memory", fact_.uses_device_memory);
    text("class_argument", fact_.class_argument);
  }

  void read_shim() {
    word("class", fact_.call_class,
         {"wait", "copy", "allocate", "free", "launch", "poll", "module_load", "enqueue", "other"});
    const auto versions = entry_.optional("versions");
    if (!versions) return;
    expect_map(*versions, "versions");
    for (uint32_t i = 0; i < versions->size(); ++i) {
      fact_.versions.emplace_back(read_text(versions->key(i), "versions"), read_int(versions->value(i), "versions"));
    }
  }

  ApiFact& fact_;
  SchemaReader entry_;
};

}  // namespace

ApiFact read_api_fact(const std::string& name, const YamlView& entry, const std::string& library,
                      const std::string& header) {
  ApiFact fact;
  fact.name = name;
  fact.library = library;
  fact.header = header;
  FactReader(fact, entry).read();
  return fact;
}

}  // namespace syncsniff
