// Programs of the PICA200 run by unshade and by Azahar's interpreter, in one process on the same inputs. azahar.py builds and reads it: a
// line for each program, with counts of components and nanoseconds a vertex; with UNSHADE_SHOW set, one for each difference too.
#include <unshade/ir/lower_pica.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/vm/machine.hpp>

#include "video_core/pica/shader_setup.h"
#include "video_core/pica/shader_unit.h"
#include "video_core/shader/shader_interpreter.h"

// What the interpreter needs of the rest of the emulator.
namespace {
std::vector<std::array<Common::Vec4<Pica::f24>, 16>> g_emitted;
}
namespace Pica {
ShaderSetup::ShaderSetup() = default;
ShaderSetup::~ShaderSetup() = default;
void ShaderSetup::DoProgramCodeFixup() {}
ShaderUnit::ShaderUnit(GeometryEmitter* emitter) : emitter_ptr(emitter) {}
ShaderUnit::~ShaderUnit() = default;
void ShaderUnit::LoadInput(const ShaderRegs&, const AttributeBuffer& buffer) { input = buffer; }
void GeometryEmitter::Emit(std::span<Common::Vec4<f24>, 16> registers) {
  auto& vertex = buffer[emit_state.vertex_id % 3];
  std::ranges::copy(registers, vertex.begin());
  if (!emit_state.prim_emit) return;
  const unsigned first = emit_state.winding ? 1 : 0;
  for (const unsigned at : {first, 1 - first, 2U}) g_emitted.push_back(buffer[at]);
}
GeometryShaderUnit::GeometryShaderUnit() : ShaderUnit(&emitter) {}
GeometryShaderUnit::~GeometryShaderUnit() = default;
}  // namespace Pica

namespace unshade {
namespace {

constexpr std::uint32_t kVertices = 64;  // of a set of uniforms
constexpr unsigned kSets = 16;           // the last quarter has infinities, NaN, zeros and large numbers too
#ifdef UNSHADE_PEER_F24
constexpr ir::F24 kNumbers = ir::F24::truncate;
constexpr int kRounding = FE_TOWARDZERO;
#else
constexpr ir::F24 kNumbers = ir::F24::as_f32;
constexpr int kRounding = FE_TONEAREST;
#endif

using Random = std::mt19937_64;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// A number that 24 bits hold.
float number(Random& random, bool special) {
  static constexpr float kSpecial[] = {0, 1, -1, 0.5F, 2, HUGE_VALF, -HUGE_VALF, NAN, 0x1p40F, -0x1p40F, 0x1p-30F, 127, 128, -128, 96};
  if (special && random() % 4 == 0) return kSpecial[random() % std::size(kSpecial)];
  const auto kind = random() % 8;
  if (kind == 0) return static_cast<float>(static_cast<int>(random() % 17) - 8);
  const float value = static_cast<float>(static_cast<std::int64_t>(random() % (1 << 20)) - (1 << 19)) / (kind < 4 ? 0x1p16F : 0x1p19F);
  return std::bit_cast<float>(bits(value) & ~0x7fU);
}

struct Uniforms {
  std::array<std::byte, ir::pica_uniforms::kBytes> bytes{};
  std::uint32_t word(std::uint32_t at) const {
    std::uint32_t value = 0;
    std::memcpy(&value, &bytes[at], 4);
    return value;
  }
  void put(std::uint32_t at, std::uint32_t value) { std::memcpy(&bytes[at], &value, 4); }
};

Uniforms uniforms_of(const pica::Executable& executable, const ir::Module& module, Random& random, bool special) {
  namespace at = ir::pica_uniforms;
  Uniforms made;
  for (unsigned index = 0; index < 96; ++index) {
    for (unsigned c = 0; c < 4; ++c) made.put(at::real(index, c), bits(number(random, special)));
  }
  for (unsigned index = 0; index < 4; ++index) {
    for (unsigned c = 0; c < 3; ++c) made.put(at::integer(index, c), static_cast<std::uint32_t>(random() % (c == 1 ? 32 : 6)));
  }
  for (unsigned index = 0; index < 16; ++index) made.put(at::boolean(index), random() & 1);
  const auto keep = [&](std::uint32_t from, std::uint32_t size) {
    std::copy_n(module.resources[0].initial.begin() + from, size, made.bytes.begin() + from);
  };
  for (const pica::Constant& constant : executable.constants) {
    const unsigned index = constant.register_index;
    if (constant.type == pica::ConstantType::real && index < 96) keep(at::real(index, 0), 16);
    if (constant.type == pica::ConstantType::integer && index < 4) keep(at::integer(index, 0), 16);
    if (constant.type == pica::ConstantType::boolean && index < 16) keep(at::boolean(index), 4);
  }
  return made;
}

struct Counts {
  std::uint64_t compared = 0, same = 0, zeros = 0, estimated = 0, unknown = 0, other = 0;
};

// What the interpreter ran for a vertex.
struct Executed {
  std::uint64_t instructions = 0;
  bool estimates = false;  // EX2, LG2, RSQ: the C library computes them in f32
  bool unknown = false;    // DST, LITP: the interpreter does not have them
};

class Comparison {
 public:
  Comparison(std::string name, const pica::Shbin& file, std::size_t index)
      : name_(std::move(name)), file_(file), executable_(file.executables[index]), index_(index) {}

  bool run() {
    auto module = ir::lower(file_, index_, {.f24 = kNumbers});
    if (!module) return refuse(module.error().message);
    auto verified = ir::verified(std::move(*module));
    if (!verified) return refuse(verified.error().message);
    const auto optimized = ir::optimize(*std::move(verified), 1);
    module_ = &*optimized;
    auto wide = vm::prepare(optimized, {.wave = 32});
    auto narrow = vm::prepare(optimized, {.wave = 4});
    if (!wide || !narrow) return refuse("cannot be prepared");
    for (std::size_t at = 0; at < file_.program.code.size() && at < Pica::MAX_PROGRAM_CODE_LENGTH; ++at) {
      setup_.UpdateProgramCode(at, file_.program.code[at]);
    }
    for (std::size_t at = 0; at < file_.program.descriptors.size() && at < Pica::MAX_SWIZZLE_DATA_LENGTH; ++at) {
      setup_.UpdateSwizzleData(at, file_.program.descriptors[at].bits);
    }
    engine_.SetupBatch(setup_, executable_.entry_words);
    Random random(index_ + file_.program.code.size());
    for (unsigned set = 0; set < kSets; ++set) {
      const bool special = set >= kSets - kSets / 4;
      uniforms_ = uniforms_of(executable_, *module_, random, special);
      give_uniforms();
      vm::Lanes lanes = lanes_of(kVertices, random, special);
      const auto report = vm::run_lanes(*wide, resources_, lanes, {.operations = 1 << 20});
      if (!report || report->stop != vm::Stop::finished) {
        ++stopped_;  // Azahar would loop, or go on where the hardware hangs
        continue;
      }
      for (std::uint32_t lane = 0; lane < kVertices; ++lane) compare(lanes, lane);
    }
    measure(*wide, *narrow, random);
    print();
    return true;
  }

 private:
  bool refuse(const std::string& why) {
    std::printf("refused\t%s\t%zu\t%s\n", name_.c_str(), index_, why.c_str());
    return false;
  }

  void give_uniforms() {
    namespace at = ir::pica_uniforms;
    resources_ = vm::empty_resources(*module_);
    resources_.rows[0] = {texel::Descriptor{.bytes = uniforms_.bytes}};
    for (unsigned index = 0; index < 96; ++index) {
      for (unsigned c = 0; c < 4; ++c) {
        setup_.uniforms.f[index][c] = Pica::f24::FromFloat32(std::bit_cast<float>(uniforms_.word(at::real(index, c))));
      }
    }
    for (unsigned index = 0; index < 16; ++index) setup_.uniforms.b[index] = uniforms_.word(at::boolean(index)) != 0;
    for (unsigned index = 0; index < 4; ++index) {
      for (unsigned c = 0; c < 4; ++c) setup_.uniforms.i[index][c] = static_cast<u8>(uniforms_.word(at::integer(index, c)));
    }
  }

  vm::Lanes lanes_of(std::uint32_t count, Random& random, bool special) const {
    vm::Lanes lanes;
    lanes.count = count;
    lanes.inputs.resize(std::size_t{64} * count);
    for (auto& value : lanes.inputs) value = bits(number(random, special));
    return lanes;
  }

  void load(Pica::ShaderUnit& unit, const vm::Lanes& lanes, std::uint32_t lane) const {
    for (unsigned at = 0; at < 64; ++at) {
      unit.input[at / 4][at % 4] =
          Pica::f24::FromFloat32(std::bit_cast<float>(static_cast<std::uint32_t>(lanes.inputs[std::size_t{at} * lanes.count + lane])));
    }
  }

  Executed executed(const vm::Lanes& lanes, std::uint32_t lane) const {
    if (executable_.stage == pica::Stage::geometry) return {};
    Pica::ShaderUnit unit;
    load(unit, lanes, lane);
    const std::array<std::byte, 1> unused{};
    const auto debug = engine_.ProduceDebugInfo(setup_, unit.input, reinterpret_cast<const Pica::ShaderRegs&>(unused));
    Executed made{debug.records.size(), false};
    for (const auto& record : debug.records) {
      const std::uint32_t opcode = setup_.GetProgramCode()[record.instruction_offset % Pica::MAX_PROGRAM_CODE_LENGTH] >> 26;
      made.estimates |= opcode == 0x05 || opcode == 0x06 || opcode == 0x0f;
      made.unknown |= opcode == 0x04 || opcode == 0x07 || opcode == 0x18;
    }
    return made;
  }

  void one(const char* what, float ours, float theirs, const vm::Lanes& lanes, std::uint32_t lane, unsigned component) {
    ++counts_.compared;
    const bool same = bits(ours) == bits(theirs) || (std::isnan(ours) && std::isnan(theirs));
    const bool zeros = ours == 0 && theirs == 0;
    const Executed what_ran = same || zeros ? Executed{} : executed(lanes, lane);
    ++(same                 ? counts_.same
       : zeros              ? counts_.zeros
       : what_ran.unknown   ? counts_.unknown
       : what_ran.estimates ? counts_.estimated
                            : counts_.other);
    if (!same && std::getenv("UNSHADE_SHOW") != nullptr) {
      std::printf("differs\t%s\t%zu\t%s%u\tlane %u\t%a\t%a\n", name_.c_str(), index_, what, component, lane, double{ours}, double{theirs});
    }
  }

  void compare(const vm::Lanes& lanes, std::uint32_t lane) {
    Pica::GeometryShaderUnit unit;
    unit.emitter.emit_state.raw = 0;
    unit.emitter.buffer = {};
    load(unit, lanes, lane);
    g_emitted.clear();
    std::fesetround(kRounding);
    engine_.Run(setup_, unit);
    std::fesetround(FE_TONEAREST);
    const auto all = [&](const char* what, auto&& ours, const auto& registers) {
      std::uint32_t component = 0;
      for (const ir::Element& element : module_->signatures.output) {
        for (unsigned c = 0; c < element.columns; ++c, ++component) {
          one(what, std::bit_cast<float>(static_cast<std::uint32_t>(ours(component))),
              registers[element.first_register][element.first_column + c].ToFloat32(), lanes, lane, component);
        }
      }
    };
    if (executable_.stage == pica::Stage::vertex) {
      all("output ", [&](std::size_t component) { return lanes.outputs[component * lanes.count + lane]; }, unit.output[unit.output_bank]);
      return;
    }
    std::size_t at = 0;
    for (const auto& vertex : lanes.emitted) {
      if (vertex.lane != lane || vertex.cut) continue;
      if (at < g_emitted.size()) all("emitted ", [&](std::size_t component) { return vertex.outputs[component]; }, g_emitted[at]);
      ++at;
    }
    if (at != g_emitted.size()) ++counts_.other;
  }

  // Nanoseconds of this thread: other work of the machine does not count.
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  }

  // The least nanoseconds a vertex of five tries. Reading the clock takes long: that is done after 2,048 vertices.
  template <class F>
  static double least(std::uint32_t vertices, F&& run) {
    double best = HUGE_VAL;
    for (int attempt = 0; attempt < 5; ++attempt) {
      const double start = now();
      std::uint64_t rounds = 0;
      do {
        for (std::uint32_t done = 0; done < 2048; done += vertices, ++rounds) run();
      } while (now() - start < 4e6);
      best = std::min(best, (now() - start) / static_cast<double>(rounds) / vertices);
    }
    return best;
  }

  void measure(const vm::Program& wide, const vm::Program& narrow, Random& random) {
    if (executable_.stage == pica::Stage::geometry || stopped_ != 0) return;
    vm::Lanes one = lanes_of(1, random, false), few = lanes_of(32, random, false), many = lanes_of(2048, random, false);
    instructions_ = executed(one, 0).instructions;
    Pica::ShaderUnit unit;
    load(unit, one, 0);
    theirs_ = least(1, [&] { engine_.Run(setup_, unit); });
    vm::Runner alone(narrow, resources_), together(wide, resources_);
    one_ = least(1, [&] { (void)alone.run(one); });
    few_ = least(32, [&] { (void)together.run(few); });
    many_ = least(2048, [&] { (void)together.run(many); });
  }

  void print() const {
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf("program\t%s\t%zu\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%u\t%llu\t%.1f\t%.1f\t%.2f\t%.2f\n", name_.c_str(), index_,
                executable_.stage == pica::Stage::vertex ? "vertex" : "geometry", number(counts_.compared), number(counts_.same),
                number(counts_.zeros), number(counts_.unknown), number(counts_.estimated), number(counts_.other), stopped_,
                number(instructions_), theirs_, one_, few_, many_);
  }

  std::string name_;
  const pica::Shbin& file_;
  const pica::Executable& executable_;
  std::size_t index_;
  const ir::Module* module_ = nullptr;
  Uniforms uniforms_;
  vm::Resources resources_;
  Pica::ShaderSetup setup_;
  Pica::Shader::InterpreterEngine engine_;
  Counts counts_;
  unsigned stopped_ = 0;
  std::uint64_t instructions_ = 0;
  double theirs_ = 0, one_ = 0, few_ = 0, many_ = 0;
};

}  // namespace
}  // namespace unshade

int main(int argc, char** argv) {
  for (int at = 1; at < argc; ++at) {
    std::ifstream stream(argv[at], std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const auto file = unshade::pica::parse_shbin(std::as_bytes(std::span(text)));
    if (!file) {
      std::printf("refused\t%s\t0\t%s\n", argv[at], file.error().message.c_str());
      continue;
    }
    for (std::size_t index = 0; index < file->executables.size(); ++index) unshade::Comparison(argv[at], *file, index).run();
  }
}
