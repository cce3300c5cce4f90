#include "write/source/target.hpp"

#include "write/source/module_writer.hpp"

namespace unshade::write::source {

using Kind = ByteLayout::Kind;

std::optional<Target::AtomicWord> Target::atomic_word(ir::AtomicOp op) {
  using A = ir::AtomicOp;
  switch (op) {
    case A::add: return AtomicWord{"Add"};
    case A::and_: return AtomicWord{"And"};
    case A::or_: return AtomicWord{"Or"};
    case A::xor_: return AtomicWord{"Xor"};
    case A::smin: return AtomicWord{"Min", true, false};
    case A::smax: return AtomicWord{"Max", true, false};
    case A::umin: return AtomicWord{"Min", false, true};
    case A::umax: return AtomicWord{"Max", false, true};
    case A::exchange: return AtomicWord{"Exchange"};
    case A::compare_exchange: return AtomicWord{};
    default: writer_.unsupported("atomic operations on floats, or that wrap around"); return std::nullopt;
  }
}

void Target::check_sign(const AtomicWord& word, const AtomicPlace& place) {
  if (place.raw != nullptr) return;
  if ((word.is_signed && !is_signed(place.base)) || (word.is_unsigned && !is_unsigned(place.base)))
    writer_.unsupported("signed atomic minimum or maximum of unsigned integers, or the reverse");
}

bool Target::check_dimension(const TextureCall& call) {
  using dxcontainer::ResourceDimension;
  const ResourceDimension declared = writer_.module.resources[call.texture.resource].dimension;
  if (declared == call.extra.dimension || declared == ResourceDimension::unknown) return true;
  writer_.unsupported("accessing a resource of dimension " + std::string(id(declared)) + " as a " + std::string(id(call.extra.dimension)));
  return false;
}

void Target::check_attachment(const TextureCall& call) {
  if (call.op != ir::Op::texel_load) return writer_.unsupported("the size of an input attachment");
  if (!call.place.is_literal) writer_.unsupported("reading an input attachment at a position other than the fragment's");
}

Expression Target::as_operator(std::string_view word, Level level, const Expression& a, const Expression& b) const {
  Expression made;
  made.type = {Base::bool_, std::max(a.type.width, b.type.width)};
  made.level = level;
  if (word == "!") {
    made.text = '!' + a.in(Level::unary);
    return made;
  }
  // of equal level only what is joined by the same word needs no parentheses
  const auto joined = [&](const Expression& one, bool is_left) {
    if (one.level > level) return one.text;
    const bool is_chain = is_left && one.level == level && (level == Level::logical_and || level == Level::logical_or);
    return is_chain ? one.text : '(' + one.text + ')';
  };
  const auto with = [&](std::string_view between) { return joined(a, true) + ' ' + std::string(between) + ' ' + joined(b, false); };
  made.text = with(word);
  // comparisons with NaN are false, whatever the operator
  const bool is_ordered = !is_real(a.type.base) && a.type.base != Base::bool_;
  if (word == "==") made.opposite = with("!=");
  if (word == "!=") made.opposite = with("==");
  if (is_ordered && word == "<") made.opposite = with(">=");
  if (is_ordered && word == "<=") made.opposite = with(">");
  if (is_ordered && word == ">") made.opposite = with("<=");
  if (is_ordered && word == ">=") made.opposite = with("<");
  return made;
}

std::string Target::declaration(const ByteLayout& layout, std::uint32_t part, std::string_view name) const {
  std::string made = part_type(layout, part) + ' ' + std::string(name);
  for (std::uint32_t at = part; layout.parts[at].kind == Kind::array; at = layout.parts[at].inner)
    made += '[' + (layout.parts[at].count == 0 ? std::string() : std::to_string(layout.parts[at].count)) + ']';
  return made;
}

std::string Target::structure_body(const ByteLayout& layout, std::uint32_t part) const {
  std::string body;
  for (const ByteLayout::Member& member : layout.parts[part].members) body += "  " + declaration(layout, member.part, member.name) + ";\n";
  return body;
}

void Target::name_structures(Memory& memory) {
  ByteLayout& layout = memory.layout;
  for (std::uint32_t at = 0; at < layout.parts.size(); ++at) {
    ByteLayout::Part& of = layout.parts[at];
    if (of.kind != Kind::structure || (at == layout.root && of.is_block)) continue;
    const auto [found, is_new] = structures_.try_emplace(of.name + '\n' + structure_body(layout, at));
    if (is_new) {
      const std::string wanted = of.name.empty() ? "Structure" : of.name;
      found->second = writer_.names.claim(Name{wanted, wanted}, at, Names::Kind::structure);
    }
    structure_names_[{&layout, at}] = found->second.shown;
    for (ByteLayout::Member& member : of.members) member.name = writer_.names.member(found->second.plain, member.name);
  }
}

void Target::declare_structures(Text& out, const ByteLayout& layout, bool is_root) {
  for (std::uint32_t at = 0; at < layout.parts.size(); ++at) {
    if (layout.parts[at].kind != Kind::structure || (is_root && at == layout.root)) continue;
    const std::string& name = structure_name(layout, at);
    if (declared_.insert(name).second) out << "struct " << name << " {\n" << structure_body(layout, at) << "};\n\n";
  }
}

const std::string& Target::structure_name(const ByteLayout& layout, std::uint32_t part) const {
  const auto found = structure_names_.find({&layout, part});
  return found == structure_names_.end() ? layout.parts[part].name : found->second;
}

std::string_view interpolation_words(dxcontainer::Interpolation how, std::string_view constant) {
  using I = dxcontainer::Interpolation;
  switch (how) {
    case I::constant: return constant;
    case I::linear_centroid: return "centroid ";
    case I::linear_noperspective: return "noperspective ";
    case I::linear_noperspective_centroid: return "noperspective centroid ";
    case I::linear_sample: return "sample ";
    case I::linear_noperspective_sample: return "noperspective sample ";
    default: return "";
  }
}

}  // namespace unshade::write::source
