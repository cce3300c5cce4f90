#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/program.hpp>

#include "dxbc/program/binding_opcodes.hpp"
#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/facts.hpp"
#include "dxbc/program/rules.hpp"
#include "dxbc/program/token.hpp"
#include "dxbc/validate/validate.hpp"

namespace unshade::dxbc {

namespace {

// Limits of Direct3D 11. src: d3d11.h, the constants named.
constexpr std::uint32_t kIoRegisters = 32;
constexpr std::uint32_t kTargets = 8;                 // D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT
constexpr std::uint32_t kTempRegisters = 4096;        // D3D11_COMMONSHADER_TEMP_REGISTER_COUNT, x# among them
constexpr std::uint32_t kBufferRegisters = 4096;      // D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT
constexpr std::uint32_t kBufferSlots = 15;            // 14, and one for the immediate buffer
constexpr std::uint32_t kResourceSlots = 128;         // D3D11_COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT
constexpr std::uint32_t kSamplerSlots = 16;           // D3D11_COMMONSHADER_SAMPLER_SLOT_COUNT
constexpr std::uint32_t kUavSlots = 64;               // D3D11_1_UAV_SLOT_COUNT
constexpr std::uint32_t kUavSlotsWithoutFeature = 8;  // D3D11_PS_CS_UAV_REGISTER_COUNT
constexpr std::uint32_t kSharedBytes = 32768;         // 8192 dwords
constexpr std::uint32_t kSharedBytes4 = 16384;        // cs_4_0, cs_4_1
constexpr std::uint32_t kThreads = 1024;              // D3D11_CS_THREAD_GROUP_MAX_THREADS_PER_GROUP
constexpr std::uint32_t kThreads4 = 768;              // D3D11_CS_4_X_THREAD_GROUP_MAX_THREADS_PER_GROUP
constexpr std::uint32_t kThreadsZ = 64;               // D3D11_CS_THREAD_GROUP_MAX_Z
constexpr std::uint32_t kMaxVertices = 1024;          // D3D11_GS_MAX_OUTPUT_VERTEX_COUNT_ACROSS_INSTANCES
constexpr std::uint32_t kMaxInstances = 32;           // D3D11_GS_MAX_INSTANCE_COUNT
constexpr std::uint32_t kControlPoints = 32;          // D3D11_IA_PATCH_MAX_CONTROL_POINT_COUNT
constexpr float kMaxTessFactor = 64.0F;               // D3D11_HS_MAXTESSFACTOR_UPPER_BOUND
constexpr std::uint32_t kPhaseInstances = 128;        // D3D11_HS_FORK_PHASE_INSTANCE_COUNT_UPPER_BOUND, and of join phases
constexpr std::uint32_t kStructureBytes = 2048;       // D3D11_REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES
constexpr std::uint32_t kStreams = 4;
constexpr std::size_t kFlowDepth = 64;  // D3D11_COMMONSHADER_FLOWCONTROL_NESTING_LIMIT

// Features seen in use. Bits of SFI0, see dxcontainer/features.hpp.
constexpr unsigned kFeatureDoubles = 0;
constexpr unsigned kFeatureRawStructured4 = 1;
constexpr unsigned kFeatureUavsEverywhere = 2;
constexpr unsigned kFeature64Uavs = 3;
constexpr unsigned kFeatureMinPrecision = 4;
constexpr unsigned kFeatureDoubleExtensions = 5;
constexpr unsigned kFeatureShaderExtensions = 6;
constexpr unsigned kFeatureTiled = 8;
constexpr unsigned kFeatureStencilRef = 9;
constexpr unsigned kFeatureInnerCoverage = 10;
constexpr unsigned kFeatureRovs = 12;
constexpr unsigned kFeatureArrayIndex = 13;

// Global flags. Bits as enum_text.hpp names them.
constexpr std::uint32_t kFlagDouble = 1U << 1;
constexpr std::uint32_t kFlagRawStructured = 1U << 3;
constexpr std::uint32_t kFlagMinPrecision = 1U << 5;
constexpr std::uint32_t kFlagDoubleExtensions = 1U << 6;
constexpr std::uint32_t kFlagShaderExtensions = 1U << 7;

std::string number(std::uint64_t value) { return std::to_string(value); }

/// Registers of inputs or outputs that a program or phase declares.
struct IoFile {
  std::array<std::uint8_t, kIoRegisters> mask{};
  std::array<std::array<std::uint8_t, kIoRegisters>, kStreams> by_stream{};
  std::uint32_t ranges = 0;    ///< registers in a dcl_indexrange, a bit each
  std::uint32_t vertices = 0;  ///< of two-dimensional inputs
};

struct Resource {
  Layout layout = Layout::typed;
  std::uint32_t lower = 0;
  std::uint32_t upper = 0;
  std::uint32_t registers = 0;  ///< constant buffer
  bool is_comparison = false;   ///< sampler
  bool is_integer = false;      ///< typed: a component is returned as a whole number
};

struct Indexable {
  std::uint32_t count = 0;
  std::uint8_t mask = 0;
  std::uint32_t phase = 0;
};

enum class Flow : std::uint8_t { if_, else_, loop, switch_ };

struct Construct {
  Flow flow;
  bool has_default = false;
  bool has_entry = false;        ///< switch: a case or default was seen
  std::uint32_t first_case = 0;  ///< switch: of cases_
};

struct Reference {
  OperandType type;
  std::uint32_t number;
  std::uint32_t instruction;
  std::uint32_t token;
};

class ProgramValidator {
 public:
  ProgramValidator(const dxcontainer::Part& part, const Program& program, Findings& findings)
      : part_(part),
        program_(program),
        findings_(findings),
        stage_(static_cast<unsigned>(program.stage) <= 5 ? static_cast<Stages>(1U << static_cast<unsigned>(program.stage)) : kEvery) {}

  ProgramFacts run();

 private:
  // --- reports
  std::uint64_t offset(std::uint32_t token) const { return part_.data.file_offset() + std::uint64_t{4} * token; }
  std::string path() const { return std::string(part_.name()) + "/instructions[" + number(index_) + ']'; }
  void report(const Rule& rule, std::string message) { findings_.add(rule, offset(in_.first_token), path(), text() + ": " + message); }
  void report(const Rule& rule, unsigned slot, std::string message) {
    findings_.add(rule, offset(in_.first_token + in_.operands[slot].first_token), path() + "/operands[" + number(slot) + ']',
                  text() + ": " + message);
  }
  std::string text() const { return in_.info != nullptr ? std::string(in_.info->text) : "opcode " + number(in_.code); }
  static std::string name(const Operand& operand) {
    const OperandInfo* info = find_operand(operand.type);
    std::string label = info != nullptr ? std::string(info->text) : "operand type " + number(static_cast<unsigned>(operand.type));
    if (operand.dimensions != 0 && operand.relative[0] == kNoOperand) label += number(operand.index[0]);
    return label;
  }
  bool is_stage(Stages stages) const { return (stages & stage_) != 0; }
  void use(unsigned feature) { facts_.features |= std::uint64_t{1} << feature; }

  // --- the whole
  void check_version();
  void instruction();
  void check_model();
  void check_length();
  void finish();
  void end_of_body();
  void begin_phase();
  void count();

  // --- declarations
  void declaration();
  void declare_io();
  void declare_index_range();
  void declare_bound();
  void declare_shared();
  void declare_temps();
  void declare_custom();
  void once();
  void check_value(const NameTable& names, std::uint32_t value, std::string_view what);
  void check_return_types(std::uint32_t word);
  void check_limit(bool holds, std::string message) {
    if (!holds) report(rules::kProgramLimit, std::move(message));
  }
  IoFile* file_of(OperandType type);

  // --- operands
  void operands();
  void operand(unsigned slot, char role);
  bool check_shape(unsigned slot, const OperandTraits& traits);
  void check_register(unsigned slot, const OperandTraits& traits, char role);
  void check_io(unsigned slot, char role);
  void check_bound(unsigned slot, char role);
  unsigned lanes_of(unsigned slot, char role) const;

  // --- flow
  void flow();
  void open(Flow flow) {
    if (flow_.size() >= kFlowDepth) report(rules::kFlowDepth, "nested " + number(flow_.size() + 1) + " deep");
    flow_.push_back({flow, false, false, static_cast<std::uint32_t>(cases_.size())});
    loops_ += flow == Flow::loop;
    switches_ += flow == Flow::switch_;
  }
  void close() {
    loops_ -= flow_.back().flow == Flow::loop;
    switches_ -= flow_.back().flow == Flow::switch_;
    flow_.pop_back();
  }
  void close_switch();

  const dxcontainer::Part& part_;
  const Program& program_;
  Findings& findings_;
  Stages stage_;
  ProgramFacts facts_;
  Instruction in_;
  std::uint32_t index_ = 0;
  std::uint32_t phase_ = 0;  // counts hull phases, 0 before the first
  Opcode phase_kind_ = Opcode::nop;
  bool in_body_ = false;  // behind the first instruction of the program or phase
  bool ended_ = false;    // the last instruction was ret
  bool has_flags_ = false;
  bool has_control_points_ = false;  // a control point phase was seen
  bool has_icb_ = false;
  std::array<bool, 256> declared_{};  // by opcode: declarations of the whole
  std::uint32_t temps_ = 0;
  std::uint32_t indexable_registers_ = 0;
  std::uint32_t shared_bytes_ = 0;
  std::uint32_t icb_registers_ = 0;
  std::uint8_t streams_ = 0;
  std::uint8_t stream_ = 0;    // whose outputs are being declared
  std::uint64_t special_ = 0;  // registers without a number that the phase declares, a bit per operand type
  IoFile input_, output_, input_points_, output_points_, patch_;
  std::unordered_map<std::uint32_t, Indexable> indexable_;
  std::unordered_map<std::uint32_t, Resource> buffers_, samplers_, resources_, uavs_, shared_;
  std::unordered_map<std::uint32_t, std::uint32_t> interfaces_;  // number of slots by first
  std::unordered_set<std::uint32_t> bodies_, tables_, labels_, body_labels_;
  std::vector<Reference> references_;
  std::vector<Construct> flow_;
  std::size_t loops_ = 0;     // of flow_
  std::size_t switches_ = 0;  // of flow_
  std::vector<std::uint32_t> cases_;
};

// --- the whole -------------------------------------------------------------------------------------------------------------------------

void ProgramValidator::check_version() {
  const std::string version = number(program_.major) + '.' + number(program_.minor);
  const bool known_model = (program_.major == 4 || program_.major == 5) && program_.minor <= 1;
  const bool known_stage = static_cast<unsigned>(program_.stage) <= 5;
  if (!known_stage || !known_model || (program_.major == 4 && is_stage(kHull | kDomain))) {
    findings_.add(rules::kProgramVersion, offset(0), std::string(part_.name()) + "/version",
                  "stage " + number(static_cast<unsigned>(program_.stage)) + ", shader model " + version);
  }
  if (program_.major >= 5 && part_.fourcc == dxcontainer::fourcc("SHDR"))
    findings_.add(rules::kProgramPartName, offset(0), part_.name(), "shader model " + version + " in SHDR");
  if (part_.data.size() != program_.tokens.size()) {
    findings_.add(rules::kProgramTrailingBytes, part_.data.file_offset() + program_.tokens.size(), part_.name(),
                  number(part_.data.size() - program_.tokens.size()) + " bytes behind the program");
  }
}

ProgramFacts ProgramValidator::run() {
  check_version();
  Decoder decoder(program_);
  while (!decoder.at_end()) {
    if (!decoder.next(in_)) {
      const Error& error = decoder.error();
      findings_.add(rules::kProgramUndecodable, error.offset, std::string(part_.name()) + '/' + error.path,
                    std::string(id(error.code)) + ": " + error.message);
      return std::move(facts_);
    }
    instruction();
    ++index_;
  }
  finish();
  facts_.is_complete = true;
  return std::move(facts_);
}

void ProgramValidator::instruction() {
  if (in_.info == nullptr) {
    in_body_ = true;
    ended_ = false;
    return report(rules::kInstructionUnknown, "no such opcode");
  }
  const Opcode opcode = in_.opcode();
  if (opcode == Opcode::reserved0 || opcode == Opcode::reserved1 || opcode == Opcode::reserved2 || opcode == Opcode::reserved3)
    report(rules::kInstructionReserved, "opcode without a meaning");
  check_model();
  check_length();
  count();
  if (in_.info->counted == Counted::dcl) {
    if (in_body_) report(rules::kProgramDeclarationLate, "declaration behind instructions");
    return declaration();
  }
  if (opcode == Opcode::customdata) return declare_custom();
  if (in_.info->counted == Counted::phase) {
    if (opcode == Opcode::label) {
      end_of_body();
      in_body_ = true;
      const Operand& label = in_.operands[0];
      if (label.type != OperandType::label && label.type != OperandType::function_body)
        report(rules::kOperandKind, 0, name(label) + " is no label");
      auto& known = label.type == OperandType::function_body ? body_labels_ : labels_;
      if (!known.insert(label.index[0]).second) report(rules::kRegisterRedeclared, 0, "a second label " + name(label));
      return;
    }
    return begin_phase();
  }
  if (!is_stage(stages_of(opcode))) report(rules::kInstructionStage, "not in " + std::string(id(program_.stage)) + " shaders");
  if (opcode == Opcode::sync && !is_stage(kCompute) &&
      (token::kSyncThreads.get(in_.token) != 0 || token::kSyncGroupMemory.get(in_.token) != 0))
    report(rules::kInstructionStage, "threads and their memory are synchronised in compute shaders only");
  in_body_ = true;
  ended_ = opcode == Opcode::ret;
  if (!flow_.empty() && flow_.back().flow == Flow::switch_ && !flow_.back().has_entry && opcode != Opcode::case_ &&
      opcode != Opcode::default_ && opcode != Opcode::endswitch && opcode != Opcode::nop) {
    report(rules::kFlowSwitchEntry, "in a switch before its first case");
    flow_.back().has_entry = true;
  }
  flow();
  operands();
}

void ProgramValidator::check_model() {
  const auto model = static_cast<unsigned>(program_.major >= 5 ? 2 + program_.minor : program_.minor);
  const Opcode opcode = in_.opcode();
  if (static_cast<unsigned>(in_.info->since) <= model) {
    if (opcode == Opcode::msad) {
      use(kFeatureShaderExtensions);
      if ((facts_.global_flags & kFlagShaderExtensions) == 0) report(rules::kFlagsShaderExtensions, "without enable11_1ShaderExtensions");
    }
  } else if (program_.major == 4 && is_raw_structured(opcode)) {
    if (!is_stage(kCompute)) use(kFeatureRawStructured4);
    if (!is_stage(kCompute) && (facts_.global_flags & kFlagRawStructured) == 0)
      report(rules::kFlagsRawStructured, "without enableRawAndStructuredBuffers");
  } else {
    report(rules::kInstructionModel, "not in shader model " + number(program_.major) + '.' + number(program_.minor));
  }
  const bool extension = opcode == Opcode::ddiv || opcode == Opcode::dfma || opcode == Opcode::drcp || opcode == Opcode::dtoi ||
                         opcode == Opcode::dtou || opcode == Opcode::itod || opcode == Opcode::utod;
  if (in_.info->shape.find('g') != std::string_view::npos || extension || opcode == Opcode::ftod) {
    use(kFeatureDoubles);
    if (extension) use(kFeatureDoubleExtensions);
    const std::uint32_t needed = extension ? kFlagDouble | kFlagDoubleExtensions : kFlagDouble;
    if ((facts_.global_flags & needed) != needed)
      report(rules::kFlagsDouble,
             extension ? "without enableDoublePrecisionFloatOps and enable11_1DoubleExtensions" : "without enableDoublePrecisionFloatOps");
  }
  if (opcode >= Opcode::gather4_s) use(kFeatureTiled);
}

void ProgramValidator::check_length() {
  if (in_.opcode() == Opcode::customdata) return;
  std::uint32_t used = 1;
  const bool long_form =
      token::kExtended.get(in_.token) != 0 && (in_.opcode() == Opcode::dcl_function_table || in_.opcode() == Opcode::dcl_interface);
  if (long_form) {
    ++used;
  } else {
    for (std::uint32_t word = in_.token; token::kExtended.get(word) != 0 && used < in_.length_tokens; ++used)
      word = in_.bytes.u32(std::size_t{4} * used).value_or(0);
  }
  used += in_.word_count + static_cast<std::uint32_t>(in_.data.size() / 4);
  if (in_.opcode() == Opcode::dcl_function_table) ++used;  // the count of bodies
  for (unsigned i = 0; i < in_.operand_count; ++i) used += in_.operands[i].token_count;
  if (used == in_.length_tokens) return;
  if (used + 1 == in_.length_tokens && has_spare_token(in_.opcode())) return;
  report(rules::kInstructionLength, number(in_.length_tokens) + " tokens stated, " + number(used) + " used");
}

void ProgramValidator::end_of_body() {
  if (!flow_.empty()) report(rules::kFlowUnclosed, number(flow_.size()) + " constructs are open");
  if (!ended_) report(rules::kProgramReturn, "the code before it does not end with ret");
  flow_.clear();
  loops_ = switches_ = 0;
  cases_.clear();
  ended_ = false;
}

void ProgramValidator::begin_phase() {
  const Opcode opcode = in_.opcode();
  if (!is_stage(kHull)) return report(rules::kInstructionStage, "only in hull shaders");
  if (phase_ != 0 && phase_kind_ != Opcode::hs_decls) end_of_body();
  // hs_decls, control point, fork and join stand in the order of their opcodes; only forks and joins repeat.
  if (phase_ == 0 ? opcode != Opcode::hs_decls
                  : opcode < phase_kind_ || (opcode == phase_kind_ && opcode <= Opcode::hs_control_point_phase))
    report(rules::kHullPhase, "out of order");
  phase_kind_ = opcode;
  has_control_points_ = has_control_points_ || opcode == Opcode::hs_control_point_phase;
  ++phase_;
  in_body_ = false;
  ended_ = opcode == Opcode::hs_decls;
  temps_ = 0;
  indexable_registers_ = 0;
  special_ = 0;
  input_ = output_ = input_points_ = output_points_ = patch_ = {};
}

void ProgramValidator::finish() {
  const auto report_end = [&](const Rule& rule, std::string message) {
    findings_.add(rule, offset(static_cast<std::uint32_t>(program_.tokens.size() / 4)), part_.name(), std::move(message));
  };
  if (!flow_.empty()) report_end(rules::kFlowUnclosed, number(flow_.size()) + " constructs are open at the end of the program");
  if (!ended_) report_end(rules::kProgramReturn, "the program does not end with ret");
  if (is_stage(kHull) && phase_ == 0) report_end(rules::kHullPhase, "no phases");

  struct Needed {
    Stages stages;
    Opcode opcode;
  };
  constexpr Needed kNeeded[] = {
      {kCompute, Opcode::dcl_thread_group},
      {kGeometry, Opcode::dcl_inputprimitive},
      {kGeometry, Opcode::dcl_maxout},
      {kHull, Opcode::dcl_input_control_point_count},
      {kHull, Opcode::dcl_output_control_point_count},
      {kHull | kDomain, Opcode::dcl_tessellator_domain},
      {kHull, Opcode::dcl_tessellator_partitioning},
      {kHull, Opcode::dcl_tessellator_output_primitive},
  };
  // A geometry shader that emits nothing has no topology. Observed.
  if (is_stage(kGeometry) && facts_.counted.emit_instruction_count != 0 && !declared_[static_cast<std::size_t>(Opcode::dcl_outputtopology)])
    report_end(rules::kProgramDeclarationMissing, "no dcl_outputtopology");
  for (const Needed& needed : kNeeded) {
    const auto code = static_cast<std::uint32_t>(needed.opcode);
    if (is_stage(needed.stages) && !declared_[code])
      report_end(rules::kProgramDeclarationMissing, "no " + std::string(find_opcode(code)->text));
  }

  for (const Reference& reference : references_) {
    const auto& known = reference.type == OperandType::label ? labels_ : reference.type == OperandType::function_table ? tables_ : bodies_;
    const bool has_code = reference.type != OperandType::function_body || body_labels_.contains(reference.number);
    if (known.contains(reference.number) && has_code) continue;
    findings_.add(rules::kRegisterUndeclared, offset(reference.token),
                  std::string(part_.name()) + "/instructions[" + number(reference.instruction) + ']',
                  std::string(find_operand(reference.type)->text) + number(reference.number) + " is not there");
  }
  facts_.function_tables.assign(tables_.begin(), tables_.end());
  std::sort(facts_.function_tables.begin(), facts_.function_tables.end());
  facts_.has_control_points = !is_stage(kHull) || has_control_points_;
}

void ProgramValidator::count() {
  Statistics& s = facts_.counted;
  const Opcode opcode = in_.opcode();
  const auto has = [&](OperandType type) {
    return std::any_of(in_.operands.begin(), in_.operands.begin() + in_.operand_count, [&](const Operand& o) { return o.type == type; });
  };
  // Observed: messages count as instructions. guess, from the one program that has it: abort does not.
  const bool is_message =
      opcode == Opcode::customdata && token::kCustomDataClass.get(in_.token) == static_cast<std::uint32_t>(CustomData::shader_message);
  const Counted counted = in_.info->counted;
  const bool is_instruction =
      opcode == Opcode::customdata ? is_message : counted != Counted::dcl && counted != Counted::phase && opcode != Opcode::abort;
  if (!is_instruction) return;
  ++s.instruction_count;
  if (has(OperandType::indexable_temp)) ++s.array_instruction_count;
  // Flow control is static where a constant buffer decides.
  const auto decided = [&] { ++(has(OperandType::constant_buffer) ? s.static_flow_control_count : s.dynamic_flow_control_count); };
  switch (counted) {
    case Counted::sflow:
      if (opcode != Opcode::interface_call) ++s.static_flow_control_count;
      break;
    case Counted::dflow:
      if (opcode == Opcode::break_) {
        ++s.static_flow_control_count;
      } else if (opcode == Opcode::continue_) {
        ++s.static_flow_control_count;
      } else {
        decided();
      }
      break;
    case Counted::movc:
      if (opcode == Opcode::movc) ++s.movc_instruction_count;
      break;
    case Counted::conv: ++s.conversion_instruction_count; break;
    case Counted::tnormal: ++s.texture_normal_instructions; break;
    case Counted::tload:
      if (!has(OperandType::thread_group_shared_memory)) ++s.texture_load_instructions;
      break;
    case Counted::tcomp: ++s.texture_comparison_instructions; break;
    case Counted::tbias: ++s.texture_bias_instructions; break;
    case Counted::tgrad: ++s.texture_gradient_instructions; break;
    case Counted::gather: ++s.texture_gather_instructions; break;
    case Counted::lod: ++s.texture_lod_instructions; break;
    case Counted::tstore:
      if (!has(OperandType::thread_group_shared_memory)) ++s.texture_store_instructions;
      break;
    case Counted::atomic: ++s.interlocked_instructions; break;
    case Counted::barrier: ++s.barrier_instructions; break;
    case Counted::emit: ++s.emit_instruction_count; break;
    case Counted::cut: ++s.cut_instruction_count; break;
    default: break;
  }
  // Rounding counts as conversion.
  if (opcode == Opcode::frc || (opcode >= Opcode::round_ne && opcode <= Opcode::round_z)) ++s.conversion_instruction_count;
}

// --- declarations ----------------------------------------------------------------------------------------------------------------------

void ProgramValidator::once() {
  bool& declared = declared_[in_.code];
  if (declared) report(rules::kProgramDeclarationRepeated, "declared already");
  declared = true;
}

void ProgramValidator::check_value(const NameTable& names, std::uint32_t value, std::string_view what) {
  if (names.find(value).empty()) report(rules::kInstructionValue, std::string(what) + ' ' + number(value));
}

void ProgramValidator::check_return_types(std::uint32_t word) {
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t type = word >> (4 * i) & 0xfU;
    if (kReturnTypeNames.find(type).empty()) return report(rules::kInstructionValue, "return type " + number(type));
  }
}

void ProgramValidator::declaration() {
  const Opcode opcode = in_.opcode();
  if (!is_stage(stages_of(opcode))) report(rules::kProgramDeclarationStage, "not in " + std::string(id(program_.stage)) + " shaders");
  if (declares_binding(opcode)) return declare_bound();
  const std::uint32_t word = in_.words[0];
  switch (opcode) {
    case Opcode::dcl_globalFlags: {
      if (has_flags_) report(rules::kProgramDeclarationRepeated, "declared already");
      has_flags_ = true;
      facts_.global_flags = token::kGlobalFlags.get(in_.token);
      std::uint32_t known = 0;
      for (const NamedValue& flag : kGlobalFlags) known |= flag.value;
      if ((facts_.global_flags & ~known) != 0) report(rules::kFlagsUnknown, "unknown bits " + hex32(facts_.global_flags & ~known));
      break;
    }
    case Opcode::dcl_temps:
    case Opcode::dcl_indexableTemp: declare_temps(); break;
    case Opcode::dcl_input:
    case Opcode::dcl_input_sgv:
    case Opcode::dcl_input_siv:
    case Opcode::dcl_input_ps:
    case Opcode::dcl_input_ps_sgv:
    case Opcode::dcl_input_ps_siv:
    case Opcode::dcl_output:
    case Opcode::dcl_output_sgv:
    case Opcode::dcl_output_siv: declare_io(); break;
    case Opcode::dcl_indexrange: declare_index_range(); break;
    case Opcode::dcl_tgsm_raw:
    case Opcode::dcl_tgsm_structured: declare_shared(); break;
    case Opcode::dcl_stream: {
      const Operand& stream = in_.operands[0];
      if (stream.type != OperandType::stream) return report(rules::kOperandKind, 0, name(stream) + " is no stream");
      if (stream.index[0] >= kStreams) return report(rules::kRegisterLimit, 0, "stream " + number(stream.index[0]));
      stream_ = static_cast<std::uint8_t>(stream.index[0]);
      if ((streams_ >> stream_ & 1U) != 0) report(rules::kRegisterRedeclared, 0, name(stream) + " is declared already");
      streams_ = static_cast<std::uint8_t>(streams_ | 1U << stream_);
      break;
    }
    case Opcode::dcl_inputprimitive:
      once();
      check_value(kPrimitiveNames, token::kPrimitive.get(in_.token), "primitive");
      if (token::kPrimitive.get(in_.token) == 0) report(rules::kInstructionValue, "primitive 0");
      facts_.counted.input_primitive = static_cast<InputPrimitive>(token::kPrimitive.get(in_.token));
      break;
    case Opcode::dcl_outputtopology: {
      // Once for each stream.
      const std::uint32_t topology = token::kTopology.get(in_.token);
      declared_[in_.code] = true;
      if (topology != 1 && topology != 3 && topology != 5)
        report(rules::kInstructionValue, "topology " + number(topology) + " is not one of point list, line strip, triangle strip");
      if (stream_ == 0) facts_.counted.output_topology = static_cast<OutputTopology>(topology);
      break;
    }
    case Opcode::dcl_maxout:
      once();
      check_limit(word >= 1 && word <= kMaxVertices, number(word) + " vertices");
      facts_.counted.max_output_vertex_count = word;
      break;
    case Opcode::dcl_gsinstances:
      once();
      check_limit(word >= 1 && word <= kMaxInstances, number(word) + " instances");
      facts_.counted.instance_count = word;
      break;
    case Opcode::dcl_thread_group: {
      once();
      const auto [x, y, z] = std::array{in_.words[0], in_.words[1], in_.words[2]};
      const bool is_4 = program_.major == 4;
      const std::uint32_t most = is_4 ? kThreads4 : kThreads;
      const bool each = x >= 1 && y >= 1 && z >= 1 && x <= most && y <= most && z <= kThreadsZ;
      check_limit(each && std::uint64_t{x} * y * z <= most, number(x) + " * " + number(y) + " * " + number(z) + " threads");
      break;
    }
    case Opcode::dcl_input_control_point_count:
    case Opcode::dcl_output_control_point_count: {
      once();
      const std::uint32_t points = token::kControlPoints.get(in_.token);
      const bool is_input = opcode == Opcode::dcl_input_control_point_count;
      check_limit(points <= kControlPoints && (points >= 1 || !is_input), number(points) + " control points");
      // A patch of n points is primitive 7 + n. src: D3D_PRIMITIVE
      if (is_input && is_stage(kHull)) facts_.counted.input_primitive = static_cast<InputPrimitive>(7 + points);
      if (is_input == is_stage(kDomain)) facts_.counted.control_point_count = points;
      break;
    }
    case Opcode::dcl_tessellator_domain:
      once();
      check_value(kDomainNames, token::kDomain.get(in_.token), "domain");
      if (token::kDomain.get(in_.token) == 0) report(rules::kInstructionValue, "domain 0");
      facts_.counted.tessellator_domain = static_cast<TessellatorDomain>(token::kDomain.get(in_.token));
      break;
    case Opcode::dcl_tessellator_partitioning:
      once();
      check_value(kPartitioningNames, token::kPartitioning.get(in_.token), "partitioning");
      if (token::kPartitioning.get(in_.token) == 0) report(rules::kInstructionValue, "partitioning 0");
      facts_.counted.tessellator_partitioning = static_cast<TessellatorPartitioning>(token::kPartitioning.get(in_.token));
      break;
    case Opcode::dcl_tessellator_output_primitive:
      once();
      check_value(kTessOutputNames, token::kTessOutput.get(in_.token), "output primitive");
      if (token::kTessOutput.get(in_.token) == 0) report(rules::kInstructionValue, "output primitive 0");
      facts_.counted.tessellator_output = static_cast<TessellatorOutput>(token::kTessOutput.get(in_.token));
      break;
    case Opcode::dcl_hs_max_tessfactor: {
      once();
      const float factor = std::bit_cast<float>(word);
      check_limit(factor >= 1.0F && factor <= kMaxTessFactor, "factor " + hex32(word) + " is not from 1 to 64");
      break;
    }
    case Opcode::dcl_hs_fork_phase_instance_count:
    case Opcode::dcl_hs_join_phase_instance_count: check_limit(word >= 1 && word <= kPhaseInstances, number(word) + " instances"); break;
    case Opcode::dcl_function_body:
      if (!bodies_.insert(word).second) report(rules::kRegisterRedeclared, "fb" + number(word) + " is declared already");
      break;
    case Opcode::dcl_function_table:
      if (!tables_.insert(word).second) report(rules::kRegisterRedeclared, "ft" + number(word) + " is declared already");
      for (std::size_t i = 0; i < in_.data.size() / 4; ++i)
        references_.push_back({OperandType::function_body, in_.data.u32(4 * i).value_or(0), index_, in_.first_token});
      break;
    case Opcode::dcl_interface:
      if (!interfaces_.try_emplace(word, in_.words[2] >> 16).second)
        report(rules::kRegisterRedeclared, "fp" + number(word) + " is declared already");
      for (std::size_t i = 0; i < in_.data.size() / 4; ++i)
        references_.push_back({OperandType::function_table, in_.data.u32(4 * i).value_or(0), index_, in_.first_token});
      break;
    default: break;
  }
}

void ProgramValidator::declare_temps() {
  if (in_.opcode() == Opcode::dcl_temps) {
    if (temps_ != 0) report(rules::kProgramDeclarationRepeated, "declared already");
    temps_ = in_.words[0];
    facts_.counted.temp_register_count = std::max(facts_.counted.temp_register_count, temps_);
    if (temps_ > kTempRegisters) report(rules::kRegisterLimit, number(temps_) + " registers");
    return;
  }
  const auto [reg, registers, components] = std::array{in_.words[0], in_.words[1], in_.words[2]};
  if (components < 1 || components > 4) report(rules::kInstructionValue, number(components) + " components");
  Indexable& entry = indexable_[reg];
  if (entry.count != 0 && entry.phase == phase_) report(rules::kRegisterRedeclared, "x" + number(reg) + " is declared already");
  entry = {registers, static_cast<std::uint8_t>((1U << std::min(components, 4U)) - 1), phase_};
  facts_.counted.temp_array_count += registers;
  indexable_registers_ = registers > kTempRegisters ? registers : std::min(indexable_registers_ + registers, kTempRegisters + 1);
  if (registers == 0 || indexable_registers_ > kTempRegisters)
    report(rules::kRegisterLimit, number(registers) + " registers, " + number(indexable_registers_) + " in all");
}

IoFile* ProgramValidator::file_of(OperandType type) {
  switch (type) {
    case OperandType::input: return &input_;
    case OperandType::output: return &output_;
    case OperandType::input_control_point: return &input_points_;
    case OperandType::output_control_point: return &output_points_;
    case OperandType::input_patch_constant: return &patch_;
    default: return nullptr;
  }
}

void ProgramValidator::declare_io() {
  const Operand& operand = in_.operands[0];
  const Opcode opcode = in_.opcode();
  if (in_.info->control == Control::interpolation) {
    const std::uint32_t mode = token::kInterpolation.get(in_.token);
    check_value(kInterpolationNames, mode, "interpolation");
    if (mode >= 6 && mode <= 7) facts_.counted.sample_frequency = 1;
  }
  ++facts_.counted.declaration_count;
  const OperandTraits* traits = find_traits(operand.type);
  if (traits == nullptr) return report(rules::kOperandUnknown, 0, name(operand));
  if ((declarable_by(opcode) & bit(operand.type)) == 0) return report(rules::kOperandKind, 0, name(operand) + " cannot be declared so");
  if (!is_stage(traits->stages))
    return report(rules::kOperandStage, 0, name(operand) + " is not in " + std::string(id(program_.stage)) + " shaders");
  std::uint16_t system_value = 0;
  if (in_.word_count != 0) {
    system_value = static_cast<std::uint16_t>(token::kName.get(in_.words[0]));
    check_value(kNameNames, system_value, "system value");
    if (system_value == 10) facts_.counted.sample_frequency = 1;
    // Before the geometry stage these need hardware that all later stages came with.
    if ((system_value == 4 || system_value == 5) && is_stage(kVertex | kDomain) && opcode == Opcode::dcl_output_siv)
      use(kFeatureArrayIndex);
  }
  if (traits->is_special) {
    if ((special_ & bit(operand.type)) != 0) report(rules::kRegisterRedeclared, 0, name(operand) + " is declared already");
    special_ |= bit(operand.type);
    if (operand.type == OperandType::output_stencil_ref) use(kFeatureStencilRef);
    if (operand.type == OperandType::input_inner_coverage) use(kFeatureInnerCoverage);
    return;
  }
  if (operand.dimensions < 1 || operand.dimensions > 2 || operand.relative[0] != kNoOperand || operand.relative[1] != kNoOperand)
    return report(rules::kOperandDimensions, 0, number(operand.dimensions) + " indexes");
  const std::uint32_t reg = operand.index[operand.dimensions - 1U];
  const bool is_output = operand.type == OperandType::output;
  const std::uint32_t most = is_output && is_stage(kPixel) ? kTargets : kIoRegisters;
  if (reg >= most) return report(rules::kRegisterLimit, 0, "register " + number(reg) + " of " + number(most));
  if (operand.components != 4 || operand.selection != Selection::mask || operand.lanes == 0)
    return report(rules::kOperandMask, 0, "no mask of declared components");
  IoFile& file = *file_of(operand.type);
  std::uint8_t& mask = file.by_stream[is_output ? stream_ : 0][reg];
  if ((mask & operand.lanes) != 0) report(rules::kRegisterRedeclared, 0, "components of register " + number(reg) + " are declared already");
  mask = static_cast<std::uint8_t>(mask | operand.lanes);
  file.mask[reg] = static_cast<std::uint8_t>(file.mask[reg] | operand.lanes);
  if (operand.dimensions == 2) file.vertices = std::max(file.vertices, operand.index[0]);

  DeclaredElement element;
  element.mask = operand.lanes;
  element.stream = is_output ? stream_ : 0;
  element.name = system_value;
  element.register_index = reg;
  element.token = in_.first_token;
  element.is_read = !is_output;
  const bool patch_phase = phase_kind_ == Opcode::hs_fork_phase || phase_kind_ == Opcode::hs_join_phase;
  element.interface = operand.type == OperandType::input_patch_constant || (is_output && is_stage(kHull) && patch_phase)
                          ? Interface::patch_constant
                      : is_output || operand.type == OperandType::output_control_point ? Interface::output
                                                                                       : Interface::input;
  facts_.elements.push_back(element);
}

void ProgramValidator::declare_index_range() {
  const Operand& operand = in_.operands[0];
  IoFile* file = file_of(operand.type);
  if (file == nullptr || operand.dimensions < 1 || operand.dimensions > 2)
    return report(rules::kOperandKind, 0, name(operand) + " cannot be indexed");
  const std::uint32_t first = operand.index[operand.dimensions - 1U];
  const std::uint32_t count = in_.words[0];
  if (count == 0 || first >= kIoRegisters || count > kIoRegisters - first)
    return report(rules::kRegisterLimit, 0, number(count) + " registers from " + number(first));
  for (std::uint32_t reg = first; reg < first + count; ++reg) {
    // A hull shader phase declares of its range what it writes by itself. Observed.
    if (!is_stage(kHull) && (operand.lanes & ~file->mask[reg]) != 0)
      report(rules::kRegisterUndeclared, 0, "register " + number(reg) + " of the range is not declared so");
    file->ranges |= 1U << reg;
  }
}

void ProgramValidator::declare_bound() {
  const Operand& operand = in_.operands[0];
  const Opcode opcode = in_.opcode();
  if ((declarable_by(opcode) & bit(operand.type)) == 0) return report(rules::kOperandKind, 0, name(operand) + " cannot be declared so");
  const bool is_buffer = operand.type == OperandType::constant_buffer;
  const unsigned dimensions = program_.is_5_1() ? 3 : is_buffer ? 2 : 1;
  if (operand.dimensions != dimensions || operand.relative[0] != kNoOperand || operand.relative[1] != kNoOperand ||
      operand.relative[2] != kNoOperand)
    return report(rules::kOperandDimensions, 0, number(operand.dimensions) + " indexes");

  DeclaredBinding binding;
  binding.type = operand.type;
  binding.token = in_.first_token;
  Resource resource;
  std::uint32_t key = operand.index[0];
  unsigned next_word = 0;
  const auto word = [&] { return next_word < in_.word_count ? in_.words[next_word++] : 0U; };
  if (program_.is_5_1()) {
    binding.lower = operand.index[1];
    binding.upper = operand.index[2];
    if (binding.upper < binding.lower) report(rules::kRegisterLimit, 0, "slots " + number(binding.lower) + " to " + number(binding.upper));
  } else {
    binding.lower = binding.upper = operand.index[0];
  }
  switch (opcode) {
    case Opcode::dcl_constantbuffer: {
      binding.size = program_.is_5_1() ? word() : operand.index[1];
      resource.registers = binding.size;
      // A size of 0 stands for a buffer whose size is not known.
      if (binding.size > kBufferRegisters) report(rules::kRegisterLimit, 0, number(binding.size) + " registers in a buffer");
      break;
    }
    case Opcode::dcl_sampler: {
      const std::uint32_t mode = token::kSamplerMode.get(in_.token);
      check_value(kSamplerModeNames, mode, "sampler mode");
      binding.is_comparison = mode == 1;
      resource.is_comparison = binding.is_comparison;
      break;
    }
    case Opcode::dcl_resource:
    case Opcode::dcl_uav_typed: {
      binding.dimension = static_cast<std::uint8_t>(token::kDimension.get(in_.token));
      if (binding.dimension < 1 || binding.dimension > 10)
        report(rules::kInstructionValue, "resource dimension " + number(binding.dimension));
      const std::uint32_t types = word();
      check_return_types(types);
      constexpr std::uint32_t kSint = 3;
      constexpr std::uint32_t kUint = 4;
      for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t type = types >> (4 * i) & 0xfU;
        if (type == kSint || type == kUint) resource.is_integer = true;
      }
      break;
    }
    case Opcode::dcl_resource_raw:
    case Opcode::dcl_uav_raw: binding.layout = Layout::raw; break;
    case Opcode::dcl_resource_structured:
    case Opcode::dcl_uav_structured:
      binding.layout = Layout::structured;
      binding.size = word();
      binding.has_counter = opcode == Opcode::dcl_uav_structured && token::kHasCounter.get(in_.token) != 0;
      if (binding.size == 0 || binding.size % 4 != 0 || binding.size > kStructureBytes)
        report(rules::kProgramLimit, number(binding.size) + " bytes of structure");
      break;
    default: break;
  }
  if (program_.is_5_1()) binding.space = word();
  const bool is_uav = operand.type == OperandType::uav;
  if (is_uav) {
    if (token::kRasterizerOrdered.get(in_.token) != 0) use(kFeatureRovs);
    if (!is_stage(kPixel | kCompute)) use(kFeatureUavsEverywhere);
  }
  if (!program_.is_5_1()) {
    const std::uint32_t slots = is_buffer                              ? kBufferSlots
                                : operand.type == OperandType::sampler ? kSamplerSlots
                                : is_uav                               ? kUavSlots
                                                                       : kResourceSlots;
    if (binding.lower >= slots) report(rules::kRegisterLimit, 0, name(operand) + " of " + number(slots) + " slots");
    if (is_uav && binding.lower >= kUavSlotsWithoutFeature) use(kFeature64Uavs);
  }
  resource.layout = binding.layout;
  resource.lower = binding.lower;
  resource.upper = binding.upper;
  auto& file = is_buffer ? buffers_ : operand.type == OperandType::sampler ? samplers_ : is_uav ? uavs_ : resources_;
  if (!file.try_emplace(key, resource).second) report(rules::kRegisterRedeclared, 0, name(operand) + " is declared already");
  facts_.bindings.push_back(binding);
}

void ProgramValidator::declare_shared() {
  const Operand& operand = in_.operands[0];
  if (operand.type != OperandType::thread_group_shared_memory)
    return report(rules::kOperandKind, 0, name(operand) + " is no shared memory");
  if (operand.dimensions != 1 || operand.relative[0] != kNoOperand)
    return report(rules::kOperandDimensions, 0, number(operand.dimensions) + " indexes");
  Resource memory;
  std::uint64_t bytes = in_.words[0];
  if (in_.opcode() == Opcode::dcl_tgsm_structured) {
    memory.layout = Layout::structured;
    bytes *= in_.words[1];
  } else {
    memory.layout = Layout::raw;
  }
  const std::uint32_t most = program_.major == 4 ? kSharedBytes4 : kSharedBytes;
  shared_bytes_ = bytes > most ? most + 1 : std::min(shared_bytes_ + static_cast<std::uint32_t>(bytes), most + 1);
  check_limit(bytes != 0 && shared_bytes_ <= most, number(bytes) + " bytes of group memory, " + number(most) + " is all there is");
  if (in_.words[0] % 4 != 0) report(rules::kProgramLimit, "sizes of group memory are multiples of 4");
  if (!shared_.try_emplace(operand.index[0], memory).second) report(rules::kRegisterRedeclared, 0, name(operand) + " is declared already");
}

void ProgramValidator::declare_custom() {
  if (token::kCustomDataClass.get(in_.token) != static_cast<std::uint32_t>(CustomData::immediate_constant_buffer)) return;
  if (in_body_) report(rules::kProgramDeclarationLate, "immediate constant buffer behind instructions");
  if (has_icb_) report(rules::kProgramImmediateBuffer, "a second immediate constant buffer");
  has_icb_ = true;
  icb_registers_ = static_cast<std::uint32_t>(in_.data.size() / 16);
  facts_.counted.define_count = icb_registers_;
  if (in_.data.size() % 16 != 0 || icb_registers_ == 0 || icb_registers_ > kBufferRegisters)
    report(rules::kProgramImmediateBuffer, number(in_.data.size()) + " bytes");
}

// --- operands --------------------------------------------------------------------------------------------------------------------------

void ProgramValidator::operands() {
  const std::string_view shape = in_.info->shape;
  if (shape == "F") {
    operand(0, 'F');
  } else {
    unsigned slot = 0;
    for (const char role : shape)
      if (slot < in_.operand_count) operand(slot++, role);
  }
  // What indexes are made of.
  for (unsigned slot = in_.operand_count; slot < in_.total_operands; ++slot) operand(slot, 'x');
}

bool ProgramValidator::check_shape(unsigned slot, const OperandTraits& traits) {
  const Operand& operand = in_.operands[slot];
  unsigned wanted = traits.dimensions;
  if (traits.is_bound && program_.is_5_1()) ++wanted;
  // v0 of a vertex or pixel shader, v[2][0] of a geometry shader; hull shaders, and geometry shaders for nothing else, take arrays of
  // vertices.
  if (operand.type == OperandType::input && is_stage(kGeometry | kHull)) wanted = 2;
  if (operand.dimensions != wanted) {
    report(rules::kOperandDimensions, slot, name(operand) + " has " + number(operand.dimensions) + " indexes, not " + number(wanted));
    return false;
  }
  const auto word = in_.bytes.u32(std::size_t{4} * operand.first_token).value_or(0);
  for (unsigned i = 0; i < operand.dimensions; ++i) {
    if (token::kIndexRepresentation[i].get(word) > token::kImmediate64PlusRelative || (operand.index_64 >> i & 1U) != 0) {
      report(rules::kOperandIndex, slot, name(operand) + " has an index of an unknown form");
      return false;
    }
    if (operand.relative[i] == kNoOperand) continue;
    const Operand& inner = in_.operands[operand.relative[i]];
    if (inner.components == 4 && inner.selection != Selection::select1) {
      report(rules::kOperandIndex, slot, name(operand) + " is indexed by more than one component");
      return false;
    }
  }
  return true;
}

void ProgramValidator::operand(unsigned slot, char role) {
  const Operand& operand = in_.operands[slot];
  const OperandTraits* traits = find_traits(operand.type);
  if (traits == nullptr) return report(rules::kOperandUnknown, slot, name(operand));
  if (operand.min_precision != 0) {
    use(kFeatureMinPrecision);
    if ((facts_.global_flags & kFlagMinPrecision) == 0)
      report(rules::kFlagsMinPrecision, slot, "minimum precision without enableMinimumPrecision");
  }
  const auto word = in_.bytes.u32(std::size_t{4} * operand.first_token).value_or(0);
  if (token::kComponents.get(word) == 3) return report(rules::kOperandComponents, slot, "a number of components that means nothing");
  const bool is_stream = operand.type == OperandType::stream;
  switch (role) {
    case 'd': {
      const bool wants_stream =
          in_.opcode() == Opcode::emit_stream || in_.opcode() == Opcode::cut_stream || in_.opcode() == Opcode::emitthencut_stream;
      if (wants_stream != is_stream || (!is_stream && !traits->is_destination))
        return report(rules::kOperandDestination, slot, name(operand) + " cannot be written");
      if (operand.modifier != Modifier::none) report(rules::kOperandDestination, slot, "a destination with a modifier");
      if (operand.components == 4 && (operand.selection != Selection::mask || operand.lanes == 0))
        report(rules::kOperandMask, slot, "no write mask");
      break;
    }
    case 'r':
    case 'u': {
      if ((access_of(in_.opcode()).types & bit(operand.type)) == 0)
        return report(rules::kOperandKind, slot, name(operand) + " is no resource for this");
      if (role == 'u' && operand.components == 4 && (operand.selection != Selection::mask || operand.lanes == 0))
        report(rules::kOperandMask, slot, "no write mask");
      break;
    }
    case 'p':
      if (operand.type != OperandType::sampler) return report(rules::kOperandKind, slot, name(operand) + " is no sampler");
      break;
    case 'l':
      if (operand.type != OperandType::label) return report(rules::kOperandKind, slot, name(operand) + " is no label");
      if (operand.dimensions == 1) references_.push_back({operand.type, operand.index[0], index_, in_.first_token});
      break;
    case 'F':
      if (operand.type != OperandType::interface) return report(rules::kOperandKind, slot, name(operand) + " is no interface");
      break;
    default: {
      if (!traits->is_source) return report(rules::kOperandSource, slot, name(operand) + " cannot be read");
      const bool is_literal = operand.type == OperandType::immediate32 || operand.type == OperandType::immediate64;
      const bool is_wrong =
          operand.components == 4 && !is_literal && operand.selection != Selection::swizzle && operand.selection != Selection::select1;
      if (is_wrong) report(rules::kOperandSelection, slot, name(operand) + " has no swizzle");
      if (is_literal && operand.components == 0) report(rules::kOperandComponents, slot, "a literal without components");
      break;
    }
  }
  if (!is_stage(traits->stages))
    return report(rules::kOperandStage, slot, name(operand) + " is not in " + std::string(id(program_.stage)) + " shaders");
  if (!check_shape(slot, *traits)) return;
  check_register(slot, *traits, role);
}

unsigned ProgramValidator::lanes_of(unsigned slot, char role) const {
  const Operand& operand = in_.operands[slot];
  if (role == 'd') return operand.components == 4 ? operand.lanes : 1;
  if (operand.components != 4) return operand.components;
  if (operand.selection == Selection::select1) return 1U << operand.swizzle(0);
  unsigned wanted = 0;
  if (is_componentwise(in_)) {
    for (unsigned i = 0; i < in_.operand_count && in_.info->shape[i] == 'd'; ++i)
      if (in_.operands[i].type != OperandType::null) wanted |= in_.operands[i].components == 4 ? in_.operands[i].lanes : 1U;
  } else if (in_.opcode() == Opcode::dp2) {
    wanted = 0x3;
  } else if (in_.opcode() == Opcode::dp3) {
    wanted = 0x7;
  } else if (in_.opcode() == Opcode::dp4) {
    wanted = 0xf;
  }
  unsigned read = 0;
  for (unsigned i = 0; i < 4; ++i)
    if ((wanted >> i & 1U) != 0) read |= 1U << operand.swizzle(i);
  return read;
}

void ProgramValidator::check_register(unsigned slot, const OperandTraits& traits, char role) {
  const Operand& operand = in_.operands[slot];
  if (traits.is_special) {
    if ((special_ & bit(operand.type)) == 0) report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
    return;
  }
  const std::uint32_t first = operand.index[0];
  switch (operand.type) {
    case OperandType::temp:
      if (operand.relative[0] != kNoOperand) return report(rules::kOperandIndex, slot, "r registers cannot be indexed");
      if (temps_ == 0) return report(rules::kRegisterUndeclared, slot, name(operand) + " without dcl_temps");
      if (first >= temps_) report(rules::kRegisterRange, slot, name(operand) + " of " + number(temps_));
      break;
    case OperandType::indexable_temp: {
      const auto found = indexable_.find(first);
      if (operand.relative[0] != kNoOperand) return report(rules::kOperandIndex, slot, "the number of an x register is immediate");
      if (found == indexable_.end() || (found->second.phase != phase_))
        return report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
      if (operand.relative[1] == kNoOperand && operand.index[1] >= found->second.count)
        report(rules::kRegisterRange, slot, name(operand) + '[' + number(operand.index[1]) + "] of " + number(found->second.count));
      if ((lanes_of(slot, role) & ~unsigned{found->second.mask}) != 0)
        report(rules::kRegisterComponents, slot, name(operand) + " has fewer components");
      break;
    }
    case OperandType::immediate_constant_buffer:
      if (!has_icb_) return report(rules::kRegisterUndeclared, slot, "no immediate constant buffer");
      if (operand.relative[0] == kNoOperand && first >= icb_registers_)
        report(rules::kRegisterRange, slot, "register " + number(first) + " of " + number(icb_registers_));
      break;
    case OperandType::stream:
      if (first >= kStreams || (streams_ >> first & 1U) == 0) report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
      break;
    case OperandType::interface: {
      if (operand.relative[0] != kNoOperand) return report(rules::kOperandIndex, slot, "the number of an interface is immediate");
      const auto found = interfaces_.find(first);
      if (found == interfaces_.end()) return report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
      if (operand.relative[1] == kNoOperand && operand.index[1] >= std::max(found->second, 1U))
        report(rules::kRegisterRange, slot, name(operand) + '[' + number(operand.index[1]) + "] of " + number(found->second));
      break;
    }
    case OperandType::constant_buffer:
    case OperandType::sampler:
    case OperandType::resource:
    case OperandType::uav:
    case OperandType::thread_group_shared_memory: check_bound(slot, role); break;
    case OperandType::input:
    case OperandType::output:
    case OperandType::input_control_point:
    case OperandType::output_control_point:
    case OperandType::input_patch_constant: check_io(slot, role); break;
    default: break;
  }
}

void ProgramValidator::check_io(unsigned slot, char role) {
  const Operand& operand = in_.operands[slot];
  const IoFile& file = *file_of(operand.type);
  const unsigned last = operand.dimensions - 1U;
  const std::uint32_t reg = operand.index[last];
  if (operand.dimensions == 2 && operand.relative[0] == kNoOperand && operand.index[0] >= file.vertices && file.vertices != 0)
    report(rules::kRegisterRange, slot, "vertex " + number(operand.index[0]) + " of " + number(file.vertices));
  if (operand.relative[last] != kNoOperand) {
    if (reg >= kIoRegisters || (file.ranges >> reg & 1U) == 0)
      report(rules::kRegisterIndexRange, slot, "indexed from register " + number(reg) + " without dcl_indexrange");
    return;
  }
  if (reg >= kIoRegisters || file.mask[reg] == 0)
    return report(rules::kRegisterUndeclared, slot, name(operand) + ": register " + number(reg) + " is not declared");
  const unsigned lanes = lanes_of(slot, role);
  if ((lanes & ~unsigned{file.mask[reg]}) != 0)
    report(rules::kRegisterComponents, slot,
           "components " + hex32(lanes) + " of register " + number(reg) + ", declared are " + hex32(file.mask[reg]));
}

void ProgramValidator::check_bound(unsigned slot, char role) {
  const Operand& operand = in_.operands[slot];
  const auto& file = operand.type == OperandType::constant_buffer ? buffers_
                     : operand.type == OperandType::sampler       ? samplers_
                     : operand.type == OperandType::resource      ? resources_
                     : operand.type == OperandType::uav           ? uavs_
                                                                  : shared_;
  const bool is_range = program_.is_5_1() && operand.type != OperandType::thread_group_shared_memory;
  if (operand.relative[0] != kNoOperand) {
    // Functions of classes find the buffers and samplers of the instance through `this`.
    if (interfaces_.empty()) report(rules::kOperandIndex, slot, "the number of a register or range is immediate");
    return;
  }
  const auto found = file.find(operand.index[0]);
  if (found == file.end()) return report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
  const Resource& resource = found->second;
  if (is_range && operand.relative[1] == kNoOperand && (operand.index[1] < resource.lower || operand.index[1] > resource.upper))
    report(rules::kRegisterRange, slot, name(operand) + ": slot " + number(operand.index[1]) + " is not in the declared range");
  if (operand.type == OperandType::constant_buffer) {
    const unsigned element = is_range ? 2 : 1;
    if (operand.relative[element] == kNoOperand && resource.registers != 0 && operand.index[element] >= resource.registers)
      report(rules::kRegisterRange, slot,
             name(operand) + '[' + number(operand.index[element]) + "] of " + number(resource.registers) + " registers");
  }
  const std::string_view does = in_.info->sem;
  const bool samples = does == "sample" || does.starts_with("sample_level") || does.starts_with("sample_gradient") ||
                       does.starts_with("sample_bias") || does.starts_with("sample_compare");
  if (role == 'p' && (samples || does.starts_with("gather"))) {
    const bool compares = does.find("compare") != std::string_view::npos;
    if (resource.is_comparison != compares)
      report(rules::kRegisterSampler, slot, name(operand) + (compares ? " is no comparison sampler" : " is a comparison sampler"));
  }
  if (role == 'r' && samples && resource.is_integer) report(rules::kRegisterReturnType, slot, name(operand) + " is a texture of integers");
  if (role != 'r' && role != 'u') return;
  const ResourceAccess access = access_of(in_.opcode());
  const bool fits = resource.layout == Layout::typed ? access.typed : resource.layout == Layout::raw ? access.raw : access.structured;
  if (!fits) report(rules::kRegisterKind, slot, name(operand) + " is declared with another layout");
}

// --- flow ------------------------------------------------------------------------------------------------------------------------------

void ProgramValidator::close_switch() {
  const auto first = cases_.begin() + flow_.back().first_case;
  std::sort(first, cases_.end());
  if (const auto twice = std::adjacent_find(first, cases_.end()); twice != cases_.end())
    report(rules::kFlowCaseDuplicate, "two cases " + number(*twice) + " in the switch it closes");
  cases_.erase(first, cases_.end());
}

void ProgramValidator::flow() {
  const auto top_is = [&](Flow flow) { return !flow_.empty() && flow_.back().flow == flow; };
  const auto mismatch = [&](std::string_view opener) { report(rules::kFlowMismatch, "no " + std::string(opener) + " to belong to"); };
  switch (in_.opcode()) {
    case Opcode::if_: open(Flow::if_); break;
    case Opcode::else_:
      if (!top_is(Flow::if_)) return mismatch("if");
      flow_.back().flow = Flow::else_;
      break;
    case Opcode::endif:
      if (!top_is(Flow::if_) && !top_is(Flow::else_)) return mismatch("if");
      close();
      break;
    case Opcode::loop: open(Flow::loop); break;
    case Opcode::endloop:
      if (!top_is(Flow::loop)) return mismatch("loop");
      close();
      break;
    case Opcode::switch_: open(Flow::switch_); break;
    case Opcode::endswitch:
      if (!top_is(Flow::switch_)) return mismatch("switch");
      close_switch();
      close();
      break;
    case Opcode::case_: {
      if (!top_is(Flow::switch_)) return report(rules::kFlowCase, "outside of a switch");
      flow_.back().has_entry = true;
      const Operand& value = in_.operands[0];
      if (value.type == OperandType::immediate32) {
        cases_.push_back(value.literal[0]);
      } else {
        report(rules::kFlowCase, "a case is a literal");
      }
      break;
    }
    case Opcode::default_:
      if (!top_is(Flow::switch_)) return report(rules::kFlowCase, "outside of a switch");
      if (flow_.back().has_default) report(rules::kFlowCase, "a second default");
      flow_.back().has_default = flow_.back().has_entry = true;
      break;
    case Opcode::break_:
    case Opcode::breakc:
      if (loops_ + switches_ == 0) report(rules::kFlowBreak, "outside of loops and switches");
      break;
    case Opcode::continue_:
    case Opcode::continuec:
      if (loops_ == 0) report(rules::kFlowBreak, "outside of loops");
      break;
    default: break;
  }
}

}  // namespace

ProgramFacts validate_program(const dxcontainer::Part& part, const Program& program, Findings& findings) {
  return ProgramValidator(part, program, findings).run();
}

}  // namespace unshade::dxbc
