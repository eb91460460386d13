#include "manual/completions.h"

#include <algorithm>
#include <sstream>

namespace syncsniff::manual {
namespace {

// What follows the options of a command.
enum class Operand { kFile, kProgram, kRule, kNone };

Operand operand_of(const CommandPage& page) {
  const auto in_usage = [&](const char* word) {
    return std::any_of(page.usage.begin(), page.usage.end(),
                       [&](const std::string& usage) { return usage.find(word) != std::string::npos; });
  };
  if (in_usage("COMMAND")) return Operand::kProgram;
  if (page.name == "rule" || page.name == "explain") return Operand::kRule;
  for (const char* word : {"files", "FILE", "TRACE", "TEXT", " A B"})
    if (in_usage(word)) return Operand::kFile;
  return Operand::kNone;
}

bool takes_file(const OptionEntry& option) {
  for (const char* word : {"FILE", "DIR", "TRACE", "PREFIX"})
    if (option.value.find(word) != std::string::npos) return true;
  return false;
}

bool takes_value(const OptionEntry& option) { return !option.value.empty() && option.value[0] != '['; }

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

std::string command_names(const std::vector<CommandPage>& pages) {
  std::vector<std::string> names;
  for (const CommandPage& page : pages)
    if (!page.name.empty()) names.push_back(page.name);
  return joined(names, " ");
}

std::string first_sentence(const std::string& help) {
  const size_t end = help.find_first_of(";(");
  std::string text = help.substr(0, end);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// In single quotes, for a POSIX shell and for fish alike.
std::string quoted(const std::string& text, const std::string& extra = "") {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (extra.find(c) != std::string::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out + "'";
}

const char* bash_operand(Operand operand) {
  switch (operand) {
    case Operand::kFile:
      return "compgen -f -- \"$word\"";
    case Operand::kProgram:
      return "compgen -c -f -- \"$word\"";
    case Operand::kRule:
      return "compgen -W \"$(syncsniff rules 2>/dev/null | cut -d ' ' -f 1)\" -- \"$word\"";
    case Operand::kNone:
      break;
  }
  return ":";
}

void bash_command(const CommandPage& page, std::ostream& out) {
  std::vector<std::string> names;
  for (const OptionEntry& option : page.options) names.insert(names.end(), option.names.begin(), option.names.end());
  out << "    " << page.name << ")\n      case $previous in\n";
  for (const OptionEntry& option : page.options) {
    if (!takes_value(option) || option.names.empty()) continue;
    out << "        " << joined(option.names, " | ") << ") ";
    if (!option.choices.empty())
      out << "_syncsniff_reply compgen -W " << quoted(joined(option.choices, " ")) << " -- \"$word\"";
    else if (takes_file(option))
      out << "_syncsniff_reply compgen -f -- \"$word\"";
    else
      out << ":";
    out << "; return ;;\n";
  }
  out << "      esac\n"
      << "      if [[ $word == -* ]]; then _syncsniff_reply compgen -W " << quoted(joined(names, " "))
      << " -- \"$word\"\n      else _syncsniff_reply " << bash_operand(operand_of(page)) << "\n      fi ;;\n";
}

std::string zsh_option(const OptionEntry& option, const std::string& name) {
  const std::string help = "[" + first_sentence(option.help) + "]";
  if (option.value.empty()) return name + help;
  const bool is_long = name.compare(0, 2, "--") == 0, needs_value = takes_value(option);
  std::string text = name;
  if (is_long) text += needs_value ? "=" : "=-";
  text += help + (needs_value ? ":value:" : "::value:");
  if (!option.choices.empty()) return text + "(" + joined(option.choices, " ") + ")";
  return takes_file(option) ? text + "_files" : text;
}

void zsh_command(const CommandPage& page, std::ostream& out) {
  out << "    " << page.name << ") _arguments -s -S \\\n";
  for (const OptionEntry& option : page.options)
    for (const std::string& name : option.names) out << "        " << quoted(zsh_option(option, name)) << " \\\n";
  switch (operand_of(page)) {
    case Operand::kFile:
      out << "        '*:file:_files' ;;\n";
      break;
    case Operand::kProgram:
      out << "        '*::program:_normal' ;;\n";
      break;
    case Operand::kRule:
      out << "        '*:rule:($(syncsniff rules 2>/dev/null | cut -d \" \" -f 1))' ;;\n";
      break;
    case Operand::kNone:
      out << "        && return ;;\n";
      break;
  }
}

void fish_option(const CommandPage& page, const OptionEntry& option, std::ostream& out) {
  out << "complete -c syncsniff -n '__fish_seen_subcommand_from " << page.name << "'";
  for (const std::string& name : option.names) {
    const bool is_long = name.compare(0, 2, "--") == 0;
    out << (is_long ? " -l " + name.substr(2) : " -s " + name.substr(1));
  }
  if (takes_value(option)) out << (!option.choices.empty() || !takes_file(option) ? " -x" : " -r -F");
  if (!option.choices.empty()) out << " -a " << quoted(joined(option.choices, " "));
  out << " -d " << quoted(first_sentence(option.help), "\\") << '\n';
}

}  // namespace

std::string bash_completion(const std::vector<CommandPage>& pages) {
  std::ostringstream out;
  out << "# bash completion for syncsniff\n"
         "_syncsniff_reply() { mapfile -t COMPREPLY < <(\"$@\" 2>/dev/null); }\n"
         "_syncsniff() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  # Readline ends a word at the = of --format=text.\n"
         "  if [[ $word == = ]]; then word=\n"
         "  elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then _syncsniff_reply compgen -W "
      << quoted(command_names(pages) + " --help --version")
      << " -- \"$word\"; return; fi\n"
         "  case ${COMP_WORDS[1]} in\n";
  for (const CommandPage& page : pages)
    if (!page.name.empty()) bash_command(page, out);
  out << "  esac\n}\ncomplete -o filenames -F _syncsniff syncsniff\n";
  return out.str();
}

std::string zsh_completion(const std::vector<CommandPage>& pages) {
  std::ostringstream out;
  out << "#compdef syncsniff\n"
         "local -a commands\n"
         "commands=(\n";
  for (const CommandPage& page : pages)
    if (!page.name.empty()) out << "  " << quoted(page.name + ":" + page.summary) << '\n';
  out << ")\n"
         "if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
         "local command=$words[2]\n"
         "shift words\n"
         "(( CURRENT-- ))\n"
         "case $command in\n";
  for (const CommandPage& page : pages)
    if (!page.name.empty()) zsh_command(page, out);
  out << "esac\n";
  return out.str();
}

std::string fish_completion(const std::vector<CommandPage>& pages) {
  std::ostringstream out;
  out << "# fish completion for syncsniff\n";
  const std::string none = "not __fish_seen_subcommand_from " + command_names(pages);
  for (const CommandPage& page : pages) {
    if (page.name.empty()) continue;
    out << "complete -c syncsniff -f -n " << quoted(none) << " -a " << page.name << " -d " << quoted(page.summary, "\\")
        << '\n';
    for (const OptionEntry& option : page.options) fish_option(page, option, out);
    if (operand_of(page) == Operand::kRule)
      out << "complete -c syncsniff -f -n '__fish_seen_subcommand_from " << page.name
          << "' -a \"(syncsniff rules 2>/dev/null | string split -f 1 ' ')\"\n";
  }
  return out.str();
}

}  // namespace syncsniff::manual
