// unpinned-to-device: a tensor in pageable host memory is copied to the GPU in a loop that launches GPU work.
#include <algorithm>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

namespace {

using program::Devices;

constexpr const char* kTypeAs = "at::Tensor::type_as";

// A copy to the GPU by LibTorch: its form, its source, and what selects the case of the rule's fix.
struct Upload {
  enum class Form : uint8_t { kNone, kMove, kCopyInto, kList, kIndex, kElement };
  Form form = Form::kNone;
  Devices source;
  bool factory = false;      // the source is created on the host only for this copy
  bool target_known = true;  // the target is certainly the GPU
  bool waits = false;        // without non_blocking, the host waits for the copy whatever the source's memory is
};

Devices devices_of(const Program& program, const Located& where, const Value& value) {
  return program.devices(value, program.reading(where.api), where.context());
}

// Whether the tensor may be in pageable host memory; false if its device is unknown.
bool on_host(const Devices& d) { return d.cpu && !d.pinned; }
bool on_host_alone(const Devices& d) { return on_host(d) && !d.cuda && !d.unknown; }

// Whether the tensor to move comes from code of unknown source. If it were on the GPU already, nobody would need to
// move it.
bool moved_unseen(const Upload& upload) {
  return upload.form == Upload::Form::kMove && upload.target_known && upload.source.unseen && !upload.source.cuda &&
         !upload.source.pinned;
}
// Whether the tensor is pinned on some ways to the place only, and the host waits for the copy on all of them.
bool blocks_though_pinned(const Upload& upload) {
  return upload.form == Upload::Form::kMove && upload.source.may_be_pageable && upload.source.cpu && upload.waits;
}
bool may_block(const Upload& upload) {
  return upload.form != Upload::Form::kNone &&
         (on_host(upload.source) || moved_unseen(upload) || blocks_though_pinned(upload));
}

bool names_gpu(const Program& program, const Located& where) {
  return std::ranges::any_of(facts::values(program.event(where.api).args), [&](const Value& arg) {
    return arg.kind != Value::Kind::kUnknown && devices_of(program, where, arg).cuda;
  });
}

// Whether the device named by to(x.device()) or tensor({1, 2}, x.options()) may be the GPU, as far as the program
// shows.
bool may_name_gpu(const Program& program, const Located& where) {
  const Value& made = program.event(where.api).result;
  if (made.kind != Value::Kind::kTensor || made.device != Value::Device::kNamed) return false;
  const Devices target = devices_of(program, where, made.operands.front());
  return target.unknown && !target.unnamed;
}

// Whether the value is a new tensor, as in torch::randn(shape).to(device).
bool is_factory(const Program& program, const Located& where, const Value& value) {
  const auto& events = program.function(where.api.function).events;
  return std::any_of(events.begin(), events.begin() + where.api.event, [&](const Event& made) {
    const ApiFact* fact = program.api(made);
    return fact && fact->tensor == "factory_cpu" && made.callee.id != "torch::from_blob" && value.place.length &&
           value.kind == Value::Kind::kTensor && made.place.offset == value.place.offset &&
           made.place.length == value.place.length && made.place.file == value.place.file;
  });
}

// Whether to(device) or to(device, torch::kFloat, false) says nothing of non_blocking, or false. Any other argument may
// be it.
bool leaves_out_non_blocking(const Event& event) {
  const auto is_known = [](const facts::Argument& argument) {
    const std::string& text = argument.text;
    return text == "false" || text.starts_with("torch::k") || text.starts_with("at::k");
  };
  return event.args.empty() || std::all_of(event.args.begin() + 1, event.args.end(), is_known);
}

Upload read_move(const Program& program, const Located& where, const std::string& role) {
  const Event& event = program.event(where.api);
  const Devices source = devices_of(program, where, event.object);
  const bool known = role == "to_device" || names_gpu(program, where);
  if (!known && !(on_host_alone(source) && may_name_gpu(program, where))) return {};
  return {Upload::Form::kMove, source, is_factory(program, where, event.object), known, leaves_out_non_blocking(event)};
}

Upload read_copy_into(const Program& program, const Located& where, Upload::Form form) {
  const Event& event = program.event(where.api);
  if (event.args.empty()) return {};
  const Devices into = devices_of(program, where, event.object);
  const Devices from = devices_of(program, where, event.args.front().value);
  // The tensor in a field may be on the GPU in one object of the class and on the CPU in another.
  if (!into.cuda || (into.cpu && !on_host_alone(from))) return {};
  return {form, from, false, !into.cpu};
}

// The upload of an index tensor on the host that is used with a tensor on the GPU.
Upload read_index(const Program& program, const Located& where) {
  const Event& event = program.event(where.api);
  const Devices indexed = devices_of(program, where, event.object);
  if (!indexed.cuda) return {};
  const bool puts = event.callee.id.find("index_put") != std::string::npos;
  for (const Value& arg : facts::values(event.args)) {
    // The values to write, which come after the indices.
    const bool is_value = puts && &arg == &event.args.back().value;
    const auto chosen = arg.kind == Value::Kind::kAny ? arg.operands : facts::List<Value>{arg};
    for (const Value& tensor : chosen) {
      const bool has_device = tensor.kind == Value::Kind::kTensor || tensor.kind == Value::Kind::kNode ||
                              tensor.kind == Value::Kind::kCall || tensor.kind == Value::Kind::kContent ||
                              tensor.kind == Value::Kind::kElement;
      if (!has_device) continue;
      const Devices from = devices_of(program, where, tensor);
      if (!on_host_alone(from)) continue;
      return {is_value ? Upload::Form::kCopyInto : Upload::Form::kIndex, from, false, !indexed.cpu};
    }
  }
  return {};
}

Upload read_upload(const Program& program, const Located& where) {
  const Event& event = program.event(where.api);
  const std::string& role = program.api(event)->tensor;
  if (role == "move" || role == "to_device" || event.callee.id == kTypeAs) return read_move(program, where, role);
  if (event.callee.id == "at::Tensor::copy_") return read_copy_into(program, where, Upload::Form::kCopyInto);
  if (event.callee.id == "at::Tensor::operator=(element)")
    return read_copy_into(program, where, Upload::Form::kElement);
  if (event.callee.id == "torch::tensor(list)") {
    const bool known = devices_of(program, where, event.result).cuda;
    if (!known && !may_name_gpu(program, where)) return {};
    return {Upload::Form::kList, {.cpu = true}, true, known};
  }
  return read_index(program, where);
}

bool may_upload(const Event& event, const ApiFact& fact) {
  static const std::vector<std::string> kCalls = {kTypeAs,
                                                  "at::Tensor::copy_",
                                                  "at::Tensor::operator=(element)",
                                                  "torch::tensor(list)",
                                                  "at::Tensor::index",
                                                  "at::Tensor::operator[]",
                                                  "at::Tensor::index_put_",
                                                  "at::Tensor::index_put",
                                                  "at::Tensor::index(mask)",
                                                  "at::Tensor::index_put_(mask)"};
  return event.kind == Event::Kind::kTensor &&
         (fact.tensor == "move" || fact.tensor == "to_device" ||
          std::find(kCalls.begin(), kCalls.end(), event.callee.id) != kCalls.end());
}

std::string what_it_does(const Upload& upload) {
  switch (upload.form) {
    case Upload::Form::kList:
      return "the values are assembled on the host and copied to the GPU from pageable memory";
    case Upload::Form::kIndex:
      return "the indices are on the host and copied to the GPU from pageable memory";
    default:
      if (upload.factory) return "the tensor is made on the host and copied to the GPU from pageable memory";
      if (on_host(upload.source)) return "a tensor in pageable host memory is copied to the GPU";
      return blocks_though_pinned(upload) ? "a tensor that is pinned only if a condition holds is copied to the GPU"
                                          : "a tensor from code out of sight is copied to the GPU";
  }
}

const char* fix_case(const Upload& upload) {
  if (upload.form == Upload::Form::kList) return "list";
  if (upload.form == Upload::Form::kIndex) return "index";
  return upload.factory ? "factory" : "";
}

}  // namespace

void unpinned_to_device(const Program& program, Reporter& reporter) {
  if (!program.usage().cuda_tensors) return;
  for (Located& where : hot_calls(program, may_upload)) {
    Upload upload;  // as it is on the call path found
    const auto blocks = [&](const Located& way) { return may_block(upload = read_upload(program, way)); };
    if (!find_way(program, where, blocks)) continue;
    const bool may_be_pinned = blocks_though_pinned(upload);
    if (may_be_pinned)
      where.heat.cap(Severity::kMedium, "on some ways here the tensor is pinned, which makes the copy faster",
                     program.event(where.api).place);
    Finding& finding = reporter.report("unpinned-to-device", program, where,
                                       what_it_does(upload) + ", and the host waits, " + often(where.heat));
    reporter.only_where([&program, form = upload.form](const Located& other) {
      const Upload there = read_upload(program, other);
      return there.form == form && may_block(there);
    });
    if (upload.source.cuda || upload.source.unknown || !upload.target_known || may_be_pinned) finding.level = 1;
    if (const std::string name = fix_case(upload); !name.empty()) reporter.use_fix_for(finding, name);
  }
}

}  // namespace syncsniff::checks
