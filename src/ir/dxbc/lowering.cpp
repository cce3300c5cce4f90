// Functions of the module, phases of hull shaders, and what comes before and after a body.
#include "ir/dxbc/lowering.hpp"

#include <algorithm>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/dxbc/program/limits.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/operands.hpp"

namespace unshade::ir {

namespace lower_dxbc {

namespace {

constexpr Stage kStages[] = {Stage::pixel, Stage::vertex, Stage::geometry, Stage::hull, Stage::domain, Stage::compute};

/// A value after two bitcasts is one after a single one, or itself.
void fold_bitcasts(Function& function) {
  std::vector<Id> value(function.insts.size(), kNone);
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
      if (function.insts[id].op != Op::bitcast) continue;
      Id& origin = function.operands_of(id)[0];
      while (function.insts[origin].op == Op::bitcast) origin = function.operands_of(origin)[0];
      if (result_type(function, origin) == function.insts[id].type) value[id] = origin;
    }
  }
  replace_uses(function, value);
  const std::vector<bool> used = used_values(function);
  for (Id id = 0; id < function.insts.size(); ++id) {
    if (function.insts[id].op == Op::bitcast && !used[id] && function.block_of[id] != kNone) remove(function, id);
  }
}

}  // namespace

Result<Module> Lowering::run() {
  std::size_t elements = 0;
  for (const auto* signature : {interface_.input, interface_.output, interface_.patch_constant}) {
    elements += signature == nullptr ? 0 : signature->elements.size();
  }
  if (elements > limits::kSignatureElements) {
    return Error{ErrorCode::limit, program_.tokens.file_offset(), "signatures",
                 std::to_string(elements) + " elements, at most " + std::to_string(limits::kSignatureElements) + " are allowed"};
  }
  const auto stage = static_cast<std::size_t>(program_.stage);
  if (stage >= std::size(kStages))
    return Error{ErrorCode::unsupported, program_.tokens.file_offset(), "version",
                 "stage " + std::to_string(stage) + " is not one of Direct3D 11"};
  module_.stage = kStages[stage];
  module_.modes.denorm32 = Denormals::flush;
  signatures_.emplace(module_, interface_);
  auto declared = declare(program_, interface_, module_, *signatures_);
  if (!declared) return std::move(declared).error();
  declared_ = *std::move(declared);
  module_.functions.reserve(2);  // Builder keeps a reference
  read_places();
  if (program_.stage == dxbc::Stage::hull) {
    hull();
  } else {
    begin("main");
    phase(0);
    end();
    for (Function& kept : kept_functions_) module_.functions.push_back(std::move(kept));
  }
  if (failed()) return *std::move(error_);
  canonicalize(module_);
  return std::move(module_);
}

void Lowering::hull() {
  const auto& phases = declared_.phases;
  for (const bool is_patch : {false, true}) {
    const auto belongs = [&](const Phase& phase) { return (phase.kind != Opcode::hs_control_point_phase) == is_patch; };
    if (!is_patch && std::ranges::none_of(phases, belongs)) continue;
    begin(is_patch ? "patch_constant" : "control_point");
    for (std::uint32_t at = 0; at < phases.size() && !failed(); ++at) {
      if (belongs(phases[at])) phase(at);
    }
    end();
    if (failed()) return;
  }
}

void Lowering::begin(std::string name) {
  Function& function = module_.functions.emplace_back();
  reserve(function, program_.tokens.size() / sizeof(std::uint32_t));
  start(function, std::move(name));
}

void Lowering::start(Function& function, std::string name) {
  function.name = std::move(name);
  body_ = std::make_unique<Body>(function);
  b().keep_copies(options_.keep_copies);
  blocks().go_on(blocks().make());
  body_->variables.seal(0);
}

void Lowering::end(std::span<const TempComponent> results) {
  if (failed()) return;
  if (blocks().reachable()) {
    std::vector<Id> values;
    for (const TempComponent& one : results)
      values.push_back(b().as(Type::i32, body_->variables.read(temp(one.register_index, one.component))));
    b().return_values(values);
  }
  Function& function = b().function();
  function.order = blocks().take_order();
  body_->variables.finish();
  if (const auto done = body_->variables.check(); !done) return fail(done.error().code, done.error().message);
  fold_bitcasts(function);
  std::vector<bool> is_reached(function.blocks.size());
  for (const BlockId block : function.order) is_reached[block] = true;
  for (Block& block : function.blocks) {
    for (BlockId* hint : {&block.merge, &block.continue_}) {
      if (*hint != kNone && !is_reached[*hint]) *hint = kNone;
    }
  }
  compact(function);
  body_.reset();
}

// A phase runs once for each of its instances, and with registers of its own.
void Lowering::phase(std::uint32_t number) {
  phase_ = number;
  const Phase& phase = declared_.phases[number];
  body_->temps.clear();
  from({});
  load_arrays();
  if (phase.instances <= 1) {
    phase_instance_ = kNone;
    body(phase.start);
  } else {
    auto& variables = body_->variables;
    const auto instance = variables.declare(Type::i32);
    variables.write(instance, b().i32(0));
    const BlockId header = blocks().make();
    const BlockId inside = blocks().make();
    const BlockId after = blocks().make();
    b().jump(header);
    blocks().go_on(header);
    phase_instance_ = variables.read(instance);
    b().branch(i(Op::ult, {phase_instance_, b().i32(phase.instances)}), inside, after);
    b().function().blocks[header].merge = after;
    variables.seal(inside);
    blocks().go_on(inside);
    body(phase.start);
    if (failed()) return;
    from({});
    if (blocks().reachable()) {
      variables.write(instance, i(Op::iadd, {phase_instance_, b().i32(1)}));
      b().function().blocks[header].continue_ = b().at();
      b().jump(header);
    }
    variables.seal(header);
    variables.seal(after);
    blocks().go_on(after);
    phase_instance_ = kNone;
  }
  if (failed()) return;
  from({});
  if (blocks().reachable()) store_arrays();
}

template <class Visit>
void Lowering::for_each_component(SignatureKind kind, const RegisterArray& array, Visit visit) {
  for (std::uint32_t at = 0; at < array.count; ++at) {
    for (unsigned component = 0; component < 4; ++component) {
      if (signatures_->has(kind, array.first + at, component)) visit(at, component);
    }
  }
}

// Copies inputs that are indexed by a value into their variable.
void Lowering::load_arrays() {
  for (const RegisterArray& array : declared_.arrays) {
    if (array.phase != phase_ || array.type == OperandType::indexable_temp || array.type == OperandType::output) continue;
    const RegisterFile file = register_file(array.type, program_.stage, declared_.phases[phase_].kind);
    for (std::uint32_t vertex = 0; vertex < std::max(array.vertices, 1U); ++vertex) {
      for_each_component(file.kind, array, [&](std::uint32_t at, unsigned component) {
        const Id value = element(file, array.first + at, component, array.vertices == 0 ? kNone : b().i32(vertex));
        const std::uint32_t offset = (vertex * array.count + at) * kRowBytes + component * kComponentBytes;
        b().inst(Op::store, b().type_of(value), {b().i32(offset), value}, {.extra = array.variable});
      });
    }
  }
}

// Copies outputs that were indexed by a value out of their variable.
void Lowering::store_arrays() {
  for (const RegisterArray& array : declared_.arrays) {
    if (array.phase != phase_ || array.type != OperandType::output) continue;
    const SignatureKind kind = register_file(array.type, program_.stage, declared_.phases[phase_].kind).kind;
    for_each_component(kind, array, [&](std::uint32_t at, unsigned component) {
      if ((array.masks[at] >> component & 1) == 0) return;
      const Id offset = b().i32(at * kRowBytes + component * kComponentBytes);
      write_output(kind, array.first + at, component, b().inst(Op::load, Type::i32, {offset}, {.extra = array.variable}));
    });
  }
}

void Lowering::fail(ErrorCode code, std::string message) {
  if (!error_) error_ = Error{code, program_.tokens.file_offset(), "", std::move(message)};
}

}  // namespace lower_dxbc

Result<Module> lower(const dxbc::Program& program, const DxbcInterface& interface, const DxbcOptions& options) {
  return lower_dxbc::Lowering(program, interface, options).run();
}

namespace {

// What the parts of a container say beside its programs.
struct ContainerInterface {
  std::array<dxcontainer::Signature, 3> signatures;
  dxbc::Rdef resources;
  dxbc::DebugInfo debug;
  DxbcInterface interface;

  Result<void> read(const dxcontainer::Container& container) {
    using dxcontainer::PartRole;
    constexpr PartRole kRoles[] = {PartRole::input, PartRole::output, PartRole::patch};
    const std::array places{&interface.input, &interface.output, &interface.patch_constant};
    for (std::size_t at = 0; at < signatures.size(); ++at) {
      const auto* part = container.find(kRoles[at]);
      if (part == nullptr) continue;
      auto signature = dxcontainer::parse_signature(*part);
      if (!signature) return std::move(signature).error();
      signatures[at] = *std::move(signature);
      *places[at] = &signatures[at];
    }
    if (const auto* part = container.find(dxcontainer::fourcc("RDEF"))) {
      auto rdef = dxbc::parse_rdef(*part);
      if (!rdef) return std::move(rdef).error();
      resources = *std::move(rdef);
      interface.resources = &resources;
    }
    if (const auto* part = container.find(dxcontainer::fourcc("SPDB"))) {
      // names are no reason to refuse a program
      if (auto info = dxbc::parse_debug_info(*part, dxbc::DebugDetail::lines)) {
        debug = *std::move(info);
        interface.debug = &debug;
      }
    }
    return {};
  }
};

template <class Parse>
Result<Module> lower_part(const dxcontainer::Container& container, dxcontainer::PartRole role, std::string_view missing, Parse parse,
                          const DxbcOptions& options) {
  const auto* part = container.find(role);
  if (part == nullptr) return Error{ErrorCode::missing, container.file.file_offset(), "", std::string(missing)};
  auto program = parse(*part);
  if (!program) return std::move(program).error();
  ContainerInterface read;
  if (auto done = read.read(container); !done) return std::move(done).error();
  return lower(*program, read.interface, options);
}

}  // namespace

Result<Module> lower_token_program(const dxcontainer::Container& container, const DxbcOptions& options) {
  return lower_part(container, dxcontainer::PartRole::tokens, "the container has no token program", dxbc::parse_program, options);
}

Result<Module> lower_level9(const dxcontainer::Container& container, const DxbcOptions& options) {
  return lower_part(container, dxcontainer::PartRole::level9, "the container has no level 9 part", dxbc::parse_level9, options);
}

}  // namespace unshade::ir
