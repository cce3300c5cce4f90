// Resources of a case: memory and descriptors by binding or name.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <unshade/core/name_index.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/shader/run.hpp>
#include <unshade/spirv/edit.hpp>
#include <unshade/vm/formats.hpp>
#include <unshade/vm/resources.hpp>

#include "shader/run/places.hpp"
#include "shader/run/type_layout.hpp"

namespace unshade::shader::runner {

/// Resources that several shaders share, by name.
using Shared = std::map<std::string, vm::Descriptor, std::less<>>;

/// A resource that a map describes: `view` but for its memory, and that.
struct Described {
  vm::Descriptor view;
  std::vector<std::byte> bytes;
  std::optional<std::uint32_t> counter;
};
/// Texels of the smallest regions that a feedback map can have.
inline constexpr std::array<std::uint32_t, 2> kFinestRegion{4, 4};
/// What a shader declares, and a map need not say.
struct Declared {
  std::uint32_t stride = 0;  ///< of a structured buffer
  std::optional<dxcontainer::SamplerFeedback> feedback{};
};
Declared declared(const ir::Resource& resource);
/// Refuses sizes that a resource of this kind does not have. Errors: bad_value.
Result<void> check_shape(const Value& given, const ir::Resource& resource);
/// `taken`: bytes that resources have so far, of RunOptions::memory.
Result<Described> described(const Value& given, const Declared& declared, const RunOptions& options, std::uint64_t& taken);

/// The rows of a reflection by where they are bound, and those that are bound to the same by their names.
class ResourceRows {
 public:
  ResourceRows() = default;
  /// Borrows the reflection.
  explicit ResourceRows(const Reflection& reflection);
  /// That of a resource; null if it has none.
  const Resource* find(const ir::Resource& resource) const;

 private:
  std::map<std::tuple<char, std::uint32_t, std::uint32_t>, std::vector<const Resource*>> rows_;
};
/// The reflection's row of a resource; null if it has none.
const Resource* row_of(const ir::Resource& resource, const Reflection& reflection);

/// A resource of a reflection as modules have them, whether or not the program has it. A combined image sampler is one of both.
ir::Resource as_declared(const Resource& row, const Reflection& reflection, bool is_sampler);

/// Where the variables of a buffer of reflection are in the memory of a resource.
struct ConstantPlace {
  std::uint32_t base = 0;     ///< bytes
  std::uint32_t packed = 1;   ///< divides offsets
  std::uint32_t stride = 16;  ///< bytes of which elements of arrays take a multiple
  std::uint32_t most = 0;     ///< the largest number that a register holds, from 0 on; 0: what the type holds
};
/// Nothing if they are not in it. `row`: the reflection's row of the resource, or null.
std::optional<ConstantPlace> constants_in(const ir::Resource& resource, const Resource* row, const Buffer& buffer,
                                          const Reflection& reflection);

/// Whether a program accesses buffers by address.
bool uses_addresses(const ir::Module& module);

/// Owns what the case gives. Descriptors point into it.
class Bindings {
 public:
  /// `shared`: what a text in the place of a resource's map names; may be null.
  Bindings(const ir::Module& module, const RunOptions& options, const Shared* shared = nullptr);

  /// Whether a resource or sampler of this name can be bound, and a variable set.
  bool has_resource(const Value::Member& member) const { return find(member).has_value(); }
  bool has_constant(std::string_view name) const;

  /// The binding that the name or binding of a resource means, as results have it: `u0`. Errors: missing if the shader has none.
  Result<std::string> key_named(const Value::Member& member) const;

  /// Binds all that a case says, and generates what it does not, as shader::run() does.
  Result<void> bind_case(const Value& given);
  /// Binds what the members of a map say.
  Result<void> bind(const Value& resources);
  void bind_static_samplers(const dxcontainer::RootSignature& root);
  /// Sets the samplers that a map of bindings describes.
  Result<void> bind_samplers(const Value& samplers);
  /// Sets variables of constant buffers by their names.
  Result<void> set_constants(const Value& constants);
  /// Gives buffers the addresses that a map has as its keys.
  Result<void> bind_addresses(const Value& addresses);
  /// Bytes of a resource that something else writes, from the first one on up to the second: their variables count as given.
  void set_elsewhere(std::size_t row, std::uint32_t first, std::uint32_t end) { bytes_set_.push_back({row, first, end}); }
  /// Variables of constant buffers that the shader uses and nothing gave a value, which are zeros. Names as constants have them.
  std::vector<std::string> constants_not_given() const;
  /// What a message calls an element of a resource that has no memory, since the case does not give it: "texture `maps[2]` (t4)"; empty if
  /// it has some. Without an index: any of its elements. `row`: of Module::resources.
  std::string not_given(std::size_t row, std::optional<std::uint32_t> index) const;
  /// The same of a place in the descriptor heap.
  std::string not_given_in_heap(std::uint32_t index) const;
  /// Binds what the file itself gives to constant buffers that nothing is bound to.
  Result<void> bind_initials();
  /// Binds to what is not bound: constant buffers whose matrices are identities, whose variables with a default have it, and else zeros;
  /// buffers and textures of numbers that count up. Errors: limit.
  Result<void> make_up();

  vm::Resources& resources() { return resources_; }
  /// Adds the contents of all constant buffers to a map of resources, by binding.
  void add_constant_buffers(Value& to) const;
  /// A map of what can be written: by binding, `hex` and `counter`.
  Value results() const;
  /// The same as arrays, with the counters as arrays of their own.
  std::vector<ResultArray> arrays() const;

 private:
  /// An element that reflection knows by its name, which the program may not have: compilers declare what is accessed alone.
  struct Reflected {
    ir::Resource resource;
    std::uint32_t index = 0;
  };
  struct Memory {
    std::string key;
    std::optional<Reflected> unused;  ///< what the program does not access
    std::vector<std::byte> bytes;
    std::uint32_t counter = 0;
    bool has_counter = false;
    std::optional<Binding> counter_at{};  ///< of Vulkan: the buffer that holds it
    bool writable = false;
    Binding binding;  ///< the first one that writes, else the first
  };
  /// A variable that a name may mean.
  struct Constant {
    Binding binding;
    ConstantPlace place;
    const Buffer* buffer = nullptr;
    const Variable* variable = nullptr;
  };
  enum class Kind : std::uint8_t { resource, sampler };
  /// `kind`: of what is meant, if both have the name.
  Result<Binding> find(const Value::Member& member, Kind kind = Kind::resource) const;
  /// Errors: missing, if the resource has no such element; bad_value, if several have the name.
  Result<std::optional<Reflected>> reflected(const Value::Member& member, const Spoken& text, Kind kind) const;
  /// Where that is; nothing if reflection has no such name.
  Result<std::optional<Binding>> in_reflection(const Value::Member& member, const Spoken& text, Kind kind) const;
  /// A variable of a constant buffer that the program does not access, with its buffer; null if no such variable has the name.
  std::pair<const Buffer*, const Variable*> unused_constant(std::string_view name) const;
  /// Refuses what the type of such a variable cannot hold.
  Result<void> check_unused(const Value::Member& member, const Buffer& buffer, const Variable& variable);
  /// Refuses two names of one binding.
  Result<void> check_bindings(const Value::Map& members, std::string_view path, Kind kind) const;
  Result<void> bind_one(const Value::Member& member);
  /// Counts bytes that are to be taken. Errors: limit, if all together are more than RunOptions::memory.
  Result<void> take(std::uint64_t bytes);
  Result<void> resize(std::vector<std::byte>& memory, std::uint64_t bytes);
  Memory& memory_of(const Binding& binding, std::string_view unused_key = {});
  /// `visit(descriptor, resource)` for all that is bound where an element is: its own descriptor, and those of other resources that share
  /// the place. The resource is null in the heap, and of what the shader does not use.
  Result<void> at_place(const Binding& binding, const std::function<void(vm::Descriptor&, const ir::Resource*)>& visit);
  /// The place that all of them have.
  Place place_of(const Binding& binding) const;
  /// Null without a reflection, too.
  const Resource* row_of(const ir::Resource& resource) const { return rows_.find(resource); }
  std::vector<Constant> constants_named(std::string_view name) const;
  /// A name that means this one of all.
  std::string full_name(const Constant& one, std::span<const Constant> all) const;
  /// The names that gave variables their value, each once.
  using GivenConstants = std::map<std::pair<Place, const Variable*>, std::string>;
  /// Sets what the names of reflection mean. `others`: gets the members whose name it does not have; null: they are an error.
  Result<void> set_named(const Value& constants, GivenConstants& given, Value* others);
  /// Constants whose names reflection does not have, by those that it has.
  Value as_reflected(const Value& constants) const;
  Result<void> set_constant(const Value::Member& member, const Constant& constant);
  Result<void> set_constant(const Value::Member& member, const Constant& constant, const TypeLayout& layout);
  void make_up_constants(const ir::Resource& resource, std::span<std::byte> memory) const;
  Result<void> make_up_one(const Binding& binding);
  /// Where the shader counts what the case gives as `counter`. Errors: bad_value if it does not.
  Result<void> give_counter(const Value& given, const ir::Resource& resource, Memory& memory);
  std::optional<std::size_t> row_of_counter(const ir::Resource& resource) const;
  std::uint32_t counter_of(const Memory& memory) const;
  /// From `first` on; texels in steps of 1/256 up to 1.
  void count_up(const ir::Resource& resource, const Resource* row, const vm::Format& format, std::uint32_t first,
                std::span<std::byte> memory) const;
  const vm::Descriptor* view_of(const Memory& memory) const;  ///< null if the shader does not use it
  std::optional<Value> values_of(const Memory& memory) const;
  Result<vm::Descriptor*> descriptor(const Binding& binding, std::vector<vm::Descriptor>& heap);

  const ir::Module& module_;
  BoundResources bound_;
  const RunOptions& options_;
  const Shared* shared_;
  vm::Resources resources_;
  vm::Descriptor unused_;
  ResourceRows rows_;
  mutable std::vector<NameIndex> variables_;     ///< by buffer of the reflection
  std::map<std::uint32_t, TypeLayout> layouts_;  ///< by stride
  mutable NameIndex names_, sampler_names_;      ///< of the module's resources
  std::deque<Memory> memories_;
  std::map<Place, Memory*> memory_at_;
  std::vector<bool> with_counters_;         ///< by resource, of Direct3D; empty until a case gives a counter
  std::map<Place, const Memory*> counted_;  ///< by where the counter is: of which the case gives one
  std::set<std::pair<Place, const Variable*>> constants_set_;
  struct SetBytes {
    std::size_t row;
    std::uint32_t first, end;
  };
  std::vector<SetBytes> bytes_set_;  ///< by the names of registers, and elsewhere
  std::set<Place> constants_given_;  ///< buffers as a whole
  std::uint64_t taken_ = 0;
};

/// A constant register of the PICA200, or all of a class: variables of a reflection of their own.
struct RegisterConstant {
  const Reflection* reflection;
  const Buffer* buffer;
  const Variable* variable;
};
/// By `c5`, `i0`, `b3`, or `c`, `i`, `b`; nothing if the shader has no such registers. registers.cpp
std::optional<RegisterConstant> register_named(const RunOptions& options, std::string_view name);

/// Bytes as results have them: pairs of hexadecimal digits.
std::string hex_of(std::span<const std::byte> bytes);
/// An error at a value of the case.
Error fault(const Value& at, std::string path, std::string message, ErrorCode code = ErrorCode::bad_value);
/// The code of an error of a file that the case names: `unsupported` is said of what a shader does, a file that is not read is wrong.
inline ErrorCode code_of_file(ErrorCode code) { return code == ErrorCode::unsupported ? ErrorCode::bad_value : code; }
/// A value for a message: a number or a text as it is, of others their kind.
std::string found(const Value& value);
/// A whole number from 0 on, of at most 32 bits.
Result<std::uint32_t> number_of(const Value& value, std::string_view path);
/// What a file holds that the case names. Errors: bad_value, and what RunOptions::read_file says, at the name.
Result<std::vector<std::byte>> read_named(const RunOptions& options, const Value& path, std::string_view field);
/// A picture that the case names. Errors: as those of read_named(), and what the picture's reader says.
Result<Picture> read_image(const RunOptions& options, const Value& path);
/// The field that says the contents of a resource, if that is no picture; null if there is none.
const Value::Member* content_of(const Value& given);
/// Refuses a map with two fields that say the contents of a resource.
Result<void> check_one_content(const Value& given);
/// The bytes that `hex`, `words`, `values`, `bytes`, `csv`, `npy` or `file` of a map say; none without them.
Result<std::vector<std::byte>> bytes_of(const Value& given, const vm::Format& format, const RunOptions& options);
/// The lanes that a map names a file of, as a list of maps. Errors: bad_value, missing; those of the file, at its name.
Result<Value> read_lanes(const Value& given, const RunOptions& options);
/// Names of the fields of a case, of a resource and of lanes in a file.
std::span<const std::string_view> case_fields();
std::span<const std::string_view> resource_fields();
std::span<const std::string_view> lanes_fields();
/// The bits of a number as a type of the IR, those above its width 0: floats of the nearest number, integers of whole ones. Texts may be
/// nan, inf and -inf. Errors: bad_value, also of numbers that the type does not reach.
Result<std::uint64_t> bits_of(const Value& value, ir::Type type, std::string_view path);

/// The constant that a name, or the number of a constant_id, means; null if there is none. `reflection` may be null.
const SpecializationConstant* specialization_named(const Reflection* reflection, std::string_view name);
/// What a map of constants says of those of a reflection. Errors: bad_value.
Result<std::vector<spirv::SpecializedConstant>> specializations_of(const Value& constants, const Reflection& reflection);
/// A copy of a file of SPIR-V modules with other defaults. Errors: those of its parsers.
Result<std::vector<std::byte>> specialized_file(View file, const std::vector<spirv::SpecializedConstant>& values);

}  // namespace unshade::shader::runner
