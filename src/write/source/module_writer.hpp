// Writes a module of the IR as source: what is outside of functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/ir/analysis/types.hpp>
#include <unshade/ir/analysis/uses.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/write/source.hpp>

#include "write/source/given/names.hpp"
#include "write/source/layout/constant_uses.hpp"
#include "write/source/layout/layout.hpp"
#include "write/source/target.hpp"

namespace unshade::write::source {

/// A buffer or variable as it is declared.
struct Memory {
  ByteLayout layout;
  bool is_flat = false;       ///< an array of words: what no layout has
  bool is_registers = false;  ///< of a constant buffer: an array of vectors of four
  bool is_indexed = false;    ///< of a program of the PICA200: its real constants are one array
  std::string name;           ///< of the array or variable; of a block whose members are known by their names alone empty
  std::string block;          ///< of a storage buffer that is a block: its name
};

struct Candidate;
/// A declaration of the user for a resource.
struct GivenDeclaration {
  const shader::Reflection* reflection = nullptr;
  const shader::Resource* resource = nullptr;
};

class ModuleWriter {
 public:
  /// `functions`: no variable may have their names.
  ModuleWriter(const ir::Structured& in, const shader::Reflection* reflection, const SourceOptions& options,
               const std::set<std::string>& functions);
  Result<SourceText> run();
  /// After it: functions that the text calls and cannot, since a variable has the name.
  const std::set<std::string>& hidden_functions() const { return hidden_functions_; }

  const ir::Module& module;
  const ir::Structured& structured;
  const shader::Reflection* const reflection;
  const SourceOptions& options;
  const ir::DeclaredTypes types;
  Names names;
  std::unique_ptr<Target> target;
  SourceScore score;

  bool is_exact() const { return options.setting == Setting::exact; }
  /// Whether no arithmetic of the module may be rearranged.
  bool is_strict() const { return has_fixed_ && !has_free_; }
  /// Whether some of it may not.
  bool marks_precise() const { return has_fixed_ && has_free_; }
  const std::string& resource_name(std::uint32_t resource) const { return resource_names_[resource].shown; }
  /// The same, for names that are made of it.
  const Name& name_of_resource(std::uint32_t resource) const { return resource_names_[resource]; }
  /// What the reflection says of it; may be null.
  const shader::Resource* reflected(const ir::Resource& resource) const;
  /// The sampler that is in the place of a texture: of SPIR-V, both are one descriptor. kNone: none is.
  std::uint32_t pair_of(std::uint32_t texture) const {
    const auto found = pairs_.find(texture);
    return found == pairs_.end() ? ir::kNone : found->second;
  }
  /// Whether a sampler is one of those.
  bool is_of_pair(std::uint32_t sampler) const { return paired_textures_.contains(sampler); }
  /// A constant buffer, the element of a structured buffer, or a storage buffer as a block. Of other resources a word, and the module is
  /// refused.
  const Memory& memory_of(std::uint32_t resource);
  bool has_memory(std::uint32_t resource) const { return resources_.contains(resource); }
  const Memory& variable(std::uint32_t number) const { return variables_.at(number); }
  bool is_resource_used(std::uint32_t resource) const { return used_.contains(resource); }
  /// Whether something reads or writes a variable.
  bool is_variable_used(std::uint32_t variable) const { return used_variables_.contains(variable); }

  /// Records the first error: a text that ends a sentence such as `main: resources of a descriptor heap`.
  void unsupported(std::string_view what) {
    if (!error_) error_ = Error{ErrorCode::unsupported, 0, "", std::string(what)};
  }
  bool failed() const { return error_.has_value(); }
  /// Of a compiler to SPIR-V, whose functions are GLSL.std.450's.
  bool is_of_spirv() const { return reflection != nullptr && reflection->family == shader::Family::spirv; }
  bool is_of_pica() const { return reflection != nullptr && reflection->family == shader::Family::pica; }
  /// Declares a function that a text calls, once. `@` in its text stands for its name, which is returned. `overloads`: it has the name of
  /// others with other types.
  std::string helper(std::string_view name, std::string_view text, bool overloads = false);
  /// What helper() was given.
  const std::vector<std::string>& helpers() const { return helpers_; }
  /// Whether an operation gives a row of the table of resources.
  static bool is_handle(ir::Op op) { return op == ir::Op::handle || op == ir::Op::handle_from_heap; }
  /// Whether a name is that which reflection gives to what has none: `_12`.
  static bool is_unnamed(std::string_view name);
  static Base base_of(ir::Type type, ir::Declared declared);

 private:
  void find_precise();
  void find_pairs();
  void index_uses();
  std::string own_name(std::uint32_t resource) const;
  // --- given/declarations.cpp ---
  void match_declarations();
  std::vector<Candidate> candidates(std::uint32_t resource, const shader::Reflection& declared, std::vector<std::string>& failures);
  std::optional<std::string> misfit(std::uint32_t resource, const GivenDeclaration& of, bool& is_exact) const;
  /// What the user declares of it; null: nothing.
  const GivenDeclaration* given(std::uint32_t resource) const {
    const auto found = declarations_.find(resource);
    return found == declarations_.end() ? nullptr : &found->second;
  }
  bool is_made_up(const shader::Buffer& buffer) const;
  void name_resources();
  void lay_out_constants(std::uint32_t resource);
  void lay_out_block(std::uint32_t resource);
  void lay_out_elements(std::uint32_t resource);
  bool is_read_as_floats(std::uint32_t variable) const;
  void lay_out_variables();
  bool fits(const ByteLayout& layout, std::uint32_t resource) const { return !first_misfit(layout, resource); }
  /// The first byte of an access that is to no number of its size; nothing: all fit.
  std::optional<std::int64_t> first_misfit(const ByteLayout& layout, std::uint32_t resource) const;
  template <class Visit>
  void for_each_inst(Visit visit) const {
    for (const ir::Function& f : module.functions)
      for (const ir::BlockId block : f.order)
        for (ir::Id id = f.blocks[block].first; id != ir::kNone; id = f.next[id]) visit(f, id);
  }
  /// What takes a component of a load.
  template <class Visit>
  void for_each_get(std::size_t function, ir::Id load, Visit visit) const {
    for (ir::Id get = gets_[function].first[load]; get != ir::kNone; get = gets_[function].next[get]) visit(get);
  }
  /// Each access to a resource: the function, the instruction, the address of its first value, and how many values there are.
  template <class Visit>
  void for_each_access(std::uint32_t resource, Visit visit) const;
  void claim_members(ByteLayout& layout, std::uint32_t resource);
  void keep_truths(ByteLayout& layout, std::uint32_t resource) const;

  std::set<std::string> hidden_functions_;
  std::optional<Error> error_;
  std::vector<Name> resource_names_;
  std::map<std::uint32_t, Memory> resources_;
  std::map<std::uint32_t, Memory> variables_;
  std::map<std::uint32_t, GivenDeclaration> declarations_;
  std::vector<std::string> notes_;
  std::set<std::uint32_t> used_, used_variables_;
  std::set<std::uint32_t> measured_;  ///< resources that are asked for their size
  struct Access {
    std::size_t function = 0;
    ir::Id id = ir::kNone;
  };
  std::map<std::uint32_t, std::vector<Access>> accesses_;  ///< of bytes of buffers, by resource
  /// Lists of a function's `get`s: the first of each load, and the next of each.
  struct Gets {
    std::vector<ir::Id> first, next;
  };
  std::vector<Gets> gets_;                                  ///< by function
  std::optional<ConstantUses> constant_uses_;               ///< once a buffer asked for it
  std::map<std::uint32_t, std::uint32_t> pairs_;            ///< samplers by texture
  std::map<std::uint32_t, std::uint32_t> paired_textures_;  ///< and the reverse
  bool has_fixed_ = false, has_free_ = false;               ///< sums and products: precise, and others
  std::vector<std::string> helpers_;
  std::map<std::string, std::string, std::less<>> helper_names_;  ///< by text
  std::map<std::string, std::string, std::less<>> overloaded_;    ///< by the name that was wanted
};

std::unique_ptr<Target> make_hlsl(ModuleWriter& writer);
std::unique_ptr<Target> make_glsl(ModuleWriter& writer);

}  // namespace unshade::write::source
