// A DXIL program as text, as `dxc -dumpbin` prints it.
#pragma once

#include <optional>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text_origin.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/dxc_version.hpp>
#include <unshade/dxil/module.hpp>

namespace unshade::dxil {

struct ListingOptions {
  std::optional<DxcVersion> dxc{};  ///< whose habits to follow; by default those of DXC's main branch
  bool sections = true;             ///< what precedes the module: signatures, runtime information, buffers, resources
  bool module = true;
  bool comments = true;  ///< what dxc writes after instructions
  bool exact =
      false;  ///< comments with what the text does not tell: the assembler makes the same bits of it. Source: docs/reference/texts/dxil.md
  /// Gets an entry for each instruction: the bytes from the one in which its record begins up to that of the next record.
  TextOrigins* origins = nullptr;
  ModuleSource modules{};
};

/// Appends the listing of a container: that of the module with debug information if there is one, with names and layouts from STAT.
/// Errors: those of the parts and of the bitcode; missing if the container holds no program; limit if types or constants are shared
/// such that the text would be out of all proportion.
Result<void> disassemble(const dxcontainer::Container& container, Text& out, const ListingOptions& options = {});

/// The same for bitcode alone, raw or after a program header.
Result<void> disassemble(View bitcode, Text& out, const ListingOptions& options = {});

/// Appends a module alone. `file_bytes`: how long the file is that it was read from, by which the text is bounded.
Result<void> list_module(const Module& module, std::size_t file_bytes, Text& out, const ListingOptions& options = {});

}  // namespace unshade::dxil
