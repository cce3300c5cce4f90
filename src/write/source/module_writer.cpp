#include "write/source/module_writer.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/hull.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/write/translate.hpp>

#include "write/places.hpp"
#include "write/source/function_writer.hpp"
#include "write/source/prepare.hpp"

namespace unshade::write::source {

using dxcontainer::ResourceKind;
using ir::Op;

Base ModuleWriter::base_of(ir::Type type, ir::Declared declared) {
  const bool is_real = declared == ir::Declared::real, is_signed = declared == ir::Declared::signed_;
  switch (type) {
    case ir::Type::b1: return Base::bool_;
    case ir::Type::f16: return is_signed ? Base::int16 : declared == ir::Declared::unsigned_ ? Base::uint16 : Base::half;
    case ir::Type::i8:
    case ir::Type::i16: return is_real ? Base::half : is_signed ? Base::int16 : Base::uint16;
    case ir::Type::f64: return is_signed ? Base::int64 : declared == ir::Declared::unsigned_ ? Base::uint64 : Base::double_;
    case ir::Type::i64: return is_real ? Base::double_ : is_signed ? Base::int64 : Base::uint64;
    case ir::Type::f24:
    case ir::Type::f32: return is_signed ? Base::int_ : declared == ir::Declared::unsigned_ ? Base::uint_ : Base::float_;
    default: return is_real ? Base::float_ : is_signed ? Base::int_ : Base::uint_;
  }
}

bool ModuleWriter::is_unnamed(std::string_view name) {
  return name.size() > 1 && name[0] == '_' && std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

ModuleWriter::ModuleWriter(const ir::Structured& in, const shader::Reflection* reflects, const SourceOptions& with,
                           const std::set<std::string>& functions)
    : module(*in.module),
      structured(in),
      reflection(reflects),
      options(with),
      types(ir::declared_types(*in.module)),
      names(with.language, with.names) {
  for (const std::string& function : functions) (void)names.reserve(function);
}

const shader::Resource* ModuleWriter::reflected(const ir::Resource& resource) const {
  if (reflection == nullptr || resource.heap) return nullptr;
  const auto is_it = [&](const shader::Resource& one) {
    const std::uint64_t end = one.bind_count == 0 ? ~std::uint64_t{0} : std::uint64_t{one.bind_point} + one.bind_count;
    if (resource.in_set && resource.space == kPushConstants) return one.kind == ResourceKind::push_constants;
    const bool is_kind = one.kind == resource.kind || (resource.in_set && one.kind != ResourceKind::push_constants);
    return is_kind && one.space == resource.space && one.bind_point <= resource.first_register && resource.first_register < end &&
           (!resource.in_set || resource.name.empty() || one.name == resource.name);
  };
  const auto found = std::ranges::find_if(reflection->resources, is_it);
  return found == reflection->resources.end() ? nullptr : &*found;
}

namespace {

// What is found in a descriptor heap, by its kind.
std::string heap_name(const ir::Resource& resource) {
  if (resource.kind == ResourceKind::sampler) return "heapSamplers";
  if (resource.kind == ResourceKind::cbuffer) return "heapConstants";
  return resource.dimension == dxcontainer::ResourceDimension::buffer ? "heapBuffers" : "heapTextures";
}

}  // namespace

std::string ModuleWriter::helper(std::string_view name, std::string_view text, bool overloads) {
  std::string key(text);
  const auto found = helper_names_.find(key);
  if (found != helper_names_.end()) return found->second;
  std::string own;
  if (const auto other = overloaded_.find(name); overloads && other != overloaded_.end()) {
    own = other->second;
  } else {
    own = names.reserve(name, helpers_.size());
    if (overloads) overloaded_.emplace(name, own);
  }
  std::string made;
  for (const char c : text) c == '@' ? made += own : made += c;
  helpers_.push_back(std::move(made));
  return helper_names_.emplace(std::move(key), std::move(own)).first->second;
}

// Those of one variable stand one after the other; others are two variables for one descriptor.
void ModuleWriter::find_pairs() {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> samplers;
  const auto place_of = [](const ir::Resource& of) { return std::make_tuple(of.space, of.first_register, of.count); };
  for (std::uint32_t at = 0; at < module.resources.size(); ++at)
    if (module.resources[at].in_set && module.resources[at].kind == ResourceKind::sampler)
      samplers[place_of(module.resources[at])].push_back(at);
  for (const bool is_next : {true, false}) {
    for (std::uint32_t at = 0; at < module.resources.size(); ++at) {
      const ir::Resource& of = module.resources[at];
      if (!of.in_set || of.kind != ResourceKind::texture || pairs_.contains(at)) continue;
      const auto place = samplers.find(place_of(of));
      if (place == samplers.end()) continue;
      const auto found = is_next ? std::ranges::find(place->second, at + 1) : place->second.begin();
      if (found == place->second.end()) continue;
      pairs_.emplace(at, *found);
      paired_textures_.emplace(*found, at);
      place->second.erase(found);
    }
  }
}

void ModuleWriter::index_uses() {
  for (std::size_t number = 0; number < module.functions.size(); ++number) {
    const ir::Function& f = module.functions[number];
    Gets& gets = gets_.emplace_back();
    gets.first.assign(f.insts.size(), ir::kNone);
    gets.next.assign(f.insts.size(), ir::kNone);
    for (const ir::BlockId block : f.order) {
      for (Id id = f.blocks[block].first; id != ir::kNone; id = f.next[id]) {
        const ir::Inst& inst = f.insts[id];
        const auto resource = [&] {
          const ir::Inst& handle = f.insts[f.operands_of(id)[0]];
          return is_handle(handle.op) ? handle.extra : ir::kNone;
        };
        if (is_handle(inst.op)) used_.insert(inst.extra);
        switch (inst.op) {
          case Op::load:
          case Op::store: used_variables_.insert(inst.extra); break;
          case Op::atomic: used_variables_.insert(ir::AtomicExtra(inst.extra).variable); break;
          case Op::query_size: measured_.insert(resource()); break;
          case Op::cbuffer_load:
          case Op::buffer_load:
          case Op::buffer_store:
          case Op::buffer_atomic: accesses_[resource()].push_back({number, id}); break;
          case Op::get: {
            const Id of = f.operands_of(id)[0];
            gets.next[id] = std::exchange(gets.first[of], id);
            break;
          }
          default: break;
        }
      }
    }
  }
}

namespace {

// `t3`, `t3_space1`: also what files are reflected with that have no names.
std::string made_up_name(const ir::Resource& of) {
  std::string made = std::string(dxcontainer::register_letters(of.kind)) + std::to_string(of.first_register);
  if (of.space != 0) made += "_space" + std::to_string(of.space);
  return made;
}

}  // namespace

// Empty: the file has none.
std::string ModuleWriter::own_name(std::uint32_t resource) const {
  const ir::Resource& of = module.resources[resource];
  std::string name = of.name;
  if (name.empty())
    if (const auto* const row = reflected(of); row != nullptr) name = row->name;
  return is_unnamed(name) || name == made_up_name(of) ? std::string() : name;
}

void ModuleWriter::name_resources() {
  for (std::uint32_t at = 0; at < module.resources.size(); ++at) {
    const ir::Resource& of = module.resources[at];
    if (of.heap) {
      const std::string name = heap_name(of);
      resource_names_.push_back(used_.contains(at) ? names.claim(Name{name, name}, at, Names::Kind::resource) : Name{name, name});
      continue;
    }
    std::string wanted = own_name(at);
    if (const GivenDeclaration* const declared = given(at); declared != nullptr && wanted.empty()) wanted = declared->resource->name;
    if (wanted.empty()) wanted = made_up_name(of);
    // of a variable that is both
    const auto texture = paired_textures_.find(at);
    if (texture != paired_textures_.end() && !of.name.empty() && module.resources[texture->second].name == of.name)
      wanted += wanted.ends_with('_') ? "sampler" : "_sampler";
    resource_names_.push_back(names.claim(Name{wanted, wanted}, at, Names::Kind::resource));
  }
}

void ModuleWriter::find_precise() {
  for_each_inst([&](const ir::Function& f, Id id) {
    const ir::Inst& inst = f.insts[id];
    if (inst.op != Op::fadd && inst.op != Op::fsub && inst.op != Op::fmul && inst.op != Op::fdiv && inst.op != Op::fmad) return;
    (ir::has(inst.flags, ir::Flags::precise) ? has_fixed_ : has_free_) = true;
  });
}

Result<SourceText> ModuleWriter::run() {
  if (options.names != nullptr)
    if (auto good = check_names(*options.names, options.language); !good) return std::move(good).error();
  target = options.language == ShadingLanguage::hlsl ? make_hlsl(*this) : make_glsl(*this);
  find_precise();
  find_pairs();
  index_uses();
  match_declarations();
  name_resources();
  for (std::uint32_t at = 0; at < module.resources.size(); ++at) {
    const ir::Resource& of = module.resources[at];
    if (of.kind == ResourceKind::cbuffer) lay_out_constants(at);
    if (of.stride != 0) lay_out_elements(at);
    if (of.in_set && target->has_blocks() && (of.kind == ResourceKind::byte_address || of.kind == ResourceKind::uav_byte_address))
      lay_out_block(at);
  }
  for (const bool is_constants : {true, false})
    for (auto& [at, memory] : resources_)
      if ((module.resources[at].kind == ResourceKind::cbuffer) == is_constants) target->name_structures(memory);
  lay_out_variables();
  Text functions;
  std::vector<SourceLine> function_lines;
  // the entry point comes last
  for (std::size_t at = module.functions.size(); at-- > 0 && !failed();) {
    Text body;
    std::vector<std::uint32_t> body_lines;
    target->begin_function(at);
    FunctionWriter(*this, at).run(body, body_lines);
    std::vector<std::uint32_t> lines;
    target->open_function(at, functions, lines);
    functions << body.view();
    lines.insert(lines.end(), body_lines.begin(), body_lines.end());
    target->close_function(at, functions, lines);
    for (const std::uint32_t instruction : lines)
      function_lines.push_back(instruction == ir::kNone ? SourceLine{} : SourceLine{static_cast<std::uint32_t>(at), instruction});
  }
  SourceText made;
  Text all;
  if (!failed()) target->declare(all);
  if (failed()) return std::move(*error_).within(module.functions.empty() ? "" : module.functions.front().name);
  made.lines.resize(static_cast<std::size_t>(std::ranges::count(all.view(), '\n')));
  made.lines.insert(made.lines.end(), function_lines.begin(), function_lines.end());
  for (const ir::Function& f : module.functions) made.functions.push_back(f.name);
  all << functions.view();
  made.text = all.str();
  if (auto conflict = names.conflict(made.text)) return *std::move(conflict);
  hidden_functions_ = names.hidden_functions(made.text);
  made.names = names.take();
  made.notes = std::move(notes_);
  made.score = score;
  std::set<std::pair<std::size_t, std::uint32_t>> instructions;
  for (std::size_t at = 0; at < module.functions.size(); ++at)
    for (const ir::Source& source : module.functions[at].sources)
      if (source.instruction != ir::kNone) instructions.emplace(at, source.instruction);
  made.score.instructions = instructions.size();
  return made;
}

}  // namespace unshade::write::source

namespace unshade::write {

Result<SourceText> to_source(const ir::Structured& module, const shader::Reflection* reflection, const SourceOptions& options) {
  // names that files have are left to functions of the language only where the text calls these
  std::set<std::string> functions;
  constexpr unsigned kMostRounds = 4;
  for (unsigned round = 1;; ++round) {
    source::ModuleWriter writer(module, reflection, options, functions);
    auto made = writer.run();
    const std::size_t before = functions.size();
    functions.insert(writer.hidden_functions().begin(), writer.hidden_functions().end());
    if (!made || functions.size() == before || round == kMostRounds) return made;
  }
}

Result<SourceText> to_source(const shader::Shader& shader, const SourceOptions& options) {
  if (auto checked = check_entry(shader, options.entry); !checked) return std::move(checked).error();
  shader::LowerOptions lowering;
  lowering.entry = options.entry;
  lowering.f24 = ir::F24::as_f32;
  lowering.constants_in_code = true;
  auto lowered = shader::lower(shader, lowering);
  if (!lowered) return std::move(lowered).error();
  auto prepared = source::prepared(**lowered, options, shader.family);
  if (!prepared) return std::move(prepared).error();
  const auto structured = ir::structured(*std::move(prepared));
  if (!structured) return structured.error();
  const auto reflection = shader::reflect(shader);  // what cannot be reflected has no names
  return to_source(*structured, reflection ? &*reflection : nullptr, options);
}

}  // namespace unshade::write
