#include <unshade/dxbc/statistics.hpp>

#include "core/archive/reader.hpp"
#include "core/archive/writer.hpp"
#include "dxbc/parts/statistics_layout.hpp"
#include "dxbc/parts/text_table.hpp"

namespace unshade::dxbc {

namespace {

// One table per enumeration: value, name for reports, word of fxc's listing.

constexpr parts::TextRow kPrimitives[] = {
    {0, "undefined", ""},          {1, "point", ""},     {2, "line", ""},      {3, "triangle", ""},  {6, "line_adjacency", ""},
    {7, "triangle_adjacency", ""}, {8, "patch_1", ""},   {9, "patch_2", ""},   {10, "patch_3", ""},  {11, "patch_4", ""},
    {12, "patch_5", ""},           {13, "patch_6", ""},  {14, "patch_7", ""},  {15, "patch_8", ""},  {16, "patch_9", ""},
    {17, "patch_10", ""},          {18, "patch_11", ""}, {19, "patch_12", ""}, {20, "patch_13", ""}, {21, "patch_14", ""},
    {22, "patch_15", ""},          {23, "patch_16", ""}, {24, "patch_17", ""}, {25, "patch_18", ""}, {26, "patch_19", ""},
    {27, "patch_20", ""},          {28, "patch_21", ""}, {29, "patch_22", ""}, {30, "patch_23", ""}, {31, "patch_24", ""},
    {32, "patch_25", ""},          {33, "patch_26", ""}, {34, "patch_27", ""}, {35, "patch_28", ""}, {36, "patch_29", ""},
    {37, "patch_30", ""},          {38, "patch_31", ""}, {39, "patch_32", ""},
};
constexpr parts::TextRow kTopologies[] = {{0, "undefined", ""}, {1, "point_list", ""}, {3, "line_strip", ""}, {5, "triangle_strip", ""}};
constexpr parts::TextRow kDomains[] = {
    {0, "undefined", ""}, {1, "isoline", "Isoline"}, {2, "triangle", "Triangle"}, {3, "quad", "Quadrilateral"}};
constexpr parts::TextRow kOutputs[] = {
    {0, "undefined", ""},
    {1, "point", "Point"},
    {2, "line", "Line"},
    {3, "triangle_clockwise", "Clockwise Triangles"},
    {4, "triangle_counter_clockwise", "Counter-Clockwise Triangles"},
};
constexpr parts::TextRow kPartitionings[] = {
    {0, "undefined", ""},
    {1, "integer", "Integer"},
    {2, "power_of_two", "Integer Power of 2"},
    {3, "fractional_odd", "Odd Fractional"},
    {4, "fractional_even", "Even Fractional"},
};

constexpr auto kPrimitiveIds = parts::ids_of(kPrimitives);
constexpr auto kTopologyIds = parts::ids_of(kTopologies);
constexpr auto kDomainIds = parts::ids_of(kDomains);
constexpr auto kOutputIds = parts::ids_of(kOutputs);
constexpr auto kPartitioningIds = parts::ids_of(kPartitionings);

constexpr NameTable kPrimitiveNames{kPrimitiveIds};
constexpr NameTable kTopologyNames{kTopologyIds};
constexpr NameTable kDomainNames{kDomainIds};
constexpr NameTable kOutputNames{kOutputIds};
constexpr NameTable kPartitioningNames{kPartitioningIds};

constexpr FieldType kPrimitiveType{FieldKind::enumeration, "input primitive", &kPrimitiveNames};
constexpr FieldType kTopologyType{FieldKind::enumeration, "output topology", &kTopologyNames};
constexpr FieldType kDomainType{FieldKind::enumeration, "tessellator domain", &kDomainNames};
constexpr FieldType kOutputType{FieldKind::enumeration, "tessellator output", &kOutputNames};
constexpr FieldType kPartitioningType{FieldKind::enumeration, "tessellator partitioning", &kPartitioningNames};

}  // namespace

const FieldType& field_type(InputPrimitive) { return kPrimitiveType; }
const FieldType& field_type(OutputTopology) { return kTopologyType; }
const FieldType& field_type(TessellatorDomain) { return kDomainType; }
const FieldType& field_type(TessellatorOutput) { return kOutputType; }
const FieldType& field_type(TessellatorPartitioning) { return kPartitioningType; }

std::string_view id(InputPrimitive primitive) { return parts::find_row(kPrimitives, primitive).id; }
std::string_view id(OutputTopology topology) { return parts::find_row(kTopologies, topology).id; }
std::string_view id(TessellatorDomain domain) { return parts::find_row(kDomains, domain).id; }
std::string_view id(TessellatorOutput output) { return parts::find_row(kOutputs, output).id; }
std::string_view id(TessellatorPartitioning partitioning) { return parts::find_row(kPartitionings, partitioning).id; }

std::string_view fxc_text(TessellatorDomain domain) { return parts::find_row(kDomains, domain).fxc; }
std::string_view fxc_text(TessellatorOutput output) { return parts::find_row(kOutputs, output).fxc; }
std::string_view fxc_text(TessellatorPartitioning partitioning) { return parts::find_row(kPartitionings, partitioning).fxc; }

Result<Statistics> parse_statistics(const dxcontainer::Part& part) {
  Statistics statistics;
  if (auto read = read_part(part.data, part.name(), statistics); !read) return std::move(read).error();
  return statistics;
}

void record_statistics(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  Statistics statistics;
  record_part(part.data, part.name(), tree, group, statistics);
}

std::vector<std::byte> write_statistics(const Statistics& statistics) { return write_part(statistics); }

}  // namespace unshade::dxbc
