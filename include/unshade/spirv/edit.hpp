// Changes to SPIR-V modules. Each gives the words of another module; what it is not about stays, word for word, in the byte order of the
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/edit.hpp>
#include <unshade/core/result.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

/// With `debug` the module goes without names, source texts, lines and processing notes, and without the instructions of debug information:
/// OpName, OpMemberName, OpSource*, OpString, OpLine, OpNoLine, OpModuleProcessed, DebugInfo, OpenCL.DebugInfo.100,
/// NonSemantic.Shader.DebugInfo.100, as with spirv-opt --strip-debug. A text that an instruction of another set refers to stays. With
/// `reflection` it goes without all non-semantic instruction sets (debugPrintf among them), and what HLSL compilers keep of their
/// language: semantics, user types, counter buffers, with their extensions, as with spirv-opt --strip-reflect.
/// names and decorations of ids that are gone go too. The bound of ids stays.
std::vector<std::byte> strip(const Module& module, const Strip& options);

/// What an instruction of NonSemantic.Shader.DebugInfo or OpenCL.DebugInfo.100 is to sources: DebugSource or DebugSourceContinued.
enum class DebugSourceRole : std::uint8_t { none, source, continued };
DebugSourceRole debug_source_role(const Instruction& instruction, const IdTable& ids);
/// Words of the ids of OpString: its name; its text, which need not be there. DebugSourceContinued has a text in the place of the name.
inline constexpr std::uint32_t kDebugSourceFile = 5;
inline constexpr std::uint32_t kDebugSourceText = 6;

/// A source file as OpSource has it: UTF-8.
struct SourceText {
  std::string_view name;
  std::string_view text;
};

/// The module with these sources in the place of those that it had, in its language if it had one. Names of files that lines and debug
/// information refer to stay. Errors: bad_value for a zero inside of a text; limit.
Result<std::vector<std::byte>> embed_sources(const Module& module, std::span<const SourceText> files);

/// A value for the specialization constant of a SpecId: its bits; of a truth value 0 or not.
struct SpecializedConstant {
  std::uint32_t spec_id = 0;
  std::uint64_t bits = 0;
};

/// The module with these defaults of its specialization constants. Constants that it does not have are ignored.
std::vector<std::byte> specialize(const Module& module, std::span<const SpecializedConstant> values);

}  // namespace unshade::spirv
