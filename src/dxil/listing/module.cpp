// A module but for its code: types, globals, prototypes, attribute groups.
#include "dxil/listing/module.hpp"

#include <utility>

namespace unshade::dxil::listing {

IrPrinter::IrPrinter(const Module& module, Text& out, std::size_t limit, const ListingOptions& options)
    : module_(module),
      out_(out),
      limit_(out.size() + limit),
      comments_(options.comments),
      exact_(options.exact),
      style_(dxc_style(options.dxc)),
      structs_(find_structs(module)),
      metadata_(module),
      attributes_(module),
      global_slots_(module.values.size(), kNone),
      callees_(module.functions.size()),
      type_texts_(module.types.size()),
      value_texts_(module.values.size()),
      module_values_(static_cast<std::uint32_t>(module.values.size())) {
  std::uint32_t next = 0;
  const auto number = [&](std::uint32_t value) {
    if (module.values[value].name.empty()) global_slots_[value] = next++;
  };
  for (const Global& global : module.globals) number(global.value);
  for (const Alias& alias : module.aliases) number(alias.value);
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const Function& function = module.functions[i];
    number(function.value);
    attributes_.add(function.attributes);
    const std::string_view name = name_of(module.values[function.value]);
    callees_[i] = {name.starts_with("dx.op."), name == "llvm.dbg.declare", name == "llvm.dbg.value"};
  }
  metadata_.add_named();
}

Result<void> IrPrinter::print() {
  print_header();
  print_types();
  print_comdats();
  if (!module_.globals.empty()) out_ << '\n';
  for (const Global& global : module_.globals) {
    if (full()) break;
    print_global(global);
  }
  if (!module_.aliases.empty()) out_ << '\n';
  for (const Alias& alias : module_.aliases) {
    if (full()) break;
    print_alias(alias);
  }
  for (const Function& function : module_.functions) {
    if (full()) break;
    print_function(function);
  }
  print_attribute_groups();
  print_named_metadata();
  print_metadata_nodes();
  if (exact_) print_exact_kinds();
  if (too_deep_) return Error{ErrorCode::limit, 0, "module", "types or constants are nested too deeply to be listed"};
  if (full()) return Error{ErrorCode::limit, 0, "module", "the listing exceeds its limit for the size of the module"};
  return {};
}

void IrPrinter::print_header() {
  if (!module_.data_layout.empty()) {
    out_ << "target datalayout = ";
    print_raw_string(module_.data_layout);
    out_ << '\n';
  }
  if (!module_.triple.empty()) {
    out_ << "target triple = ";
    print_raw_string(module_.triple);
    out_ << '\n';
  }
  std::string_view assembly = module_.text(module_.inline_asm);
  if (assembly.empty()) return;
  out_ << '\n';
  while (!assembly.empty()) {
    const std::size_t end = assembly.find('\n');
    out_ << "module asm \"";
    print_escaped(out_, assembly.substr(0, end));
    out_ << "\"\n";
    assembly = end == std::string_view::npos ? std::string_view() : assembly.substr(end + 1);
  }
}

void IrPrinter::print_types() {
  if (structs_.numbered.empty() && structs_.named.empty()) return;
  out_ << '\n';
  for (const auto* list : {&structs_.numbered, &structs_.named})
    for (const std::uint32_t type : *list) {
      if (full()) return;
      print_type(type);
      out_ << " = type ";
      print_struct_body(module_.types[type]);
      out_ << '\n';
    }
}

void IrPrinter::print_comdats() {
  constexpr std::string_view kSelections[] = {"any", "exactmatch", "largest", "noduplicates", "samesize"};
  // Those that something uses, in the order of their first use by functions, then by globals.
  std::vector<bool> seen(module_.comdats.size());
  std::vector<std::uint32_t> order;
  const auto use = [&](std::uint32_t comdat) {
    if (comdat == kNone || seen[comdat]) return;
    seen[comdat] = true;
    order.push_back(comdat);
  };
  for (const Function& function : module_.functions) use(function.comdat);
  for (const Global& global : module_.globals) use(global.comdat);
  for (const std::uint32_t i : order) {
    const Comdat& comdat = module_.comdats[i];
    out_ << '\n';
    print_name(out_, module_.text(comdat.name), NamePrefix::comdat);
    const std::uint32_t selection = comdat.selection >= 1 && comdat.selection <= std::size(kSelections) ? comdat.selection : 1;
    out_ << " = comdat " << kSelections[selection - 1] << '\n';
  }
}

void IrPrinter::print_linkage(Linkage linkage, Visibility visibility, DllStorage storage) {
  if (const std::string_view word = text(linkage); !word.empty()) out_ << word << ' ';
  switch (visibility) {
    case Visibility::default_: break;
    case Visibility::hidden: out_ << "hidden "; break;
    case Visibility::protected_: out_ << "protected "; break;
  }
  switch (storage) {
    case DllStorage::default_: break;
    case DllStorage::import: out_ << "dllimport "; break;
    case DllStorage::export_: out_ << "dllexport "; break;
  }
}

void IrPrinter::print_thread_local(ThreadLocal mode) {
  switch (mode) {
    case ThreadLocal::none: break;
    case ThreadLocal::general_dynamic: out_ << "thread_local "; break;
    case ThreadLocal::local_dynamic: out_ << "thread_local(localdynamic) "; break;
    case ThreadLocal::initial_exec: out_ << "thread_local(initialexec) "; break;
    case ThreadLocal::local_exec: out_ << "thread_local(localexec) "; break;
  }
}

void IrPrinter::print_section(std::uint32_t section) {
  if (section == kNone || module_.sections[section].empty()) return;
  out_ << " section \"";
  print_escaped(out_, module_.text(module_.sections[section]));
  out_ << '"';
}

void IrPrinter::print_comdat_of(std::uint32_t comdat, const Value& owner, bool comma) {
  if (comdat == kNone) return;
  out_ << (comma ? ", comdat" : " comdat");
  const std::string_view name = module_.text(module_.comdats[comdat].name);
  if (name == name_of(owner)) return;
  out_ << '(';
  print_name(out_, name, NamePrefix::comdat);
  out_ << ')';
}

void IrPrinter::print_global(const Global& global) {
  print_value(global.value);
  out_ << " = ";
  if (global.initializer == kNone && global.linkage == Linkage::external) out_ << "external ";
  print_linkage(global.linkage, global.visibility, global.dll_storage);
  print_thread_local(global.thread_local_mode);
  if (global.unnamed_addr) out_ << "unnamed_addr ";
  if (global.address_space != 0) {
    out_ << "addrspace(";
    out_.dec(global.address_space) << ") ";
  }
  if (global.externally_initialized) out_ << "externally_initialized ";
  out_ << (global.constant ? "constant " : "global ");
  print_type(global.type);
  if (global.initializer != kNone) {
    out_ << ' ';
    print_value(global.initializer);
  }
  if (global.section != kNone && !module_.sections[global.section].empty()) out_ << ',';
  print_section(global.section);
  print_comdat_of(global.comdat, module_.values[global.value], true);
  if (global.alignment != 0) {
    out_ << ", align ";
    out_.dec(global.alignment);
  }
  out_ << '\n';
}

void IrPrinter::print_alias(const Alias& alias) {
  print_value(alias.value);
  out_ << " = ";
  print_linkage(alias.linkage, alias.visibility, alias.dll_storage);
  print_thread_local(alias.thread_local_mode);
  if (alias.unnamed_addr) out_ << "unnamed_addr ";
  out_ << "alias ";
  if (alias.aliasee == kNone) {
    print_type(module_.values[alias.value].type);
    out_ << " <<NULL ALIASEE>>\n";
    return;
  }
  const Value& aliasee = module_.values[alias.aliasee];
  const bool expression = aliasee.kind == ValueKind::constant && module_.constants[aliasee.index].kind >= ConstantKind::binary;
  if (expression) {
    print_value(alias.aliasee);
  } else {
    print_typed_value(alias.aliasee);
  }
  out_ << '\n';
}

// --- attributes --------------------------------------------------------------------------------------------------------------------------

/// A string that LLVM 3.7 prints as it is, so that quotes and backslashes in it are read as something else. Exact listings escape them.
void IrPrinter::print_raw_string(StringRange text) {
  out_ << '"';
  if (exact_)
    print_escaped(out_, module_.text(text));
  else
    out_ << module_.text(text);
  out_ << '"';
}

void IrPrinter::print_attribute(const Attribute& attribute, bool in_group) {
  switch (attribute.kind) {
    case AttributeKind::text:
      print_raw_string(attribute.key);
      if (attribute.text.empty()) return;
      out_ << '=';
      print_raw_string(attribute.text);
      return;
    case AttributeKind::unknown:
      out_ << "unknown(";
      out_.dec(attribute.code) << ')';
      return;
    case AttributeKind::align:
      out_ << text(attribute.kind) << (in_group ? '=' : ' ');
      out_.dec(attribute.value);
      return;
    case AttributeKind::alignstack:
    case AttributeKind::dereferenceable:
    case AttributeKind::dereferenceable_or_null:
      out_ << text(attribute.kind) << (in_group ? '=' : '(');
      out_.dec(attribute.value);
      if (!in_group) out_ << ')';
      return;
    default: out_ << text(attribute.kind); return;
  }
}

void IrPrinter::print_attributes(std::uint32_t list, std::uint32_t slot, std::string_view before, std::string_view after) {
  const AttributeGroup* group = attributes_.group(list, slot);
  if (group == nullptr || full()) return;
  out_ << before;
  bool first = true;
  for (const Attribute& attribute : attributes_.sorted(*group)) {
    if (!first) out_ << ' ';
    first = false;
    print_attribute(attribute, false);
  }
  out_ << after;
}

void IrPrinter::print_attribute_groups() {
  const auto& groups = attributes_.groups();
  if (groups.empty()) return;
  out_ << '\n';
  for (std::size_t i = 0; i < groups.size() && !full(); ++i) {
    out_ << "attributes #";
    out_.dec(i) << " = { ";
    bool first = true;
    for (const Attribute& attribute : attributes_.sorted(*groups[i])) {
      if (!first) out_ << ' ';
      first = false;
      print_attribute(attribute, true);
    }
    out_ << " }\n";
  }
}

void IrPrinter::print_calling_convention(std::uint32_t convention) {
  if (const std::string_view word = calling_convention_text(convention); !word.empty()) {
    out_ << word;
  } else {
    out_ << "cc";
    out_.dec(convention);
  }
}

void IrPrinter::print_attachments(std::span<const Attachment> attachments, std::string_view separator) {
  for (const Attachment& attachment : attachments) {
    if (full()) return;
    out_ << separator << '!';
    print_metadata_identifier(module_.text(module_.metadata_kinds[attachment.kind].name));
    out_ << ' ';
    print_metadata(attachment.node);
  }
}

// --- functions ---------------------------------------------------------------------------------------------------------------------------

void IrPrinter::print_declared_parameters(const Function& function, const Type& type) {
  const auto parts = module_.parts_of(type);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (i != 1) out_ << ", ";
    print_type(parts[i]);
    print_attributes(function.attributes, static_cast<std::uint32_t>(i), " ", {});
    if (body_ == nullptr) continue;
    const Value& parameter = module_.local_values[body_->values.first + i - 1];
    if (parameter.name.empty()) continue;
    out_ << ' ';
    print_name(out_, name_of(parameter), NamePrefix::local);
  }
  if (type.variadic) out_ << (parts.size() > 1 ? ", ..." : "...");
}

void IrPrinter::print_function(const Function& function) {
  const Type& type = module_.types[function.type];
  out_ << '\n';
  if (const AttributeGroup* group = attributes_.group(function.attributes, AttributeGroup::kFunction)) {
    bool first = true;
    const std::size_t comment = out_.size();
    for (const Attribute& attribute : attributes_.sorted(*group)) {
      if (attribute.kind == AttributeKind::text) continue;
      out_ << (first ? "; Function Attrs: " : " ");
      first = false;
      print_attribute(attribute, false);
    }
    place(PlacedComment::By::function, static_cast<std::size_t>(&function - module_.functions.data()), comment);
    if (!first) out_ << '\n';
  }
  enter_values(function.body == kNone ? nullptr : &module_.bodies[function.body]);
  out_ << (body_ == nullptr ? "declare " : "define ");
  print_linkage(function.linkage, function.visibility, function.dll_storage);
  if (function.calling_convention != 0) {
    print_calling_convention(function.calling_convention);
    out_ << ' ';
  }
  print_attributes(function.attributes, AttributeGroup::kReturn, {}, " ");
  print_type(module_.parts_of(type)[0]);
  out_ << ' ';
  print_value(function.value);
  out_ << '(';
  print_declared_parameters(function, type);
  out_ << ')';
  if (function.unnamed_addr) out_ << " unnamed_addr";
  if (const std::uint32_t slot = attributes_.slot_of(function.attributes); slot != kNone) {
    out_ << " #";
    out_.dec(slot);
  }
  print_section(function.section);
  print_comdat_of(function.comdat, module_.values[function.value], false);
  if (function.alignment != 0) {
    out_ << " align ";
    out_.dec(function.alignment);
  }
  if (function.gc != kNone) {
    out_ << " gc ";
    print_raw_string(module_.gc_names[function.gc]);
  }
  const std::pair<std::string_view, std::uint32_t> data[] = {
      {" prefix ", function.prefix}, {" prologue ", function.prologue}, {" personality ", function.personality}};
  for (const auto& [word, id] : data) {
    if (id == kNone) continue;
    out_ << word;
    print_typed_value(id);
  }
  if (body_ == nullptr) {
    out_ << '\n';
    return;
  }
  metadata_.add_function(function.body);
  std::uint32_t cursor = body_->attachments.first;
  print_attachments(metadata_.attachments_of(*body_, kNone, cursor), " ");
  out_ << " {";
  enter_body(*body_);
  print_body(*body_);
  out_ << "}\n";
  enter_values(nullptr);
}

}  // namespace unshade::dxil::listing
