// The registers of a Direct3D 9 program that is lowered: what they are in the signatures and constant buffers of its container.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/dxbc/level9/sm2_tokens.hpp>
#include <unshade/ir/builder.hpp>

#include "ir/dxbc/declarations.hpp"

namespace unshade::ir::lower_dxbc {

namespace sm2 = dxbc::sm2;
using sm2::RegisterType;
using Vector = std::array<Id, 4>;
inline constexpr Vector kNoVector{kNone, kNone, kNone, kNone};

// Registers of outputs that signatures have no number for.
inline constexpr std::uint32_t kFogRegister = 16;
inline constexpr std::uint32_t kAttributeRegister = 20;
inline constexpr std::uint32_t kRuntimeRegister = 1;

/// Registers of floats are variables, outputs too, which are written once at the end.
class Level9Registers {
 protected:
  Level9Registers(const dxbc::Level9& level9, const DxbcInterface& interface)
      : level9_(level9), interface_(interface), builder_(function()), variables_(builder_) {
    module_.stage = level9.version.is_pixel() ? Stage::pixel : Stage::vertex;
    module_.modes.denorm32 = Denormals::flush;
    signatures_.emplace(module_, interface);
    rank(SignatureKind::input);
    rank(SignatureKind::output);
  }

  struct Texture {
    std::uint32_t texture = 0;  // rows of the module
    std::uint32_t sampler = 0;
    dxcontainer::ResourceDimension dimension = dxcontainer::ResourceDimension::texture2d;
  };
  struct Round {
    std::uint32_t counter = kNone;  // variables
    std::uint32_t address = kNone;
    Id step = kNone;
  };
  Function& function() {
    if (module_.functions.empty()) module_.functions.emplace_back().name = "main";
    return module_.functions[0];
  }

  void fail(ErrorCode code, std::string message) {
    if (error_) return;
    const std::uint64_t offset = level9_.program.file_offset() + (in_ == nullptr ? 0 : in_->offset);
    error_ = Error{code, offset, "instructions[" + std::to_string(index_) + ']', std::move(message)};
  }
  // Registers of a signature without that of the position, in their order: what t#, and oT#, count. observed: in 463 parts of fxc
  void rank(SignatureKind kind) {
    auto& ranked = ranks_[static_cast<std::size_t>(kind)];
    for (const Element& element : module_.signatures.of(kind)) {
      if (element.first_register != kNone && element.system_value != dxcontainer::SystemValue::position)
        ranked.push_back(element.first_register);
    }
    std::ranges::sort(ranked);
    ranked.erase(std::ranges::unique(ranked).begin(), ranked.end());
  }
  std::uint32_t ranked(SignatureKind kind, std::uint32_t index) const {
    const auto& known = ranks_[static_cast<std::size_t>(kind)];
    return index < known.size() ? known[index] : index;
  }

  void declare(const sm2::Operand& operand, std::uint32_t usage) {
    if (operand.type == RegisterType::input && !level9_.version.is_pixel()) {
      usages_[operand.index] = sm2::kUsageIndexBits.get(usage);
      return;
    }
    if (operand.type != RegisterType::sampler) return;
    const auto& samplers = level9_.samplers;
    const auto mapped = std::ranges::find(samplers, operand.index, [](const dxbc::SamplerMapping& mapping) { return mapping.target; });
    if (mapped == samplers.end()) return;
    constexpr std::uint32_t kCube = 3;
    constexpr std::uint32_t kVolume = 4;
    const std::uint32_t shape = sm2::kTextureTypeBits.get(usage);
    Texture made;
    made.dimension = shape == kCube     ? dxcontainer::ResourceDimension::texture_cube
                     : shape == kVolume ? dxcontainer::ResourceDimension::texture3d
                                        : dxcontainer::ResourceDimension::texture2d;
    made.texture = resource(dxcontainer::ResourceKind::texture, OperandType::resource, mapped->resource);
    made.sampler = resource(dxcontainer::ResourceKind::sampler, OperandType::sampler, mapped->sampler);
    module_.resources[made.texture].dimension = made.dimension;
    module_.resources[made.texture].return_type = dxcontainer::ReturnType::float_;
    samplers_.emplace(operand.index, made);
  }

  // The row of a resource, made with its first use.
  std::uint32_t resource(dxcontainer::ResourceKind kind, OperandType type, std::uint32_t slot) {
    const auto [place, is_new] = resources_.emplace(binding_key(type, slot), static_cast<std::uint32_t>(module_.resources.size()));
    if (is_new) {
      Resource& row = module_.resources.emplace_back();
      row.kind = kind;
      row.first_register = slot;
      name_resource(row, type, interface_.resources);
    }
    return place->second;
  }

  Id handle(std::uint32_t resource) { return builder_.inst(Op::handle, Type::handle, {builder_.i32(0)}, {.extra = resource}); }

  Id f(Op op, std::initializer_list<std::uint32_t> operands) { return builder_.inst(op, Type::f32, operands); }
  Id to_integer(Id value) { return builder_.inst(Op::f_to_s, Type::i32, {value}); }
  Id choose(Id condition, Id if_true, Id if_false) {
    return builder_.inst(Op::select, builder_.type_of(if_true), {condition, if_true, if_false});
  }
  // Of a boolean constant, or of a component of the predicate.
  Id boolean(const sm2::Operand& operand) {
    Id value = kNone;
    if (operand.type == RegisterType::predicate) {
      value = variables_.read(variable(operand.type, 0, operand.swizzle[0], Type::b1));
    } else if (const auto known = defined_.find(key(operand.type, operand.index)); known != defined_.end()) {
      value = builder_.b1(known->second[0] != 0);
    } else {
      value = builder_.inst(Op::ine, Type::i32, {mapped_scalar(level9_.booleans, operand.index), builder_.i32(0)});
    }
    return operand.modifier == sm2::SourceModifier::logical_not ? builder_.inst(Op::inot, Type::b1, {value}) : value;
  }

  // A component of an integer constant. One that is mapped has x alone. guess: it counts from 0 in steps of 1
  Id integer(const sm2::Operand& operand, unsigned component) {
    if (const auto known = defined_.find(key(operand.type, operand.index)); known != defined_.end())
      return builder_.i32(known->second[component]);
    return component == 0 ? mapped_scalar(level9_.integers, operand.index) : builder_.i32(component == 2 ? 1 : 0);
  }

  Id mapped_scalar(const Table<dxbc::ScalarMapping>& mappings, std::uint32_t index) {
    const auto mapped = std::ranges::find(mappings, index, [](const dxbc::ScalarMapping& mapping) { return mapping.target; });
    if (mapped == mappings.end()) return builder_.i32(0);
    const Id from = handle(resource(dxcontainer::ResourceKind::cbuffer, OperandType::constant_buffer, mapped->buffer));
    return builder_.inst(Op::cbuffer_load, Type::i32, {from, builder_.i32(mapped->source_register * 16U + (mapped->component & 3U) * 4U)});
  }

  static std::uint64_t key(RegisterType type, std::uint32_t index) { return std::uint64_t{static_cast<std::uint8_t>(type)} << 32 | index; }

  std::uint32_t variable(RegisterType type, std::uint32_t index, unsigned component, Type value) {
    const auto [place, is_new] = registers_.emplace(key(type, index * 4 + component), 0);
    if (is_new) place->second = variables_.declare(value);
    return place->second;
  }

  // Source `at` of an instruction with a destination, or of one without: the components that its row reads, one in all places if it is one.
  Vector source(unsigned at, unsigned row = 0) { return source_of(at + 1, row); }
  Vector source_of(unsigned at, unsigned row = 0) {
    const sm2::SourceLanes lanes = in_->info != nullptr && at < operands_.count ? in_->info->reads[at] : sm2::SourceLanes{};
    Vector values = lanes_of(at, row, lanes.of(operands_.items[0].write_mask));
    if (!lanes.follows_mask && lanes.fixed.count() == 1) values.fill(values[lanes.fixed.first()]);
    return values;
  }
  Vector lanes_of(unsigned at, unsigned row, WriteMask lanes) {
    if (at >= operands_.count) {
      fail(ErrorCode::truncated, "an operand is missing");
      return Vector{builder_.f32(0), builder_.f32(0), builder_.f32(0), builder_.f32(0)};
    }
    const sm2::Operand& operand = operands_.items[at];
    Vector read = kNoVector;
    Vector values = kNoVector;
    for (const unsigned lane : lanes) {
      const unsigned component = operand.swizzle[lane];
      const auto scope = builder_.component(component);
      if (read[component] == kNone) read[component] = modified(operand, register_component(operand, component, row));
      values[lane] = read[component];
    }
    return values;
  }

  Id modified(const sm2::Operand& operand, Id value) {
    using sm2::SourceModifier;
    const auto halves = [&](Op op, float by) { return f(op, {value, builder_.f32(by)}); };
    const auto divided = [&](unsigned component) { return f(Op::fdiv, {value, register_component(operand, component, 0)}); };
    switch (operand.modifier) {
      case SourceModifier::negate: return f(Op::fneg, {value});
      case SourceModifier::bias: return halves(Op::fsub, 0.5F);
      case SourceModifier::bias_negate: return f(Op::fneg, {halves(Op::fsub, 0.5F)});
      case SourceModifier::sign: return f(Op::fmad, {value, builder_.f32(2), builder_.f32(-1)});
      case SourceModifier::sign_negate: return f(Op::fneg, {f(Op::fmad, {value, builder_.f32(2), builder_.f32(-1)})});
      case SourceModifier::complement: return f(Op::fsub, {builder_.f32(1), value});
      case SourceModifier::x2: return halves(Op::fmul, 2);
      case SourceModifier::x2_negate: return halves(Op::fmul, -2);
      case SourceModifier::divide_by_z: return divided(2);
      case SourceModifier::divide_by_w: return divided(3);
      case SourceModifier::absolute: return f(Op::fabs, {value});
      case SourceModifier::absolute_negate: return f(Op::fneg, {f(Op::fabs, {value})});
      default: return value;
    }
  }

  // A component of a register, f32; of a matrix, `row` registers further.
  Id register_component(const sm2::Operand& operand, unsigned component, unsigned row) {
    const std::uint32_t index = operand.index + row;
    switch (operand.type) {
      case RegisterType::temp:
      case RegisterType::half_temp: return variables_.read(variable(operand.type, index, component, Type::f32));
      case RegisterType::input: {
        const auto usage = usages_.find(index);
        return input(level9_.version.is_pixel() ? kAttributeRegister + index : usage == usages_.end() ? index : usage->second, component);
      }
      case RegisterType::address_or_texture:
        if (level9_.version.is_pixel()) return input(ranked(SignatureKind::input, index), component);
        return f(Op::s_to_f, {variables_.read(variable(operand.type, index, component, Type::i32))});
      case RegisterType::constant: return constant(operand, index, component);
      case RegisterType::constant2: return constant(operand, index + 2048, component);
      case RegisterType::constant3: return constant(operand, index + 4096, component);
      case RegisterType::constant4: return constant(operand, index + 6144, component);
      case RegisterType::miscellaneous: {
        if (index == 0)
          return builder_.inst(Op::builtin, Type::f32, {},
                               {.extra = BuiltinExtra(Builtin::position, static_cast<std::uint8_t>(component)).bits()});
        const Id is_front = builder_.inst(Op::builtin, Type::b1, {}, {.extra = BuiltinExtra(Builtin::front_face, 0).bits()});
        const Id minus_one = builder_.f32(-1);
        return choose(is_front, builder_.f32(1), minus_one);
      }
      default:
        fail(ErrorCode::bad_value, "a register of type " + std::to_string(static_cast<unsigned>(operand.type)) + " cannot be read");
        return builder_.f32(0);
    }
  }

  Id input(std::uint32_t register_index, unsigned component) {
    const auto found = signatures_->find(SignatureKind::input, register_index, component).front();
    const Type type = module_.signatures.input[found.element].type;
    const Id value = builder_.inst(Op::input, type, {}, {.extra = ElementExtra(SignatureKind::input, found.element, found.column).bits()});
    return type == Type::f32 ? value : f(module_.signatures.input[found.element].is_signed ? Op::s_to_f : Op::u_to_f, {value});
  }

  Id constant(const sm2::Operand& operand, std::uint32_t index, unsigned component) {
    Id relative = kNone;
    if (operand.relative) {
      const RegisterType type = sm2::register_type(operand.relative_token);
      const unsigned which = Swizzle(sm2::kSwizzleBits.get(operand.relative_token))[0];
      if (type == RegisterType::loop) {
        const bool has_address = !rounds_.empty() && rounds_.back().address != kNone;
        relative = has_address ? variables_.read(rounds_.back().address) : builder_.i32(0);
      } else {
        relative =
            variables_.read(variable(RegisterType::address_or_texture, sm2::kRegisterBits.get(operand.relative_token), which, Type::i32));
      }
    } else if (const auto known = defined_.find(key(RegisterType::constant, index)); known != defined_.end()) {
      return builder_.constant(Type::f32, known->second[component]);
    }
    for (const auto& mapping : level9_.constant_buffers) {
      if (index - mapping.target >= mapping.register_count || index < mapping.target) continue;
      const Id from = handle(resource(dxcontainer::ResourceKind::cbuffer, OperandType::constant_buffer, mapping.buffer));
      const std::uint32_t bytes = (mapping.first_register + index - mapping.target) * 16 + component * 4;
      Id offset = builder_.i32(bytes);
      if (relative != kNone) {
        const Id rows = builder_.inst(Op::ishl, Type::i32, {relative, builder_.i32(4)});
        offset = builder_.inst(Op::iadd, Type::i32, {rows, offset});
      }
      return loaded(from, offset, mapping.conversion[component]);
    }
    for (const auto& mapping : level9_.runtime_constants) {
      if (mapping.target != index) continue;
      const std::uint32_t row = static_cast<std::uint32_t>(mapping.constant);
      const Id offset = builder_.i32(row * 16 + component * 4);
      return loaded(handle(runtime_buffer()), offset, dxbc::ConstantConversion::real);
    }
    return builder_.f32(0);
  }

  Id loaded(Id from, Id offset, dxbc::ConstantConversion conversion) {
    using dxbc::ConstantConversion;
    if (conversion == ConstantConversion::real) return builder_.inst(Op::cbuffer_load, Type::f32, {from, offset});
    const Id value = builder_.inst(Op::cbuffer_load, Type::i32, {from, offset});
    if (conversion != ConstantConversion::boolean) return f(conversion == ConstantConversion::sint ? Op::s_to_f : Op::u_to_f, {value});
    const Id zero = builder_.f32(0);
    const Id one = builder_.f32(1);
    return choose(builder_.inst(Op::ine, Type::i32, {value, builder_.i32(0)}), one, zero);
  }

  std::uint32_t runtime_buffer() {
    const std::uint32_t made = resource(dxcontainer::ResourceKind::cbuffer, OperandType::this_pointer, kRuntimeRegister);
    module_.resources[made].name = kDxbcRuntimeBuffer;
    module_.resources[made].space = kDxbcReservedSpace;
    return made;
  }

  void write(const sm2::Operand& operand, unsigned component, Id value) {
    const bool is_address = operand.type == RegisterType::address_or_texture && !level9_.version.is_pixel();
    const Type type = operand.type == RegisterType::predicate ? Type::b1 : is_address ? Type::i32 : Type::f32;
    if (is_address && builder_.type_of(value) == Type::f32) value = to_integer(f(Op::ffloor, {value}));
    const auto shift = static_cast<std::int32_t>(sm2::kResultShiftBits.get(operand.token) << 28) >> 28;
    if (type == Type::f32 && shift != 0)
      value = f(Op::fmul, {value, builder_.f32(shift > 0 ? static_cast<float>(1 << shift) : 1.0F / static_cast<float>(1 << -shift))});
    if (type == Type::f32 && (operand.result_modifier & sm2::kSaturate) != 0) value = f(Op::fsat, {value});
    const std::uint32_t index = operand.type == RegisterType::predicate ? 0 : operand.index;
    const std::uint32_t to = variable(operand.type, index, component, type);
    if (operands_.predicate) {
      sm2::Operand predicate = *operands_.predicate;
      predicate.swizzle = Swizzle::broadcast(predicate.swizzle[component]);
      const Id before = variables_.read(to);
      value = choose(boolean(predicate), value, before);
    }
    variables_.write(to, value);
    if (is_output(operand.type) && std::ranges::find(outputs_, std::tuple(operand.type, index, component)) == outputs_.end()) {
      outputs_.emplace_back(operand.type, index, component);
    }
  }

  static bool is_output(RegisterType type) {
    return (type >= RegisterType::rasterizer_output && type <= RegisterType::depth_output && type != RegisterType::integer_constant);
  }

  // Outputs are written once, with what their registers have at the end.
  void write_outputs() {
    for (const auto& [type, index, component] : outputs_) {
      const Id value = variables_.read(variable(type, index, component, Type::f32));
      const bool is_position = type == RegisterType::rasterizer_output && index == 0;
      if (is_position || type == RegisterType::depth_output) {
        const auto to = signatures_->special(
            SignatureKind::output, is_position ? dxcontainer::SystemValue::position : dxcontainer::SystemValue::depth, is_position ? 4 : 1);
        if (component < module_.signatures.output[to.element].columns) put(to.element, component, value);
        continue;
      }
      const std::uint32_t to = type == RegisterType::texcoord_or_output  ? ranked(SignatureKind::output, index)
                               : type == RegisterType::color_output      ? index
                               : type == RegisterType::rasterizer_output ? kFogRegister + index
                                                                         : kAttributeRegister + index;
      for (const auto& found : signatures_->find(SignatureKind::output, to, component)) put(found.element, found.column, value);
    }
  }

  void put(std::uint16_t element, unsigned column, Id value) {
    const Type type = module_.signatures.output[element].type;
    const ElementExtra extra(SignatureKind::output, element, static_cast<std::uint8_t>(column));
    builder_.inst(Op::output, type, {builder_.as(type, value)}, {.extra = extra.bits()});
  }

  const dxbc::Level9& level9_;
  const DxbcInterface& interface_;
  Module module_;
  Builder builder_;
  SsaVariables variables_;
  std::optional<SignatureMap> signatures_;
  std::optional<Error> error_;
  using Defined = std::array<std::uint32_t, 4>;
  std::array<std::vector<std::uint32_t>, 2> ranks_;          // registers, of inputs and of outputs
  std::unordered_map<std::uint64_t, Defined> defined_;       // constants, by type and register
  std::unordered_map<std::uint32_t, std::uint32_t> usages_;  // of v#, the number in its usage
  std::unordered_map<std::uint32_t, Texture> samplers_;
  std::unordered_map<std::uint64_t, std::uint32_t> resources_;  // rows of the module
  std::unordered_map<std::uint64_t, std::uint32_t> registers_;  // variables
  std::vector<std::tuple<RegisterType, std::uint32_t, unsigned>> outputs_;
  std::vector<Round> rounds_;
  const sm2::Instruction* in_ = nullptr;
  sm2::Operands operands_;
  std::uint32_t index_ = 0;
};

}  // namespace unshade::ir::lower_dxbc
