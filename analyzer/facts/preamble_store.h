// Preambles kept on disk, beside the facts of units: found by their headers, the options and the project's folder, and
// used while every file that was read for them has the same content. A damaged preamble is ignored.
#pragma once

#include <llvm/Support/MemoryBuffer.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/facts/known_files.h"
#include "analyzer/facts/preamble.h"
#include "analyzer/frontend/command.h"
#include "analyzer/source_texts.h"

namespace syncsniff::facts {

class KeptPreamble {
 public:
  const Preamble& preamble() const { return preamble_; }
  PreambleUse use() const { return {preamble_, text_, precompiled_}; }

 private:
  friend class PreambleStore;
  Preamble preamble_;
  std::string text_;
  std::unique_ptr<llvm::MemoryBuffer> file_;
  llvm::StringRef precompiled_;  // in file_
};

// For one process, which looks at each file once.
class PreambleStore {
 public:
  // `directory` empty: stores and finds nothing. `texts` must outlive this object.
  PreambleStore(std::string directory, const SourceTexts& texts, const ApiTable& apis);

  // The stored preamble of exactly these headers, which may be unusable; null if there is none.
  const KeptPreamble* find(const frontend::UnitCommand& command, const std::string& root,
                           const std::vector<std::string>& headers);
  // Parses the headers, stores the preamble and returns it. Null if it could not be stored.
  const KeptPreamble* make(const frontend::UnitCommand& command, const std::string& root,
                           const std::vector<std::string>& headers);

  // Stores that these headers make no usable preamble, until one of them changes.
  void give_up(const frontend::UnitCommand& command, const std::string& root, const std::vector<std::string>& headers);

 private:
  std::unique_ptr<KeptPreamble> load(const std::string& path, const std::string& key);

  const std::string directory_;
  const SourceTexts& texts_;
  const ApiTable& apis_;
  KnownFiles files_;
  std::map<std::string, std::unique_ptr<KeptPreamble>> loaded_;  // by key
};

// Everything except the files that determines the preamble of these headers.
std::string preamble_key(const frontend::UnitCommand& command, const std::string& root,
                         const std::vector<std::string>& headers);

}  // namespace syncsniff::facts
