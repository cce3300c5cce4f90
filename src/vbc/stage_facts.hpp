// The facts in a stage's SPIR-V that the tables list: for the checks, and for making the tables.
// src: docs/reference/formats/vbc.md, "What the SPIR-V looks like"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/vbc/file.hpp>

namespace unshade::vbc {

// Descriptor sets, and the bindings of the first: a table each.
inline constexpr std::uint32_t kBindingSet = 0;
inline constexpr std::uint32_t kUniformSet = 1;
inline constexpr std::uint32_t kSubpassSet = 2;
inline constexpr std::uint32_t kTables = 5;
inline constexpr unsigned kSlots = 32;
/// Words of push constants: two slots in each.
inline constexpr std::uint32_t kPushWords = kSlots / 2;

/// The tables in the order of their bindings.
struct TableInfo {
  std::string_view name;
  std::uint16_t TableSizes::* size;
};
inline constexpr TableInfo kTableInfos[kTables] = {{"samplers", &TableSizes::samplers},
                                                   {"images", &TableSizes::images},
                                                   {"buffers", &TableSizes::buffers},
                                                   {"ro_texels", &TableSizes::ro_texels},
                                                   {"rw_texels", &TableSizes::rw_texels}};

/// The binding of set 0 that a type of resource has; kTables for types that are none.
std::uint32_t table_of(BaseType type);

/// A value with locations.
struct Located {
  std::uint32_t variable = 0;  ///< in the interface
  bool is_understood = false;  ///< the type is one that a record can say
  Variable shape;
};

/// A descriptor table: a variable of set 0.
struct DescriptorTable {
  std::uint32_t variable = 0;
  std::uint32_t binding = 0;
  bool is_used = false;
  std::optional<std::uint32_t> length;  ///< of the array; nothing if it is none, or of no known length
  std::optional<Binding> shape;         ///< without slot and stages; nothing if no record can say it
};

/// A table is indexed by the contents of a slot of the push constants.
struct SlotUse {
  std::uint8_t slot = 0;
  std::uint32_t table = 0;  ///< in StageFacts::tables
};

/// An instruction that takes a slot out of a word of the push constants.
struct SlotRead {
  std::uint32_t result = 0;  ///< id
  std::uint32_t word = 0;    ///< id of the word's value
  std::uint8_t slot = 0;
};

struct SubpassVariable {
  std::uint32_t variable = 0;
  std::uint32_t index = 0;
  std::optional<TexelType> texel;
};

struct StageFacts {
  Stage stage{};
  spirv::Interface interface;
  bool has_entry = false;  ///< of the stage's execution model
  std::string entry_name;
  std::vector<Located> inputs;  ///< by location, without built-ins
  std::vector<Located> outputs;
  std::vector<DescriptorTable> tables;
  std::vector<SlotUse> uses;                ///< by slot, each pair once
  std::vector<SlotRead> reads;              ///< of modules that have tables, in the order of the code
  bool has_other_index = false;             ///< a table is indexed by something other than a slot: `uses` may be incomplete
  std::optional<std::uint32_t> push_words;  ///< of the push constant block
  bool push_is_uints = true;
  std::optional<std::uint32_t> uniform;  ///< variable
  bool uniform_is_used = false;
  std::optional<Uniform> uniform_shape;         ///< nothing if there is none, or for:
  std::optional<Error> uniform_fault;           ///< the member that no record can represent
  std::vector<SubpassVariable> subpass_inputs;  ///< by index
  std::vector<std::uint32_t> strangers;         ///< variables with a set that the format has no table for
  std::uint32_t slots = 0;                      ///< those in `uses`: bit 0 is slot 0

  bool uses_slot(unsigned slot) const { return slot < kSlots && (slots >> slot & 1) != 0; }
};

StageFacts stage_facts(Stage stage, const spirv::Module& module);

/// The stage that a module's first entry point is made for; nothing for others.
std::optional<Stage> stage_of(const spirv::Module& module);

}  // namespace unshade::vbc
