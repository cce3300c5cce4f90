// Subobjects of a library, from RDAT.
#include <string_view>
#include <utility>

#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/root_signature_text.hpp>

#include "shader/reflect/dxil/definitions.hpp"
#include "shader/reflect/subobjects.hpp"

namespace unshade::shader::reflection {

namespace {

using dxil::SubobjectKind;

/// False once the budget is spent.
bool add_root_signature(View bytes, Subobject& to, ReflectionBudget& budget) {
  if (!budget.spend(bytes.text())) return false;
  to.root_signature.assign(bytes.bytes().begin(), bytes.bytes().end());
  dxcontainer::Part part;
  part.fourcc = dxcontainer::fourcc("RTS0");
  part.data = bytes;
  const auto signature = dxcontainer::parse_root_signature(part);
  Text text;
  if (!signature || !dxcontainer::print_root_signature(*signature, text)) return true;
  if (!budget.spend(text.view())) return false;
  to.root_signature_text = text.view();
  return true;
}

}  // namespace

void add_subobjects(Reflection& reflection, const dxil::Rdat& rdat, ReflectionBudget& budget) {
  for (const dxil::RdatSubobject& from : rdat.subobjects) {
    Subobject to;
    to.kind = from.kind;
    to.flags = from.flags;
    to.max_payload_bytes = from.max_payload_bytes;
    to.max_attribute_bytes = from.max_attribute_bytes;
    to.max_recursion_depth = from.max_recursion_depth;
    to.hit_group = from.hit_group;
    const std::pair<std::string&, const String&> texts[] = {{to.name, from.name},
                                                            {to.subobject, from.subobject},
                                                            {to.any_hit, from.any_hit},
                                                            {to.closest_hit, from.closest_hit},
                                                            {to.intersection, from.intersection}};
    for (const auto& [copy, text] : texts) {
      if (!budget.spend(text.text)) return;
      copy = text.text;
    }
    if (from.kind == SubobjectKind::subobject_to_exports_association) {
      const dxil::RdatIndexes exports = rdat.indexes(from.exports_array);
      for (std::size_t i = 0; i < exports.size(); ++i) {
        const std::string_view name = rdat.text(exports[i]);
        if (!budget.spend(name)) return;
        to.exports.emplace_back(name);
      }
    }
    if (from.kind == SubobjectKind::global_root_signature || from.kind == SubobjectKind::local_root_signature)
      if (!add_root_signature(rdat.bytes(from.root_signature), to, budget)) return;
    reflection.subobjects.push_back(std::move(to));
  }
}

std::vector<SubobjectFact> facts_of(const Subobject& s) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  const auto named = [&](auto value) { return id(value).empty() ? number(static_cast<std::uint32_t>(value)) : std::string(id(value)); };
  Text flags;
  if (s.flags == 0) flags << "none";
  std::uint32_t rest = s.flags;
  for (const NamedValue& flag : subobject_flag_names(s.kind).values) {
    if ((rest & flag.value) == 0) continue;
    flags << (flags.empty() ? "" : " ") << flag.id;
    rest &= ~static_cast<std::uint32_t>(flag.value);
  }
  if (rest != 0) (flags << (flags.empty() ? "0x" : " 0x")).hex(rest);
  std::string exports;
  for (const std::string& name : s.exports) (exports += exports.empty() ? "" : " ") += name;
  switch (s.kind) {
    case SubobjectKind::state_object_config: return {{"flags", flags.str()}};
    case SubobjectKind::global_root_signature:
    case SubobjectKind::local_root_signature: {
      std::string text;  // its elements on one line
      for (const char c : s.root_signature_text) text += c == '\n' ? ' ' : c;
      if (text.ends_with(' ')) text.pop_back();
      return {{"root_signature", text.empty() ? number(static_cast<std::uint32_t>(s.root_signature.size())) + " bytes" : text}};
    }
    case SubobjectKind::subobject_to_exports_association: return {{"subobject", s.subobject}, {"exports", exports}};
    case SubobjectKind::raytracing_shader_config:
      return {{"max_payload_bytes", number(s.max_payload_bytes)}, {"max_attribute_bytes", number(s.max_attribute_bytes)}};
    case SubobjectKind::raytracing_pipeline_config: return {{"max_recursion_depth", number(s.max_recursion_depth)}};
    case SubobjectKind::raytracing_pipeline_config1:
      return {{"max_recursion_depth", number(s.max_recursion_depth)}, {"flags", flags.str()}};
    case SubobjectKind::hit_group:
      return {{"type", named(s.hit_group)}, {"any_hit", s.any_hit}, {"closest_hit", s.closest_hit}, {"intersection", s.intersection}};
  }
  return {};
}

}  // namespace unshade::shader::reflection

namespace unshade::shader {

const NameTable& subobject_flag_names(dxil::SubobjectKind kind) {
  return kind == dxil::SubobjectKind::state_object_config ? dxil::kStateObjectFlagNames : dxil::kPipelineFlagNames;
}

}  // namespace unshade::shader
