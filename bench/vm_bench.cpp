// The interpreter: one operation over the lanes of a wave. docs/internals/ir.md has the estimates; items are operations of the interpreter.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/vm/machine.hpp>

namespace {

using namespace unshade;
using ir::Op;
using ir::Type;

constexpr std::uint32_t kOperations = 64;
constexpr std::uint32_t kRounds = 4096;

// A loop of kRounds over kOperations of one kind, each on the result of the one before.
ir::Module loop_of(Op op, Type type, std::uint32_t lanes) {
  ir::Module module;
  module.stage = Stage::compute;
  module.info.group_size = {lanes, 1, 1};
  module.variables.push_back({"kept", ir::Space::private_, 0, 8, {}});
  ir::Function& function = module.functions.emplace_back();
  function.name = "main";
  ir::Builder b(function);
  ir::SsaVariables v(b);
  const auto value = v.declare(type), round = v.declare(Type::i32);
  const ir::BlockId entry = b.block(), body = b.block(), exit = b.block();
  const ir::Id one = b.constant(type, type == Type::f32 ? 0x3f80'0000 : 3);
  b.at(entry);
  v.write(value, one);
  v.write(round, b.i32(0));
  b.jump(body);
  b.at(body);
  ir::Id sum = v.read(value);
  for (std::uint32_t i = 0; i < kOperations; ++i) sum = b.inst(op, type, {sum, one});
  v.write(value, sum);
  const ir::Id next = b.inst(Op::iadd, Type::i32, {v.read(round), b.i32(1)});
  v.write(round, next);
  b.branch(b.inst(Op::ult, Type::i32, {next, b.i32(kRounds)}), body, exit);
  b.at(exit);
  b.inst(Op::store, type, {b.i32(0), v.read(value)}, {.extra = 0});
  b.return_values();
  v.finish();
  ir::canonicalize(module);
  return module;
}

void run(benchmark::State& state, Op op, Type type) {
  const auto lanes = static_cast<std::uint32_t>(state.range(0));
  const auto verified = ir::verify(loop_of(op, type, lanes));
  const auto program = vm::prepare(*verified.valid(), {.wave = lanes < 4 ? 4 : lanes});
  vm::Resources resources = vm::empty_resources(program->module());
  std::uint64_t operations = 0;
  for (auto _ : state) operations += vm::dispatch(*program, resources, {1, 1, 1})->operations;
  state.SetItemsProcessed(static_cast<std::int64_t>(operations));
  state.counters["ns_per_op"] =
      benchmark::Counter(static_cast<double>(operations) * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
void BM_VmAddF32(benchmark::State& state) { run(state, Op::fadd, Type::f32); }
void BM_VmAddI32(benchmark::State& state) { run(state, Op::iadd, Type::i32); }
void BM_VmAddF24(benchmark::State& state) { run(state, Op::fadd, Type::f24); }
BENCHMARK(BM_VmAddF32)->Arg(1)->Arg(8)->Arg(32)->Arg(128);
BENCHMARK(BM_VmAddI32)->Arg(32);
BENCHMARK(BM_VmAddF24)->Arg(32);

// A loop of samples of a texture of 256 by 256 texels: items are lanes. The places differ by lane and round.
ir::Module loop_of_samples(std::uint32_t lanes) {
  ir::Module module;
  module.stage = Stage::compute;
  module.info.group_size = {lanes, 1, 1};
  module.variables.push_back({"kept", ir::Space::private_, 0, 8, {}});
  ir::Resource resource;
  resource.kind = dxcontainer::ResourceKind::texture;
  resource.dimension = dxcontainer::ResourceDimension::texture2d;
  module.resources.push_back(resource);
  resource.kind = dxcontainer::ResourceKind::sampler;
  module.resources.push_back(resource);
  ir::Function& function = module.functions.emplace_back();
  function.name = "main";
  ir::Builder b(function);
  ir::SsaVariables v(b);
  const auto sum = v.declare(Type::f32), round = v.declare(Type::i32);
  const ir::BlockId entry = b.block(), body = b.block(), exit = b.block();
  b.at(entry);
  const ir::Id zero = b.i32(0);
  const ir::Id lane = b.inst(Op::builtin, Type::i32, {}, {.extra = ir::BuiltinExtra(ir::Builtin::thread_id, 0).bits()});
  const ir::Id texture = b.inst(Op::handle, Type::void_, {zero}, {.extra = 0});
  const ir::Id sampler = b.inst(Op::handle, Type::void_, {zero}, {.extra = 1});
  v.write(sum, b.f32(0));
  v.write(round, zero);
  b.jump(body);
  b.at(body);
  const ir::Id place = b.inst(Op::iadd, Type::i32, {lane, b.inst(Op::imul, Type::i32, {v.read(round), b.i32(97)})});
  const ir::Id x = b.inst(Op::fmul, Type::f32, {b.inst(Op::u_to_f, Type::f32, {place}), b.f32(1 / 700.0F)});
  const ir::Id y = b.inst(Op::fmul, Type::f32, {x, b.f32(0.7F)});
  ir::TextureExtra extra(dxcontainer::ResourceDimension::texture2d);
  extra.has_lod = true;
  const ir::Id texel = b.inst(Op::sample, Type::f32, {texture, sampler, x, y, b.f32(0.4F)}, {.extra = extra.bits(), .results = 4});
  v.write(sum, b.inst(Op::fadd, Type::f32, {v.read(sum), b.get(texel, Type::f32, 0)}));
  const ir::Id next = b.inst(Op::iadd, Type::i32, {v.read(round), b.i32(1)});
  v.write(round, next);
  b.branch(b.inst(Op::ult, Type::i32, {next, b.i32(kRounds)}), body, exit);
  b.at(exit);
  b.inst(Op::store, Type::f32, {b.i32(0), v.read(sum)}, {.extra = 0});
  b.return_values();
  v.finish();
  ir::canonicalize(module);
  return module;
}

void sample(benchmark::State& state, const char* format, texel::Filter filter, texel::Filter mip) {
  constexpr std::uint32_t kLanes = 32;
  const auto verified = ir::verify(loop_of_samples(kLanes));
  const auto program = vm::prepare(*verified.valid(), {.wave = kLanes});
  vm::Resources resources = vm::empty_resources(program->module());
  resources.rows[0].resize(1);
  texel::Descriptor& texture = resources.rows[0][0];
  texture.format = *texel::find_format(format);
  texture.width = texture.height = 256;
  texture.levels = 9;
  std::vector<std::byte> bytes(texel::texture_bytes(texture));
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::byte>(k * 7 >> 3 & 0x3f);
  texture.bytes = bytes;
  resources.rows[1].resize(1);
  texel::Sampler& sampler = resources.rows[1][0].sampler;
  sampler.address = {texel::AddressMode::wrap, texel::AddressMode::wrap, texel::AddressMode::wrap};
  sampler.min = sampler.mag = filter;
  sampler.mip = mip;
  std::uint64_t lanes = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(vm::dispatch(*program, resources, {1, 1, 1})->operations);
    lanes += std::uint64_t{kRounds} * kLanes;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(lanes));
  state.counters["ns_per_lane"] =
      benchmark::Counter(static_cast<double>(lanes) * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
void BM_VmSamplePoint(benchmark::State& state) { sample(state, "R8G8B8A8_UNORM", texel::Filter::point, texel::Filter::point); }
void BM_VmSampleBilinear(benchmark::State& state) { sample(state, "R8G8B8A8_UNORM", texel::Filter::linear, texel::Filter::point); }
void BM_VmSampleTrilinear(benchmark::State& state) { sample(state, "R8G8B8A8_UNORM", texel::Filter::linear, texel::Filter::linear); }
void BM_VmSampleBilinearSrgb(benchmark::State& state) { sample(state, "R8G8B8A8_UNORM_SRGB", texel::Filter::linear, texel::Filter::point); }
void BM_VmSampleBilinearF32(benchmark::State& state) { sample(state, "R32G32B32A32_FLOAT", texel::Filter::linear, texel::Filter::point); }
void BM_VmSampleBilinearF16(benchmark::State& state) { sample(state, "R16G16B16A16_FLOAT", texel::Filter::linear, texel::Filter::point); }
void BM_VmSampleBilinearBc1(benchmark::State& state) { sample(state, "BC1_UNORM", texel::Filter::linear, texel::Filter::point); }
void BM_VmSampleBilinearBc7(benchmark::State& state) { sample(state, "BC7_UNORM", texel::Filter::linear, texel::Filter::point); }
BENCHMARK(BM_VmSamplePoint);
BENCHMARK(BM_VmSampleBilinear);
BENCHMARK(BM_VmSampleTrilinear);
BENCHMARK(BM_VmSampleBilinearSrgb);
BENCHMARK(BM_VmSampleBilinearF32);
BENCHMARK(BM_VmSampleBilinearF16);
BENCHMARK(BM_VmSampleBilinearBc1);
BENCHMARK(BM_VmSampleBilinearBc7);

// A step of a sort of 2^20 words: each lane of the first of two runs of 4096 compares its word with that of the second, and writes both.
// Items are words.
constexpr std::string_view kExchange = R"(stage compute
info group_size 64 1 1
resource @from uav_byte_address dimension buffer register 0
resource @to uav_byte_address dimension buffer register 1

function @main {
^0:
  %from = handle @from 0
  %to = handle @to 0
  %thread = builtin i32 thread_id.x
  %at = imul i32 %thread 4
  %other = ixor i32 %at 16384
  %is = ult i32 %at %other
  branch %is ^1 ^2
^1:
  %a = buffer_load i32 raw %from %at
  %b = buffer_load i32 raw %from %other
  %least = umin i32 %a %b
  %most = umax i32 %a %b
  buffer_store i32 raw %to %at %least
  buffer_store i32 raw %to %other %most
  jump ^2
^2:
  return
}
)";

void exchange(benchmark::State& state, bool in_place) {
  constexpr std::uint32_t kWords = 1 << 20;
  auto module = ir::parse(kExchange);
  const auto verified = ir::verify(*std::move(module));
  const auto program = vm::prepare(*verified.valid(), {.wave = 64});
  vm::Resources resources = vm::empty_resources(program->module());
  std::vector<std::uint32_t> words(kWords), others(in_place ? 0 : kWords);
  for (std::uint32_t k = 0; k < kWords; ++k) words[k] = k * 2654435761U;
  for (auto& row : resources.rows) row.resize(1);
  resources.rows[0][0].bytes = std::as_writable_bytes(std::span(words));
  resources.rows[1][0].bytes = std::as_writable_bytes(std::span(in_place ? words : others));
  const vm::Schedule schedule{.threads = static_cast<unsigned>(state.range(0))};
  for (auto _ : state) benchmark::DoNotOptimize(vm::dispatch(*program, resources, {kWords / 64, 1, 1}, {}, {}, schedule)->operations);
  state.SetItemsProcessed(state.iterations() * kWords);
}
void BM_VmExchangeInPlace(benchmark::State& state) { exchange(state, true); }
void BM_VmExchangeToAnother(benchmark::State& state) { exchange(state, false); }
BENCHMARK(BM_VmExchangeInPlace)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(BM_VmExchangeToAnother)->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
