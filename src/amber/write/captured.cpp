// Geometry shaders that store what a stage gives, for scripts of Amber: which have no word for outputs of vertices.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/outputs.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/spirv/module.hpp>

#include "amber/write/writer.hpp"

namespace unshade::amber::writer {
namespace {

using spirv::StorageClass;
using spirv::TypeKind;

bool is_position(const ir::Element& element) { return element.system_value == dxcontainer::SystemValue::position; }

ir::Element scalar_of(const ir::Element& element) {
  ir::Element made = element;
  made.columns = 1;
  return made;
}

}  // namespace

bool is_stored(const ir::Element& element) {
  if (element.type != ir::Type::f32 && element.type != ir::Type::i32) return false;
  if (element.rows != 1) return false;
  return is_position(element) || (element.system_value == dxcontainer::SystemValue::undefined && element.first_register != ir::kNone);
}

std::string storing_shader(std::span<const ir::Element> outputs, std::uint32_t first_binding) {
  Text names, decorations, types, variables, code;
  std::map<std::string, bool> declared;
  const auto is_new = [&](const std::string& name) { return !std::exchange(declared[name], true); };
  const auto declare = [&](const ir::Element& one) {
    const std::string scalar = assembly_type(scalar_of(one)), name = assembly_type(one);
    if (one.type == ir::Type::f32 && is_new(scalar)) types << "%f32 = OpTypeFloat 32\n";
    if (is_new(scalar + " stored")) {
      decorations << "OpDecorate %all_" << scalar << " ArrayStride 4\nOpDecorate %block_" << scalar << " BufferBlock\n"
                  << "OpMemberDecorate %block_" << scalar << " 0 Offset 0\n";
      types << "%all_" << scalar << " = OpTypeRuntimeArray %" << scalar << "\n%block_" << scalar << " = OpTypeStruct %all_" << scalar
            << "\n%to_block_" << scalar << " = OpTypePointer Uniform %block_" << scalar << "\n%to_" << scalar
            << " = OpTypePointer Uniform %" << scalar << '\n';
    }
    if (one.columns != 1 && is_new(name)) (types << '%' << name << " = OpTypeVector %" << scalar << ' ').dec(one.columns) << '\n';
    if (is_new(name + " read"))
      types << "%one_" << name << " = OpTypeArray %" << name << " %length\n%in_one_" << name << " = OpTypePointer Input %one_" << name
            << '\n';
    if (is_new(name + " pointer")) types << "%in_" << name << " = OpTypePointer Input %" << name << '\n';
  };
  for (const char* const known : {"i32", "u32", "i32 pointer"}) declared[known] = true;
  for (std::size_t at = 0; at < outputs.size(); ++at) {
    const ir::Element& one = outputs[at];
    const std::string number = std::to_string(at), type = assembly_type(one), scalar = assembly_type(scalar_of(one));
    declare(one);
    names << " %in" << number;
    if (is_position(one)) {
      decorations << "OpDecorate %in" << number << " BuiltIn Position\n";
    } else {
      (decorations << "OpDecorate %in" << number << " Location ").dec(one.first_register) << '\n';
      if (one.first_column != 0) (decorations << "OpDecorate %in" << number << " Component ").dec(one.first_column) << '\n';
    }
    decorations << "OpDecorate %out" << number << " DescriptorSet 0\nOpDecorate %out" << number << " Binding ";
    decorations.dec(first_binding + at) << '\n';
    variables << "%in" << number << " = OpVariable %in_one_" << type << " Input\n%out" << number << " = OpVariable %to_block_" << scalar
              << " Uniform\n";
    code << "%from" << number << " = OpAccessChain %in_" << type << " %in" << number << " %c0\n%value" << number << " = OpLoad %" << type
         << " %from" << number << "\n%first" << number << " = OpIMul %i32 %index %c";
    code.dec(one.columns) << '\n';
    for (unsigned k = 0; k < one.columns; ++k) {
      const std::string part = number + '_' + std::to_string(k);
      (code << "%at" << part << " = OpIAdd %i32 %first" << number << " %c").dec(k)
          << "\n%to" << part << " = OpAccessChain %to_" << scalar << " %out" << number << " %c0 %at" << part << '\n';
      if (one.columns == 1) {
        code << "OpStore %to" << part << " %value" << number << '\n';
        continue;
      }
      (code << "%part" << part << " = OpCompositeExtract %" << scalar << " %value" << number << ' ').dec(k)
          << "\nOpStore %to" << part << " %part" << part << '\n';
    }
  }
  Text made;
  made << "OpCapability Geometry\nOpMemoryModel Logical GLSL450\nOpEntryPoint Geometry %main \"main\" %number" << names.view()
       << "\nOpExecutionMode %main InputPoints\nOpExecutionMode %main Invocations 1\nOpExecutionMode %main OutputPoints\n"
       << "OpExecutionMode %main OutputVertices 1\nOpDecorate %number BuiltIn PrimitiveId\n"
       << decorations.view() << "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%i32 = OpTypeInt 32 1\n%u32 = OpTypeInt 32 0\n"
       << "%in_i32 = OpTypePointer Input %i32\n%length = OpConstant %u32 1\n";
  for (unsigned k = 0; k <= 4; ++k) ((made << "%c").dec(k) << " = OpConstant %i32 ").dec(k) << '\n';
  made << types.view() << "%number = OpVariable %in_i32 Input\n"
       << variables.view() << "%main = OpFunction %void None %function\n%entry = OpLabel\n%index = OpLoad %i32 %number\n"
       << code.view() << "OpReturn\nOpFunctionEnd\n";
  return made.str();
}

namespace {

/// Adds stores to a geometry shader, whose ids are numbers in the listing: names are new ones.
class EmitStorer {
 public:
  EmitStorer(const spirv::Module& module, std::span<const ir::Element> outputs, std::uint32_t first_binding, std::size_t most)
      : module_(module), interface_(spirv::interface_of(module)), outputs_(outputs), first_binding_(first_binding), most_(most) {}

  Result<std::string> write(std::string_view name);

 private:
  /// Where an output is: a variable, or a member of a block.
  struct Source {
    std::uint32_t variable = 0;
    std::uint32_t type = spirv::kNone;  ///< place
    std::optional<std::uint32_t> member;
  };
  bool is_old() const { return module_.header().version < 0x10300; }
  std::string_view storage() const { return is_old() ? "Uniform" : "StorageBuffer"; }
  StorageClass storage_class() const { return is_old() ? StorageClass::uniform : StorageClass::storage_buffer; }
  std::optional<Source> find(const spirv::EntryPoint& entry, const ir::Element& element) const;
  /// The id of a scalar of 32 bits, of the module or a new one.
  std::string scalar(const ir::Element& element);
  std::string number(std::uint32_t value);
  std::string pointer(StorageClass storage, std::string_view word, const std::string& to);
  void buffer(const std::string& name, const std::string& scalar, std::uint32_t binding);
  void store(bool is_cut, std::string_view stream, Text& to);

  const spirv::Module& module_;
  const spirv::Interface interface_;
  std::span<const ir::Element> outputs_;
  std::uint32_t first_binding_;
  std::size_t most_;
  std::vector<Source> sources_;
  std::map<std::string, std::string> made_;  ///< ids by what they are
  Text decorations_, types_, variables_;
  std::string names_;  ///< of the variables, for the interface
  std::string u32_, truth_;
  std::size_t sites_ = 0;
};

std::optional<EmitStorer::Source> EmitStorer::find(const spirv::EntryPoint& entry, const ir::Element& element) const {
  for (const std::uint32_t id : entry.interface_ids) {
    const std::uint32_t place = interface_.find_variable(id);
    if (place == spirv::kNone || interface_.variables[place].storage != StorageClass::output) continue;
    const spirv::Variable& variable = interface_.variables[place];
    const spirv::Decorations& own = interface_.of(variable);
    const auto is_it = [&](const spirv::Decorations& of) {
      if (of.stream.value_or(0) != element.stream) return false;
      if (is_position(element)) return of.builtin == spirv::BuiltIn::position;
      return !of.builtin && of.location == element.first_register && of.component.value_or(0) == element.first_column;
    };
    const spirv::Type* const type = interface_.type(variable.type);
    if (type == nullptr) continue;
    if (type->kind != TypeKind::structure) {
      if (is_it(own)) return Source{id, variable.type, {}};
      continue;
    }
    const auto members = interface_.members_of(*type);
    for (std::uint32_t member = 0; member < members.size(); ++member) {
      if (is_it(spirv::of_member(interface_.of(members[member]), own))) return Source{id, members[member].type, member};
    }
  }
  return std::nullopt;
}

std::string EmitStorer::scalar(const ir::Element& element) {
  const bool is_real = element.type == ir::Type::f32;
  for (const spirv::Type& one : interface_.types) {
    if (one.width != 32 || one.kind != (is_real ? TypeKind::real : TypeKind::integer)) continue;
    if (is_real || one.is_signed == element.is_signed) return '%' + std::to_string(one.id);
  }
  const std::string name = "%stored_" + assembly_type(scalar_of(element));
  if (made_.try_emplace(name, name).second)
    types_ << name << (is_real ? " = OpTypeFloat 32\n" : element.is_signed ? " = OpTypeInt 32 1\n" : " = OpTypeInt 32 0\n");
  return name;
}

std::string EmitStorer::number(std::uint32_t value) {
  std::string name = "%stored_" + std::to_string(value);
  if (made_.try_emplace(name, name).second) types_ << name << " = OpConstant " << u32_ << ' ' << std::to_string(value) << '\n';
  return name;
}

std::string EmitStorer::pointer(StorageClass storage, std::string_view word, const std::string& to) {
  for (const spirv::Type& one : interface_.types) {
    if (one.kind != TypeKind::pointer || one.storage != storage || interface_.type(one.element) == nullptr) continue;
    if ('%' + std::to_string(interface_.type(one.element)->id) == to) return '%' + std::to_string(one.id);
  }
  const std::string name = "%stored_to_" + std::string(word) + '_' + to.substr(1);
  if (made_.try_emplace(name, name).second) types_ << name << " = OpTypePointer " << word << ' ' << to << '\n';
  return name;
}

void EmitStorer::buffer(const std::string& name, const std::string& scalar, std::uint32_t binding) {
  decorations_ << "OpDecorate %all_" << name << " ArrayStride 4\nOpMemberDecorate %block_" << name << " 0 Offset 0\nOpDecorate %block_"
               << name << (is_old() ? " BufferBlock\n" : " Block\n") << "OpDecorate %" << name << " DescriptorSet 0\nOpDecorate %" << name
               << " Binding ";
  decorations_.dec(binding) << '\n';
  types_ << "%all_" << name << " = OpTypeRuntimeArray " << scalar << "\n%block_" << name << " = OpTypeStruct %all_" << name
         << "\n%to_block_" << name << " = OpTypePointer " << storage() << " %block_" << name << '\n';
  variables_ << '%' << name << " = OpVariable %to_block_" << name << ' ' << storage() << '\n';
  names_ += " %" + name;
}

// Stores before an instruction that emits or cuts. `stream`: its number.
void EmitStorer::store(bool is_cut, std::string_view stream, Text& to) {
  const std::string site = "%site" + std::to_string(sites_++);
  const std::string zero = number(0), one = number(1), to_u32 = pointer(storage_class(), storage(), u32_);
  std::size_t stores = 0;
  const auto place = [&](const std::string& name, const std::string& scalar, const std::string& index) {
    const std::string made = site + "_to" + std::to_string(stores++);
    to << made << " = OpAccessChain " << pointer(storage_class(), storage(), scalar) << " %" << name << ' ' << zero << ' ' << index << '\n';
    return made;
  };
  const auto compute = [&](std::string_view what, const std::string& a, const std::string& b) {
    const std::string made = site + "_is" + std::to_string(stores++);
    to << made << " = " << what << ' ' << u32_ << ' ' << a << ' ' << b << '\n';
    return made;
  };
  const std::string counter = place("stored_emits", u32_, zero);
  to << site << " = OpAtomicIAdd " << u32_ << ' ' << counter << ' ' << one << ' ' << zero << ' ' << one << '\n';
  // what there is no room for goes after the others
  const std::string fits = site + "_fits", at = site + "_at", last = number(static_cast<std::uint32_t>(most_));
  to << fits << " = OpULessThan " << truth_ << ' ' << site << ' ' << last << '\n'
     << at << " = OpSelect " << u32_ << ' ' << fits << ' ' << site << ' ' << last << '\n';
  const std::string pair = compute("OpIMul", at, number(2));
  const std::string kind = place("stored_emits", u32_, compute("OpIAdd", pair, one));
  to << "OpStore " << kind << ' ' << number(is_cut ? 2 : 1) << '\n';
  const std::string where = place("stored_emits", u32_, compute("OpIAdd", pair, number(2)));
  to << "OpStore " << where << ' ' << stream << '\n';
  for (std::size_t k = 0; k < outputs_.size() && !is_cut; ++k) {
    const ir::Element& output = outputs_[k];
    const std::string type = '%' + std::to_string(interface_.type(sources_[k].type)->id), own = scalar(output);
    const std::string name = site + "_value" + std::to_string(k);
    std::string from = '%' + std::to_string(sources_[k].variable);
    if (sources_[k].member) {
      to << name << "_from = OpAccessChain " << pointer(StorageClass::output, "Output", type) << ' ' << from << ' '
         << number(*sources_[k].member) << '\n';
      from = name + "_from";
    }
    to << name << " = OpLoad " << type << ' ' << from << '\n';
    const std::string first = compute("OpIMul", at, number(output.columns));
    for (std::uint32_t column = 0; column < output.columns; ++column) {
      std::string part = name;
      if (output.columns != 1) {
        part += '_' + std::to_string(column);
        to << part << " = OpCompositeExtract " << own << ' ' << name << ' ' << std::to_string(column) << '\n';
      }
      const std::string index = compute("OpIAdd", first, number(column));
      const std::string target = place("stored_output" + std::to_string(k), own, index);
      to << "OpStore " << target << ' ' << part << '\n';
    }
  }
}

Result<std::string> EmitStorer::write(std::string_view name) {
  const auto entry = std::ranges::find_if(interface_.entry_points, [&](const spirv::EntryPoint& one) {
    return one.name == name && one.model == spirv::ExecutionModel::geometry;
  });
  if (entry == interface_.entry_points.end()) return cannot("the module has no geometry shader " + std::string(name));
  for (const ir::Element& one : outputs_) {
    const auto source = find(*entry, one);
    if (!source) return cannot("the output " + run::semantic_key(one, 0) + " shares its variable with another output and cannot be stored");
    sources_.push_back(*source);
  }
  ir::Element whole;
  whole.type = ir::Type::i32;
  u32_ = scalar(whole);
  for (const spirv::Type& one : interface_.types)
    if (one.kind == TypeKind::boolean) truth_ = '%' + std::to_string(one.id);
  if (truth_.empty()) {
    truth_ = "%stored_truth";
    types_ << "%stored_truth = OpTypeBool\n";
  }
  buffer("stored_emits", u32_, first_binding_);
  for (std::size_t k = 0; k < outputs_.size(); ++k)
    buffer("stored_output" + std::to_string(k), scalar(outputs_[k]), first_binding_ + 1 + static_cast<std::uint32_t>(k));
  Text listing, code;
  spirv::list_module(module_, listing, {.friendly_names = false, .indent = false, .header = false});
  std::string_view rest = listing.view();
  std::string before, declarations;
  const std::string quoted = '"' + std::string(name) + '"';
  enum class Part : std::uint8_t { start, types, functions } part = Part::start;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const std::string line(rest.substr(0, end));
    rest.remove_prefix(end);
    const bool is_type = line.find(" = OpType") != std::string::npos || line.starts_with("OpTypeForwardPointer");
    if (part == Part::start && is_type) part = Part::types;
    if (part != Part::functions && line.find(" = OpFunction ") != std::string::npos) part = Part::functions;
    if (part == Part::start) {
      before += line;
      const bool is_entry =
          line.starts_with("OpEntryPoint Geometry %" + std::to_string(entry->function) + ' ') && line.find(quoted) != std::string::npos;
      // all variables are named from 1.4 on
      if (is_entry && module_.header().version >= 0x10400) before.insert(before.size() - 1, names_);
    } else if (part == Part::types) {
      declarations += line;
    } else {
      const bool emits = line.starts_with("OpEmitVertex") || line.starts_with("OpEmitStreamVertex");
      const bool cuts = line.starts_with("OpEndPrimitive") || line.starts_with("OpEndStreamPrimitive");
      if (emits || cuts) {
        std::string stream = number(0);
        if (line.find("Stream") != std::string::npos) {
          const std::size_t id = line.find('%');
          const std::uint32_t place =
              interface_.find_constant(static_cast<std::uint32_t>(std::strtoul(line.c_str() + id + 1, nullptr, 10)));
          if (place == spirv::kNone || !interface_.constants[place].has_value) return cannot("the number of a stream must be a constant");
          stream = number(static_cast<std::uint32_t>(interface_.constants[place].value));
        }
        store(cuts, stream, code);
      }
      code << line;
    }
  }
  return before + decorations_.str() + declarations + types_.str() + variables_.str() + code.str();
}

}  // namespace

Result<std::string> storing_emits(View bytes, std::string_view entry, std::span<const ir::Element> outputs, std::uint32_t first_binding,
                                  std::size_t most) {
  const auto module = spirv::parse(bytes);
  if (!module) return module.error();
  return EmitStorer(*module, outputs, first_binding, most).write(entry);
}

}  // namespace unshade::amber::writer
