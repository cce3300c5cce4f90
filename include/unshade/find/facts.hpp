// What an index knows of a shader: what it is, its names and bindings, its opcodes, and how tools call it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/find/identity.hpp>
#include <unshade/find/sketch.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::find {

/// A name in a shader's interface. Bindings have a register.
struct InterfaceName {
  std::string_view kind;         ///< one of name_kinds(), or the id of a shader::ResourceKind: `cbuffer`
  std::string name;              ///< may be empty if it is a binding
  std::string_view letters;      ///< of its register: `cb`, `t`; empty if it has none, or is bound by descriptor set and binding
  bool is_binding = false;       ///< space, bind_point and bind_count count
  std::uint32_t space = 0;       ///< or the descriptor set
  std::uint32_t bind_point = 0;  ///< register, or binding; of inputs and outputs their location
  std::uint32_t bind_count = 0;  ///< 0: unbounded

  friend auto operator<=>(const InterfaceName&, const InterfaceName&) = default;
};

/// Kinds of names besides those of resources: `variable`, `member`, `input`, ...
std::span<const std::string_view> name_kinds();

struct OpcodeCount {
  std::uint32_t opcode = 0;  ///< see shader::opcodes()
  std::uint32_t count = 0;
};

/// More names of a shader are not kept.
inline constexpr std::size_t kMostNames = 1U << 16;

struct Facts {
  shader::Family family = shader::Family::unknown;
  std::string stage;                  ///< `pixel`; empty if it has none
  std::string profile;                ///< `ps_5_0`; empty if it has none
  std::string creator;                ///< the compiler; empty if the file does not name it
  std::vector<Identity> identities;   ///< those that are not the spelling of another one; no sketch
  std::vector<InterfaceName> names;   ///< in ascending order, each once
  std::vector<OpcodeCount> opcodes;   ///< in ascending order
  std::uint64_t instructions = 0;     ///< that opcodes counts
  std::array<std::byte, 16> order{};  ///< a digest of the family and of the opcodes in their order
  std::optional<Sketch> sketch;
};

/// Requires has_xxh3(). What cannot be read of a shader is left out.
Facts facts_of(const shader::Shader& shader);

}  // namespace unshade::find
