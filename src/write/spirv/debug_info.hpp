// Where instructions come from: lines of a text, by OpLine or for debuggers. src: NonSemantic.Shader.DebugInfo.100, revision 1
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <unshade/ir/module.hpp>
#include <unshade/write/spirv.hpp>

#include "write/spirv/module_writer.hpp"

namespace unshade::write::spirv_writer {

/// The text of a module.
class DebugText {
 public:
  DebugText(const DebugSource& text, DebugInfo how, ModuleWriter& out);

  /// What a debugger calls a function; 0 without such a debugger.
  Word function(std::size_t number, std::string_view name);
  /// At the beginning of the function's first block.
  void define_function(Section& body, Word function, Word id);
  /// Before the first instruction that has a line in a block.
  void scope(Section& body, Word function);
  void line(Section& body, std::uint32_t line);
  /// The line of a value of a function; 0: none.
  std::uint32_t line_of(std::size_t number, const ir::Function& function, ir::Id id) const;
  /// The register that a value is written to; empty: none.
  std::string register_of(const ir::Function& function, ir::Id id) const;
  /// Names the entry point.
  void finish();

 private:
  using Instruction = spirv::extended::ShaderDebugInfo100;
  Word global(Instruction what, std::initializer_list<Word> operands);
  void effect(Section& body, Instruction what, std::initializer_list<Word> operands);
  bool is_for_debuggers() const { return set_ != 0; }

  const DebugSource* text_;
  ModuleWriter* out_;
  Word file_ = 0;  ///< of OpLine
  Word set_ = 0, source_ = 0, unit_ = 0;
  Word first_function_ = 0;
};

}  // namespace unshade::write::spirv_writer
