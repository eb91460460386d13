// Splits a command line into words, without interpreting them: quoting, response files, launchers, compiler names.
// Knows no option but @file; nvcc's options files are read here too, when nvcc.cpp meets that option.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::frontend {

enum class Compiler { kGcc, kNvcc };  // kGcc: whatever takes gcc's options (g++, clang++, mpicxx, ...)

struct CompilerCall {
  Compiler compiler = Compiler::kGcc;
  std::string program;                 // as written, launchers removed; empty: the command started with an option
  bool cxx_driver = false;             // reads .c as C++ (g++, clang++, mpicxx)
  std::vector<std::string> arguments;  // the words after the program, @files expanded
};

// Splits a command the way a POSIX shell does: a backslash between single quotes is text.
std::vector<std::string> split_command(const std::string& text);

// Splits the text of a response file the way gcc does: a backslash escapes everywhere.
std::vector<std::string> split_words(const std::string& text);

// The words of a response or options file; `path` is relative to `directory`.
// Errors: std::runtime_error naming the file.
std::vector<std::string> read_words(const std::string& path, const std::string& directory);

// Finds the compiler behind ccache, env, cmake -E and the like, and expands @files (16 levels deep at most).
// Errors: std::runtime_error naming an unreadable response file.
CompilerCall split_call(const std::vector<std::string>& command, const std::string& directory);

// `path` as an absolute, normalised path; relative ones start at `directory`.
std::string absolute_path(const std::string& path, const std::string& directory);

}  // namespace syncsniff::frontend
