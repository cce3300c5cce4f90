// Programs that nobody meant: bits of samples changed, their IR changed, and programs made to take long or much. Each gives an error or a
// result, within its budget.
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "unit/run/run_support.hpp"

namespace unshade::run::run_test {
namespace {

constexpr std::uint64_t kOperations = 20'000;
constexpr std::uint64_t kMemory = std::uint64_t{1} << 26;
/// Of one program, in builds without optimization beside other work; most take a hundredth.
constexpr double kMostSeconds = 20;

RunOptions bounded() {
  RunOptions options;
  options.operations = kOperations;
  options.memory = kMemory;
  return options;
}

enum class Outcome : std::uint8_t { ran, refused };

void expect_named(const Error& error, const std::string& what) { EXPECT_FALSE(error.message.empty()) << what << ": " << to_string(error); }

Outcome run_made(const Result<Runnable>& made, const std::string& what) {
  if (!made) {
    expect_named(made.error(), what);
    return Outcome::refused;
  }
  const auto done = execute(*made, Value::map(), bounded());
  if (!done) {
    expect_named(done.error(), what);
    return Outcome::refused;
  }
  EXPECT_NE(done->find("stop"), nullptr) << what;
  return Outcome::ran;
}

Outcome run_file(const std::vector<std::byte>& file, const std::string& what) {
  const auto opened = shader::open(test::view_of(file));
  if (!opened) {
    expect_named(opened.error(), what);
    return Outcome::refused;
  }
  return run_made(prepare(*opened), what);
}

std::string_view text_of(const std::vector<std::byte>& file) { return test::view_of(file).text(); }

class Stopwatch {
 public:
  explicit Stopwatch(std::string what) : what_(std::move(what)) {}
  ~Stopwatch() {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began_;
    EXPECT_LT(taken.count(), kMostSeconds) << what_;
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  std::string what_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// --- samples with other bits -------------------------------------------------------------------------------------------------------------

struct Family {
  std::string_view name;
  std::vector<std::string_view> files;
  std::size_t flips;  ///< of each file
};

class Flips : public testing::TestWithParam<Family> {};

TEST_P(Flips, GiveAnErrorOrAResult) {
  std::size_t ran = 0;
  for (const std::string_view name : GetParam().files) {
    std::vector<std::byte> sample = test::read_bytes(test::source_dir() / "tests/data" / name);
    if (name.ends_with("asm")) sample = shader::assemble(shader::language_of(text_of(sample)), text_of(sample)).file;
    ASSERT_FALSE(sample.empty()) << name;
    for (std::size_t seed = 0; seed < GetParam().flips; ++seed) {
      std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
      std::vector<std::byte> file = sample;
      for (auto flips = 1 + random() % 3; flips != 0; --flips) file[random() % file.size()] ^= std::byte{1} << (random() % 8);
      const std::string what = std::string(name) + ", seed " + std::to_string(seed);
      const Stopwatch watch(what);
      ran += run_file(file, what) == Outcome::ran ? 1 : 0;
    }
  }
  // many still say something
  EXPECT_GT(ran, 20U);
}

INSTANTIATE_TEST_SUITE_P(
    Hostile, Flips,
    testing::Values(
        Family{"dxbc", {"dxbc/control_ps_5_0.dxbc", "dxbc/grid_cs_5_0.dxbc", "dxbc/lit_vs_4_0.dxbc", "dxbc/textured_ps_4_1.dxbc"}, 80},
        Family{"dxil",
               {"dxil/bitonic_cs_6_0.dxil", "dxil/atomics_cs_6_6.dxil", "dxil/expand_gs_6_0.dxil", "dxil/mesh_ms_6_5.dxil",
                "dxil/tessellate_hs_6_5.dxil"},
               60},
        Family{"pica", {"pica/control.v.shbin", "pica/skin.v.shbin", "pica/quad.g.shbin", "pica/variable.g.shbin"}, 80},
        Family{"spirv", {"known_answers/fluid.spvasm", "known_answers/quad.spvasm", "known_answers/odd.spvasm", "spirv/odd.spv"}, 100},
        Family{"vbc", {"vbc/minimal.vbc", "vbc/particles.vbc", "vbc/textured.vbc", "vbc/subpass.vbc"}, 80}),
    [](const auto& one) { return std::string(one.param.name); });

// --- their IR, changed -------------------------------------------------------------------------------------------------------------------

// Puts other numbers, names and operations in the place of some.
std::string changed(std::string text, std::mt19937& random) {
  constexpr std::string_view kNumbers[] = {"0", "1", "-1", "4294967295", "2147483648", "65536", "7", "1048576"};
  std::vector<std::pair<std::size_t, std::size_t>> words;
  for (std::size_t at = text.find("function"); at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    if (end > at) words.emplace_back(at, end - at);
    at = end + 1;
  }
  if (words.empty()) return text;
  for (auto changes = 1 + random() % 3; changes != 0; --changes) {
    const auto [at, size] = words[random() % words.size()];
    const std::string_view word = std::string_view(text).substr(at, size);
    const char first = word.front();
    std::string other(kNumbers[random() % std::size(kNumbers)]);
    if (first == '%' || first == '^' || (first >= 'a' && first <= 'z')) {
      // another of its kind
      for (unsigned tries = 0; tries < 50; ++tries) {
        const auto [from, length] = words[random() % words.size()];
        other = text.substr(from, length);
        if (other.front() == first || (first >= 'a' && other.front() >= 'a' && other.front() <= 'z')) break;
      }
    }
    // of the same length, so that places stay
    if (other.size() > size) continue;
    other.resize(size, ' ');
    text.replace(at, size, other);
  }
  return text;
}

TEST(HostileIr, ChangedProgramsThatVerifyRun) {
  constexpr std::string_view kFiles[] = {"dxbc/control_ps_5_0.dxbc", "dxbc/grid_cs_5_0.dxbc",   "dxil/bitonic_cs_6_0.dxil",
                                         "dxil/wide_cs_6_7.dxil",    "dxil/expand_gs_6_0.dxil", "dxil/mesh_ms_6_5.dxil",
                                         "pica/skin.v.shbin",        "dxil/inputs_ps_6_4.dxil", "vbc/textured.vbc"};
  std::size_t ran = 0, verified = 0;
  for (const std::string_view name : kFiles) {
    const auto bytes = test::read_bytes(test::source_dir() / "tests/data" / name);
    const auto opened = shader::open(test::view_of(bytes));
    ASSERT_TRUE(opened) << name;
    const auto lowered = shader::lower(*opened);
    ASSERT_TRUE(lowered) << name;
    const std::string text = ir::print(**lowered);
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
      std::mt19937 random(seed);
      const std::string what = std::string(name) + ", seed " + std::to_string(seed);
      const Stopwatch watch(what);
      auto module = ir::parse(changed(text, random));
      if (!module) {
        expect_named(module.error(), what);
        continue;
      }
      if (!ir::findings_of(*module).empty()) continue;
      ++verified;
      ran += run_made(prepare(std::move(*module), seed % 2), what) == Outcome::ran ? 1 : 0;
    }
  }
  EXPECT_GT(verified, 200U);
  EXPECT_GT(ran, 150U);
}

// --- programs made to take long, or much -------------------------------------------------------------------------------------------------

Result<Value> run_text(std::string_view text) {
  const Assembly made = shader::assemble(shader::language_of(text), text);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  const auto opened = shader::open(test::view_of(made.file));
  if (!opened) return opened.error();
  const auto runnable = prepare(*opened);
  if (!runnable) return runnable.error();
  return execute(*runnable, Value::map(), bounded());
}

// The stop of a run, or the code of its error.
std::string outcome_of(std::string_view text) {
  const Stopwatch watch{std::string(text.substr(0, 200))};
  const auto done = run_text(text);
  return done ? *done->find("stop")->as_text() : std::string(id(done.error().code)) + ' ' + done.error().message;
}

constexpr std::string_view kSpirvHead = R"(; SPIR-V
; Version: 1.5
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%float = OpTypeFloat 32
%true = OpConstantTrue %bool
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%fn = OpTypeFunction %void
)";

TEST(HostileSpirv, CallsThatNestDeeplyAreRefused) {
  std::string text(kSpirvHead);
  constexpr unsigned kDepth = 5000;
  for (unsigned k = 0; k < kDepth; ++k) {
    const std::string name = k == 0 ? "%main" : "%f" + std::to_string(k);
    text += name + " = OpFunction %void None %fn\n%l" + std::to_string(k) + " = OpLabel\n";
    if (k + 1 < kDepth) text += "%c" + std::to_string(k) + " = OpFunctionCall %void %f" + std::to_string(k + 1) + "\n";
    text += "OpReturn\nOpFunctionEnd\n";
  }
  EXPECT_EQ(outcome_of(text).substr(0, 5), "limit");
}

TEST(HostileSpirv, FunctionsThatCallThemselvesAreRefused) {
  std::string text(kSpirvHead);
  text +=
      "%main = OpFunction %void None %fn\n%a = OpLabel\n%c = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n"
      "%f = OpFunction %void None %fn\n%b = OpLabel\n%d = OpFunctionCall %void %g\nOpReturn\nOpFunctionEnd\n"
      "%g = OpFunction %void None %fn\n%e = OpLabel\n%h = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n";
  const std::string outcome = outcome_of(text);
  EXPECT_NE(outcome.find("recursion"), std::string::npos) << outcome;
}

TEST(HostileSpirv, CallsThatMultiplyAreRefused) {
  // each calls the next eight times: 8^20
  std::string text(kSpirvHead);
  constexpr unsigned kDepth = 20;
  for (unsigned k = 0; k < kDepth; ++k) {
    text += (k == 0 ? "%main" : "%f" + std::to_string(k)) + " = OpFunction %void None %fn\n%l" + std::to_string(k) + " = OpLabel\n";
    for (unsigned call = 0; call < 8 && k + 1 < kDepth; ++call)
      text += "%c" + std::to_string(k) + '_' + std::to_string(call) + " = OpFunctionCall %void %f" + std::to_string(k + 1) + "\n";
    text += "OpReturn\nOpFunctionEnd\n";
  }
  EXPECT_EQ(outcome_of(text).substr(0, 5), "limit");
}

TEST(HostileSpirv, TypesThatNestDeeplyAreRefusedOrRun) {
  std::string text(kSpirvHead);
  text += "%t0 = OpTypeStruct %uint\n";
  constexpr unsigned kDepth = 3000;
  for (unsigned k = 1; k < kDepth; ++k) text += "%t" + std::to_string(k) + " = OpTypeStruct %t" + std::to_string(k - 1) + "\n";
  text += "%p = OpTypePointer Private %t" + std::to_string(kDepth - 1) + "\n%v = OpVariable %p Private\n";
  text += "%main = OpFunction %void None %fn\n%a = OpLabel\n%x = OpLoad %t" + std::to_string(kDepth - 1) + " %v\nOpReturn\nOpFunctionEnd\n";
  const std::string outcome = outcome_of(text);
  EXPECT_TRUE(outcome == "finished" || outcome.starts_with("limit")) << outcome;
}

TEST(HostileSpirv, SelectionsThatNestDeeplyRun) {
  std::string text(kSpirvHead);
  text += "%main = OpFunction %void None %fn\n%l0 = OpLabel\n";
  constexpr unsigned kDepth = 2000;
  for (unsigned k = 0; k < kDepth; ++k) {
    const std::string next = std::to_string(k + 1), merge = "%m" + std::to_string(k);
    text += "OpSelectionMerge " + merge + " None\nOpBranchConditional %true %l" + next + ' ' + merge + "\n%l" + next + " = OpLabel\n";
  }
  for (unsigned k = kDepth; k-- > 0;) text += "OpBranch %m" + std::to_string(k) + "\n%m" + std::to_string(k) + " = OpLabel\n";
  text += "OpReturn\nOpFunctionEnd\n";
  EXPECT_EQ(outcome_of(text), "finished");
}

TEST(HostileSpirv, LoopsWithoutAnEndTakeTheBudget) {
  std::string text(kSpirvHead);
  text +=
      "%main = OpFunction %void None %fn\n%a = OpLabel\nOpBranch %b\n%b = OpLabel\nOpLoopMerge %d %c None\nOpBranchConditional %true %c "
      "%d\n"
      "%c = OpLabel\nOpBranch %b\n%d = OpLabel\nOpReturn\nOpFunctionEnd\n";
  EXPECT_EQ(outcome_of(text), "budget");
}

TEST(HostileSpirv, HugeVariablesAreRefused) {
  for (const std::string_view space : {"Private", "Workgroup", "Function"}) {
    std::string text(kSpirvHead);
    text += "%n = OpConstant %uint 1073741823\n%array = OpTypeArray %uint %n\n%arrays = OpTypeArray %array %n\n";
    text += "%p = OpTypePointer " + std::string(space) + " %arrays\n%pu = OpTypePointer " + std::string(space) + " %uint\n";
    const std::string variable = "%v = OpVariable %p " + std::string(space) + "\n";
    if (space != "Function") text += variable;
    text += "%main = OpFunction %void None %fn\n%a = OpLabel\n";
    if (space == "Function") text += variable;
    text += "%at = OpAccessChain %pu %v %one %one\nOpStore %at %one\nOpReturn\nOpFunctionEnd\n";
    EXPECT_EQ(outcome_of(text).substr(0, 5), "limit") << space;
  }
}

TEST(HostileDxbc, HugeMemoryIsRefused) {
  EXPECT_EQ(outcome_of("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_tgsm_raw g0, 4294967292\ndcl_thread_group 1, 1, 1\n"
                       "store_raw g0.x, l(0), l(1)\nret\n")
                .substr(0, 5),
            "limit");
  EXPECT_EQ(outcome_of("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_temps 1\ndcl_indexableTemp x0[4294967295], 4\n"
                       "dcl_thread_group 1, 1, 1\nmov x0[r0.x + 7].x, l(1)\nret\n")
                .substr(0, 5),
            "limit");
  // within the limits of variables, but more than the run may take: all threads of a group wait at once
  EXPECT_EQ(outcome_of("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_temps 1\ndcl_indexableTemp x0[65536], 4\n"
                       "dcl_thread_group 1024, 1, 1\nmov x0[r0.x + 7].x, l(1)\nsync_g_t\nret\n")
                .substr(0, 5),
            "limit");
  EXPECT_EQ(outcome_of("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_thread_group 65535, 65535, 65535\nret\n").substr(0, 5), "limit");
}

TEST(HostileDxbc, LoopsWithoutAnEndTakeTheBudget) {
  EXPECT_EQ(outcome_of("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_temps 1\ndcl_thread_group 32, 1, 1\nmov r0.x, l(0)\nloop\n"
                       "iadd r0.x, r0.x, l(1)\nendloop\nret\n"),
            "budget");
}

TEST(HostileDxbc, BlocksThatNestDeeplyAreRefusedOrRun) {
  std::string text = "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_temps 1\nmov r0.x, l(0)\n";
  constexpr unsigned kDepth = 3000;
  for (unsigned k = 0; k < kDepth; ++k) text += "if_z r0.x\n";
  for (unsigned k = 0; k < kDepth; ++k) text += "endif\n";
  const std::string outcome = outcome_of(text + "ret\n");
  EXPECT_TRUE(outcome == "finished" || outcome.starts_with("limit")) << outcome;
}

TEST(HostilePica, LoopsWithoutAnEndTakeTheBudget) {
  EXPECT_EQ(outcome_of(".out o position\n.constf c(0.0, 1.0, 0.0, 0.0)\n.proc main\nagain:\n  mov r0, c\n  cmp c.x, eq, eq, r0.x\n"
                       "  jmpc cmp.x, again\n  mov o, r0\n  end\n.end\n"),
            "budget");
}

}  // namespace
}  // namespace unshade::run::run_test
