#include "cli/pages.h"

#include "cli/parts.h"

namespace syncsniff::cli {
namespace {

manual::CommandPage driver_page() {
  return {
      "",
      {"syncsniff COMMAND [ARGUMENTS...]"},
      "Finds where a training program makes its GPU wait, before and while it runs.\n\nThe exit status is 0 when all "
      "is clean, 1 when there are findings, 2 when the job could not be done.",
      "find where a training program makes its GPU wait",
      {{{"-h", "--help"}, "", "list the commands", {}}, {{"--version"}, "", "print the version", {}}}};
}

}  // namespace

manual::CommandPage own_page(const std::string& command) {
  manual::CommandPage page{command, {"syncsniff " + command}, "", "", {{{"-h", "--help"}, "", "print this help", {}}}};
  if (command == "rules") {
    page.about = "Prints one line per rule: its id, its level, what it finds.";
    return page;
  }
  page.options.push_back(
      {{"--config"}, "FILE", "configuration file (default: the .syncsniff.yaml here or in a folder above)", {}});
  page.options.push_back({{"--no-config"}, "", "read no configuration file", {}});
  if (command == "list-checks") {
    page.usage = {"syncsniff list-checks [--all] [--config FILE | --no-config]"};
    page.about = "Prints the rules that are enabled here, one per line: id, level, what it finds.";
    page.options.push_back({{"--all"}, "", "print every rule, preceded by `on` or `off`", {}});
  }
  if (command == "explain" || command == "rule") {
    page.usage = {"syncsniff " + command + " RULE [--config FILE | --no-config]"};
    page.about =
        "Prints what the rule looks for, why that costs time, what it never flags, an example, the fix, its "
        "thresholds.";
  }
  if (command == "doctor") {
    page.usage = {"syncsniff doctor [check | run] [--format=json] [--config FILE | --no-config]"};
    page.about =
        "Says line by line what `check` and `run` need here: found, limited (the command works without it) or "
        "missing.\n\nThe exit status is 0 when the command named can work here, or one of the two when none is named; "
        "1 "
        "when not.";
    page.options.push_back({{"--format"}, "text|json", "json: the same in a form for programs", {"text", "json"}});
  }
  return page;
}

std::vector<manual::CommandPage> all_pages() {
  std::vector<manual::CommandPage> pages{driver_page()};
  for (const Command& command : commands()) {
    manual::CommandPage page{command.name, {}, "", "", {}};
    if (command.part == nullptr) page = own_page(command.name);
    page.summary = command.help;
    pages.push_back(page);
  }
  return pages;
}

}  // namespace syncsniff::cli
