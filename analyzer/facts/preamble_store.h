// Preambles kept on disk, beside the facts of units: found by the headers, the options and the folder of the project,
// and used while every file that was read for them has the content that it had. A damaged one is as good as none.
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

// Of one process: files are looked at once.
class PreambleStore {
 public:
  // `directory` empty: keeps and finds nothing. `texts` outlive this object.
  PreambleStore(std::string directory, const SourceTexts& texts, const ApiTable& apis);

  // What holds just these headers. It may not be usable.
  const KeptPreamble* find(const frontend::UnitCommand& command, const std::string& root,
                           const std::vector<std::string>& headers);
  // Parses the headers, keeps what comes of it and finds it. Nothing where it could not be kept.
  const KeptPreamble* make(const frontend::UnitCommand& command, const std::string& root,
                           const std::vector<std::string>& headers);

  // Keeps that these headers cannot be made one of, until one of them changes.
  void give_up(const frontend::UnitCommand& command, const std::string& root, const std::vector<std::string>& headers);

 private:
  std::unique_ptr<KeptPreamble> load(const std::string& path, const std::string& key);

  const std::string directory_;
  const SourceTexts& texts_;
  const ApiTable& apis_;
  KnownFiles files_;
  std::map<std::string, std::unique_ptr<KeptPreamble>> loaded_;  // by key
};

// Everything but the files that decides what a preamble of these headers is.
std::string preamble_key(const frontend::UnitCommand& command, const std::string& root,
                         const std::vector<std::string>& headers);

}  // namespace syncsniff::facts
