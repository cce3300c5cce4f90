#include "suite/equivalence/sides.hpp"

#include <unshade/core/stage.hpp>
#include <unshade/core/text/lowered.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/core/text/semantic_name.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/outputs.hpp>

namespace unshade::suite::equivalence {
namespace {

using run::output_key;
using run::semantic_key;

// `COLOR` of `in.var.COLOR`, as DXC names variables of SPIR-V.
std::string_view without_prefix(std::string_view key) {
  for (const std::string_view prefix : {"in.var.", "out.var."})
    if (key.starts_with(prefix)) return key.substr(prefix.size());
  return key;
}

// 2 of `input.color[2]`, as glslang makes elements of one semantic of an array of HLSL.
std::uint32_t element_of_variable(const ir::Element& element) {
  const std::string_view name = element.variable;
  const std::size_t open = name.rfind('[');
  if (!name.ends_with(']') || open == std::string_view::npos || !element.built_in.empty()) return 0;
  return as_number<std::uint32_t>(name.substr(open + 1, name.size() - open - 2)).value_or(0);
}

// What rows that are matched by semantic have in common: `color` of `in.var.COLOR0`, `color1` of its second row. DXC's names have the
// index of the first row, and the number of these elements is that of the location.
std::string plain_name(const ir::Element& element, std::uint32_t row) {
  const std::string_view own = without_prefix(element.variable);
  const bool is_of_dxc = own.size() != element.variable.size();
  const std::string key = is_of_dxc ? std::string(own) : semantic_key(element, row);
  const SemanticName split = split_semantic(key);
  const std::uint32_t index = split.index.value_or(0) + (is_of_dxc ? row : element_of_variable(element));
  return lowered(split.name) + (index == 0 ? "" : std::to_string(index));
}

// What the rows of a signature are called: in cases, or in results.
std::vector<std::string> keys_of(const ir::Module& module, ir::SignatureKind kind) {
  std::vector<std::string> made;
  Value results = Value::map();
  const bool is_given = kind == ir::SignatureKind::input || (kind == ir::SignatureKind::patch && module.stage == Stage::domain);
  const auto add = [&](ir::SignatureKind one) {
    made.clear();
    const std::vector<ir::Element>& elements = module.signatures.of(one);
    for (std::size_t at = 0; at < elements.size(); ++at) {
      for (std::uint32_t row = 0; row < elements[at].rows; ++row) {
        made.push_back(is_given ? semantic_key(elements[at], row) : output_key(results, elements, at, row));
        if (!is_given) results.add(made.back(), Value());
      }
    }
  };
  if (kind == ir::SignatureKind::patch && module.stage == Stage::hull) add(ir::SignatureKind::output);  // of the same map
  add(kind);
  return made;
}

}  // namespace

Mentioned::Mentioned(const ir::Module& module) {
  for (const ir::Function& function : module.functions) {
    for (const ir::BlockId block : function.order) {
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
        const ir::Inst& inst = function.insts[id];
        if (inst.op == ir::Op::builtin) builtins.insert(ir::BuiltinExtra(inst.extra).builtin);
        if (inst.op == ir::Op::counter) {
          const ir::Inst& handle = function.insts[function.operands_of(id)[0]];
          if (handle.op == ir::Op::handle) counters.insert(handle.extra);
        }
        if (inst.op != ir::Op::counter) {
          const auto operands = function.operands_of(id);
          for (std::size_t at = 0; at < operands.size(); ++at)
            if (!ir::is_block_operand(inst.op, at) && function.insts[operands[at]].op == ir::Op::handle)
              accessed.insert(function.insts[operands[at]].extra);
        }
        const ir::Extra extra = ir::info(inst.op).extra;
        if (extra == ir::Extra::resource) resources.insert(inst.extra);
        if (extra != ir::Extra::element) continue;
        const ir::ElementExtra of(inst.extra);
        std::uint32_t row = of.has_row ? kAnyRow : 0;
        if (of.has_row) {
          const ir::Id index = function.operands_of(id)[of.has_vertex ? 1 : 0];
          if (function.insts[index].op == ir::Op::constant) row = static_cast<std::uint32_t>(ir::constant_bits(function, index));
        }
        columns[{of.signature, of.element, row}] |= 1U << of.column;
      }
    }
  }
}

unsigned Mentioned::columns_of(ir::SignatureKind kind, std::size_t element, std::uint32_t row) const {
  unsigned made = 0;
  for (const std::uint32_t one : {row, kAnyRow})
    if (const auto found = columns.find({kind, static_cast<std::uint32_t>(element), one}); found != columns.end()) made |= found->second;
  return made;
}

bool is_of_vulkan(const Side& side) {
  const shader::Reflection* const reflection = side.subject.shader.reflection();
  return reflection != nullptr && reflection->has_descriptor_sets();
}

std::vector<Found> rows_of(const Side& side, ir::SignatureKind kind) {
  std::vector<Found> made;
  const ir::Module& module = side.subject.shader.module();
  const auto& elements = module.signatures.of(kind);
  const std::vector<std::string> keys = keys_of(module, kind);
  for (std::size_t at = 0; at < elements.size(); ++at) {
    const ir::Element& element = elements[at];
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      const std::size_t place = made.size();
      const unsigned columns = side.mentioned.columns_of(kind, at, row);
      made.push_back({{&element, place, keys[place]}, plain_name(element, row), row, columns, columns != 0, false});
    }
  }
  return made;
}

std::string has_alone(const Side& has, const Side& lacks, std::string_view kind, std::string_view name) {
  return has.subject.name + " has the " + std::string(kind) + " `" + std::string(name) + "`, which " + lacks.subject.name + " lacks";
}

std::string differ(const Side& a, const Side& b, std::string_view what, std::string_view of_a, std::string_view of_b) {
  return std::string(what) + ": " + std::string(of_a) + " in " + a.subject.name + ", " + std::string(of_b) + " in " + b.subject.name;
}

}  // namespace unshade::suite::equivalence
