// Where resources are bound, what cases call it, and which elements of arrays a program may access.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/module.hpp>

namespace unshade::run {

/// Elements of an array that are given data where an index may be any.
inline constexpr std::uint32_t kMostElements = 4096;
/// The same of an unbounded array.
inline constexpr std::uint32_t kElementsOfUnbounded = 64;
/// Others stand for so many of these: a prime number, so that indexes that differ in a bit are of different elements.
inline constexpr std::uint32_t kRepeatedElements = 61;

/// What one descriptor is bound to. Resources of a module that are at the same place share what is there. In Direct3D that is a register of
/// a class; in Vulkan an element of a binding of a set, by the type of its descriptor.
struct Place {
  enum class Type : std::uint8_t {
    unused,  ///< what the shader does not have
    heap,
    constants,
    read,            ///< Direct3D: t; Vulkan: an image that is sampled
    read_texels,     ///< Vulkan: a uniform texel buffer
    written,         ///< Direct3D: u; Vulkan: a storage buffer, which may be only read
    written_texels,  ///< Vulkan: a storage texel buffer
    image,           ///< Vulkan: a storage image
    sampler,
  } type = Type::unused;
  std::uint32_t space = 0;
  std::uint32_t number = 0;
  std::uint32_t element = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};
Place place_of(const ir::Resource& resource, std::uint32_t index);
/// The element of a resource that is at a place; nothing if none is.
std::optional<std::uint32_t> element_at(const ir::Resource& resource, const Place& place);
/// The space of push constants.
inline constexpr std::uint32_t kPushConstantSpace = 0xffff'ffff;

/// The letter of its class in a key: b, t, u or s.
char letter_of(dxcontainer::ResourceKind kind);
bool is_writable(dxcontainer::ResourceKind kind);

/// The key of an element in results: `u1`, `t3,space2`; of an array of Vulkan with its index: `t0,space1[2]`.
std::string key_of(const ir::Resource& resource, std::uint32_t index);
/// `[2]`, `[1][0]` of an array of arrays; empty if it is no array.
std::string index_text(const ir::Resource& resource, std::uint32_t index);
/// Its name with the index: `maps[2]`; empty if it has none.
std::string name_of(const ir::Resource& resource, std::uint32_t index);
/// `u1,space2`, or as reflections of Vulkan's shaders have it: `set 2, binding 1`.
std::string shown_place(const ir::Resource& resource, std::uint32_t index);

/// A text that names a resource, taken apart.
struct Spoken {
  explicit Spoken(std::string_view text);

  std::string_view whole;
  std::string_view base;               ///< without the indexes
  std::vector<std::uint32_t> indexes;  ///< `[1][2]`
  /// `u12,space3`, `set 3, binding 12`, `heap4`, `push_constants`
  struct Key {
    char letter = 0;  ///< 0: it does not say; `h`: the heap
    std::uint32_t number = 0;
    std::uint32_t space = 0;
  };
  std::optional<Key> key;
};
/// Whether a resource is a buffer: structured ones, and those of the heap that are not described, state no dimension.
constexpr bool is_buffer(const ir::Resource& resource) {
  using dxcontainer::ResourceDimension;
  return resource.stride != 0 || resource.dimension == ResourceDimension::buffer || resource.dimension == ResourceDimension::raw_buffer ||
         resource.dimension == ResourceDimension::unknown;
}
/// A buffer of bytes. In DXBC and DXIL its kind says so, in SPIR-V its dimension too.
constexpr bool is_raw(const ir::Resource& resource) {
  using dxcontainer::ResourceKind;
  return resource.dimension == dxcontainer::ResourceDimension::raw_buffer || resource.kind == ResourceKind::byte_address ||
         resource.kind == ResourceKind::uav_byte_address;
}
/// The element that indexes choose; the first without any. Nothing if there is none.
std::optional<std::uint32_t> element_of(const ir::Resource& resource, std::span<const std::uint32_t> indexes);
/// Why they choose none.
std::string no_element(const ir::Resource& resource, std::string_view name);
/// The element of a resource that a text names, by the resource's name or where it is bound; nothing if it names none.
std::optional<std::uint32_t> element_by_name(const ir::Resource& resource, const Spoken& text);
std::optional<std::uint32_t> element_by_key(const ir::Resource& resource, const Spoken& text);
/// What is spelled as a binding is one.
inline std::optional<std::uint32_t> element_named(const ir::Resource& resource, const Spoken& text) {
  return text.key ? element_by_key(resource, text) : element_by_name(resource, text);
}

/// An element of a row of Module::resources.
struct Binding {
  std::size_t row = 0;      ///< in Module::resources; kHeap, kUnused
  std::uint32_t index = 0;  ///< from the first
  static constexpr std::size_t kHeap = ~std::size_t{0};
  static constexpr std::size_t kUnused = kHeap - 1;  ///< a register that the shader does not read: pipelines may bind more than it needs
};

/// The resources of a module by where they are bound; those of the heap are not among them.
class BoundResources {
 public:
  /// Borrows the module.
  explicit BoundResources(const ir::Module& module);
  /// Elements at a place, by rising row.
  std::vector<Binding> at(const Place& place) const;
  /// The first element at a place that can be written.
  std::optional<Binding> written_at(const Place& place) const;
  /// Elements that a text means by where they are bound, and rows that have no element of the indexes it has. By rising row.
  struct Named {
    std::vector<Binding> elements;
    std::vector<std::size_t> out_of_bounds;
  };
  Named named(const Spoken& text) const;
  /// The key of an element in results: of all that share its place, that of the first that can be written.
  std::string key_of(const ir::Resource& resource, std::uint32_t index) const;

 private:
  struct Range {
    std::uint32_t first, last;  ///< numbers of registers; of Vulkan the binding
    std::size_t row;
    std::uint32_t furthest;  ///< the largest `last` up to this range
  };
  /// Rows of a space that have a number, by rising row.
  std::vector<std::size_t> rows_at(std::uint32_t space, std::uint32_t number) const;

  const ir::Module& module_;
  std::map<std::pair<std::uint32_t, char>, std::vector<Range>> ranges_;  ///< by space and letter, by rising first number
};

/// Elements of a resource that a program may access.
struct Elements {
  bool any = false;                  ///< an index that is computed
  std::vector<std::uint32_t> known;  ///< indexes that are constant, by rising number
};
/// By resource of the module.
std::vector<Elements> elements_of(const ir::Module& module);
/// Those that get data of their own: with an index that is computed all, of an unbounded array some; of what is not accessed the first.
std::vector<std::uint32_t> elements_given(const ir::Resource& resource, const Elements& accessed, std::uint32_t most = kMostElements);

}  // namespace unshade::run
