// The reflection as HLSL declarations: what is printed, in which order, and under which names.
#include <utility>

#include "shader/hlsl/printer.hpp"
#include "shader/reflect/scalar_text.hpp"

namespace unshade::shader::hlsl {

// --- top ---

void Printer::print() {
  connect();
  claim_names();
  print_heading();
  if (vulkan_) print_constants();
  print_types();
  for (std::uint32_t i = 0; i < reflection_.buffers.size(); ++i) print_buffer(i);
  for (std::uint32_t i = 0; i < reflection_.resources.size(); ++i) print_resource(i);
  if (reflection_.effect) print_effect(*reflection_.effect);
  for (const EntryPoint& entry : reflection_.entry_points) print_signatures(entry);
}

// --- what belongs to what ---

void Printer::connect() {
  bound_.assign(reflection_.buffers.size(), nullptr);
  for (const Resource& resource : reflection_.resources) {
    if (resource.buffer < bound_.size() && bound_[resource.buffer] == nullptr) bound_[resource.buffer] = &resource;
  }
}

void Printer::claim_names() {
  variable_names_.resize(reflection_.buffers.size());
  for (std::size_t i = 0; i < reflection_.buffers.size(); ++i) {
    const Buffer& buffer = reflection_.buffers[i];
    if (!is_block(buffer) && buffer.kind != BufferKind::interface_pointers) continue;
    if (is_object(buffer, bound_[i])) continue;
    for (const Variable& variable : buffer.variables) variable_names_[i].push_back(names_.claim(variable.name));
  }
  resource_names_.resize(reflection_.resources.size());
  for (std::size_t i = 0; i < reflection_.resources.size(); ++i) {
    if (!is_block(reflection_.resources[i])) resource_names_[i] = names_.claim(reflection_.resources[i].name);
  }
  for (std::size_t i = 0; i < reflection_.resources.size(); ++i) {
    if (is_block(reflection_.resources[i])) resource_names_[i] = names_.claim(reflection_.resources[i].name);
  }
  buffer_names_.resize(reflection_.buffers.size());
  for (std::size_t i = 0; i < reflection_.buffers.size(); ++i) {
    if (!is_block(reflection_.buffers[i])) continue;
    buffer_names_[i] = bound_[i] != nullptr ? resource_names_[static_cast<std::size_t>(bound_[i] - reflection_.resources.data())]
                                            : names_.claim(reflection_.buffers[i].name);
  }
}

std::uint32_t Printer::object_type(const Buffer& buffer) const {
  if (reflection_.major_version < 5 || (reflection_.major_version == 5 && reflection_.minor_version == 0)) return kNone;
  if (buffer.variables.size() != 1 || buffer.variables[0].name != buffer.name) return kNone;
  const Type* of = type(buffer.variables[0].type);
  return of != nullptr && of->is_struct() && of->elements <= 1 ? buffer.variables[0].type : kNone;
}

bool Printer::is_object(const Buffer& buffer, const Resource* resource) const {
  if (resource == nullptr || buffer.kind != BufferKind::cbuffer) return false;
  return resource->bind_count != 1 || object_type(buffer) != kNone;
}

// --- heading ---

void Printer::print_heading() {
  out_ << "// " << (reflection_.profile.empty() ? std::string_view("shader") : std::string_view(reflection_.profile));
  if (!reflection_.creator.empty()) print_comment_text(out_ << ", ", reflection_.creator);
  out_ << '\n';
  if (reflection_.rebuilt)
    out_ << "// The resource definitions were stripped: what follows is rebuilt from the declarations, with generated names.\n";
  for (const EntryPoint& entry : reflection_.entry_points) {
    if (!entry.thread_group) continue;
    out_ << "// [numthreads(";
    for (unsigned i = 0; i < 3; ++i) (out_ << (i == 0 ? "" : ", ")).dec((*entry.thread_group)[i]);
    out_ << ")]";
    for (unsigned i = 0; i < 3; ++i)
      if (entry.thread_group_constants[i] != kNone)
        (out_ << ", " << "xyz"[i] << " is specialization constant ").dec(entry.thread_group_constants[i]);
    out_ << '\n';
  }
}

void Printer::print_constants() {
  for (const SpecializationConstant& constant : reflection_.specialization_constants) {
    const bool has_literal = reflection::has_decimal(constant.type, constant.default_value);
    if (!has_literal || is_narrow(constant.type)) out_ << "// " << (has_literal ? "no such type in HLSL: " : "no literal in HLSL: ");
    (out_ << "[[vk::constant_id(").dec(constant.id) << ")]] const " << scalar_word(constant.type) << ' ' << names_.claim(constant.name);
    reflection::print_scalar(out_ << " = ", constant.type, constant.default_value);
    out_ << (constant.type == BaseType::double_ && has_literal ? "L;\n" : ";\n");
  }
}

// --- structs ---

void Printer::print_types() {
  // A type follows all that it refers to, so one pass from the end finds what is needed.
  std::vector<bool> needed(reflection_.types.size(), false);
  const auto need = [&](std::uint32_t index) {
    if (index < needed.size()) needed[index] = true;
  };
  for (const Buffer& buffer : reflection_.buffers)
    for (const Variable& variable : buffer.variables) need(variable.type);
  if (vulkan_)
    for (const EntryPoint& entry : reflection_.entry_points)
      for (const auto* elements : {&entry.inputs, &entry.outputs, &entry.patch_constants})
        for (const SignatureElement& element : *elements) need(element.type);
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const Member& member : reflection_.types[i].members) need(member.type);
    for (const std::uint32_t interface : reflection_.types[i].interfaces) need(interface);
  }
  type_names_.resize(reflection_.types.size());
  for (std::uint32_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    if (is_interface(reflection_.types[i])) print_interface(i);
    if (reflection_.types[i].is_struct()) print_struct(i);
  }
}

void Printer::print_interface(std::uint32_t index) {
  const auto [known, is_new] = interfaces_.try_emplace(reflection_.types[index].name);
  if (is_new) {
    known->second = names_.claim(known->first.empty() ? std::string_view("Interface") : std::string_view(known->first));
    out_ << "\ninterface " << known->second << "\n{\n};\n";
  }
  type_names_[index] = known->second;
}

void Printer::print_struct(std::uint32_t index) {
  const Type& of = reflection_.types[index];
  Text body;
  std::size_t first = 0;
  std::string bases;
  // A class that derives from another holds it as its first member.
  if (!of.members.empty() && of.members.front().name == "$super" && of.members.front().type < type_names_.size() &&
      !type_names_[of.members.front().type].empty()) {
    bases = type_names_[of.members.front().type];
    first = 1;
  }
  for (const std::uint32_t interface : of.interfaces) {
    if (interface >= type_names_.size() || type_names_[interface].empty()) continue;
    bases += (bases.empty() ? "" : ", ") + type_names_[interface];
  }
  if (!bases.empty()) body << " : " << bases;
  body << "\n{\n";
  Names members;
  for (std::size_t i = first; i < of.members.size(); ++i) {
    print_member(body, of.members[i].type, of.members[i].offset, members.claim(of.members[i].name));
  }
  body << "};\n";
  const auto [known, is_new] = structs_.try_emplace({of.name, body.str()});
  if (is_new) {
    known->second = names_.claim(of.name.empty() ? std::string_view("Struct") : std::string_view(of.name));
    out_ << (bases.empty() ? "\nstruct " : "\nclass ") << known->second << body.view();
  }
  type_names_[index] = known->second;
}

void Printer::print_place(Text& out, std::uint32_t offset) const {
  if (vulkan_ && offset != kNone) (out << "[[vk::offset(").dec(offset) << ")]] ";
}

void Printer::print_member(Text& out, std::uint32_t type, std::uint32_t offset, std::string_view name) const {
  if (print_narrow(out, type, offset, name)) return;
  out << "  ";
  print_place(out, offset);
  print_declaration(out, type, name);
  out << ";\n";
}

bool Printer::print_narrow(Text& out, std::uint32_t type, std::uint32_t offset, std::string_view name) const {
  const Type* const of = this->type(type);
  if (!vulkan_ || of == nullptr || !is_numeric(*of) || !is_narrow(of->base)) return false;
  out << "  // no such type in HLSL: ";
  print_declaration(out, type, name);
  if (offset != kNone) (out << ", offset ").dec(offset);
  out << '\n';
  return true;
}

std::string_view Printer::scalar_word(BaseType base) const {
  if (is_scalar_word(base)) return hlsl_word(base);
  if (base == BaseType::min8float) return "min10float";
  if (vulkan_ && is_narrow(base)) return base == BaseType::int8 ? "int8_t" : "uint8_t";  // in comments
  // Numbers of 16 and 64 bits came with shader model 6.
  constexpr std::uint8_t kModelOfSizes = 6;
  const bool has_sizes = vulkan_ || reflection_.major_version >= kModelOfSizes;
  return has_sizes && component_bytes(base) != kDefaultComponentBytes ? hlsl_word(base) : std::string_view("uint");
}

void Printer::print_type(Text& out, const Type& of, std::uint32_t index) const {
  if (is_numeric(of)) {
    if (of.type_class == TypeClass::matrix_rows) out << "row_major ";
    out << scalar_word(of.base);
    if (of.type_class == TypeClass::vector) out.dec(lanes(of.columns));
    if (is_matrix(of)) out.dec(lanes(of.rows)) << 'x', out.dec(lanes(of.columns));
    return;
  }
  if (index < type_names_.size() && !type_names_[index].empty()) {
    out << type_names_[index];
    return;
  }
  const std::string_view word = hlsl_word(of.base);
  out << (word.starts_with("Texture") ? word : word.starts_with("sampler") ? std::string_view("SamplerState") : std::string_view("uint"));
}

void Printer::print_declaration(Text& out, std::uint32_t index, std::string_view name) const {
  const Type* of = type(index);
  if (of == nullptr) {
    out << "uint " << name;
    return;
  }
  print_type(out, *of, index);
  out << ' ' << name;
  if (of->dimensions.empty()) {
    if (of->elements != 0) (out << '[').dec(of->elements) << ']';
    return;
  }
  for (const std::uint32_t count : of->dimensions) {
    out << '[';
    if (count != 0) out.dec(count);
    out << ']';
  }
}

}  // namespace unshade::shader::hlsl

namespace unshade::shader {

void print_hlsl(const Reflection& reflection, Text& out) { hlsl::Printer(reflection, out).print(); }

}  // namespace unshade::shader
