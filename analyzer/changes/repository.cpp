#include "analyzer/changes/repository.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "analyzer/changes/git.h"
#include "rules/source_names.h"

namespace syncsniff::changes {
namespace {

using Words = std::vector<std::string>;

// Options that override what a user may have configured.
const Words kDiff{"-c",
                  "core.quotePath=false",
                  "-c",
                  "diff.relative=false",
                  "diff",
                  "--no-color",
                  "--no-ext-diff",
                  "--no-textconv",
                  "--ignore-submodules=all"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string ask(const Words& words, const std::string& input = "") {
  GitAnswer answer = run_git(words, input);
  if (answer.status != 0) throw std::runtime_error("git: " + (answer.error.empty() ? "failed" : answer.error));
  return std::move(answer.out);
}

std::string without_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string top_folder() {
  GitAnswer answer = run_git({"rev-parse", "--show-toplevel"});
  if (answer.status == 0) return without_newline(std::move(answer.out));
  const std::string here = std::filesystem::current_path().string();
  if (answer.error.starts_with("not a git repository"))
    throw std::runtime_error(here + " is in no git repository, so it is not known what has changed");
  throw std::runtime_error("git: " + answer.error);
}

// The commit of a revision; empty if the repository has none yet.
std::string commit_of(const std::string& revision) {
  GitAnswer answer = run_git({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (answer.status == 0) return without_newline(std::move(answer.out));
  if (revision == "HEAD") return {};
  throw std::runtime_error("--diff: git knows no revision '" + revision + "' here");
}

Words patch_options() { return {"-U0", "--inter-hunk-context=0", "-M", "--src-prefix=a/", "--dst-prefix=b/"}; }

std::vector<std::string_view> split_at_nul(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = text.find('\0');
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parts;
}

struct IndexedFile {
  std::string object, path;
};

// One file of git's raw format: ":100644 100644 OID OID M\0PATH\0", with a second path if it was renamed.
struct RawChange {
  std::string_view was, is;  // modes
  std::string_view object_before, object;
  std::string_view status;
  std::string path_before, path;
};

bool is_file(std::string_view mode) { return mode.starts_with("100"); }
bool is_there(std::string_view object) { return object.find_first_not_of('0') != std::string_view::npos; }

std::vector<RawChange> raw_changes(std::string_view raw) {
  std::vector<RawChange> changes;
  const std::vector<std::string_view> parts = split_at_nul(raw);
  for (size_t i = 0; i + 1 < parts.size(); i += 2) {
    std::string_view rest = parts[i];
    const auto word = [&] {
      const std::string_view first = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), first.size() + 1));
      return first;
    };
    if (!rest.starts_with(':')) continue;
    rest.remove_prefix(1);
    RawChange change;
    change.was = word(), change.is = word(), change.object_before = word(), change.object = word();
    change.status = word();
    change.path_before = change.path = parts[i + 1];
    const bool renamed = change.status.starts_with('R') || change.status.starts_with('C');
    if (renamed && i + 2 < parts.size()) change.path = parts[++i + 1];
    changes.push_back(std::move(change));
  }
  return changes;
}

Words raw_options() { return {"--raw", "-z", "--no-abbrev"}; }

// Regular files whose text in the index differs from that on disk.
std::vector<IndexedFile> partly_staged() {
  std::vector<IndexedFile> files;
  const std::string raw = ask(kDiff + raw_options() + Words{"--no-renames"});
  for (const RawChange& change : raw_changes(raw)) {
    // Files without a version in the index (`git add -N`) or with several (a merge in progress) are read from disk.
    if (is_file(change.was) && is_there(change.object_before) && !change.status.ends_with('U'))
      files.push_back({std::string(change.object_before), change.path});
  }
  return files;
}

// git answers with "OID blob SIZE\nTEXT\n" for each requested object, in order.
SourceTexts texts_of(const std::vector<IndexedFile>& files, const std::string& top) {
  std::string objects;
  for (const IndexedFile& file : files) objects += file.object + "\n";
  const std::string answer = ask({"cat-file", "--batch"}, objects);
  SourceTexts texts;
  std::string_view rest = answer;
  for (const IndexedFile& file : files) {
    const size_t newline = rest.find('\n');
    const std::string_view head = rest.substr(0, newline);
    const size_t blank = head.rfind(' ');
    size_t size = 0;
    const bool is_blob = head.find(" blob ") != std::string_view::npos && newline != std::string_view::npos;
    if (is_blob) std::from_chars(head.data() + blank + 1, head.data() + head.size(), size);
    if (!is_blob || newline + 1 + size >= rest.size())
      throw std::runtime_error("git: the text of " + file.path + " cannot be read from the repository");
    texts[top + "/" + file.path] = rest.substr(newline + 1, size);
    rest.remove_prefix(newline + 1 + size + 1);
  }
  return texts;
}

// The C, C++ and CUDA sources that a sparse checkout leaves out, from the index.
std::vector<IndexedFile> left_out_of_checkout(const std::string& top) {
  std::vector<IndexedFile> files;
  const std::string listed = ask({"ls-files", "-t", "-z", "--full-name", ":/"});
  for (const std::string_view entry : split_at_nul(listed)) {
    if (!entry.starts_with("S ")) continue;
    const std::string path(entry.substr(2));
    std::error_code error;
    if (is_source_name(path) && !std::filesystem::exists(top + "/" + path, error)) files.push_back({":" + path, path});
  }
  return files;
}

// Adds the lines that `range` adds and deletes. Git takes some files for binary, by their attributes or for a null
// character in a comment: for sources among them a second git call requests the lines as text.
void add_lines(const Words& range, const std::string& top, ChangedLines& lines) {
  const std::string patch = ask(kDiff + patch_options() + range + Words{"--"});
  lines.add_patch(patch, top);
  if (patch.find("\nBinary files ") == patch.npos) return;
  const std::string counts = ask(kDiff + Words{"--numstat", "-z", "--no-renames"} + range + Words{"--"});
  Words binary;
  for (const std::string_view file : split_at_nul(counts))
    if (file.starts_with("-\t-\t") && is_source_name(std::string(file.substr(4))))
      binary.push_back(":(top,literal)" + std::string(file.substr(4)));
  if (!binary.empty())
    lines.add_patch(ask(kDiff + patch_options() + Words{"--text"} + range + Words{"--"} + binary), top);
}

// Sets `changes.before` to the former texts of the files that `range` changes. The former text of a renamed file is
// stored under its new name, too, by which the compile database knows it.
void add_texts_before(const Words& range, const std::string& top, Changes& changes) {
  SourceTexts& texts = changes.before;
  std::vector<IndexedFile> files;
  const std::string raw = ask(kDiff + raw_options() + Words{"-M"} + range);
  for (const RawChange& change : raw_changes(raw)) {
    if (!is_file(change.was) || !is_there(change.object_before)) {
      if (is_file(change.is)) texts[top + "/" + change.path].clear();
      continue;
    }
    files.push_back({std::string(change.object_before), change.path});
    if (change.path_before == change.path) continue;
    files.push_back({std::string(change.object_before), change.path_before});
    changes.renamed[top + "/" + change.path] = top + "/" + change.path_before;
  }
  if (files.empty()) return;
  for (auto& [path, text] : texts_of(files, top)) texts[path] = std::move(text);
}

}  // namespace

Changes changes_since(const std::string& revision) {
  Changes changes;
  const std::string top = top_folder();
  std::string base = commit_of(revision);
  if (base.empty()) {
    base = without_newline(ask({"hash-object", "-t", "tree", "--stdin"}));  // the empty tree
  } else if (const std::string head = commit_of("HEAD"); !head.empty()) {
    // The merge base: commits that the other branch has gained since then are not part of this change.
    const GitAnswer common = run_git({"merge-base", base, head});
    if (common.status == 0) base = without_newline(common.out);
  }
  add_lines({base}, top, changes.lines);
  const std::string unknown = ask({"ls-files", "-z", "--others", "--exclude-standard", "--full-name", ":/"});
  for (const std::string_view file : split_at_nul(unknown)) {
    changes.lines.add_whole(top + "/" + std::string(file));
    changes.before[top + "/" + std::string(file)];
  }
  if (const auto files = left_out_of_checkout(top); !files.empty()) changes.texts = texts_of(files, top);
  changes.before.insert(changes.texts.begin(), changes.texts.end());
  add_texts_before({base, "--"}, top, changes);
  changes.lines.add_parted_from_allows(changes.before);
  return changes;
}

Changes staged_changes() {
  Changes changes;
  const std::string top = top_folder();
  add_lines({"--cached"}, top, changes.lines);
  if (changes.lines.empty()) return changes;
  std::vector<IndexedFile> files = partly_staged();
  for (IndexedFile& file : left_out_of_checkout(top)) files.push_back(std::move(file));
  if (!files.empty()) changes.texts = texts_of(files, top);
  changes.before = changes.texts;
  add_texts_before({"--cached", "--"}, top, changes);
  changes.lines.add_parted_from_allows(changes.before);
  return changes;
}

}  // namespace syncsniff::changes
