// IFCE: class linkage: the classes that can implement the interfaces of a shader, and the slots they go into.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxbc {

/// A class that can be linked. Its id is its place in the table.
struct ClassType {
  String name;
  std::uint16_t id = 0;                      ///< 0 in every file seen
  std::uint16_t constant_buffer_stride = 0;  ///< registers of 16 bytes
  std::uint16_t texture_count = 0;
  std::uint16_t sampler_count = 0;
};

/// None: a class instance without a texture or sampler.
inline constexpr std::uint16_t kNoSlot = 0xffff;

/// An instance of a class that the shader declares in a constant buffer.
struct ClassInstance {
  String name;
  std::uint16_t type = 0;  ///< index into ClassLinkage::types
  std::uint16_t elements = 1;
  std::uint16_t constant_buffer = 0;
  std::uint16_t constant_buffer_offset = 0;  ///< registers of 16 bytes
  std::uint16_t texture = kNoSlot;
  std::uint16_t sampler = kNoSlot;
};

struct ClassTypeId {
  std::uint16_t type = 0;  ///< index into ClassLinkage::types
};

struct FunctionTableId {
  std::uint32_t table = 0;  ///< a function table of the program
};

/// One interface, or an array of them: which classes may be there, and with which function table each.
struct InterfaceSlot {
  std::uint32_t span = 1;  ///< slots taken up, one for each element of the array
  Table<ClassTypeId> types;
  Table<FunctionTableId> tables;  ///< as many as types
};

/// The parsed part. Borrows the file's bytes.
struct ClassLinkage {
  Table<ClassInstance> instances;
  Table<ClassType> types;
  Table<InterfaceSlot> slots;
  std::uint32_t slot_count = 0;  ///< the sum of the spans
  std::uint64_t reserved = 0;    ///< no meaning: left over memory of the compiler in files of old versions
};

/// Reads an IFCE part. Errors: truncated, out_of_range, limit.
Result<ClassLinkage> parse_class_linkage(const dxcontainer::Part& part);
/// Adds the part's fields to a tree.
void record_class_linkage(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
/// The part's data. An unedited part gives back its bytes.
std::vector<std::byte> write_class_linkage(const ClassLinkage& linkage);

}  // namespace unshade::dxbc
