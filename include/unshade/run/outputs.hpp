// The outputs of a shader in the result of a run: how they are called, and which of a signature each is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/run/names.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::run {

/// What a pixel that the shader discarded has beside its outputs.
inline constexpr std::string_view kDiscarded = "discarded";

/// A key that a map of a result does not have yet, for a row of an element: those of two signatures or packed in one register may have
/// equal semantics. Those after the first have their register too; of variables of SPIR-V that have one name, the first as well.
std::string output_key(const Value& map, const std::vector<ir::Element>& elements, std::size_t at, std::uint32_t row);

/// Adds a list of components for each row of the elements, of one lane. `values` has `count` lanes, component by component.
/// `stream`: of which alone the elements are; nothing: all of them.
void show_elements(const std::vector<ir::Element>& elements, std::uint32_t count, const std::vector<std::uint64_t>& values,
                   std::uint32_t lane, Value& to, std::optional<std::uint32_t> stream = std::nullopt);

/// What a geometry shader emitted: of the outputs, those of the vertex's stream.
Value shown_vertex(const ir::Module& module, const vm::Lanes::Vertex& vertex);

/// Adds the messages that the shader printed, if there are any: `messages`, and the number of those that were not kept.
void show_messages(const ir::Module& module, const vm::Report& report, Value& result);

/// A map of a result with outputs.
enum class ResultRow : std::uint8_t { lane, vertex, primitive };
/// What the maps of a list of kResultRows are; those of `groups`, which have no outputs, count as primitives.
ResultRow result_row(std::string_view rows);

/// What a map of a result has before its outputs, any of which may have the same names where these are not: of an emitted vertex `lane`,
/// `stream` and `cut`; of a mesh's vertices and primitives `group` and `indices`; of an amplification shader's groups all.
std::span<const Value::Member> members_before_outputs(const ir::Module& module, ResultRow kind, const Value& map);

/// A row of an element in a map of a result.
struct ShownOutput {
  ir::SignatureKind signature = ir::SignatureKind::output;
  const ir::Element* element = nullptr;
  std::uint32_t row = 0;
  const Value::Member* member = nullptr;  ///< its name there, and a list of components; null: of another stream than the vertex
};
/// The outputs of a map that a run of the module gave, of each signature in its order, and the rows that are of another stream.
std::vector<ShownOutput> shown_outputs(const ir::Module& module, ResultRow kind, const Value& map);

/// Those of the map that a name means: one by its semantic, `TEXCOORD1`, or its name in the result, `TEXCOORD@4`; all rows of a variable of
/// SPIR-V by its name; else all that are packed into a register, `o1`, in the order of its components, without the second source of
/// blending. A name that several variables of SPIR-V have means none.
std::vector<ShownOutput> outputs_named(std::span<const ShownOutput> outputs, std::string_view name);
/// Why a name that several outputs have means none, with the names that each of them has alone; empty: it is no such name.
std::string several_outputs(std::span<const ShownOutput> outputs, std::string_view name);
/// Whether vertices of another stream have an output of this name.
bool is_of_other_stream(std::span<const ShownOutput> outputs, std::string_view name);

}  // namespace unshade::run
