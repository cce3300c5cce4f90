// Binds the resources and constants of a case: memory and descriptors by binding or name.
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
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/name_index.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/spirv/edit.hpp>
#include <unshade/texel/formats.hpp>
#include <unshade/vm/resources.hpp>

namespace unshade::run {

/// Resources that several shaders share, by name.
using Shared = std::map<std::string, texel::Descriptor, std::less<>>;

/// Whether a program accesses buffers by address.
bool uses_addresses(const ir::Module& module);

/// Owns what the case gives. Descriptors point into it.
class Bindings {
 public:
  /// `shared`: what a text in the place of a resource's map names; may be null.
  Bindings(const ir::Module& module, const RunOptions& options, const Shared* shared = nullptr);

  enum class Kind : std::uint8_t { resource, sampler };
  /// Whether a resource or sampler of this name can be bound, or it is not known which of several, and a variable set.
  bool has_resource(const Value::Member& member, Kind kind = Kind::resource) const;
  bool has_constant(const Value::Member& member) const;

  /// The binding that the name or binding of a resource means, as results have it: `u0`. Errors: missing if the shader has none;
  /// bad_value if several have the name.
  Result<std::string> key_named(const Value::Member& member, Kind kind = Kind::resource) const;
  /// Refuses bindings in a map of resources that are also names of resources bound elsewhere, which it does not give. `path`: of the map.
  Result<void> check_names(const Value::Map& members, std::string_view path, Kind kind = Kind::resource) const;
  /// The resource of a result that a text means. Errors: missing, if the result has none; bad_value, if several may be meant.
  Result<const Value::Member*> find_result(const Value& result, std::string_view name) const;

  /// Binds all that a case says, and generates what it does not, as run::execute() does.
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
  /// Resources that the program accesses and whose format is of integers where the shader declares floats, or the reverse, and buffers
  /// whose `values` have no format where the shader declares no floats of 32 bits: a sentence each. Those of the descriptor heap, of
  /// which only the program knows what they are, are not among them.
  std::vector<std::string> format_mismatches() const;
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
    const shader::Buffer* buffer = nullptr;
    const shader::Variable* variable = nullptr;
  };
  /// `kind`: of what is meant, if both have the name.
  Result<Binding> find(const Value::Member& member, Kind kind = Kind::resource) const;
  NameIndex& name_index(Kind kind) const;
  /// Of a sampler, or of a resource that is none; empty for the other kind, and for those of the heap.
  static std::string_view own_name(const ir::Resource& resource, Kind kind);
  /// Rows of reflection, each once and in their order, whose name or whose block's is the whole text or its base.
  std::vector<std::uint32_t> reflected_rows(const Spoken& text) const;
  /// A resource bound elsewhere whose name, or that of its block, is spelled like a binding at which the shader has something: `t3` bound
  /// at t4.
  std::optional<Reflected> other_of_name(const Place& bound, const Spoken& text, Kind kind) const;
  /// Refuses the name of a resource, found at `index`, that is also the name of a block bound elsewhere.
  Result<void> check_blocks(const Value::Member& member, const Spoken& text, const ir::Resource& found, std::uint32_t index,
                            Kind kind) const;
  /// Errors: missing, if the resource has no such element; bad_value, if several have the name.
  Result<std::optional<Reflected>> reflected(const Value::Member& member, const Spoken& text, Kind kind) const;
  /// Where that is; nothing if reflection has no such name.
  Result<std::optional<Binding>> in_reflection(const Value::Member& member, const Spoken& text, Kind kind) const;
  /// A variable of a constant buffer that the program does not access, with its buffer; null if no such variable has the name.
  std::pair<const shader::Buffer*, const shader::Variable*> unused_constant(std::string_view name) const;
  /// Refuses what the type of such a variable cannot hold.
  Result<void> check_unused(const Value::Member& member, const shader::Buffer& buffer, const shader::Variable& variable,
                            std::string_view path = {});
  /// The same as check_names(), and refuses two names of one binding.
  Result<void> check_bindings(const Value::Map& members, std::string_view path, Kind kind) const;
  Result<void> bind_one(const Value::Member& member);
  /// Notes numbers that are stored as floats of 32 bits, for want of a format, in a buffer of which the shader declares none.
  void check_numbers(const Value& given, const Binding& at, std::span<std::byte> memory);
  /// Counts bytes that are to be taken. Errors: limit, if all together are more than RunOptions::memory.
  Result<void> take(std::uint64_t bytes);
  Result<void> resize(std::vector<std::byte>& memory, std::uint64_t bytes);
  Memory& memory_of(const Binding& binding, std::string_view unused_key = {});
  /// `visit(descriptor, resource)` for all that is bound where an element is: its own descriptor, and those of other resources that share
  /// the place. The resource is null in the heap, and of what the shader does not use.
  Result<void> at_place(const Binding& binding, const std::function<void(texel::Descriptor&, const ir::Resource*)>& visit);
  /// The place that all of them have.
  Place place_of(const Binding& binding) const;
  /// Null without a reflection, too.
  const shader::Resource* row_of(const ir::Resource& resource) const { return rows_.find(resource); }
  std::vector<Constant> constants_named(std::string_view name) const;
  /// Whether a name means a variable, a specialization constant or a register.
  bool is_constant(std::string_view name) const;
  /// The members of a map that is given to a block of Vulkan, whose variables are members of one variable in Direct3D:
  /// `lights[2] = {scale = 1}` means `lights[2].scale = 1`. Each with its whole name; empty if no variable has such a name.
  std::vector<Value::Member> members_of_block(const Value::Member& member) const;
  /// A variable of which a name means a part: `lights[2].scale`, `k[1]`.
  struct ConstantPart {
    std::vector<Constant> found;
    std::pair<const shader::Buffer*, const shader::Variable*> unused;  ///< if nothing is found
    std::string_view path;                                             ///< `[2].scale`
  };
  /// The variable of the longest name that there is: `lights[2]` may be an element of an array of buffers.
  std::optional<ConstantPart> part_named(std::string_view name) const;
  /// A name that means this one of all.
  std::string full_name(const Constant& one, std::span<const Constant> all) const;
  /// Full names of constants that have one, for a message.
  std::string names_of(const std::vector<Constant>& found) const;
  class GivenConstants;
  /// Sets what a name means. Errors: missing, if the shader has no such constant; those of set_once().
  Result<void> set_named(const Value::Member& member, GivenConstants& given);
  /// `path`: of the part that is set; empty: all. Returns the bytes that the value has in the memory of the resource.
  Result<std::vector<ByteRange>> set_constant(const Value::Member& member, const Constant& constant, const TypeLayout& layout,
                                              std::string_view path = {});
  /// Sets the one constant that a name means, or a part of it. Errors: bad_value, if bytes of it are given already, or several have the
  /// name.
  Result<void> set_once(const Value::Member& member, const std::vector<Constant>& found, std::string_view path, GivenConstants& given);
  void make_up_constants(const ir::Resource& resource, std::span<std::byte> memory) const;
  Result<void> make_up_one(const Binding& binding);
  /// Where the shader counts what the case gives as `counter`. Errors: bad_value if it does not.
  Result<void> give_counter(const Value& given, const ir::Resource& resource, Memory& memory);
  std::optional<std::size_t> row_of_counter(const ir::Resource& resource) const;
  std::uint32_t counter_of(const Memory& memory) const;
  /// From `first` on; texels in steps of 1/256 up to 1.
  void count_up(const ir::Resource& resource, const shader::Resource* row, const texel::Format& format, std::uint32_t first,
                std::span<std::byte> memory) const;
  const texel::Descriptor* view_of(const Memory& memory) const;  ///< null if the shader does not use it
  std::optional<Value> values_of(const Memory& memory) const;
  Result<texel::Descriptor*> descriptor(const Binding& binding, std::vector<texel::Descriptor>& heap);

  const ir::Module& module_;
  BoundResources bound_;
  const RunOptions& options_;
  const Shared* shared_;
  vm::Resources resources_;
  texel::Descriptor unused_;
  ResourceRows rows_;
  mutable std::vector<NameIndex> variables_;     ///< by buffer of the reflection
  std::map<std::uint32_t, TypeLayout> layouts_;  ///< by stride
  mutable NameIndex names_, sampler_names_;      ///< of the module's resources
  mutable std::optional<std::unordered_map<std::string_view, std::vector<std::uint32_t>>> reflected_names_;  ///< of reflected_rows()
  std::deque<Memory> memories_;
  std::map<Place, Memory*> memory_at_;
  std::vector<bool> with_counters_;         ///< by resource, of Direct3D; empty until a case gives a counter
  std::map<Place, const Memory*> counted_;  ///< by where the counter is: of which the case gives one
  std::set<std::pair<Place, const shader::Variable*>> constants_set_;
  struct SetBytes {
    std::size_t row;
    std::uint32_t first, end;
  };
  std::vector<SetBytes> bytes_set_;             ///< by the names of registers, and elsewhere
  std::set<Place> constants_given_;             ///< buffers as a whole
  std::vector<std::string> number_mismatches_;  ///< of check_numbers()
  std::uint64_t taken_ = 0;
};

}  // namespace unshade::run
