// Places of declarations: registers of 16 bytes in constant buffers, one after the other in structured buffers.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/shader/hlsl/packing.hpp>

#include "shader/hlsl/declarations/model.hpp"
#include "shader/reflect/scalar_bytes.hpp"

namespace unshade::shader::hlsl {

namespace {

/// Beyond all buffers; sums and products of what is below stay within 64 bits.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;

enum class Packing : std::uint8_t { registers, tight };

struct Extent {
  std::uint64_t bytes = 0, alignment = 1;
};

struct Placed {
  std::uint32_t type = kNone;  ///< in Reflection::types
  Extent extent{};
};

class Layouter {
 public:
  Layouter(const Declared& declared, bool is_native) : declared_(declared), is_native_(is_native) {}

  Result<Reflection> run() {
    for (const DeclaredResource& one : declared_.resources) add_resource(one);
    if (error_) return *std::move(error_);
    return std::move(made_);
  }

 private:
  void fail(ErrorCode code, std::size_t at, std::string_view path, std::string message) {
    if (!error_) error_ = Error{code, at, std::string(path), std::move(message)};
  }

  BaseType base_of(const DeclaredType& type) const { return is_native_ ? type.native : type.base; }

  /// Of one element of an array.
  Extent element_extent(const DeclaredType& type, Packing packing) {
    if (type.type_class == TypeClass::structure) return structure(type.structure, packing).extent;
    const std::uint64_t number = reflection::scalar_bytes(base_of(type));
    if (type.type_class == TypeClass::scalar) return {number, number};
    if (type.type_class == TypeClass::vector) return {number * type.columns, number};
    const bool is_rows = type.type_class == TypeClass::matrix_rows;
    const std::uint64_t vectors = is_rows ? type.rows : type.columns, vector = number * (is_rows ? type.columns : type.rows);
    return {(vectors - 1) * (packing == Packing::tight ? vector : packed_aggregate_at(vector)) + vector, number};
  }

  static bool is_aggregate(const DeclaredType& type) {
    return type.elements != 0 || (type.type_class != TypeClass::scalar && type.type_class != TypeClass::vector);
  }

  std::uint64_t place(const DeclaredType& type, std::uint64_t after, const Extent& extent, Packing packing) const {
    if (packing == Packing::tight) return round_up(after, extent.alignment);
    return is_aggregate(type) ? packed_aggregate_at(after) : packed_vector_at(after, extent.alignment, extent.bytes);
  }

  /// A type, each once.
  Placed type(const DeclaredType& of, Packing packing, std::size_t at, std::string_view path) {
    Placed made;
    made.extent = element_extent(of, packing);
    if (of.elements > 1) {
      const std::uint64_t stride = packing == Packing::tight ? made.extent.bytes : packed_aggregate_at(made.extent.bytes);
      made.extent.bytes += stride * (of.elements - 1);
    }
    if (made.extent.bytes > kMostBytes) fail(ErrorCode::limit, at, path, "takes more than " + std::to_string(kMostBytes) + " bytes");
    if (error_) return {};
    const auto [known, is_new] = types_.try_emplace(std::tuple(of.type_class, base_of(of), of.rows, of.columns, of.elements, of.structure,
                                                               of.structure == kNone ? Packing::tight : packing),
                                                    static_cast<std::uint32_t>(made_.types.size()));
    made.type = known->second;
    if (!is_new) return made;
    Type added;
    if (of.structure != kNone) {
      const std::uint32_t plain = structure(of.structure, packing).type;
      if (of.elements == 0) return known->second = made.type = plain, made;
      added = made_.types[plain];
      spend(added.members.size(), at, path);
    } else {
      added.type_class = of.type_class;
      added.base = base_of(of);
      added.rows = of.rows;
      added.columns = of.columns;
    }
    added.elements = of.elements;
    known->second = made.type = static_cast<std::uint32_t>(made_.types.size());
    made_.types.push_back(std::move(added));
    return made;
  }

  void spend(std::size_t members, std::size_t at, std::string_view path) {
    members_ += members;
    if (members_ > limits::kDeclaredMembers) fail(ErrorCode::limit, at, path, "structures have too many members together");
  }

  /// A structure that is no array. Structures are declared before they are used: what is in one stands before it.
  Placed structure(std::uint32_t number, Packing packing) {
    const auto known = structures_.find({number, packing});
    if (known != structures_.end()) return known->second;
    const DeclaredStructure& of = declared_.structures[number];
    if (of.fault) error_ = error_ ? error_ : of.fault;
    if (error_) return {};
    Type added;
    added.type_class = TypeClass::structure;
    added.name = of.name;
    Placed made;
    spend(of.members.size(), of.at, of.name);
    for (const DeclaredMember& member : of.members) {
      const Placed inner = type(member.type, packing, member.at, of.name);
      if (error_) return {};
      const std::uint64_t offset = place(member.type, made.extent.bytes, inner.extent, packing);
      made.extent.bytes = offset + inner.extent.bytes;
      made.extent.alignment = std::max(made.extent.alignment, inner.extent.alignment);
      if (made.extent.bytes > kMostBytes) {
        fail(ErrorCode::limit, member.at, of.name, "takes more than " + std::to_string(kMostBytes) + " bytes");
        return {};
      }
      added.members.push_back({std::string(member.name), inner.type, static_cast<std::uint32_t>(offset)});
    }
    if (packing == Packing::tight) made.extent.bytes = round_up(made.extent.bytes, made.extent.alignment);
    made.type = static_cast<std::uint32_t>(made_.types.size());
    made_.types.push_back(std::move(added));
    structures_.emplace(std::pair(number, packing), made);
    return made;
  }

  /// The members of a constant buffer.
  void add_constants(const DeclaredResource& from, Resource& resource) {
    const DeclaredStructure& of = declared_.structures[from.element->structure];
    if (of.fault) error_ = error_ ? error_ : of.fault;
    spend(of.members.size(), of.at, of.name);
    Buffer buffer;
    buffer.name = from.name;
    std::vector<std::pair<Variable, std::size_t>> placed;  // with the place in the text
    std::uint64_t after = 0;
    for (const DeclaredMember& member : of.members) {
      if (error_) return;
      const Placed inner = type(member.type, Packing::registers, member.at, from.name);
      if (error_) return;
      std::uint64_t offset = place(member.type, after, inner.extent, Packing::registers);
      if (member.offset) {
        offset = *member.offset;
        if (place(member.type, offset, inner.extent, Packing::registers) != offset)
          return fail(ErrorCode::bad_value, member.at, from.name, quoted(member.name) + " cannot begin at byte " + std::to_string(offset));
      }
      after = offset + inner.extent.bytes;
      if (after > kMostBytes)
        return fail(ErrorCode::limit, member.at, from.name, "takes more than " + std::to_string(kMostBytes) + " bytes");
      Variable variable;
      variable.name = member.name;
      variable.type = inner.type;
      variable.offset = static_cast<std::uint32_t>(offset);
      variable.size = static_cast<std::uint32_t>(inner.extent.bytes);
      variable.used = true;
      placed.emplace_back(std::move(variable), member.at);
    }
    std::ranges::stable_sort(placed, {}, [](const auto& one) { return one.first.offset; });
    std::uint64_t end = 0;
    for (auto& [variable, at] : placed) {
      if (variable.offset < end)
        return fail(ErrorCode::overlap, at, from.name, quoted(variable.name) + " overlaps " + quoted(buffer.variables.back().name));
      end = std::uint64_t{variable.offset} + variable.size;
      buffer.variables.push_back(std::move(variable));
    }
    buffer.size = static_cast<std::uint32_t>(packed_aggregate_at(end));
    resource.buffer = static_cast<std::uint32_t>(made_.buffers.size());
    made_.buffers.push_back(std::move(buffer));
  }

  /// The element of a structured buffer.
  void add_element(const DeclaredResource& from, Resource& resource) {
    const Placed element = type(*from.element, Packing::tight, from.at, from.name);
    if (error_) return;
    Buffer buffer;
    buffer.name = from.name;
    buffer.kind = BufferKind::resource_bind_info;
    buffer.size = resource.stride = static_cast<std::uint32_t>(element.extent.bytes);
    Variable variable;
    variable.name = "$Element";
    variable.type = element.type;
    variable.size = buffer.size;
    variable.used = true;
    buffer.variables.push_back(std::move(variable));
    resource.buffer = static_cast<std::uint32_t>(made_.buffers.size());
    made_.buffers.push_back(std::move(buffer));
  }

  void add_resource(const DeclaredResource& from) {
    if (error_) return;
    Resource resource;
    resource.name = from.name;
    resource.kind = from.kind;
    resource.dimension = from.dimension;
    resource.bind_point = from.bind_point;
    resource.bind_count = from.count;
    resource.space = from.space;
    if (from.element) from.kind == ResourceKind::cbuffer ? add_constants(from, resource) : add_element(from, resource);
    made_.resources.push_back(std::move(resource));
  }

  using TypeKey = std::tuple<TypeClass, BaseType, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Packing>;

  const Declared& declared_;
  const bool is_native_;
  Reflection made_;
  std::optional<Error> error_;
  std::map<TypeKey, std::uint32_t> types_;
  std::map<std::pair<std::uint32_t, Packing>, Placed> structures_;
  std::size_t members_ = 0;
};

}  // namespace

Result<Reflection> laid_out(const Declared& declared, bool is_native) { return Layouter(declared, is_native).run(); }

}  // namespace unshade::shader::hlsl
