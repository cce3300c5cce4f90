#include "cli/print/table_sizes.hpp"

#include <charconv>

namespace unshade::cli::print {

namespace {

struct Named {
  std::string_view name;
  std::uint16_t vbc::TableSizes::* size;
};
constexpr Named kTables[] = {
    {"samplers", &vbc::TableSizes::samplers},   {"images", &vbc::TableSizes::images},       {"buffers", &vbc::TableSizes::buffers},
    {"ro_texels", &vbc::TableSizes::ro_texels}, {"rw_texels", &vbc::TableSizes::rw_texels},
};

}  // namespace

std::optional<std::string> parse_table_sizes(std::string_view text, vbc::TableSizes& sizes) {
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    const auto equals = item.find('=');
    const Named* table = nullptr;
    for (const Named& named : kTables)
      if (named.name == item.substr(0, equals)) table = &named;
    if (table == nullptr || equals == std::string_view::npos)
      return "expected samplers, images, buffers, ro_texels or rw_texels, =, and a number, found " + std::string(item);
    const std::string_view number = item.substr(equals + 1);
    const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), sizes.*table->size);
    if (fault != std::errc{} || end != number.data() + number.size())
      return "expected a number from 0 to 65535, found " + std::string(number);
  }
  return std::nullopt;
}

}  // namespace unshade::cli::print
