#include <unshade/dxbc/program/lanes.hpp>

#include <bit>
#include <string>

#include "dxbc/program/enum_text.hpp"

namespace unshade::dxbc::program {

namespace {

/// Coordinates of a typed resource, and with the index in an array.
struct Coordinates {
  std::uint8_t plain;
  std::uint8_t with_index;
};
/// By D3D10_SB_RESOURCE_DIMENSION.
constexpr Coordinates kCoordinates[] = {
    /* unknown */ {0, 0},           /* buffer */ {1, 1},           /* texture1d */ {1, 1},
    /* texture2d */ {2, 2},         /* texture2dms */ {2, 2},      /* texture3d */ {3, 3},
    /* texturecube */ {3, 3},       /* texture1darray */ {1, 2},   /* texture2darray */ {2, 3},
    /* texture2dms[] */ {2, 3},     /* texturecubearray */ {3, 4}, /* raw_buffer */ {1, 1},
    /* structured_buffer */ {1, 2},
};
constexpr Coordinates coordinates(std::uint32_t number) { return number < std::size(kCoordinates) ? kCoordinates[number] : Coordinates{}; }

constexpr unsigned kPairXy = 0x3;
constexpr unsigned kPairZw = 0xc;
constexpr unsigned kAll = 0xf;

bool is_literal(OperandType type) { return type == OperandType::immediate32 || type == OperandType::immediate64; }

std::string_view dimension_name(std::uint32_t number) { return kResourceDimensionNames.find(number); }

/// The components that destinations write.
unsigned written(const Instruction& instruction) {
  unsigned lanes = 0;
  const std::string_view shape = instruction.info->shape;
  for (unsigned i = 0; i < instruction.operand_count && i < shape.size() && (shape[i] == 'd' || shape[i] == 'u'); ++i) {
    const Operand& operand = instruction.operands[i];
    // The status of a load is not one of its components.
    if (operand.type == OperandType::null || (i != 0 && instruction.info->lanes_of(i) == '1')) continue;
    lanes |= operand.components == 4 ? operand.mask().bits() : operand.components != 0 ? 1U : 0U;
  }
  return lanes;
}

bool names_pairs(const Operand& operand) {
  if (operand.components != 4 || is_literal(operand.type) || operand.selection == Selection::mask) return true;
  if (operand.selection != Selection::swizzle) return false;
  const Swizzle swizzle = operand.swizzle();
  for (unsigned half = 0; half < 4; half += 2)
    if (swizzle[half] % 2 != 0 || swizzle[half + 1] != swizzle[half] + 1) return false;
  return true;
}

bool names_one(const Operand& operand) {
  if (operand.components != 4) return true;
  if (is_literal(operand.type)) return false;
  if (operand.selection != Selection::swizzle) return true;
  const Swizzle swizzle = operand.swizzle();
  return swizzle == Swizzle::broadcast(swizzle[0]);
}

}  // namespace

std::uint32_t dimension_number(const DeclaredBinding& declared) {
  if (declared.type == OperandType::constant_buffer || declared.type == OperandType::sampler) return 0;
  return declared.layout == Layout::typed ? declared.dimension : memory_dimension(declared.layout == Layout::raw ? 0 : 1);
}

AccessFault access_fault(const OpcodeInfo& info, std::uint32_t number) {
  const std::uint32_t bit = access::dimension(number);
  if (bit == 0 || (info.access & bit) != 0) return AccessFault::none;
  return (bit & access::typed) == 0 || (info.access & access::typed) == 0 ? AccessFault::layout : AccessFault::dimension;
}

std::string access_text(const OpcodeInfo& info, std::uint32_t number) {
  std::string text = "is a " + std::string(dimension_name(number)) + ", expected ";
  unsigned left = static_cast<unsigned>(std::popcount(info.access >> 16));
  for (std::uint32_t at = 1; left != 0; ++at) {
    if ((info.access & access::dimension(at)) == 0) continue;
    text += dimension_name(at);
    --left;
    if (left != 0) text += left == 1 ? " or " : ", ";
  }
  return text;
}

std::string stated_fault(const Instruction& instruction, const DeclaredBinding& declared) {
  const std::uint32_t number = dimension_number(declared);
  if (instruction.has_resource_dimension && instruction.resource_dimension != number && number != 0)
    return "states a " + std::string(dimension_name(instruction.resource_dimension)) + ", but a " + std::string(dimension_name(number)) +
           " is declared";
  if (instruction.has_resource_dimension && declared.layout == Layout::structured && instruction.structure_stride != declared.size)
    return "states a stride of " + std::to_string(instruction.structure_stride) + " bytes, but " + std::to_string(declared.size) +
           " are declared";
  if (!instruction.has_return_types || declared.layout != Layout::typed || number == 0) return {};
  for (unsigned i = 0; i < kComponents; ++i) {
    if (instruction.return_types[i] == declared.return_types[i]) continue;
    const auto name = [](dxcontainer::ReturnType type) { return std::string(kReturnTypeNames.find(static_cast<std::uint32_t>(type))); };
    return "states the return type " + name(instruction.return_types[i]) + " of component " + "xyzw"[i] + ", but " +
           name(declared.return_types[i]) + " is declared";
  }
  return {};
}

std::string offsets_fault(const Instruction& instruction, std::uint32_t number) {
  if (!instruction.has_texel_offsets) return {};
  if (!instruction.info->has(traits::offsets)) return "takes no texel offsets";
  if ((access::dimension(number) & (access::cubes | access::buffer)) == 0) return {};
  return "texel offsets of a " + std::string(dimension_name(number));
}

LaneFault lane_fault(const Instruction& instruction, unsigned slot) {
  const OpcodeInfo& info = *instruction.info;
  if (slot >= info.lanes.size()) return LaneFault::none;
  const Operand& operand = instruction.operands[slot];
  if (operand.type == OperandType::null || operand.components == 3) return LaneFault::none;
  const char letter = info.lanes[slot];
  if (info.shape[slot] == 'd' || info.shape[slot] == 'u') {
    const unsigned mask = operand.mask().bits();
    const bool fits = letter == '1'   ? std::has_single_bit(mask)
                      : letter == '4' ? mask == kAll
                      : letter == 'n' ? mask != 0 && (mask & (mask + 1)) == 0
                      : letter == 'p' ? mask == kPairXy || mask == kPairZw || mask == kAll
                      : letter == 'h' ? mask != 0 && std::popcount(mask) <= 2
                                      : true;
    return fits ? LaneFault::none : LaneFault::mask;
  }
  if (letter == 's' && (operand.components != 4 || operand.selection != Selection::select1)) return LaneFault::unselected;
  if (letter == '1' && !names_one(operand)) return LaneFault::scalar;
  if ((letter == 'p' || letter == 'w') && !names_pairs(operand)) return LaneFault::pairs;
  return LaneFault::none;
}

std::string_view lane_text(const Instruction& instruction, unsigned slot) {
  switch (instruction.info->lanes_of(slot)) {
    case '1': return "one component";
    case 's': return "one component, as `.x`";
    case '4': return "all components";
    case 'n': return "x, xy, xyz or xyzw";
    case 'p': return instruction.info->shape[slot] == 'd' ? "xy, zw or xyzw" : "xyzw, xyxy, zwxy or zwzw";
    case 'w': return "xyzw, xyxy, zwxy or zwzw";
    case 'h': return "one or two components";
    default: return {};
  }
}

Modifier modifiers_of(const OpcodeInfo& info, unsigned slot) {
  const auto first_source = info.shape.find_first_not_of('d');
  if (slot >= info.operand_count || slot < first_source || (info.has(traits::selects) && slot == first_source)) return Modifier::none;
  return info.has(traits::modifies) ? Modifier::neg_abs : info.has(traits::negates) ? Modifier::neg : Modifier::none;
}

WriteMask lanes_read(const Instruction& instruction, unsigned slot, std::uint32_t number) {
  const Operand& operand = instruction.operands[slot];
  if (operand.components != 4) return operand.mask();
  if (operand.selection == Selection::select1) return WriteMask::of(operand.swizzle()[0]);
  const auto first = [](unsigned count) { return WriteMask::first_components(count); };
  const unsigned mask = written(instruction);
  const bool has_levels = (access::dimension(number) & access::plain) != 0;
  WriteMask wanted;
  switch (slot < instruction.operand_count ? instruction.info->lanes_of(slot) : '1') {
    case '1':
    case 's': wanted = first(1); break;
    case '2': wanted = first(2); break;
    case '3': wanted = first(3); break;
    case '4': wanted = WriteMask::all(); break;
    case 'v': wanted = first(mask == kAll ? 2 : mask == kPairXy ? 1 : 0); break;
    case 'w': wanted = first(std::popcount(mask) > 1 ? 4 : 2); break;
    case 'c':
    case 'a': wanted = first(coordinates(number).with_index); break;
    case 't': wanted = first(coordinates(number).with_index) | (has_levels ? WriteMask::of(3) : WriteMask()); break;
    case 'g': wanted = first(coordinates(number).plain); break;
    default: wanted = WriteMask(mask); break;
  }
  return operand.swizzle().read(wanted);
}

}  // namespace unshade::dxbc::program
