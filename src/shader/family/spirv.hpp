// What SPIR-V and the families around it share at the front door.
#pragma once

#include <unshade/shader/listing.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/spirv/listing.hpp>

namespace unshade::shader::family {

/// The front door's options as those of a module's listing.
spirv::ListingOptions spirv_options(const ListingOptions& options);

/// Lowers the shader's module, of several the first.
Result<ir::Module> lower_spirv(const Shader& shader, const LowerOptions& options);
Result<std::vector<std::string>> spirv_instruction_lines(const Shader& shader, std::string_view function);

/// Of the module, or of all modules of the file.
Result<std::vector<std::byte>> spirv_code(const Shader& shader);
Result<std::vector<std::uint32_t>> spirv_opcodes(const Shader& shader);
std::string spirv_opcode_text(std::uint32_t opcode);

}  // namespace unshade::shader::family
