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
  manual::CommandPage page{command, {"syncsniff " + command}, "", "", {{{"-h", "--help"}, "", "print this", {}}}};
  if (command == "rules") page.about = "Prints one line a rule: its id, its level, what it finds.";
  if (command == "rule") {
    page.usage = {"syncsniff rule ID"};
    page.about = "Prints what the rule looks for, why that costs, what it never flags, an example and the fix.";
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
