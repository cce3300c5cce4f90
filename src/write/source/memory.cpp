// Constant buffers, local and group memory: bytes as members and elements.
#include <algorithm>

#include "write/source/function_writer.hpp"
#include "write/source/prepare.hpp"

namespace unshade::write::source {

std::string FunctionWriter::index_text(const Index& index) {
  Expression made;
  bool is_first = true;
  std::vector<Expression> values;
  for (const Address::Term& term : index.terms) {
    values.push_back(one(term.value));
    if (is_real(values.back().type.base)) values.back() = as(values.back(), Base::uint_);
  }
  // numbers that are added to an unsigned one are unsigned where signs do not mix
  const bool is_unsigned =
      !target_.mixes_signs() && std::ranges::all_of(values, [](const Expression& value) { return value.type.base == Base::uint_; });
  const std::string_view suffix = is_unsigned ? "u" : "";
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Address::Term& term = index.terms[k];
    Expression& value = values[k];
    if (!target_.mixes_signs() && !is_unsigned) value = as(value, Base::int_);
    if (term.scale != 1) {
      const Expression by{std::to_string(term.scale).append(suffix), Level::postfix, value.type, true};
      value = binary("*", Level::product, value, by, value.type);
    }
    made = is_first ? value : binary("+", Level::sum, made, value, value.type);
    is_first = false;
  }
  if (is_first) return std::to_string(index.number);
  if (index.number != 0) {
    const Expression by{std::to_string(index.number < 0 ? -index.number : index.number).append(suffix), Level::postfix, made.type, true};
    made = binary(index.number < 0 ? "-" : "+", Level::sum, made, by, made.type);
  }
  return made.text;
}

std::string FunctionWriter::path_text(std::string prefix, std::span<const Step> path) {
  for (const Step& step : path) {
    if (!step.member.empty()) {
      if (!prefix.empty()) prefix += '.';
      prefix += step.member;
    } else {
      prefix += '[' + index_text(step.index) + ']';
    }
  }
  return prefix;
}

// A vector of scalars that lie somewhere, each read once for all that lie beside each other.
Expression FunctionWriter::read(const std::string& prefix, std::span<const ScalarPlace> places) {
  const auto is_beside = [&](const ScalarPlace& a, const ScalarPlace& b) {
    return a.kind == b.kind && a.kind == ScalarPlace::Kind::vector && a.path == b.path && a.component.terms.empty() &&
           b.component.terms.empty();
  };
  const auto in_one_row = [&](const ScalarPlace& a, const ScalarPlace& b) {
    return a.kind == b.kind && (a.kind == ScalarPlace::Kind::rows || a.kind == ScalarPlace::Kind::columns) && a.path == b.path &&
           a.vector == b.vector && a.component.terms.empty() && b.component.terms.empty();
  };
  std::vector<Expression> parts;
  for (std::size_t at = 0; at < places.size();) {
    const ScalarPlace& first = places[at];
    std::size_t end = at + 1;
    while (end < places.size() && (is_beside(first, places[end]) || in_one_row(first, places[end]))) ++end;
    std::vector<std::uint8_t> components;
    for (std::size_t k = at; k < end; ++k) components.push_back(static_cast<std::uint8_t>(places[k].component.number));
    const std::string path = path_text(prefix, first.path);
    if (first.kind == ScalarPlace::Kind::scalar) {
      parts.push_back({path, Level::postfix, {first.base, 1}});
    } else if (first.kind == ScalarPlace::Kind::vector && first.component.terms.empty()) {
      parts.push_back(swizzled(path, first.width, components, first.base));
    } else if (first.kind == ScalarPlace::Kind::vector) {
      parts.push_back({path + '[' + index_text(first.component) + ']', Level::postfix, {first.base, 1}});
    } else {
      const bool is_rows = first.kind == ScalarPlace::Kind::rows;
      const bool is_swizzled = first.component.terms.empty() && (end - at > 1 || (is_rows && target_.words() == ShadingLanguage::hlsl));
      // a whole vector in memory is a row, or a column
      if (is_swizzled) {
        parts.push_back(swizzled(target_.matrix_element(path, is_rows, index_text(first.vector), ""), first.width, components, first.base));
        at = end;
        continue;
      }
      for (std::size_t k = at; k < end; ++k) {
        const std::string vector = index_text(places[k].vector), component = index_text(places[k].component);
        parts.push_back({target_.matrix_element(path, is_rows, vector, component), Level::postfix, {first.base, 1}});
      }
    }
    at = end;
  }
  if (parts.size() == 1) return parts[0];
  Expression made;
  made.type = {parts[0].type.base, static_cast<std::uint8_t>(places.size())};
  for (Expression& part : parts) part = as(part, made.type.base);
  return call(target_.type_name(made.type), std::move(parts), made.type);
}

std::optional<std::vector<ScalarPlace>> FunctionWriter::places(const ByteLayout& layout, Address address, unsigned count,
                                                               unsigned bytes) const {
  std::vector<ScalarPlace> made;
  for (unsigned k = 0; k < count; ++k) {
    const auto place = layout.at(address);
    if (!place || bits_of(place->base) != bytes * 8) return std::nullopt;
    made.push_back(*place);
    address.bytes += bytes;
  }
  return made;
}

// A number of a buffer that is declared as words of another size: a part of one, or several.
std::optional<Expression> FunctionWriter::composed(const std::string& prefix, const ByteLayout& layout, const Address& address, Type type) {
  const unsigned bytes = ir::bit_width(type) / 8;
  const auto part = [&](std::int64_t offset, Type of) -> std::optional<Expression> {
    Address at = address;
    at.bytes += offset;
    const auto found = places(layout, at, 1, ir::bit_width(of) / 8);
    if (!found) return of == type ? std::nullopt : composed(prefix, layout, at, of);
    return as(read(prefix, *found), ModuleWriter::base_of(of, ir::Declared::unsigned_));
  };
  const Base whole = ModuleWriter::base_of(type, ir::Declared::unsigned_);
  const Base want = ir::is_float(type) ? ModuleWriter::base_of(type, ir::Declared::real) : whole;
  const auto converted = [&](const std::string& text, Base to) { return target_.type_name({to, 1}) + '(' + text + ')'; };
  if (bytes == 8) {
    const auto low = part(0, Type::i32), high = part(4, Type::i32);
    if (!low || !high) return std::nullopt;
    ir::Inst inst;
    inst.op = Op::pack64;
    inst.type = ir::is_float(type) ? Type::f64 : Type::i64;
    const Expression words[] = {*low, *high};
    return target_.operation(inst, words, {want, 1});
  }
  if (bytes == 4) {
    const auto part_at = [&](std::int64_t offset) {
      Address at = address;
      at.bytes += offset;
      return places(layout, at, 1, 2);
    };
    const auto low = part_at(0), high = part_at(2);
    if (!low || !high) return std::nullopt;
    const auto word = [&](const std::vector<ScalarPlace>& place) {
      return converted(as(read(prefix, place), Base::uint16).text, Base::uint_);
    };
    return as({word(*high) + " << 16 | " + word(*low), Level::bit_or, {Base::uint_, 1}}, want);
  }
  // a half of a word
  if (bytes != 2 || address.bytes % 2 != 0 ||
      !std::ranges::all_of(address.terms, [](const Address::Term& term) { return term.scale % 4 == 0; }))
    return std::nullopt;
  Address at = address;
  const bool is_high = (at.bytes & 2) != 0;
  at.bytes -= is_high ? 2 : 0;
  const auto found = places(layout, at, 1, 4);
  if (!found) return std::nullopt;
  const Expression word = as(read(prefix, *found), Base::uint_);
  return as({converted(is_high ? word.in(Level::shift) + " >> 16" : word.text, Base::uint16), Level::postfix, {Base::uint16, 1}}, want);
}

// Numbers of a type from an address on; nothing if one lies nowhere.
std::optional<Expression> FunctionWriter::read_members(const std::string& prefix, const ByteLayout& layout, const Address& address,
                                                       Type type, std::span<const std::uint8_t> members) {
  const unsigned bytes = ir::bit_width(type) / 8;
  std::vector<ScalarPlace> all;
  std::vector<Address> addresses(members.size(), address);
  for (std::size_t k = 0; k < members.size(); ++k) {
    addresses[k].bytes += members[k] * bytes;
    if (const auto found = places(layout, addresses[k], 1, bytes)) all.push_back(found->front());
  }
  if (all.size() == members.size()) return read(prefix, all);
  std::vector<Expression> parts;
  for (const Address& one : addresses) {
    const auto found = places(layout, one, 1, bytes);
    auto made = found ? std::optional(read(prefix, *found)) : composed(prefix, layout, one, type);
    if (!made) return std::nullopt;
    parts.push_back(*std::move(made));
  }
  if (parts.size() == 1) return parts[0];
  const ValueType of{parts[0].type.base, static_cast<std::uint8_t>(parts.size())};
  for (Expression& one : parts) one = as(std::move(one), of.base);
  return call(target_.type_name(of), std::move(parts), of);
}

Expression FunctionWriter::constant_load(Ids ids) {
  if (ids.size() == 1) {
    static constexpr std::uint8_t kAll[] = {0, 1, 2, 3};
    return members_of_load(ids[0], std::span(kAll).first(std::clamp<std::size_t>(f_.insts[ids[0]].results, 1, 4)));
  }
  const ResourceUse buffer = resource(f_.operands_of(ids[0])[0]);
  if (buffer.resource == kNone) return {"0", Level::postfix, {}};
  const Memory& memory = writer_.memory_of(buffer.resource);
  const ir::Resource& of = writer_.module.resources[buffer.resource];
  const std::string prefix = of.count != 1 ? buffer.text + (memory.name.empty() ? "" : '.' + memory.name) : memory.name;
  std::vector<ScalarPlace> all;
  for (const Id id : ids) {
    const auto found =
        places(memory.layout, address_of(f_, f_.operands_of(id)[1]), f_.insts[id].results, ir::bit_width(f_.insts[id].type) / 8);
    if (!found) return apart(ids);
    all.insert(all.end(), found->begin(), found->end());
  }
  return read(prefix, all);
}

// A number of a constant buffer of registers, at any address: what names it more often than a word is a function.
std::optional<Expression> FunctionWriter::number_at(const std::string& prefix, Base base, Id address, std::uint32_t after, Type type) {
  const unsigned bits = ir::bit_width(type);
  if (bits < 16) return std::nullopt;
  const bool is_function = bits != 32 && prefix.find('[') == std::string::npos;
  const auto number = [&](std::uint32_t value) { return target_.literal(Base::uint_, value, false); };
  Expression given = one(address, Base::uint_);
  if (after != 0 && bits != 32) given = {given.in(Level::sum) + " + " + number(after), Level::sum, given.type};
  const Expression start = is_function ? Expression{"address", Level::postfix, {Base::uint_, 1}} : given;
  const auto word = [&](std::uint32_t offset) {
    const std::string at = offset == 0 ? start.in(Level::shift) : '(' + start.in(Level::sum) + " + " + number(offset) + ')';
    return Expression{prefix + '[' + at + " >> 4][(" + at + " >> 2) & " + number(3) + ']', Level::postfix, {base, 1}};
  };
  if (bits == 32) return word(after);
  const Base want = ModuleWriter::base_of(type, ir::is_float(type) ? ir::Declared::real : ir::Declared::unsigned_);
  std::optional<Expression> made;
  if (bits == 16) {
    const std::string half = as(word(0), Base::uint_).in(Level::shift) + " >> ((" + start.in(Level::shift) + " & " + number(2) + ") << 3)";
    made = as({target_.type_name({Base::uint16, 1}) + '(' + half + ')', Level::postfix, {Base::uint16, 1}}, want);
  } else {
    ir::Inst pack;
    pack.op = Op::pack64;
    pack.type = ir::is_float(type) ? Type::f64 : Type::i64;
    const Expression words[] = {as(word(0), Base::uint_), as(word(4), Base::uint_)};
    made = target_.operation(pack, words, {want, 1});
  }
  if (!made || !is_function) return made;
  const std::string text =
      target_.type_name(made->type) + " @(" + target_.type_name(start.type) + " address) {\n  return " + made->text + ";\n}\n";
  return Expression{writer_.helper("numberAt", text) + '(' + given.text + ')', Level::postfix, made->type};
}

// Some members of what a load gives, written where they are used.
Expression FunctionWriter::members_of_load(Id load, std::span<const std::uint8_t> members) {
  const ir::Inst& inst = f_.insts[load];
  const auto pick = [&](Expression whole) {
    if (bits_of(whole.type.base) == 64 && ir::bit_width(inst.type) == 32) {
      // the words of a texel of 64 bits
      ir::Inst unpack;
      unpack.op = Op::unpack64;
      unpack.type = Type::i64;
      const Expression number[] = {{whole.in(Level::postfix) + (whole.type.width > 1 ? ".x" : ""), Level::postfix, {whole.type.base, 1}}};
      if (std::ranges::any_of(members, [](std::uint8_t member) { return member > 1; }))
        writer_.unsupported("texels of several numbers of 64 bits");
      if (auto words = target_.operation(unpack, number, {Base::uint_, 2})) whole = *std::move(words);
    }
    // a whole vector of another width than the results has
    Expression made = swizzled(whole.in(Level::postfix), whole.type.width, members, whole.type.base);
    if (ir::bit_width(inst.type) != 16 || bits_of(made.type.base) != 32) return made;
    // texels have words
    made.type.base = is_real(made.type.base) ? Base::half : is_signed(made.type.base) ? Base::int16 : Base::uint16;
    made.text = target_.type_name(made.type) + '(' + made.text + ')';
    made.level = Level::postfix;
    return made;
  };
  if (has_status(inst)) {
    if (std::ranges::any_of(members, [&](std::uint8_t member) { return member + 1U != inst.results; }))
      writer_.unsupported("values of a load that says whether its memory is mapped");  // prepared() parts them
    return status_of(load);
  }
  switch (inst.op) {
    case Op::cbuffer_load: {
      const ResourceUse buffer = resource(f_.operands_of(load)[0]);
      if (buffer.resource == kNone) return {"0", Level::postfix, {}};
      const Memory& memory = writer_.memory_of(buffer.resource);
      const ir::Resource& of = writer_.module.resources[buffer.resource];
      const std::string prefix = of.count != 1 ? buffer.text + (memory.name.empty() ? "" : '.' + memory.name) : memory.name;
      const Id at_operand = f_.operands_of(load)[1];
      if (auto made = read_members(prefix, memory.layout, address_of(f_, at_operand), inst.type, members)) return *std::move(made);
      const unsigned bytes = ir::bit_width(inst.type) / 8;
      if (memory.is_registers && members.size() == 1)
        if (auto made = number_at(prefix, memory.layout.parts[0].base, at_operand, members[0] * bytes, inst.type)) return *std::move(made);
      writer_.unsupported("a constant of " + std::to_string(8 * bytes) + " bits that match no member of its constant buffer");
      return {"0", Level::postfix, {}};
    }
    case Op::buffer_load: {
      const ir::BufferExtra extra(inst.extra);
      if (extra.kind == ir::BufferKind::typed) return pick(target_.texture(texture_call(load)));
      return buffer_load(load, members);
    }
    case Op::texel_load:
    case Op::sample:
    case Op::sample_implicit:
    case Op::gather:
    case Op::query_size:
    case Op::query_levels:
    case Op::query_samples:
    case Op::query_lod:
    case Op::sample_position: return pick(target_.texture(texture_call(load)));
    default: {
      std::vector<Expression> operands;
      const auto ids = f_.operands_of(load);
      for (const Id id : ids) {
        const Type of = ir::result_type(f_, id);
        operands.push_back(one(id, ir::is_float(of) ? ModuleWriter::base_of(of, ir::Declared::real)
                                   : of == Type::b1 ? Base::bool_
                                                    : ModuleWriter::base_of(of, ir::Declared::unsigned_)));
      }
      const Type first = ir::info(inst.op).results.starts_with('i') ? Type::i32 : inst.type;
      const ValueType type{ModuleWriter::base_of(first, ir::is_float(first) ? ir::Declared::real : ir::Declared::unsigned_), inst.results};
      if (auto made = target_.operation(inst, operands, type)) return pick(*made);
      unsupported_operation(inst.op);
      return {"0", Level::postfix, {}};
    }
  }
}

// An array of words: the one that holds a byte.
std::string FunctionWriter::flat_place(const Memory& memory, Id offset, unsigned add) {
  const Address address = address_of(f_, offset);
  const auto is_word = [](const Address::Term& term) { return term.scale % 4 == 0; };
  if (std::ranges::all_of(address.terms, is_word) && address.bytes % 4 == 0) {
    Index index;
    index.number = address.bytes / 4 + add;
    for (const Address::Term& term : address.terms) index.terms.push_back({term.value, term.scale / 4});
    return memory.name + '[' + index_text(index) + ']';
  }
  const Expression bytes = one(offset, Base::uint_);
  return memory.name + "[(" + bytes.text + ") >> 2" + (add == 0 ? "" : " + " + std::to_string(add)) + ']';
}

Expression FunctionWriter::load(Ids ids) {
  const ir::Inst& inst = f_.insts[ids[0]];
  const Memory& memory = writer_.variable(inst.extra);
  const unsigned bytes = ir::bit_width(inst.type) / 8;
  if (memory.is_flat) {
    if (bytes != 4) writer_.unsupported("local memory of several widths");
    std::vector<Expression> parts;
    for (const Id id : ids)
      parts.push_back({flat_place(memory, f_.operands_of(id)[0], 0), Level::postfix, {memory.layout.parts[0].base, 1}});
    if (parts.size() == 1) return parts[0];
    const ValueType type{parts[0].type.base, static_cast<std::uint8_t>(parts.size())};
    return call(target_.type_name(type), std::move(parts), type);
  }
  std::vector<ScalarPlace> all;
  for (const Id id : ids) {
    const auto found = places(memory.layout, address_of(f_, f_.operands_of(id)[0]), 1, bytes);
    if (!found) {
      writer_.unsupported("local memory of several widths");
      return {"0", Level::postfix, {}};
    }
    all.push_back(found->front());
  }
  return read(memory.name, all);
}

// Where scalars that lie beside each other are assigned.
FunctionWriter::Target_ FunctionWriter::place_text(const std::string& prefix, std::span<const ScalarPlace> places) {
  const ScalarPlace& first = places[0];
  const std::string path = path_text(prefix, first.path);
  switch (first.kind) {
    case ScalarPlace::Kind::scalar: return {path, {first.base, 1}};
    case ScalarPlace::Kind::vector: {
      if (!first.component.terms.empty()) return {path + '[' + index_text(first.component) + ']', {first.base, 1}};
      std::vector<std::uint8_t> components;
      for (const ScalarPlace& one : places) components.push_back(static_cast<std::uint8_t>(one.component.number));
      const Expression made = swizzled(path, first.width, components, first.base);
      return {made.text, made.type};
    }
    default:
      if (places.size() > 1) {
        // a column as a whole
        std::vector<std::uint8_t> components;
        for (const ScalarPlace& one : places) components.push_back(static_cast<std::uint8_t>(one.component.number));
        const Expression made =
            swizzled(target_.matrix_element(path, false, index_text(first.vector), ""), first.width, components, first.base);
        return {made.text, made.type};
      }
      const std::string vector = index_text(first.vector), component = index_text(first.component);
      return {target_.matrix_element(path, first.kind == ScalarPlace::Kind::rows, vector, component), {first.base, 1}};
  }
}

// Stores to a variable that follow each other.
void FunctionWriter::store(Statements& into, Ids list_of) {
  std::vector<Id> ids(list_of.begin(), list_of.end());
  if (ids.size() > 1) std::ranges::sort(ids, {}, [&](Id id) { return address_of(f_, f_.operands_of(id)[0]).bytes; });
  const ir::Inst& inst = f_.insts[ids[0]];
  const Memory& memory = writer_.variable(inst.extra);
  const unsigned bytes = ir::bit_width(inst.type) / 8;
  std::vector<ScalarPlace> all;
  std::vector<Id> values;
  for (const Id id : ids) {
    values.push_back(f_.operands_of(id)[1]);
    if (memory.is_flat) continue;
    const auto found = places(memory.layout, address_of(f_, f_.operands_of(id)[0]), 1, bytes);
    if (!found) return writer_.unsupported("local memory of several widths");
    all.push_back(found->front());
  }
  Target_ to;
  if (memory.is_flat) {
    if (bytes != 4) return writer_.unsupported("local memory of several widths");
    to = {flat_place(memory, f_.operands_of(ids[0])[0], 0), {memory.layout.parts[0].base, 1}};
  } else {
    to = place_text(memory.name, all);
  }
  Expression value = widened(loosely(values, to.type.base), to.type.width);
  Statement& made = add(into, StatementKind::assign, to.text, ids[0]);
  made.value = std::move(value);
}

}  // namespace unshade::write::source
