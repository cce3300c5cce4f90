#include "dxbc/validate/validate.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/listing/header.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/facts.hpp>
#include <unshade/dxbc/program/rules.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxcontainer/validate.hpp>

#include "dxbc/listing/column_words.hpp"
#include "dxbc/validate/definitions.hpp"

namespace unshade::dxbc::validate {

namespace {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::Signature;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

constexpr const Rule* kRules[] = {
#define UNSHADE_RULE(name, id, severity, summary) &rules::name,
#include <unshade/dxbc/validate/rules.def>
#undef UNSHADE_RULE
};

// --- signatures ------------------------------------------------------------------------------------------------------------------------

/// A signature part, parsed. Parts that cannot be parsed were reported with the container.
struct Parsed {
  const Part* part = nullptr;
  Signature signature;

  std::uint64_t offset(std::size_t i) const {
    return part->data.file_offset() + signature.elements.offset + std::uint64_t{signature.layout.stride()} * i;
  }
  std::string path(std::size_t i) const { return std::string(part->name()) + "/elements[" + number(i) + ']'; }
};

Parsed parse_signature_of(const Container& container, dxcontainer::PartRole role) {
  Parsed parsed;
  const Part* part = container.find(role);
  if (part == nullptr) return parsed;
  auto signature = dxcontainer::parse_signature(*part);
  if (!signature) return parsed;
  parsed.part = part;
  parsed.signature = *std::move(signature);
  return parsed;
}

/// The system value in a signature of a name in a declaration.
SystemValue system_value_of(std::uint16_t name) {
  // The names from 11 on tell the sides of a patch apart, which a signature does by the semantic index. src:
  // d3d12TokenizedProgramFormat.hpp
  if (name <= 10 || name >= 23) return static_cast<SystemValue>(name);
  if (name <= 14) return SystemValue::final_quad_edge_tessfactor;
  if (name <= 16) return SystemValue::final_quad_inside_tessfactor;
  if (name <= 19) return SystemValue::final_tri_edge_tessfactor;
  if (name == 20) return SystemValue::final_tri_inside_tessfactor;
  return name == 21 ? SystemValue::final_line_detail_tessfactor : SystemValue::final_line_density_tessfactor;
}

/// Whether a stage can have a system value there. src: HLSL documentation, "Semantics"; fxc's messages for others.
bool takes(Stage stage, program::Interface interface, SystemValue value) {
  const bool is_input = interface == program::Interface::input;
  switch (value) {
    case SystemValue::undefined: return true;
    case SystemValue::position:
    case SystemValue::clip_distance:
    case SystemValue::cull_distance:
    case SystemValue::render_target_array_index:
    case SystemValue::viewport_array_index:
      return interface != program::Interface::patch_constant && (is_input ? stage != Stage::vertex : stage != Stage::pixel) &&
             stage != Stage::compute;
    case SystemValue::vertex_id: return is_input && stage == Stage::vertex;
    case SystemValue::instance_id: return is_input && stage == Stage::vertex;
    case SystemValue::primitive_id: return is_input ? stage != Stage::vertex && stage != Stage::compute : stage == Stage::geometry;
    case SystemValue::is_front_face:
    case SystemValue::sample_index: return is_input && stage == Stage::pixel;
    case SystemValue::final_quad_edge_tessfactor:
    case SystemValue::final_quad_inside_tessfactor:
    case SystemValue::final_tri_edge_tessfactor:
    case SystemValue::final_tri_inside_tessfactor:
    case SystemValue::final_line_detail_tessfactor:
    case SystemValue::final_line_density_tessfactor: return interface == program::Interface::patch_constant;
    case SystemValue::target:
    case SystemValue::depth:
    case SystemValue::coverage:
    case SystemValue::depth_greater_equal:
    case SystemValue::depth_less_equal:
    case SystemValue::stencil_ref: return stage == Stage::pixel && interface == program::Interface::output;
    default: return true;
  }
}

/// Elements of one signature by register, so that each declaration finds its own in constant time.
struct RegisterIndex {
  static constexpr std::uint32_t kRegisters = 32;
  static constexpr std::uint32_t kStreams = 4;
  struct Place {
    std::array<std::uint32_t, 4> element{};  ///< by component
    std::uint8_t mask = 0;
    std::uint8_t declared = 0;
  };
  std::vector<Place> places = std::vector<Place>(kRegisters * kStreams);

  explicit RegisterIndex(const Signature& signature) {
    for (std::size_t i = 0; i < signature.elements.size(); ++i) {
      const SignatureElement& e = signature.elements[i];
      Place* place = find(e.register_index, e.stream);
      if (place == nullptr) continue;
      place->mask = static_cast<std::uint8_t>(place->mask | (e.mask & 0xf));
      for (const unsigned c : WriteMask(e.mask)) place->element[c] = static_cast<std::uint32_t>(i);
    }
  }
  Place* find(std::uint32_t reg, std::uint32_t stream) {
    return reg < kRegisters && stream < kStreams ? &places[stream * kRegisters + reg] : nullptr;
  }
};

/// Depth and its like, whose elements have no register.
void check_single_outputs(const Parsed& parsed, bool reported_missing, const Part& part, const program::ProgramFacts& facts,
                          Findings& findings) {
  std::array<bool, 256> present{};  // by system value
  for (const SignatureElement& e : parsed.signature.elements) {
    const auto value = static_cast<std::uint32_t>(listing::reported_system_value(e, true));
    if (e.register_index == dxcontainer::kNoRegister && value < present.size()) present[value] = true;
  }
  for (const program::DeclaredOutput& declared : facts.single_outputs) {
    const std::uint64_t offset = offset_of(part, declared.token);
    if (parsed.part == nullptr) {
      if (!reported_missing)
        findings.add(rules::kSignatureMissing, offset, part.name(), "registers are declared, but the signature part is missing");
      return;
    }
    const SystemValue value = program::find_traits(declared.type)->output;
    if (!present[static_cast<std::size_t>(value)])
      findings.add(rules::kSignatureElementMissing, offset, part.name(),
                   std::string(find_operand(declared.type)->text) + " without an element of " + std::string(dxcontainer::dxc_text(value)) +
                       " in " + std::string(parsed.part->name()));
  }
}

void check_signature(const Parsed& parsed, program::Interface interface, const Part& part, const Program& program,
                     const program::ProgramFacts& facts, Findings& findings) {
  RegisterIndex index(parsed.signature);
  const auto& elements = parsed.signature.elements;
  bool reported_missing = false;
  for (const program::DeclaredElement& declared : facts.elements) {
    if (declared.interface != interface) continue;
    const auto report = [&](const Rule& rule, std::string message) {
      findings.add(rule, offset_of(part, declared.token), part.name(), std::move(message));
    };
    if (parsed.part == nullptr) {
      if (!reported_missing) report(rules::kSignatureMissing, "registers are declared, but the signature part is missing");
      reported_missing = true;
      continue;
    }
    RegisterIndex::Place* place = index.find(declared.register_index, declared.stream);
    const std::string reg = "register " + number(declared.register_index);
    if (place == nullptr || (place->mask & declared.mask) == 0) {
      report(rules::kSignatureElementMissing, reg + " is not in an element of " + parsed.part->name());
      continue;
    }
    place->declared = static_cast<std::uint8_t>(place->declared | declared.mask);
    if ((declared.mask & ~place->mask) != 0)
      report(rules::kSignatureDeclarationMask, reg + ": components " + shown_mask(declared.mask) + " are declared, but only " +
                                                   shown_mask(place->mask) + " are in the signature");
    const SystemValue value = system_value_of(declared.name);
    for (const unsigned c : WriteMask(declared.mask & place->mask)) {
      const SystemValue stated = elements[place->element[c]].system_value;
      // Without a name the register may have a value whose meaning lies in the semantic alone.
      if (declared.name != 0 && stated != value) {
        report(rules::kSignatureSystemValueDeclared, reg + " is declared as " + std::string(dxcontainer::id(value)) +
                                                         ", but the signature has " + std::string(dxcontainer::id(stated)));
        break;
      }
    }
  }
  if (interface == program::Interface::output) check_single_outputs(parsed, reported_missing, part, facts, findings);
  if (parsed.part == nullptr) return;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const SignatureElement& e = elements[i];
    if (!takes(program.stage, interface, e.system_value))
      findings.add(rules::kSignatureSystemValueStage, parsed.offset(i), parsed.path(i),
                   std::string(dxcontainer::id(e.system_value)) + " in this signature of a " + std::string(id(program.stage)) + " shader");
    RegisterIndex::Place* place = index.find(e.register_index, e.stream);
    if (place == nullptr || !facts.is_complete || (!facts.has_control_points && interface != program::Interface::patch_constant)) continue;
    // Inputs: components read. Outputs: all but those never written.
    const bool is_read =
        interface == program::Interface::input || (interface == program::Interface::patch_constant && program.stage == Stage::domain);
    const unsigned used = is_read ? unsigned{e.used_mask} & e.mask : unsigned{e.mask} & ~unsigned{e.used_mask};
    if ((used & 0xfU & ~unsigned{place->declared}) != 0)
      findings.add(rules::kSignatureDeclarationMissing, parsed.offset(i), parsed.path(i),
                   "components " + shown_mask(used & 0xfU) + " of register " + number(e.register_index) + " are used, but declared " +
                       (place->declared == 0 ? "are none" : "are only " + shown_mask(place->declared)));
  }
}

void check_signatures(const Container& container, const Part& part, const Program& program, const program::ProgramFacts& facts,
                      Findings& findings) {
  check_signature(parse_signature_of(container, dxcontainer::PartRole::input), program::Interface::input, part, program, facts, findings);
  check_signature(parse_signature_of(container, dxcontainer::PartRole::output), program::Interface::output, part, program, facts, findings);
  check_signature(parse_signature_of(container, dxcontainer::PartRole::patch), program::Interface::patch_constant, part, program, facts,
                  findings);
}

// --- statistics ------------------------------------------------------------------------------------------------------------------------

struct CountRow {
  std::string_view name;
  std::uint32_t Statistics::* field;
  const Rule* rule;
  bool in_hull;  ///< also right for hull shaders, whose phases are not all counted
  bool is_long;  ///< in the long form only
};
// What holds in each of the 1,058 programs that have statistics: stat.count; in nearly all: stat.estimate. The other counts (float,
// integer, mov) are of the program before the last passes of the compiler and cannot be had from what it wrote.
constexpr CountRow kCounts[] = {
    {"instruction_count", &Statistics::instruction_count, &rules::kStatCount, true, false},
    {"temp_register_count", &Statistics::temp_register_count, &rules::kStatCount, true, false},
    {"define_count", &Statistics::define_count, &rules::kStatCount, true, false},
    {"declaration_count", &Statistics::declaration_count, &rules::kStatCount, false, false},
    {"static_flow_control_count", &Statistics::static_flow_control_count, &rules::kStatEstimate, false, false},
    {"dynamic_flow_control_count", &Statistics::dynamic_flow_control_count, &rules::kStatEstimate, false, false},
    {"temp_array_count", &Statistics::temp_array_count, &rules::kStatCount, true, false},
    {"array_instruction_count", &Statistics::array_instruction_count, &rules::kStatEstimate, true, false},
    {"cut_instruction_count", &Statistics::cut_instruction_count, &rules::kStatCount, true, false},
    {"emit_instruction_count", &Statistics::emit_instruction_count, &rules::kStatCount, true, false},
    {"texture_normal_instructions", &Statistics::texture_normal_instructions, &rules::kStatCount, false, false},
    {"texture_load_instructions", &Statistics::texture_load_instructions, &rules::kStatEstimate, false, false},
    {"texture_comparison_instructions", &Statistics::texture_comparison_instructions, &rules::kStatCount, false, false},
    {"texture_bias_instructions", &Statistics::texture_bias_instructions, &rules::kStatCount, false, false},
    {"texture_gradient_instructions", &Statistics::texture_gradient_instructions, &rules::kStatCount, false, false},
    {"movc_instruction_count", &Statistics::movc_instruction_count, &rules::kStatCount, false, false},
    {"conversion_instruction_count", &Statistics::conversion_instruction_count, &rules::kStatEstimate, false, false},
    {"max_output_vertex_count", &Statistics::max_output_vertex_count, &rules::kStatProperty, true, false},
    {"texture_gather_instructions", &Statistics::texture_gather_instructions, &rules::kStatCount, false, false},
    {"texture_lod_instructions", &Statistics::texture_lod_instructions, &rules::kStatCount, false, false},
    {"sample_frequency", &Statistics::sample_frequency, &rules::kStatProperty, false, false},
    {"instance_count", &Statistics::instance_count, &rules::kStatProperty, true, true},
    {"control_point_count", &Statistics::control_point_count, &rules::kStatProperty, true, true},
    {"barrier_instructions", &Statistics::barrier_instructions, &rules::kStatCount, false, true},
    {"interlocked_instructions", &Statistics::interlocked_instructions, &rules::kStatCount, false, true},
    {"texture_store_instructions", &Statistics::texture_store_instructions, &rules::kStatEstimate, false, true},
};

void check_statistics(const Part& part, const Statistics& stated, const Program& program, const program::ProgramFacts& facts,
                      Findings& findings) {
  const Statistics& counted = facts.counted;
  const std::uint64_t offset = part.data.file_offset();
  if (stated.instruction_count == 0) {
    findings.add(rules::kStatAbsent, offset, part.name(), "all instruction counts are 0");
    return;
  }
  const auto report = [&](const Rule& rule, std::string_view name, std::uint32_t is, std::uint32_t should) {
    findings.add(rule, offset, std::string(part.name()) + '/' + std::string(name), "found " + number(is) + ", recounted " + number(should));
  };
  for (const CountRow& row : kCounts) {
    if ((row.is_long && !stated.is_long) || (!row.in_hull && program.stage == Stage::hull)) continue;
    if (stated.*row.field != counted.*row.field) report(*row.rule, row.name, stated.*row.field, counted.*row.field);
  }
  const auto property = [&](std::string_view name, auto is, auto should) {
    if (is != should) report(rules::kStatProperty, name, static_cast<std::uint32_t>(is), static_cast<std::uint32_t>(should));
  };
  property("input_primitive", stated.input_primitive, counted.input_primitive);
  property("output_topology", stated.output_topology, counted.output_topology);
  if (!stated.is_long) return;
  property("tessellator_output", stated.tessellator_output, counted.tessellator_output);
  property("tessellator_partitioning", stated.tessellator_partitioning, counted.tessellator_partitioning);
  property("tessellator_domain", stated.tessellator_domain, counted.tessellator_domain);
}

// --- class linkage ---------------------------------------------------------------------------------------------------------------------

void check_linkage(const Part& part, const program::ProgramFacts* facts, Findings& findings) {
  const auto linkage = parse_class_linkage(part);
  if (!linkage) return dxcontainer::add_unreadable(linkage.error(), findings);
  const std::uint64_t offset = part.data.file_offset();
  const auto path = [&](std::string_view table, std::size_t i) {
    return std::string(part.name()) + '/' + std::string(table) + '[' + number(i) + ']';
  };
  for (std::size_t i = 0; i < linkage->instances.size(); ++i) {
    const ClassInstance& instance = linkage->instances[i];
    if (instance.type >= linkage->types.size())
      findings.add(rules::kIfceIndex, offset, path("instances", i),
                   "class " + number(instance.type) + " of " + number(linkage->types.size()));
  }
  std::uint64_t slots = 0;
  for (std::size_t i = 0; i < linkage->slots.size(); ++i) {
    const InterfaceSlot& slot = linkage->slots[i];
    slots += slot.span;
    for (const ClassTypeId& id : slot.types)
      if (id.type >= linkage->types.size())
        findings.add(rules::kIfceIndex, offset, path("slots", i), "class " + number(id.type) + " of " + number(linkage->types.size()));
    for (const FunctionTableId& id : slot.tables) {
      if (facts != nullptr && !std::binary_search(facts->function_tables.begin(), facts->function_tables.end(), id.table))
        findings.add(rules::kIfceIndex, offset, path("slots", i), "ft" + number(id.table) + " is not declared");
    }
  }
  if (slots != linkage->slot_count)
    findings.add(rules::kIfceSlots, offset, std::string(part.name()) + "/slot_count",
                 "found " + number(linkage->slot_count) + ", but the spans add up to " + number(slots));
}

// --- features --------------------------------------------------------------------------------------------------------------------------

void check_features(const Container& container, const Part& program_part, const program::ProgramFacts& facts, Findings& findings) {
  const Part* part = container.find(fourcc("SFI0"));
  std::uint64_t stated = 0;
  if (part != nullptr) {
    const auto flags = dxcontainer::parse_features(*part);
    if (!flags) return;
    stated = *flags;
  }
  // Comparison filtering on level 9 and typed loads of more formats show only in formats that the application chooses.
  constexpr std::uint64_t kInvisible = std::uint64_t{1} << 7 | std::uint64_t{1} << 11;
  const Part& place = part != nullptr ? *part : program_part;
  for (const dxcontainer::Feature& feature : dxcontainer::features()) {
    const std::uint64_t bit = std::uint64_t{1} << feature.bit;
    if ((facts.features & ~stated & bit) != 0)
      findings.add(rules::kSfi0Missing, place.data.file_offset(), place.name(), std::string(feature.id));
    if ((stated & ~facts.features & ~kInvisible & bit) != 0 && facts.is_complete)
      findings.add(rules::kSfi0Unused, place.data.file_offset(), place.name(), std::string(feature.id));
  }
}

}  // namespace

std::span<const Rule* const> validation_rules() { return kRules; }

void check_parts(const Container& container, bool is_dxil, Findings& findings) {
  for (const dxcontainer::PartKind& kind : dxcontainer::part_kinds()) {
    if (!is_level9(kind.fourcc) && !is_debug_part(kind.fourcc)) continue;
    const Part* part = container.find(kind.fourcc);
    if (part == nullptr) continue;
    if (is_level9(kind.fourcc)) {
      if (const auto level9 = parse_level9(*part)) {
        check_level9(*part, *level9, findings);
      } else {
        dxcontainer::add_unreadable(level9.error(), findings);
      }
    } else {
      if (const auto debug = parse_debug_info(*part); !debug) dxcontainer::add_unreadable(debug.error(), findings);
    }
  }
  const Part* program_part = container.find(dxcontainer::PartRole::tokens);
  std::optional<Program> program;
  program::ProgramFacts facts;
  if (program_part != nullptr) {
    auto parsed = parse_program(*program_part);
    if (!parsed) {
      dxcontainer::add_unreadable(parsed.error(), findings);
    } else {
      program = *std::move(parsed);
      facts = check_program(*program_part, *program, findings);
      check_signatures(container, *program_part, *program, facts, findings);
      check_features(container, *program_part, facts, findings);
      if (container.find(fourcc("RTS0")) != nullptr) check_root_bindings(container, *program_part, *program, facts, findings);
    }
  }
  if (const Part* part = container.find(fourcc("IFCE")); part != nullptr)
    check_linkage(*part, facts.is_complete ? &facts : nullptr, findings);
  const Part* known_program = program ? program_part : nullptr;
  if (const Part* part = container.find(fourcc("RDEF")); part != nullptr)
    check_rdef(*part, known_program, program ? &*program : nullptr, program ? &facts : nullptr, findings);
  if (const Part* part = container.find(fourcc("STAT")); part != nullptr && !is_dxil) {
    const auto statistics = parse_statistics(*part);
    if (!statistics) {
      dxcontainer::add_unreadable(statistics.error(), findings);
    } else if (program && facts.is_complete) {
      check_statistics(*part, *statistics, *program, facts, findings);
    }
  }
}

}  // namespace unshade::dxbc::validate
