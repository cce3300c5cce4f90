// What watches a run: instructions of the file with what they computed, and findings, as values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/run/run.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::run {

/// A number of a type of the IR: nan, inf and -inf are texts.
Value shown(ir::Type type, bool is_signed, std::uint64_t bits);

/// Names of what an instruction writes, by its line: `r3.x` and `r3.y` of `mul r3.xy, r4, r5`, `%7` of `%7 = OpFAdd ...`. Empty if the line
/// does not tell.
std::vector<std::string> destination_names(std::string_view line, std::size_t count);

/// The resource of the module that an operation accesses; nothing if it accesses none, or one of the heap.
std::optional<std::uint32_t> resource_accessed(const ir::Function& function, ir::Id id);

class Bindings;

class Watch {
 public:
  /// `function`: of the module, that runs. `bindings`: of a case, for what findings say of it; may be null.
  Watch(const ir::Module& module, std::size_t function, const RunOptions& options, const Bindings* bindings = nullptr);

  vm::Observer observer();
  /// Prints the last instruction.
  void finish() { static_cast<void>(flush()); }
  /// Findings by instruction.
  Value findings() const;

 private:
  struct Made {
    ir::Type type;
    std::vector<std::uint64_t> lanes;
  };
  bool step(const vm::TraceStep& step);
  bool flush();
  void misuse(const vm::MisuseStep& step);
  void note_access(ir::Id id, bool is_found);
  std::string_view line_of(std::uint32_t instruction) const;
  bool is_used_inside(ir::Id id, unsigned member) const { return member < 32 && (used_[id] >> member & 1) != 0; }

  /// The resource that an operation accesses, if the case does not give it: Bindings::not_given().
  std::string not_given(ir::Id id) const;

  const ir::Module& module_;
  const ir::Function& function_;
  const RunOptions& options_;
  const Bindings* const bindings_;
  std::vector<std::uint32_t>
      used_;  ///< of each instruction of the IR, bit m: result m is read by another of the same instruction of the file
  // the instruction that runs
  std::uint32_t instruction_ = ir::kNone;
  ir::Id last_ = 0;
  std::array<std::uint32_t, 3> group_{};
  std::uint32_t wave_ = 0;
  std::array<std::uint64_t, 2> active_{};
  std::vector<Made> made_;
  std::vector<std::pair<std::uint32_t, std::string>> printed_;                 ///< by lane of the wave
  std::map<std::tuple<std::uint32_t, vm::Misuse, std::string>, Value> found_;  ///< by instruction, and what the case does not give
};

}  // namespace unshade::run
