#include "dxbc/validate/definitions.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxbc/program/rules.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxcontainer/validate.hpp>

#include "dxbc/validate/validate.hpp"

namespace unshade::dxbc::validate {

namespace {

using dxcontainer::Part;

enum class BindClass : std::uint8_t { buffer, sampler, resource, uav };

BindClass class_of(const Binding& binding) {
  if (binding.kind == ResourceKind::cbuffer) return BindClass::buffer;
  if (binding.kind == ResourceKind::sampler) return BindClass::sampler;
  return binding.is_uav() ? BindClass::uav : BindClass::resource;
}

BindClass class_of(const program::DeclaredBinding& declared) {
  switch (declared.type) {
    case OperandType::constant_buffer: return BindClass::buffer;
    case OperandType::sampler: return BindClass::sampler;
    case OperandType::uav: return BindClass::uav;
    default: return BindClass::resource;
  }
}

/// Slots of a binding: first and one past the last; the end of the register space if it is unbounded.
struct Slots {
  std::uint64_t first;
  std::uint64_t end;
};
Slots slots_of(const Binding& binding) {
  return {binding.bind_point, binding.bind_count == 0 ? std::uint64_t{1} << 32 : std::uint64_t{binding.bind_point} + binding.bind_count};
}

program::Layout layout_of(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::structured:
    case ResourceKind::uav_structured:
    case ResourceKind::uav_append:
    case ResourceKind::uav_consume:
    case ResourceKind::uav_structured_with_counter: return program::Layout::structured;
    case ResourceKind::byte_address:
    case ResourceKind::uav_byte_address: return program::Layout::raw;
    default: return program::Layout::typed;
  }
}

std::string_view layout_text(program::Layout layout) {
  switch (layout) {
    case program::Layout::raw: return "raw";
    case program::Layout::structured: return "structured";
    default: return "typed";
  }
}

std::string mismatch(const Binding& binding, const program::DeclaredBinding& declared) {
  const BindClass kind = class_of(binding);
  if (kind == BindClass::buffer) return {};
  if (kind == BindClass::sampler)
    return binding.is_comparison_sampler() == declared.is_comparison ? std::string{}
           : declared.is_comparison                                  ? "declared as a comparison sampler, but a default one in the binding"
                                                                     : "declared as a default sampler, but a comparison one in the binding";
  if (layout_of(binding.kind) != declared.layout)
    return "declared as " + std::string(layout_text(declared.layout)) + ", but " + std::string(id(binding.kind)) + " in the binding";
  if (declared.layout == program::Layout::structured) {
    if (binding.sample_count != declared.size)
      return "stride " + number(declared.size) + " in the program, " + number(binding.sample_count) + " in the binding";
  } else if (declared.layout == program::Layout::typed && binding.kind != ResourceKind::tbuffer &&
             dimension_of(declared.dimension) != binding.dimension) {
    return "declared as " + std::string(id(dimension_of(declared.dimension))) + ", but " + std::string(id(binding.dimension)) +
           " in the binding";
  }
  return {};
}

struct PlacedBinding {
  BindClass kind;
  std::uint32_t space;
  Slots slots;
  std::uint32_t index;  ///< into Rdef::bindings
};

void check_bindings(const Part& part, const Rdef& rdef, const Part* program_part, const program::ProgramFacts* facts, Findings& findings) {
  const auto& bindings = rdef.bindings;
  const auto offset = [&](std::uint32_t i) { return part.data.file_offset() + bindings.offset + std::uint64_t{rdef.strides.binding} * i; };
  const auto path = [&](std::uint32_t i) { return std::string(part.name()) + "/bindings[" + number(i) + ']'; };
  std::vector<PlacedBinding> placed(bindings.size());
  for (std::uint32_t i = 0; i < bindings.size(); ++i) {
    const Binding& binding = bindings[i];
    placed[i] = {class_of(binding), binding.space, slots_of(binding), i};
    if (id(binding.kind).empty() || id(binding.dimension).empty() || id(binding.return_type).empty()) {
      findings.add(rules::kRdefBindingValue, offset(i), path(i),
                   "kind " + number(static_cast<std::uint32_t>(binding.kind)) + ", dimension " +
                       number(static_cast<std::uint32_t>(binding.dimension)) + ", return type " +
                       number(static_cast<std::uint32_t>(binding.return_type)));
    }
  }
  std::sort(placed.begin(), placed.end(), [](const PlacedBinding& a, const PlacedBinding& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.space != b.space) return a.space < b.space;
    return a.slots.first != b.slots.first ? a.slots.first < b.slots.first : a.index < b.index;
  });
  for (std::size_t i = 1; i < placed.size(); ++i) {
    const PlacedBinding& a = placed[i - 1];
    const PlacedBinding& b = placed[i];
    if (a.kind == b.kind && a.space == b.space && b.slots.first < a.slots.end)
      findings.add(rules::kRdefBindingOverlap, offset(b.index), path(b.index),
                   "shares slot " + number(b.slots.first) + " with bindings[" + number(a.index) + ']');
  }
  if (facts == nullptr) return;

  std::vector<bool> is_declared(bindings.size());
  for (const program::DeclaredBinding& declared : facts->bindings) {
    const BindClass kind = class_of(declared);
    // The last binding that begins at or before the declared slot.
    const auto after =
        std::upper_bound(placed.begin(), placed.end(), declared, [&](const program::DeclaredBinding& d, const PlacedBinding& p) {
          if (kind != p.kind) return kind < p.kind;
          if (d.space != p.space) return d.space < p.space;
          return d.lower < p.slots.first;
        });
    const PlacedBinding* found = after == placed.begin() ? nullptr : &*(after - 1);
    const std::string label = std::string(find_operand(declared.type)->text) + number(declared.lower);
    if (found == nullptr || found->kind != kind || found->space != declared.space || declared.lower >= found->slots.end) {
      findings.add(rules::kRdefBindingMissing, offset_of(*program_part, declared.token), program_part->name(),
                   label + " is declared, but not in the resource definitions");
      continue;
    }
    is_declared[found->index] = true;
    if (std::string fault = mismatch(bindings[found->index], declared); !fault.empty())
      findings.add(rules::kRdefBindingKind, offset(found->index), path(found->index), label + ": " + fault);
  }
  for (std::uint32_t i = 0; i < bindings.size(); ++i) {
    // An array of textures is one binding; a program of shader model 5.0 declares those of its slots that it uses.
    if (!is_declared[i] && facts->is_complete)
      findings.add(rules::kRdefBindingUndeclared, offset(i), path(i), "not declared in the program");
  }
}

/// By type: where its furthest member begins, in bytes from the start of the type.
std::vector<std::uint64_t> furthest_members(const Rdef& rdef) {
  std::vector<std::uint64_t> furthest(rdef.types.size());
  for (std::size_t i = 0; i < furthest.size(); ++i)
    for (const Member& member : rdef.types[i].members)
      if (member.offset != kNoOffset && member.type < i) furthest[i] = std::max(furthest[i], member.offset + furthest[member.type]);
  return furthest;
}

void check_buffers(const Part& part, const Rdef& rdef, const Part* program_part, const program::ProgramFacts* facts, Findings& findings) {
  const auto& buffers = rdef.constant_buffers;
  const auto furthest = furthest_members(rdef);
  std::vector<std::uint32_t> by_name;
  for (std::uint32_t b = 0; b < buffers.size(); ++b) {
    const ConstantBuffer& buffer = buffers[b];
    if (buffer.kind == BufferKind::cbuffer) by_name.push_back(b);
    // The other kinds have sizes with a meaning of their own: slots, strides.
    const bool is_sized = buffer.kind == BufferKind::cbuffer || buffer.kind == BufferKind::tbuffer;
    for (std::uint32_t v = 0; v < buffer.variables.size(); ++v) {
      const Variable& variable = buffer.variables[v];
      const auto report = [&](const Rule& rule, std::string message) {
        findings.add(rule, part.data.file_offset() + buffer.variables.offset + std::uint64_t{rdef.strides.variable} * v,
                     std::string(part.name()) + "/constant_buffers[" + number(b) + "]/variables[" + number(v) + ']', std::move(message));
      };
      // A variable that holds only objects has no bytes, and a member that is one may stand at the end.
      if (variable.size != 0 && variable.type < furthest.size() && furthest[variable.type] > variable.size)
        report(rules::kRdefMemberBounds,
               "a member begins at byte " + number(furthest[variable.type]) + " of a variable of " + number(variable.size) + " bytes");
      if (is_sized && variable.offset != kNoOffset && std::uint64_t{variable.offset} + variable.size > buffer.size)
        report(rules::kRdefVariableBounds, "bytes " + number(variable.offset) + " to " +
                                               number(std::uint64_t{variable.offset} + variable.size) + " of " + number(buffer.size));
    }
  }
  if (facts == nullptr) return;
  // A buffer and its binding have one name, which lies in the file once.
  std::sort(by_name.begin(), by_name.end(), [&](auto a, auto b) {
    return buffers[a].name.offset != buffers[b].name.offset ? buffers[a].name.offset < buffers[b].name.offset : a < b;
  });
  std::vector<const Binding*> bound;
  for (const Binding& binding : rdef.bindings)
    if (binding.kind == ResourceKind::cbuffer) bound.push_back(&binding);
  std::sort(bound.begin(), bound.end(), [](const Binding* a, const Binding* b) {
    if (a->space != b->space) return a->space < b->space;
    return a->bind_point != b->bind_point ? a->bind_point < b->bind_point : std::less<>()(a, b);
  });
  for (const program::DeclaredBinding& declared : facts->bindings) {
    if (declared.type != OperandType::constant_buffer || declared.size == 0) continue;
    const auto binding = std::lower_bound(bound.begin(), bound.end(), declared, [](const Binding* b, const program::DeclaredBinding& d) {
      return b->space != d.space ? b->space < d.space : b->bind_point < d.lower;
    });
    if (binding == bound.end() || (*binding)->space != declared.space || (*binding)->bind_point != declared.lower) continue;
    const auto name = (*binding)->name.offset;
    const auto buffer =
        std::lower_bound(by_name.begin(), by_name.end(), name, [&](auto b, std::uint32_t n) { return buffers[b].name.offset < n; });
    if (buffer == by_name.end() || buffers[*buffer].name.offset != name) continue;
    const std::uint32_t size = buffers[*buffer].size;
    if (std::uint64_t{declared.size} * 16 > round_up(std::uint64_t{size}, 16))
      findings.add(rules::kRdefBufferSize, offset_of(*program_part, declared.token), program_part->name(),
                   "cb" + number(declared.lower) + " has " + number(declared.size) + " registers declared, but the definition has " +
                       number(size) + " bytes");
  }
}

}  // namespace

void check_rdef(const Part& part, const Part* program_part, const Program* program, const program::ProgramFacts* facts,
                Findings& findings) {
  const auto rdef = parse_rdef(part);
  if (!rdef) return dxcontainer::add_unreadable(rdef.error(), findings);
  if (program != nullptr) {
    constexpr RdefTarget kTargets[] = {RdefTarget::pixel, RdefTarget::vertex, RdefTarget::geometry,
                                       RdefTarget::hull,  RdefTarget::domain, RdefTarget::compute};
    const auto stage = static_cast<std::size_t>(program->stage);
    if (stage < std::size(kTargets) &&
        (rdef->target != kTargets[stage] || rdef->major_version != program->major || rdef->minor_version != program->minor))
      findings.add(rules::kRdefTarget, part.data.file_offset() + 16, std::string(part.name()) + "/target",
                   "target " + std::string(id(rdef->target)) + ' ' + number(rdef->major_version) + '.' + number(rdef->minor_version));
  }
  check_bindings(part, *rdef, program_part, facts, findings);
  check_buffers(part, *rdef, program_part, facts, findings);
}

}  // namespace unshade::dxbc::validate
