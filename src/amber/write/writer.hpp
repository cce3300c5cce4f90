// What writes a case as a script of Amber. src: google/amber:docs/amber_script.md
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/run/bindings.hpp>
#include <unshade/run/run.hpp>

#include "amber/write/text.hpp"

namespace unshade::amber::writer {

/// A case that draws a scene as a script. Errors: unsupported, with what Amber cannot say; those of the case. Messages have the place in
/// the scene.
Result<std::string> scene_script(std::string_view name, const suite::cases::Case& one, const suite::TestOptions& options);

/// Writes a case that runs one shader.
class AmberWriter : AmberText {
 public:
  AmberWriter(std::string_view name, const suite::cases::Case& one, const run::Runnable& shader, View module,
              const run::RunOptions& options)
      : AmberText(one, options), name_(name), runnable_(shader), ir_(shader.module()), module_(module) {}

  Result<std::string> write();

 private:
  using Bindings = run::Bindings;
  struct Expected {
    const Value* value = nullptr;
    std::string name;  ///< as the suite has it
  };
  /// An output that the script compares, where it stands in the buffer that gets it.
  struct Output {
    const ir::Element* element = nullptr;
    std::string buffer;
    std::size_t stride = 0;  ///< bytes from a lane or vertex to the next
    std::size_t first = 0;   ///< byte of the first of these where it begins
  };

  // case.cpp
  Result<void> refuse() const;
  Result<void> find_expected(const Bindings& bindings);
  Result<void> resources(const Bindings& bindings, const vm::Resources& bound);
  Result<void> groups();

  // points.cpp
  Result<void> pixels();
  /// The lanes of the case, also of a file that it names.
  Result<const Value::List*> given_lanes(std::size_t most);
  /// A vertex buffer with what each vertex gives to an input of the shader, or zeros for an element that is none. `rows`: the maps of the
  /// vertices.
  Result<void> input_of_vertices(const ir::Element& element, std::size_t location, std::span<const Value* const> rows);
  /// Refuses what lanes know of themselves but for the `known`.
  Result<void> refuse_builtins(const Value& lane, std::span<const ir::Builtin> known) const;
  Result<void> targets(std::size_t count);
  /// `shown`: the lane or vertex as results show it, whatever its numbers.
  Result<void> outputs(const Value& expected, std::string_view field, std::span<const Output> compared, const Value& shown, std::size_t row,
                       const suite::cases::Tolerance& inherited);
  Result<void> expect_lanes(std::span<const Output> compared, std::size_t count);

  // vertices.cpp
  Result<void> vertices();
  Result<void> draw_of_vertices(const Value::List& lanes);
  Result<void> primitives();
  Result<void> expect_vertices(const Value::List& expected, std::span<const Output> stored, std::size_t lanes);
  /// Declares a buffer for each output that can be stored, from a binding of set 0 on.
  Result<std::vector<Output>> output_buffers(std::size_t count, std::uint32_t binding);
  std::uint32_t first_free_binding() const;
  void add_nothing();

  std::string name_;
  const run::Runnable& runnable_;
  const ir::Module& ir_;
  View module_;
  std::map<std::string, Expected> expected_;  ///< by binding
  std::string assembly_;                      ///< of the shader, if it is not its own
  Value lanes_;                               ///< of a file
  Text before_, after_;                       ///< what the pipeline attaches before and after the shader
};

// --- points.cpp --------------------------------------------------------------------------------------------------------------------------

/// Why a pixel shader does not give on points, one for each lane, what it gives on the lanes alone; empty: it does.
std::string why_not_points(const ir::Module& module);
/// The name that assembly here has for an element's type: `v4f32`.
std::string assembly_type(const ir::Element& element);
/// SPIR-V assembly of a vertex shader that gives inputs on: location 0 is the position, those after it are the inputs in their order.
std::string points_shader(std::span<const ir::Element* const> inputs);

// --- captured.cpp ------------------------------------------------------------------------------------------------------------------------

/// What a stage gives to the next, as a number of 32 bits or up to four of them with a location, or as the position.
bool is_stored(const ir::Element& element);
/// SPIR-V assembly of a geometry shader that stores what each vertex gives to it: an output in set 0 for each of `outputs`, from a binding
/// on.
std::string storing_shader(std::span<const ir::Element> outputs, std::uint32_t first_binding);
/// The SPIR-V assembly of a geometry shader that also stores what it emits: at the first binding of set 0 how many vertices and cuts there
/// were, and of each what it is (1, or 2 for a cut) and its stream, at those after it the outputs. There is room for `most`.
/// Errors: unsupported, if the module does not lend itself to it.
Result<std::string> storing_emits(View module, std::string_view entry, std::span<const ir::Element> outputs, std::uint32_t first_binding,
                                  std::size_t most);

}  // namespace unshade::amber::writer
