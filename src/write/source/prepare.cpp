#include "write/source/prepare.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <unshade/ir/analysis/uses.hpp>
#include <unshade/ir/analysis/vectors.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>

#include "write/source/operation.hpp"

namespace unshade::write::source {

using ir::Id;
using ir::kNone;
using ir::Op;

bool has_status(const ir::Inst& inst) {
  switch (inst.op) {
    case Op::buffer_load: return ir::BufferExtra(inst.extra).has_status;
    case Op::sample:
    case Op::sample_implicit:
    case Op::gather:
    case Op::texel_load: return ir::TextureExtra(inst.extra).has_status;
    default: return false;
  }
}

bool accesses_wide_texel(const ir::Inst& inst) {
  if (ir::bit_width(inst.type) != 64) return false;
  switch (inst.op) {
    case Op::texel_load:
    case Op::texel_store:
    case Op::texel_atomic: return true;
    case Op::buffer_load:
    case Op::buffer_store:
    case Op::buffer_atomic: return ir::BufferExtra(inst.extra).kind == ir::BufferKind::typed;
    default: return false;
  }
}

bool is_signed_atomic(const ir::Inst& inst) {
  switch (inst.op) {
    case Op::texel_atomic: return sign_of(ir::TextureExtra(inst.extra).op) == Sign::signed_;
    case Op::buffer_atomic: return sign_of(ir::BufferExtra(inst.extra).op) == Sign::signed_;
    default: return false;
  }
}

namespace {

constexpr unsigned kMostCopied = 4;

bool is_address_sum(const ir::Function& f, Id id) {
  const ir::Inst& inst = f.insts[id];
  if (inst.type != ir::Type::i32 || f.block_of[id] == kNone) return false;
  if (inst.op != Op::iadd && inst.op != Op::ishl && inst.op != Op::imul) return false;
  const auto operands = f.operands_of(id);
  return f.insts[operands[1]].op == Op::constant || f.insts[operands[0]].op == Op::constant;
}

// A constant of 32 bits.
Id add_constant(ir::Function& f, ir::Type type, std::uint32_t bits) {
  const auto id = static_cast<Id>(f.insts.size());
  ir::Inst inst;
  inst.op = Op::constant;
  inst.type = type;
  inst.results = 1;
  inst.first_operand = static_cast<std::uint32_t>(f.operands.size());
  inst.extra = bits;
  f.insts.push_back(inst);
  f.next.push_back(kNone);
  f.previous.push_back(kNone);
  f.block_of.push_back(kNone);
  if (!f.sources.empty()) f.sources.push_back({});
  return id;
}

// Masks that are all ones where something holds choose: x & (c ? ~0 : 0) is c ? x : 0.
void say_choices(ir::Function& f) {
  Id zero = kNone;
  for (const ir::BlockId block : f.order) {
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      if (f.insts[id].op != Op::iand || f.insts[id].type != ir::Type::i32) continue;
      const auto operands = f.operands_of(id);
      for (const std::size_t at : {std::size_t{0}, std::size_t{1}}) {
        const Id mask = operands[at], other = operands[1 - at];
        if (f.insts[mask].op != Op::sext || ir::result_type(f, f.operands_of(mask)[0]) != ir::Type::b1) continue;
        const Id condition = f.operands_of(mask)[0];
        if (zero == kNone) zero = add_constant(f, ir::Type::i32, 0);
        ir::Inst& inst = f.insts[id];
        inst.op = Op::select;
        inst.first_operand = static_cast<std::uint32_t>(f.operands.size());
        inst.operand_count = 3;
        f.operands.insert(f.operands.end(), {condition, other, zero});
        break;
      }
    }
  }
}

// Puts an instruction before another.
Id insert_before(ir::Function& f, const ir::Inst& inst, const ir::Source& source, Id before) {
  const auto id = static_cast<Id>(f.insts.size());
  f.insts.push_back(inst);
  const Id previous = f.previous[before];
  f.next.push_back(before);
  f.previous.push_back(previous);
  f.block_of.push_back(f.block_of[before]);
  if (!f.sources.empty()) f.sources.push_back(source);
  f.previous[before] = id;
  (previous == kNone ? f.blocks[f.block_of[before]].first : f.next[previous]) = id;
  return id;
}

// Puts a new operation on words before another instruction, of which it is a part.
Id put_before(ir::Function& f, Op op, Id a, Id b, Id before) {
  ir::Inst inst;
  inst.op = op;
  inst.type = ir::Type::i32;
  inst.results = 1;
  inst.first_operand = static_cast<std::uint32_t>(f.operands.size());
  inst.operand_count = 2;
  f.operands.insert(f.operands.end(), {a, b});
  return insert_before(f, inst, f.sources.empty() ? ir::Source{} : f.sources[before], before);
}

// Fields of words at places that are known, as shifts and masks.
void say_fields(ir::Function& f) {
  constexpr std::uint32_t kBits = 32;
  for (const ir::BlockId block : f.order) {
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      const Op op = f.insts[id].op;
      if ((op != Op::ubfe && op != Op::ibfe && op != Op::bfi) || f.insts[id].type != ir::Type::i32) continue;
      const auto operands = f.operands_of(id);
      const Id from = operands[0], base = operands[1], at = operands[operands.size() - 2], size = operands[operands.size() - 1];
      if (f.insts[at].op != Op::constant || f.insts[size].op != Op::constant) continue;
      const auto offset = static_cast<std::uint32_t>(ir::constant_bits(f, at)) % kBits;
      const auto width = static_cast<std::uint32_t>(ir::constant_bits(f, size)) % kBits;
      if (width == 0) continue;
      const bool is_top = offset + width >= kBits;
      const std::uint32_t low = (1U << width) - 1, mask = low << offset;
      const auto word = [&](std::uint32_t bits) { return add_constant(f, ir::Type::i32, bits); };
      Op last = Op::ushr;
      Id a = from, b = kNone;
      if (op == Op::ubfe) {
        if (is_top) {
          b = word(offset);
        } else {
          if (offset != 0) a = put_before(f, Op::ushr, from, word(offset), id);
          last = Op::iand;
          b = word(low);
        }
      } else if (op == Op::ibfe) {
        if (!is_top) a = put_before(f, Op::ishl, from, word(kBits - offset - width), id);
        last = Op::ishr;
        b = word(is_top ? offset : kBits - width);
      } else {
        const bool is_alone = f.insts[base].op == Op::constant && (ir::constant_bits(f, base) & ~mask & 0xffff'ffff) == 0;
        if (offset != 0 && !is_top) {
          const Id field = put_before(f, Op::iand, from, word(low), id);
          if (is_alone) {
            last = Op::ishl, a = field, b = word(offset);
          } else {
            a = put_before(f, Op::ishl, field, word(offset), id);
          }
        } else if (offset == 0) {
          if (is_alone) {
            last = Op::iand, b = word(low);
          } else {
            a = put_before(f, Op::iand, from, word(low), id);
          }
        } else {
          if (is_alone) {
            last = Op::ishl, b = word(offset);
          } else {
            a = put_before(f, Op::ishl, from, word(offset), id);
          }
        }
        if (!is_alone) {
          last = Op::ior;
          b = put_before(f, Op::iand, base, word(~mask), id);
        }
      }
      ir::Inst& inst = f.insts[id];
      inst.op = last;
      inst.first_operand = static_cast<std::uint32_t>(f.operands.size());
      inst.operand_count = 2;
      f.operands.insert(f.operands.end(), {a, b});
    }
  }
}

// Loads of more numbers than a vector has, as several.
void split_loads(ir::Function& f) {
  constexpr std::uint32_t kMost = 4;
  std::map<Id, std::vector<Id>> parts;
  for (const ir::BlockId block : f.order) {
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      const std::uint32_t count = f.insts[id].results;
      if (f.insts[id].op != Op::cbuffer_load || count <= kMost) continue;
      const Id handle = f.operands_of(id)[0], address = f.operands_of(id)[1];
      std::vector<Id> made{id};
      for (std::uint32_t first = kMost; first < count; first += kMost) {
        const Id offset = add_constant(f, ir::Type::i32, first * ir::bit_width(f.insts[id].type) / 8);
        const Id sum = put_before(f, Op::iadd, address, offset, id);
        ir::Inst inst = f.insts[id];
        inst.results = static_cast<std::uint8_t>(std::min(kMost, count - first));
        inst.first_operand = static_cast<std::uint32_t>(f.operands.size());
        f.operands.insert(f.operands.end(), {handle, sum});
        made.push_back(insert_before(f, inst, f.sources.empty() ? ir::Source{} : f.sources[id], id));
      }
      f.insts[id].results = kMost;
      parts.emplace(id, std::move(made));
    }
  }
  if (parts.empty()) return;
  for (ir::Inst& inst : f.insts) {
    if (inst.op != Op::get || inst.operand_count == 0) continue;
    const auto found = parts.find(f.operands[inst.first_operand]);
    if (found == parts.end() || inst.extra / kMost >= found->second.size()) continue;
    f.operands[inst.first_operand] = found->second[inst.extra / kMost];
    inst.extra %= kMost;
  }
}

// Puts a copy of an instruction before another.
Id copy_before(ir::Function& f, Id from, Id before) {
  ir::Inst inst = f.insts[from];
  const auto first = static_cast<std::uint32_t>(f.operands.size());
  for (std::size_t k = 0; k < inst.operand_count; ++k) f.operands.push_back(f.operands[inst.first_operand + k]);
  inst.first_operand = first;
  return insert_before(f, inst, ir::Source{}, before);
}

void drop_status(ir::Inst& inst) {
  if (inst.op == Op::buffer_load) {
    ir::BufferExtra extra(inst.extra);
    extra.has_status = false;
    inst.extra = extra.bits();
  } else {
    ir::TextureExtra extra(inst.extra);
    extra.has_status = false;
    inst.extra = extra.bits();
  }
  --inst.results;
}

/// What reads the words of a buffer.
bool is_word_load(const ir::Inst& inst) { return inst.op == Op::buffer_load && ir::BufferExtra(inst.extra).kind != ir::BufferKind::typed; }

// A load that says whether its memory is mapped is two: one of its values, and one of the status alone. Of words of buffers all is mapped
// in languages that cannot ask for it, as in translations to SPIR-V.
void split_statuses(ir::Function& f, bool asks_buffers) {
  std::map<Id, std::vector<Id>> gets;  // by load
  for (const ir::BlockId block : f.order)
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id])
      if (f.insts[id].op == Op::get && has_status(f.insts[f.operands_of(id)[0]])) gets[f.operands_of(id)[0]].push_back(id);
  std::vector<Id> replaced(f.insts.size() + gets.size(), kNone);
  for (const auto& [load, members] : gets) {
    const std::uint32_t status = f.insts[load].results - 1U;
    const Id twin = copy_before(f, load, load);
    drop_status(f.insts[load]);
    for (const Id get : members) {
      if (f.insts[get].extra == status) {
        f.operands_of(get)[0] = twin;
      } else if (f.insts[load].results == 1) {
        replaced[get] = load;
        ir::remove(f, get);
      }
    }
  }
  replaced.resize(f.insts.size(), kNone);
  if (!asks_buffers) {
    const auto asks = [&](Id id) {
      if (f.insts[id].op != Op::access_mapped) return false;
      const Id status = f.operands_of(id)[0];
      if (f.insts[status].op != Op::get) return false;
      const ir::Inst& load = f.insts[f.operands_of(status)[0]];
      return has_status(load) && is_word_load(load);
    };
    Id mapped = kNone;
    for (const ir::BlockId block : f.order) {
      for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
        if (!asks(id)) continue;
        if (mapped == kNone) mapped = add_constant(f, ir::Type::b1, 1);
        replaced[id] = mapped;
      }
    }
    replaced.resize(f.insts.size(), kNone);
  }
  ir::replace_uses(f, replaced);
}

// Minima and maxima of the PICA200, whose result is the second number if one is NaN, as those of other processors.
void say_extremes(ir::Function& f) {
  for (const ir::BlockId block : f.order) {
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      ir::Inst& inst = f.insts[id];
      if (inst.op != Op::select || inst.type != ir::Type::f32) continue;
      const auto operands = f.operands_of(id);
      const Id condition = operands[0], yes = operands[1], no = operands[2];
      if (f.insts[condition].op != Op::flt) continue;
      const auto compared = f.operands_of(condition);
      const bool is_least = compared[0] == yes && compared[1] == no, is_greatest = compared[0] == no && compared[1] == yes;
      if (!is_least && !is_greatest) continue;
      inst.op = is_least ? Op::fmin : Op::fmax;
      ++inst.first_operand;
      inst.operand_count = 2;
    }
  }
}

// -0 - x, as compilers to DXIL write a negation.
void say_negations(ir::Function& f) {
  for (const ir::BlockId block : f.order) {
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      ir::Inst& inst = f.insts[id];
      if (inst.op != Op::fsub || inst.type != ir::Type::f32) continue;
      const Id first = f.operands_of(id)[0];
      if (f.insts[first].op != Op::constant || ir::constant_bits(f, first) != 0x8000'0000) continue;
      inst.op = Op::fneg;
      ++inst.first_operand;
      inst.operand_count = 1;
    }
  }
}

// Products as targets have them: 0 times infinity is no number.
void say_plain_products(ir::Function& f) {
  for (ir::Inst& inst : f.insts) {
    if (inst.op == Op::fmul_zero) inst.op = Op::fmul;
    if (inst.op == Op::fmad_zero) inst.op = Op::fmad;
  }
}

// a * b + c * d ..., each rounded, as compilers to other formats write it: SPIR-V's dot products have been summed product by product. Not
// what mix() is: x * (1 - t) + y * t.
void say_dots(ir::Function& f) {
  const ir::Uses uses = ir::uses_of(f);
  const auto is_rest = [&](Id id, Id of) {
    if (f.insts[id].op != Op::fsub) return false;
    const auto operands = f.operands_of(id);
    return operands[1] == of && f.insts[operands[0]].op == Op::constant;
  };
  const auto is_mix = [&](Id product, Id other) {
    for (const Id a : f.operands_of(product))
      for (const Id b : f.operands_of(other))
        if (is_rest(a, b) || is_rest(b, a)) return true;
    return false;
  };
  // components of a product with a matrix are components of a vector too
  const auto is_component = [&](Id id) {
    if (f.sources.empty()) return false;
    const std::uint32_t instruction = f.sources[id].instruction;
    for (Id user = id; user != kNone && f.insts[user].op == Op::fadd && f.sources[user].instruction == instruction;
         user = uses.user[user]) {
      if (f.sources[user].component != ir::kNoComponent) return true;
      if (uses.count[user] != 1) break;
    }
    return false;
  };
  for (const ir::BlockId block : f.order) {
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      const ir::Inst inst = f.insts[id];
      if (inst.op != Op::fadd || is_component(id)) continue;
      const Id before = f.operands_of(id)[0], product = f.operands_of(id)[1];
      const auto fits = [&](Id part) {
        // sums of vectors that are scaled have instructions of their own
        if (!f.sources.empty() && f.sources[part].instruction != f.sources[id].instruction) return false;
        return uses.count[part] == 1 && f.block_of[part] == block && f.insts[part].type == inst.type && f.insts[part].flags == inst.flags;
      };
      const Op first = f.insts[before].op;
      if (f.insts[product].op != Op::fmul || (first != Op::fmul && first != Op::fmad) || !fits(product) || !fits(before)) continue;
      if (first == Op::fmul && is_mix(product, before)) continue;
      const auto factors = f.operands_of(product);
      const Id list[] = {factors[0], factors[1], before};
      f.insts[id].op = Op::fmad;
      f.insts[id].first_operand = static_cast<std::uint32_t>(f.operands.size());
      f.insts[id].operand_count = 3;
      f.operands.insert(f.operands.end(), std::begin(list), std::end(list));
    }
  }
}

// Whether an operand is a component of the fragment's position as a whole number.
bool is_own_pixel(const ir::Function& f, Id id, std::uint8_t component) {
  if (f.insts[id].op != Op::f_to_s) return false;
  const ir::Inst& from = f.insts[f.operands_of(id)[0]];
  return from.op == Op::builtin && from.extra == ir::BuiltinExtra(ir::Builtin::position, component).bits();
}

// Input attachments are read at a distance from the fragment: 0.
void say_subpass_loads(const ir::Module& module, ir::Function& f) {
  Id zero = kNone;
  for (const ir::BlockId block : f.order) {
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      if (f.insts[id].op != Op::texel_load) continue;
      const ir::Inst& handle = f.insts[f.operands_of(id)[0]];
      if (handle.op != Op::handle || module.resources[handle.extra].attachment == kNone) continue;
      if (!is_own_pixel(f, f.operands_of(id)[1], 0) || !is_own_pixel(f, f.operands_of(id)[2], 1)) continue;
      if (zero == kNone) zero = add_constant(f, ir::Type::i32, 0);
      f.operands_of(id)[1] = f.operands_of(id)[2] = zero;
    }
  }
}

/// The operand that is an address; kNone: the instruction has none.
std::size_t address_operand(const ir::Inst& inst) {
  switch (inst.op) {
    case Op::load:
    case Op::store:
    case Op::atomic: return 0;
    case Op::cbuffer_load: return 1;
    case Op::buffer_load:
    case Op::buffer_store:
    case Op::buffer_atomic: return 2;
    default: return kNone;
  }
}

// Gives each access a sum of its own, which then is written as its index.
void copy_addresses(const ir::Module& module, ir::Function& f, bool has_blocks) {
  const ir::Uses uses = ir::uses_of(f);
  const std::size_t most = 2 * f.insts.size() + 64;
  for (const ir::BlockId block : f.order) {
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      std::size_t at = address_operand(f.insts[id]);
      if (f.insts[id].op == Op::buffer_load || f.insts[id].op == Op::buffer_store || f.insts[id].op == Op::buffer_atomic) {
        const ir::Inst& handle = f.insts[f.operands_of(id)[0]];
        if (handle.op != Op::handle) continue;
        // of a storage buffer that may be a block
        if (has_blocks && module.resources[handle.extra].in_set && ir::BufferExtra(f.insts[id].extra).kind == ir::BufferKind::raw) at = 1;
      }
      if (at >= f.insts[id].operand_count) continue;
      Id user = id;
      std::size_t operand = at;
      for (unsigned depth = 0; depth < kMostCopied && f.insts.size() < most; ++depth) {
        const Id sum = f.operands_of(user)[operand];
        if (sum >= uses.count.size() || !is_address_sum(f, sum)) break;
        Id own = sum;
        if (uses.count[sum] > 1) {
          own = copy_before(f, sum, user);
          f.operands_of(user)[operand] = own;
        }
        operand = f.insts[f.operands_of(own)[0]].op == Op::constant ? 1 : 0;
        user = own;
      }
    }
  }
}

}  // namespace

Result<Validated<ir::Module>> prepared(ir::Module module, const SourceOptions& options, shader::Family family) {
  const Setting setting = options.setting;
  const bool has_attachments = options.language == ShadingLanguage::hlsl || options.glsl.environment == GlslEnvironment::vulkan;
  for (ir::Function& function : module.functions) {
    split_loads(function);
    split_statuses(function, options.language == ShadingLanguage::hlsl);
  }
  ir::passes::promote_variables(module);
  ir::passes::fold_constants(module);
  ir::passes::simplify_flow(module);
  if (family == shader::Family::pica) {
    if (setting != Setting::exact)
      for (ir::Function& function : module.functions) say_extremes(function);
    ir::passes::common_values(module);
  }
  ir::passes::retype_phis(module);
  ir::passes::fold_constants(module);
  ir::passes::remove_dead(module);
  for (ir::Function& function : module.functions) {
    say_choices(function);
    say_fields(function);
    if (has_attachments) say_subpass_loads(module, function);
    if (setting != Setting::exact) say_negations(function);
    if (setting != Setting::exact && family == shader::Family::spirv && !module.modes.fused_mad) say_dots(function);
    if (setting == Setting::native) say_plain_products(function);
    copy_addresses(module, function, options.language == ShadingLanguage::glsl);
  }
  ir::passes::remove_dead(module);
  type_heap_resources(module);
  ir::canonicalize(module);
  for (ir::Function& function : module.functions) ir::bring_together(function, ir::vectors_of(function));
  return ir::verified(std::move(module));
}

}  // namespace unshade::write::source
