// The table of docs/reference/formats/dxil.md.
#include <unshade/dxil/operations.hpp>

#include "tables.hpp"

namespace unshade::docs {

namespace {

constexpr std::string_view kAccess[] = {"", "reads", "writes", "no duplicate", "no return", "arguments"};

void operation_rows(Text& out) {
  out << "| code | operation | function | overloads | types | parameters | since | memory | stages "
         "|\n|---:|---|---|---|---|---|---|---|---|\n";
  for (const dxil::OperationInfo& row : dxil::operations()) {
    out << "| ";
    if (row.code < 0x8000'0000) {
      out.dec(row.code);
    } else {
      out << "0x";
      out.hex(row.code);
    }
    out << " | " << row.text << " | `" << row.function << "` | ";
    if (row.overloads != "v") out << '`' << row.overloads << '`';
    out << " | `" << row.types << "` | ";
    for (const char c : row.parameters) out << (c == ',' ? std::string_view(", ") : std::string_view(&c, 1));
    out << " | 6.";
    out.dec(static_cast<std::uint64_t>(row.since)) << " | " << kAccess[static_cast<std::size_t>(row.access)] << " | "
                                                   << (row.stages == "any" ? std::string_view() : row.stages) << " |\n";
  }
}

constexpr Table kTables[] = {{"dxil.operations", operation_rows}};

}  // namespace

std::span<const Table> dxil_operation_tables() { return kTables; }

}  // namespace unshade::docs
