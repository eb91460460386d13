#!/usr/bin/env python3
"""What a name says stands in rules/words.yaml, and analyzer/frequency/ alone says how much that counts.

usage: no_regex_test.py ANALYZER_FOLDER
"""

import pathlib
import re
import sys

PATTERNS = re.compile(r"\bregex\b|\bRegex\b|regex_|fnmatch|\bglob\(|GlobPattern|\bRE2\b|\bpcre|words\(\)\.match|words_\.match")
# Each must be seen, or the search has rotted.
SAMPLES = ["#include <regex>", "std::regex_match(name, r)", "#include <llvm/Support/Regex.h>", 'Regex("warmup|valid").match(n)',
           'fnmatch("*profile*", name, 0)', "llvm::GlobPattern", "RE2::PartialMatch(name, r)", "words_.match(name)"]

root = pathlib.Path(sys.argv[1])
sources = [p for p in root.rglob("*") if p.suffix in (".cpp", ".h")]
faults = [f"{p.relative_to(root)}:{n}: {line.strip()}"
          for p in sources if p.relative_to(root).parts[0] != "frequency"
          for n, line in enumerate(p.read_text().splitlines(), 1) if PATTERNS.search(line)]
unseen = [sample for sample in SAMPLES if not PATTERNS.search(sample)]
if unseen:
    sys.exit(f"no_regex_test: these are not seen any more: {unseen}")
print("\n".join(faults) or f"{len(sources)} sources ask no name by a regular expression")
sys.exit(1 if faults or len(sources) < 100 else 0)
