// The field tree of a file as text, as an annotated hex dump, and as JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/tree.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>

namespace unshade::present {

/// The fields below each field, in the order of their offsets.
class Children {
 public:
  explicit Children(const Tree& tree);
  std::span<const std::uint32_t> of(std::uint32_t field) const {
    return {items_.data() + first_[field], first_[field + 1] - first_[field]};
  }

 private:
  std::vector<std::uint32_t> first_;  // where a field's children begin in items_; one more at the end
  std::vector<std::uint32_t> items_;
};

/// The children of the root that are called `part`: by name, by `name[index]`, or by FourCC. All of them if `part` is empty.
std::vector<std::uint32_t> select_parts(const Tree& tree, const Children& children, std::string_view part);

/// One line per field: offset, name, value; groups above their fields, which are indented. A record of one field takes one line.
void print_tree(const Tree& tree, const Children& children, std::span<const std::uint32_t> parts, Printer& out);

/// Every byte, up to 16 in a line, with the field it belongs to; a line with the path above the fields of each record.
void print_hex(const Tree& tree, const Children& children, std::span<const std::uint32_t> parts, Printer& out);

/// `100.00 % of 4400 bytes attributed: 4380 named (99.55 %), 20 padding (0.45 %), 0 unknown (0.00 %)`
void print_coverage(const Coverage& coverage, Printer& out);

/// One file's object with its fields, or with the shares of its bytes alone; docs/reference/json/dump.schema.json has its shape.
void write_tree(std::string_view file, const Tree& tree, const Coverage& coverage, const Children& children,
                std::span<const std::uint32_t> parts, Json& json);
void write_shares(std::string_view file, const Tree& tree, const Coverage& coverage, Json& json);

}  // namespace unshade::present
