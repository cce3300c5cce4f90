// Layouts of constant buffers, of elements of structured buffers, of blocks and of variables.
#include <algorithm>
#include <utility>

#include <unshade/ir/extra.hpp>

#include "write/source/module_writer.hpp"
#include "write/source/operation.hpp"

namespace unshade::write::source {

using dxcontainer::ResourceKind;
using ir::Id;
using ir::kNone;
using ir::Op;

namespace {

// Of a variable of a module of LLVM, which has the name that C++ of Microsoft gives it: `?name@scope@@type`.
std::string_view plain_name(std::string_view name) {
  if (name.starts_with('\1')) name.remove_prefix(1);
  if (!name.starts_with('?')) return name;
  name.remove_prefix(1);
  return name.substr(0, name.find('@'));
}

}  // namespace

template <class Visit>
void ModuleWriter::for_each_access(std::uint32_t resource, Visit visit) const {
  const auto found = accesses_.find(resource);
  if (found == accesses_.end()) return;
  for (const auto& [number, id] : found->second) {
    const ir::Function& f = module.functions[number];
    const ir::Inst& inst = f.insts[id];
    const auto operands = f.operands_of(id);
    Address address;
    unsigned count = inst.results;
    if (inst.op == Op::cbuffer_load) {
      address = address_of(f, operands[1]);
    } else {
      const ir::BufferExtra extra(inst.extra);
      if (extra.kind == ir::BufferKind::typed) continue;
      address = buffer_address(f, id);
      if (inst.op == Op::buffer_store) count = static_cast<unsigned>(operands.size() - (extra.has_offset ? 3 : 2));
      if (extra.has_status) --count;
    }
    visit(number, id, std::move(address), count);
  }
}

namespace {

// Whether languages have an atomic operation on a number of a type.
bool has_atomic(ir::AtomicOp op, Base base) {
  if (bits_of(base) < 32 || is_real(base)) return false;
  const Sign sign = sign_of(op);
  return sign == Sign::any || (sign == Sign::signed_) == is_signed(base);
}

}  // namespace

std::optional<std::int64_t> ModuleWriter::first_misfit(const ByteLayout& layout, std::uint32_t resource) const {
  std::optional<std::int64_t> first;
  for_each_access(resource, [&](std::size_t function, Id id, Address address, unsigned count) {
    const ir::Function& f = module.functions[function];
    const unsigned bytes = ir::bit_width(f.insts[id].type) / 8;
    // components that nothing uses need no place
    const bool are_used = count == 1 || f.insts[id].op == Op::buffer_store;
    std::uint32_t used = 0;
    for_each_get(function, id, [&](Id get) { used |= 1U << f.insts[get].extra; });
    for (unsigned k = 0; k < count && !first; ++k) {
      const bool is_used = are_used || (used >> k & 1) != 0;
      const auto place = layout.at(address);
      bool is_good = !is_used || (place && bits_of(place->base) == bytes * 8);
      if (is_used && is_good && f.insts[id].op == Op::buffer_atomic)
        is_good = has_atomic(ir::BufferExtra(f.insts[id].extra).op, place->base);
      if (!is_good) first = address.bytes;
      address.bytes += bytes;
    }
  });
  return first;
}

// Members that are declared as truths stay so if they are only compared with 0: a language makes 0 or 1 of the bits that they have.
void ModuleWriter::keep_truths(ByteLayout& layout, std::uint32_t resource) const {
  if (std::ranges::none_of(layout.parts, &ByteLayout::Part::is_bool)) return;
  bool are_truths = true;
  std::map<std::size_t, std::set<Id>> loaded;  // by function
  for_each_access(resource, [&](std::size_t function, Id id, Address address, unsigned count) {
    const ir::Inst& inst = module.functions[function].insts[id];
    for (unsigned k = 0; k < count; ++k, address.bytes += ir::bit_width(inst.type) / 8) {
      const auto place = layout.at(address);
      if (!place || !place->is_bool) continue;
      are_truths = are_truths && inst.op != Op::buffer_store && inst.op != Op::buffer_atomic;
      if (inst.results == 1) loaded[function].insert(id);
      for_each_get(function, id, [&](Id get) {
        if (module.functions[function].insts[get].extra == k) loaded[function].insert(get);
      });
    }
  });
  for_each_inst([&](const ir::Function& f, Id id) {
    std::set<Id>& values = loaded[static_cast<std::size_t>(&f - module.functions.data())];
    const Op op = f.insts[id].op;
    if (op == Op::bitcast && values.contains(f.operands_of(id)[0])) values.insert(id);
  });
  for_each_inst([&](const ir::Function& f, Id id) {
    const std::set<Id>& values = loaded[static_cast<std::size_t>(&f - module.functions.data())];
    const Op op = f.insts[id].op;
    const auto operands = f.operands_of(id);
    const auto is_zero = [&](Id other) { return f.insts[other].op == Op::constant && ir::constant_bits(f, other) == 0; };
    for (std::size_t at = 0; at < operands.size() && op != Op::bitcast && op != Op::get; ++at) {
      if (ir::is_block_operand(op, at) || !values.contains(operands[at])) continue;
      are_truths = are_truths && (op == Op::ine || op == Op::ieq) && is_zero(operands[1 - at]);
    }
  });
  if (are_truths) return;
  for (ByteLayout::Part& part : layout.parts) part.is_bool = false;
}

// Registers, of which nobody says what they are.
bool ModuleWriter::is_made_up(const shader::Buffer& buffer) const {
  return reflection->rebuilt && buffer.variables.size() == 1 && buffer.variables[0].name == buffer.name + "_data";
}

// Members of constant buffers are known everywhere.
void ModuleWriter::claim_members(ByteLayout& layout, std::uint32_t resource) {
  for (std::uint32_t at = 0; at < layout.parts.size(); ++at) {
    std::set<std::string> taken;
    for (ByteLayout::Member& member : layout.parts[at].members) {
      if (at == layout.root) {
        member.name = names.claim_constant(resource_names_[resource].plain, {member.name, member.name}, member.offset);
        continue;
      }
      member.name = identifier_like(options.language, member.name);
      while (!taken.insert(member.name).second) member.name += '_';
    }
  }
}

const Memory& ModuleWriter::memory_of(std::uint32_t resource) {
  const auto found = resources_.find(resource);
  if (found != resources_.end()) return found->second;
  unsupported("a resource of the kind " + std::string(id(module.resources[resource].kind)) + " with a stride of 0");
  Memory word;
  word.layout.root = word.layout.add_scalar(Base::uint_);
  return resources_.emplace(resource, std::move(word)).first->second;
}

void ModuleWriter::lay_out_constants(std::uint32_t resource) {
  const ir::Resource& of = module.resources[resource];
  Memory made;
  std::optional<ByteLayout> layout;
  std::uint32_t bytes = of.bytes;
  const auto* const declared = given(resource);
  const auto* const row = declared != nullptr ? declared->resource : reflected(of);
  if (is_of_pica()) {
    bool is_indexed = false;
    for_each_access(resource,
                    [&](std::size_t, Id, const Address& address, unsigned) { is_indexed = is_indexed || !address.terms.empty(); });
    layout = pica_layout(*reflection, is_indexed ? PicaNames::of_others : PicaNames::all);
    if (!target->can_lay_out(*layout)) layout = pica_layout(*reflection, PicaNames::none);
  } else if (declared != nullptr) {
    layout = layout_of(*declared->reflection, declared->reflection->buffers[row->buffer]);
  } else if (row != nullptr && row->buffer < reflection->buffers.size()) {
    const shader::Buffer& buffer = reflection->buffers[row->buffer];
    if (is_made_up(buffer)) {
      bytes = buffer.size;
    } else {
      layout = layout_of(*reflection, buffer);
      const bool is_pushed = row->kind == ResourceKind::push_constants && options.glsl.environment == GlslEnvironment::vulkan;
      if (layout) layout->parts[layout->root].is_packed = is_pushed;
    }
  }
  if (layout) keep_truths(*layout, resource);
  if (layout && target->can_lay_out(*layout) && fits(*layout, resource)) {
    made.layout = *std::move(layout);
    // whose names may change
    made.is_indexed = is_of_pica() && made.layout.parts[made.layout.root].members.front().name == "c";
    claim_members(made.layout, resource);
    resources_.emplace(resource, std::move(made));
    return;
  }
  // members by what is read
  if (of.count == 1 && !of.heap && !layout) {
    if (!constant_uses_) constant_uses_.emplace(module, types, options.language);
    auto guessed = constant_uses_->layout_of(resource, bytes);
    if (guessed && target->can_lay_out(*guessed) && fits(*guessed, resource)) {
      made.layout = *std::move(guessed);
      for (ByteLayout::Member& member : made.layout.parts[made.layout.root].members)
        member.name = names.claim_constant(resource_names_[resource].plain, resource_names_[resource] + member.name, member.offset);
      resources_.emplace(resource, std::move(made));
      return;
    }
  }
  // vectors of floats, if most uses of what is read are
  std::size_t reals = 0, wholes = 0;
  std::vector<ir::Uses> uses;
  for (const ir::Function& f : module.functions) uses.push_back(ir::uses_of(f));
  std::uint32_t end = 16;
  for_each_access(resource, [&](std::size_t function, Id id, const Address& address, unsigned count) {
    if (address.bytes >= 0 && address.bytes < 0x10000) end = std::max(end, static_cast<std::uint32_t>(address.bytes) + 4 * count);
    if (!address.terms.empty()) end = std::max(end, 65536U);
    const auto add = [&](Id value) { (types.of[function][value] == ir::Declared::real ? reals : wholes) += uses[function].count[value]; };
    if (count == 1) return add(id);
    for_each_get(function, id, add);
  });
  made.layout = register_layout(reals >= wholes ? Base::float_ : Base::uint_, bytes != 0 ? bytes : end);
  made.is_registers = true;
  made.name = names.claim_constant(resource_names_[resource].plain, resource_names_[resource] + "_data", resource);
  resources_.emplace(resource, std::move(made));
}

// A storage buffer of SPIR-V as the block that reflection has, in languages with such; else it stays words.
void ModuleWriter::lay_out_block(std::uint32_t resource) {
  const ir::Resource& of = module.resources[resource];
  const auto* const row = reflected(of);
  if (row == nullptr || row->kind != ResourceKind::storage_buffer || row->buffer >= reflection->buffers.size()) return;
  const shader::Buffer& buffer = reflection->buffers[row->buffer];
  auto layout = layout_of(*reflection, buffer);
  if (!layout || !target->can_lay_out(*layout) || !fits(*layout, resource)) return;
  if (measured_.contains(resource) && layout->open_array() == nullptr) return;
  Memory made;
  made.layout = *std::move(layout);
  // members of a block that has a name are within it
  if (of.count != 1 || row->name != buffer.name) {
    const Name& own = resource_names_[resource];
    made.name = own.shown;
    const bool has_own = buffer.name != row->name && !is_unnamed(buffer.name);
    made.block = names.claim(has_own ? Name{buffer.name, buffer.name} : own + "_block", resource, Names::Kind::resource).shown;
    for (std::uint32_t at = 0; at < made.layout.parts.size(); ++at) {
      for (ByteLayout::Member& member : made.layout.parts[at].members) {
        member.name = identifier_like(options.language, member.name);
        if (at == made.layout.root) member.name = names.member(own.plain, member.name);
      }
    }
  } else {
    made.block = resource_names_[resource].shown;
    claim_members(made.layout, resource);
  }
  resources_.emplace(resource, std::move(made));
}

// The element of a structured buffer: as the reflection has it, else of what accesses take.
void ModuleWriter::lay_out_elements(std::uint32_t resource) {
  const ir::Resource& of = module.resources[resource];
  Memory made;
  const auto* const declared = given(resource);
  const shader::Reflection* const from = declared != nullptr ? declared->reflection : reflection;
  if (const auto* const row = declared != nullptr ? declared->resource : reflected(of);
      row != nullptr && row->buffer < from->buffers.size()) {
    const shader::Buffer& buffer = from->buffers[row->buffer];
    if (buffer.kind == shader::BufferKind::resource_bind_info && buffer.variables.size() == 1) {
      ByteLayout layout;
      const auto root = add_type(layout, *from, buffer.variables[0].type, Packing::tight);
      if (root && layout.parts[*root].bytes == of.stride) {
        layout.root = *root;
        keep_truths(layout, resource);
        if (target->can_lay_out(layout) && fits(layout, resource)) {
          made.layout = std::move(layout);
          for (ByteLayout::Part& part : made.layout.parts)
            for (ByteLayout::Member& member : part.members) member.name = identifier_like(options.language, member.name);
          resources_.emplace(resource, std::move(made));
          return;
        }
      }
    }
  }
  // ranges of bytes that accesses take at once; what overlaps is one
  struct Range {
    std::uint32_t first = 0, end = 0, size = 4;  ///< size: of its numbers
    std::size_t reals = 0, wholes = 0;
    bool has_atomics = false, has_signed = false;  ///< atomic operations, and such that ask for a sign
    void add(const Range& other) {
      reals += other.reals;
      wholes += other.wholes;
      has_atomics = has_atomics || other.has_atomics;
      has_signed = has_signed || other.has_signed;
    }
    Base base() const {
      if (has_signed && size >= 4) return size == 8 ? Base::int64 : Base::int_;
      const bool is_real = !has_atomics && (reals > wholes || (reals == wholes && reals != 0));
      if (size == 2) return is_real ? Base::half : Base::uint16;
      if (size == 8) return is_real ? Base::double_ : Base::uint64;
      return is_real ? Base::float_ : Base::uint_;
    }
  };
  std::vector<Range> ranges;
  Range all{.end = of.stride, .size = 8};  // of the size of the smallest number
  std::uint32_t largest = 0;
  bool is_plain = of.stride != 0 && of.stride % 2 == 0 && of.stride <= 2048;
  for_each_access(resource, [&](std::size_t function, Id id, const Address& address, unsigned count) {
    const ir::Function& f = module.functions[function];
    const std::uint32_t size = std::max(2U, ir::bit_width(f.insts[id].type) / 8);
    all.size = std::min(all.size, size);
    largest = std::max(largest, size);
    const bool is_known = address.terms.empty() && address.bytes >= 0 && address.bytes % size == 0;
    const auto first = static_cast<std::uint32_t>(is_known ? address.bytes : 0);
    Range range{.first = first, .end = std::min(first + size * count, of.stride), .size = size};
    const auto add = [&](Id value) {
      const bool is_real = ir::is_float(f.insts[value].type) || types.of[function][value] == ir::Declared::real;
      (is_real ? range.reals : range.wholes) += 1;
    };
    if (f.insts[id].op == Op::buffer_store) {
      for (const Id value : f.operands_of(id).last(count)) add(value);
    } else if (count == 1) {
      add(id);
    } else {
      for_each_get(function, id, add);
    }
    if (f.insts[id].op == Op::buffer_atomic) {
      range.has_atomics = true;
      range.has_signed = sign_of(ir::BufferExtra(f.insts[id].extra).op) == Sign::signed_;
    }
    all.add(range);
    is_plain = is_plain && is_known;
    if (is_known && range.first < range.end) ranges.push_back(range);
  });
  if (largest == 0) all.size = largest = 4;
  is_plain = is_plain && of.stride % largest == 0;
  std::vector<Range> merged;
  std::ranges::sort(ranges, {}, [](const Range& range) { return std::pair(range.first, range.end); });
  // one vector has what it has
  if (of.stride <= 4 * largest && all.size == largest && !ranges.empty()) merged.push_back({.end = of.stride, .size = largest});
  for (const Range& range : ranges) {
    if (!merged.empty() && range.first < merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
      merged.back().add(range);
      is_plain = is_plain && merged.back().size == range.size;
    } else {
      merged.push_back(range);
    }
  }
  // words: of the size of the smallest number, of which larger ones consist
  const auto add_words = [&](ByteLayout& layout) {
    const bool is_one_type = all.size == largest && all.size != 4 && all.wholes == 0;
    Range words = all;
    words.reals = words.wholes = 0;
    const Base base = is_one_type ? all.base() : words.base();
    return layout.add_array(layout.add_scalar(base), all.size, of.stride);
  };
  if (is_plain) {
    ByteLayout layout;
    ByteLayout::Part root;
    root.kind = ByteLayout::Kind::structure;
    const auto add_field = [&](std::uint32_t first, std::uint32_t count, Base base) {
      const std::uint32_t scalar = layout.add_scalar(base);
      const std::uint32_t part = count > 1 ? layout.add_vector(scalar, count) : scalar;
      root.members.push_back({"f" + std::to_string(first), first, part});
    };
    // vectors stand where all compilers put them: those to SPIR-V align them
    const auto add_fields = [&](std::uint32_t first, std::uint32_t end, Base base) {
      const std::uint32_t size = bits_of(base) / 8;
      if (first == 0 && end == of.stride && end <= 4 * size) return add_field(0, end / size, base);
      const auto fits_at = [&](std::uint32_t count, std::uint32_t alignment) {
        return end - first >= size * count && first % (size * alignment) == 0 && of.stride % (size * alignment) == 0;
      };
      while (first < end) {
        const std::uint32_t count = fits_at(4, 4) ? 4 : fits_at(3, 4) ? 3 : fits_at(2, 2) ? 2 : 1;
        add_field(first, count, base);
        first += size * count;
      }
    };
    const auto add_gap = [&](std::uint32_t first, std::uint32_t end) {
      add_fields(first, end, first % 4 == 0 && end % 4 == 0 ? Base::uint_ : Base::uint16);
    };
    std::uint32_t at = 0;
    for (const Range& range : merged) {
      add_gap(at, range.first);
      add_fields(range.first, range.end, range.base());
      at = range.end;
    }
    add_gap(at, of.stride);
    root.bytes = of.stride;
    if (root.members.size() == 1) {
      layout.root = root.members[0].part;
    } else {
      root.name = "Element" + std::to_string(of.stride);
      layout.root = layout.add(std::move(root));
    }
    if (!target->can_lay_out(layout)) {
      // as words, where vectors lie otherwise in the language
      layout = {};
      layout.root = add_words(layout);
    }
    made.layout = std::move(layout);
  } else {
    const std::uint32_t words = add_words(made.layout);
    ByteLayout::Part root;
    root.kind = ByteLayout::Kind::structure;
    root.name = "Element" + std::to_string(of.stride);
    root.bytes = of.stride;
    root.members.push_back({"words", 0, words});
    made.layout.root = made.layout.add(std::move(root));
  }
  resources_.emplace(resource, std::move(made));
}

// Whether a table is one of floats: of all that is read, and its numbers are such that compilers keep their bits.
bool ModuleWriter::is_read_as_floats(std::uint32_t variable) const {
  const ir::Variable& of = module.variables[variable];
  constexpr std::uint32_t kWord = 4, kExponent = 0x7f80'0000, kSign = 0x8000'0000;
  for (std::size_t at = 0; at + kWord <= of.initial.size(); at += kWord) {
    std::uint32_t bits = 0;
    for (std::uint32_t k = 0; k < kWord; ++k) bits |= std::to_integer<std::uint32_t>(of.initial[at + k]) << (8 * k);
    const std::uint32_t exponent = bits & kExponent;
    if (exponent == kExponent || (exponent == 0 && (bits & ~kSign) != 0)) return false;
  }
  bool any = false;
  for (const ir::Function& f : module.functions) {
    for (const ir::BlockId block : f.order) {
      for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
        if (f.insts[id].op != Op::load || f.insts[id].extra != variable) continue;
        if (f.insts[id].type != ir::Type::f32) return false;
        any = true;
      }
    }
  }
  return any && of.initial.size() % kWord == 0;
}

void ModuleWriter::lay_out_variables() {
  const auto variable_of = [](const ir::Inst& inst) {
    return inst.op == Op::load || inst.op == Op::store ? inst.extra : inst.op == Op::atomic ? ir::AtomicExtra(inst.extra).variable : kNone;
  };
  std::vector<std::vector<std::pair<const ir::Function*, Id>>> accesses(module.variables.size());
  for_each_inst([&](const ir::Function& f, Id id) {
    if (const std::uint32_t variable = variable_of(f.insts[id]); variable != kNone) accesses[variable].emplace_back(&f, id);
  });
  for (std::uint32_t at = 0; at < module.variables.size(); ++at) {
    const ir::Variable& of = module.variables[at];
    if (accesses[at].empty()) continue;
    Memory made;
    const bool is_typed = of.element != ir::Type::void_;
    Base base = is_typed ? base_of(of.element, ir::is_float(of.element) ? ir::Declared::real : ir::Declared::unsigned_) : Base::uint_;
    std::optional<ir::Declared> word;
    bool is_same = true;
    for (const ir::DeclaredWord& one : types.words) {
      if (one.variable != at) continue;
      is_same = is_same && (!word || *word == one.declared);
      word = one.declared;
    }
    if (word && is_same && (!is_typed || !ir::is_float(of.element)) && bits_of(base) == 32) base = base_of(ir::Type::i32, *word);
    if (of.space == ir::Space::constant && !is_typed && is_read_as_floats(at)) base = Base::float_;
    for (const auto& [f, id] : accesses[at]) {
      if (f->insts[id].op != Op::atomic) continue;
      if (is_real(base)) base = base_of(f->insts[id].type, ir::Declared::unsigned_);
      if (const Sign sign = sign_of(ir::AtomicExtra(f->insts[id].extra).op); sign != Sign::any)
        base = base_of(f->insts[id].type, sign == Sign::signed_ ? ir::Declared::signed_ : ir::Declared::unsigned_);
    }
    const std::uint32_t size = bits_of(base) / 8;
    ByteLayout& layout = made.layout;
    std::uint32_t part = layout.add_scalar(base);
    const std::uint32_t stride = of.stride == 0 || of.stride % size != 0 || of.bytes % of.stride != 0 ? size : of.stride;
    if (stride > size) part = stride <= 4 * size ? layout.add_vector(part, stride / size) : layout.add_array(part, size, stride);
    if (of.bytes > stride || stride > size) part = layout.add_array(part, stride, std::max(of.bytes, stride));
    layout.root = part;
    const std::string_view wanted = !of.name.empty()                  ? plain_name(of.name)
                                    : of.space == ir::Space::group    ? "shared"
                                    : of.space == ir::Space::constant ? "table"
                                                                      : "local";
    if (of.space == ir::Space::payload && options.language == ShadingLanguage::hlsl) {
      (void)names.reserve(wanted, at);
      made.name = "payload.words";
    } else {
      made.name = names.claim(wanted, at, Names::Kind::variable);
    }
    const bool is_in_elements = std::ranges::all_of(accesses[at], [&](const auto& access) {
      const auto& [f, id] = access;
      const auto place = layout.at(address_of(*f, f->operands_of(id)[0]));
      return place && bits_of(place->base) == ir::bit_width(f->insts[id].type);
    });
    if (!is_in_elements) {
      ByteLayout words;
      const Base flat = bits_of(base) == 32 ? base : Base::uint_;
      words.root = words.add_array(words.add_scalar(flat), 4, of.bytes);
      made.layout = std::move(words);
      made.is_flat = true;
    }
    variables_.emplace(at, std::move(made));
  }
}

}  // namespace unshade::write::source
