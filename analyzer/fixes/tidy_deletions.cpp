#include "analyzer/fixes/tidy_deletions.h"

#include "analyzer/fixes/delete_statement.h"

namespace syncsniff::fixes {
namespace {

bool deletes_statement(const std::string& text, const Edit& edit) {
  bool fits = edit.offset <= text.size() && edit.length <= text.size() - edit.offset;
  return fits && edit.replacement.empty() && edit.length > 0 && text[edit.offset + edit.length - 1] == ';';
}

}  // namespace

void tidy_deletions(FindingsDocument& document, output::SourceCache& sources) {
  for (Finding& finding : document.findings) {
    for (Edit& edit : finding.fix.edits) {
      const output::SourceText* source = sources.get(edit.file);
      if (!source || !deletes_statement(source->text(), edit)) continue;
      edit = delete_statement(edit.file, source->text(), edit.offset, edit.length, false);
    }
  }
}

}  // namespace syncsniff::fixes
