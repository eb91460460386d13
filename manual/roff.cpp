#include "manual/roff.h"

#include <sstream>

namespace syncsniff::manual {
namespace {

// A line that begins with a dot or a quote would be a command; a bare hyphen is typeset, and cannot be pasted.
std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else
      out += c;
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string program_of(const CommandPage& page) { return page.name.empty() ? "syncsniff" : "syncsniff-" + page.name; }

std::string summary_of(const CommandPage& page) {
  if (!page.summary.empty()) return page.summary;
  std::string first = page.about.substr(0, page.about.find_first_of(".\n"));
  return first;
}

void synopsis(const CommandPage& page, std::ostream& out) {
  out << ".SH SYNOPSIS\n";
  for (const std::string& usage : page.usage) {
    const std::string words = page.name.empty() ? "syncsniff" : "syncsniff " + page.name;
    const bool named = usage.compare(0, words.size(), words) == 0;
    out << (named ? bold(words) + escaped(usage.substr(words.size())) : escaped(usage)) << "\n.br\n";
  }
}

void description(const CommandPage& page, std::ostream& out) {
  out << ".SH DESCRIPTION\n";
  std::istringstream lines(page.about);
  for (std::string line; std::getline(lines, line);) out << (line.empty() ? ".PP" : escaped(line)) << '\n';
}

void options(const CommandPage& page, std::ostream& out) {
  if (page.options.empty()) return;
  out << ".SH OPTIONS\n";
  for (const OptionEntry& option : page.options) {
    out << ".TP\n";
    for (const std::string& name : option.names) {
      const bool last = &name == &option.names.back();
      out << bold(name) << (last ? escaped(with_value(name, option).substr(name.size())) + "\n" : ", ");
    }
    out << escaped(option.help) << '\n';
  }
}

void commands(const std::vector<CommandPage>& all, std::ostream& out) {
  out << ".SH COMMANDS\n";
  for (const CommandPage& page : all)
    if (!page.name.empty()) out << ".TP\n" << bold(page.name) << '\n' << escaped(summary_of(page)) << '\n';
}

void see_also(const CommandPage& page, const std::vector<CommandPage>& all, std::ostream& out) {
  out << ".SH \"SEE ALSO\"\n";
  bool first = true;
  for (const CommandPage& other : all) {
    if (other.name == page.name) continue;
    out << (first ? "" : ",\n") << bold(program_of(other)) << "(1)";
    first = false;
  }
  out << '\n';
}

}  // namespace

std::string man_name(const CommandPage& page) { return program_of(page) + ".1"; }

std::string man_page(const CommandPage& page, const std::vector<CommandPage>& all, const std::string& version) {
  std::ostringstream out;
  out << ".TH " << program_of(page) << " 1 \"\" \"syncsniff " << version << "\" \"User Commands\"\n"
      << ".SH NAME\n"
      << escaped(program_of(page)) << " \\- " << escaped(summary_of(page)) << '\n';
  synopsis(page, out);
  description(page, out);
  if (page.name.empty()) commands(all, out);
  options(page, out);
  see_also(page, all, out);
  return out.str();
}

}  // namespace syncsniff::manual
