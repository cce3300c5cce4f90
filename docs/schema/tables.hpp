// What the pages of docs/reference/formats show of the code: one named table per record, bit field list, enumeration or instruction table.
#pragma once

#include <span>
#include <string_view>

#include <unshade/core/archive/schema.hpp>
#include <unshade/core/text.hpp>

namespace unshade::docs {

/// A table of a page, between `<!-- table NAME -->` and `<!-- end -->`.
struct Table {
  std::string_view name;
  void (*print)(Text& out);
};

std::span<const Table> container_tables();
std::span<const Table> dxbc_tables();
std::span<const Table> debug_tables();
std::span<const Table> dxil_tables();
std::span<const Table> token_tables();
std::span<const Table> dxil_operation_tables();
std::span<const Table> pica_tables();
std::span<const Table> vbc_tables();

/// Appends the first table of what the documenting archive printed: the record itself, without those that it points to.
void keep_first_table(Text& out, std::string_view printed);

/// Appends the byte table of one record, by its description. Model and context select the variant that is shown.
template <class T, class... Context>
void bytes_of(Text& out, T model, const Context&... context) {
  Text printed;
  Schema(printed).print("", std::move(model), context...);
  keep_first_table(out, printed.view());
}

}  // namespace unshade::docs
