#include "analyzer/program/thread_events.h"

#include "analyzer/facts/words.h"

namespace syncsniff::program {

using facts::last_name;

namespace {

const std::string kFuture = "future";

std::string class_of(const std::string& name) { return last_name(facts::class_part(name)); }

bool is_of_library(const Event& event) { return event.kind == Event::Kind::kCall && event.callee.harmless; }

}  // namespace

bool starts_thread(const Event& event) {
  const std::string name = last_name(event.callee.name);
  const bool made = event.kind == Event::Kind::kCall && (name == "thread" || name == "jthread");
  return made || (is_of_library(event) && (name == "async" || name == "pthread_create"));
}

bool waits_for_future(const Event& event) {
  const std::string of = class_of(event.callee.name), name = last_name(event.callee.name);
  const bool future = of == "future" || of == "__basic_future" || of == "shared_future";
  return is_of_library(event) && future && (name == "get" || name == "wait");
}

bool joins(const Event& event) {
  const std::string name = last_name(event.callee.name);
  return is_of_library(event) && (name == "join" || name == "pthread_join");
}

std::string waited_node(const Event& wait) {
  const std::string& node = wait.object.node;
  const size_t begin = node.find_first_not_of('*');
  return begin == std::string::npos ? "" : node.substr(begin);
}

std::string signalled_object(const Event& event) {
  if (!is_of_library(event)) return {};
  const std::string of = class_of(event.callee.name), name = last_name(event.callee.name);
  if (of.find("condition_variable") != std::string::npos && name.rfind("notify", 0) == 0) return waited_node(event);
  if (of.find("semaphore") != std::string::npos && name == "release") return waited_node(event);
  if (of.find("promise") != std::string::npos && name.rfind("set_value", 0) == 0) return kFuture;
  if (of.find("atomic") != std::string::npos && name.rfind("notify", 0) == 0) return waited_node(event);
  return {};
}

std::string awaited_object(const Event& event) {
  if (!is_of_library(event)) return {};
  const std::string of = class_of(event.callee.name), name = last_name(event.callee.name);
  if (of.find("condition_variable") != std::string::npos && name.rfind("wait", 0) == 0) return waited_node(event);
  if (of.find("semaphore") != std::string::npos && name.find("acquire") != std::string::npos) return waited_node(event);
  if (of.find("atomic") != std::string::npos && name.rfind("wait", 0) == 0) return waited_node(event);
  return waits_for_future(event) ? kFuture : "";
}

}  // namespace syncsniff::program
