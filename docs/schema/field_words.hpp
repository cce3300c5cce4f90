// The integers of descriptions, for archives that treat all sizes alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/archive/without_bytes.hpp>
#include <unshade/core/tree.hpp>

namespace unshade::docs {

/// `Archive` has integer(name, value, type) and enumeration<Integer>(name, value, type), and records() for consecutive records.
template <class Archive>
class FieldWords : public WithoutBytes {
 public:
  void u8(const char* name, std::uint8_t& value, const FieldType& type = kUnsigned) { archive().integer(name, value, type); }
  void u16(const char* name, std::uint16_t& value, const FieldType& type = kUnsigned) { archive().integer(name, value, type); }
  void u32(const char* name, std::uint32_t& value, const FieldType& type = kUnsigned) { archive().integer(name, value, type); }
  void u64(const char* name, std::uint64_t& value, const FieldType& type = kUnsigned) { archive().integer(name, value, type); }
  template <class E>
  void enum8(const char* name, E& value, const FieldType& type = field_type(E{})) {
    archive().template enumeration<std::uint8_t>(name, value, type);
  }
  template <class E>
  void enum16(const char* name, E& value, const FieldType& type = field_type(E{})) {
    archive().template enumeration<std::uint16_t>(name, value, type);
  }
  template <class E>
  void enum32(const char* name, E& value, const FieldType& type = field_type(E{})) {
    archive().template enumeration<std::uint32_t>(name, value, type);
  }
  template <class Values, class... Context>
  void sequence(const char* name, Values& values, std::size_t count, std::size_t least, const Context&... context) {
    archive().records(name, values, count, least, context...);
  }

 private:
  Archive& archive() { return static_cast<Archive&>(*this); }
};

}  // namespace unshade::docs
