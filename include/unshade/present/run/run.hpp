// Results of runs, as JSON and for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/value.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::present {

/// The document of a result of run::execute(); docs/reference/json/run.schema.json has its shape. What a command adds to a result,
/// `profile` and `files`, is in it.
void write_run(const Value& result, Json& json);
/// Outputs of each lane, and what resources hold.
void print_result(const Value& result, Printer& out);
/// What the shader printed, in its words: the last line end of a message is that of the line here, lines after the first are indented.
void print_messages(const Value& result, Printer& out);

/// An instruction of a trace, as run::RunOptions::trace has it, as a line of JSON: docs/reference/json/run-trace.schema.json.
void write_step(const Value& step, Json& json);
/// The same for people: `  12  mul r3.xy, r4.xyzw, r5.xyzw  ; 0: r3.x = 1.5, r3.y = 2.0 | 1: ...`
void print_step(const Value& step, Printer& out);

/// The listing with how often each instruction ran beside it, in the colour of how hot a line is. `lines`: the instructions.
void print_profile(const vm::Profile& profile, std::span<const std::string> lines, Printer& out);
/// The member `profile` of the document.
Value profile_rows(const vm::Profile& profile, std::span<const std::string> lines);

/// A file that a result was written to.
struct ResultFile {
  std::string name;
  std::string file;
  std::string type;  ///< `f4`, as NumPy has it
  std::vector<std::uint64_t> shape;
};
/// A line for each.
void print_result_files(std::span<const ResultFile> files, Printer& out);
/// The member `files` of the document.
Value result_file_rows(std::span<const ResultFile> files);

}  // namespace unshade::present
