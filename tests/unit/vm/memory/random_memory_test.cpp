// Random programs over memory of all kinds: what they leave is the same in waves of all sizes, by all instruction sets and by any number of
// threads. Each lane writes places of its own alone.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unshade/ir/text.hpp>
#include <unshade/texel/texture.hpp>

#include "support/effort.hpp"
#include "support/ir.hpp"
#include "unit/vm/machine_support.hpp"
#include "unit/vm/random_seeds.hpp"

namespace unshade::vm {
namespace {

using namespace test;
using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;

/// Bytes of each lane in the buffer that the programs read and write, in group memory, and in private memory; texels of its row.
constexpr std::uint32_t kOwnBytes = 64, kGroupBytes = 16, kPrivateBytes = 83, kTexels = 8;
/// Bytes of a buffer that the programs read.
constexpr std::uint32_t kReadBytes = 1210;

/// Resources by their place in the module.
enum : std::uint32_t { kOut, kRaw, kElements, kTyped, kPicture };

class RandomMemory {
 public:
  explicit RandomMemory(std::uint32_t seed) : random_(seed), b_(make_module()), variables_(b_) {
    for (unsigned k = 0; k < kVariables; ++k) variables_.declare(Type::i32);
    b_.at(b_.block());
    for (const std::uint32_t which : {kOut, kRaw, kElements, kTyped, kPicture})
      handles_[which] = b_.inst(Op::handle, Type::void_, {b_.i32(0)}, {.extra = which});
    thread_ = builtin(b_, ir::Builtin::thread_id);
    own_ = imul(thread_, kOwnBytes);
    group_ = imul(builtin(b_, ir::Builtin::local_index), kGroupBytes);
    for (unsigned k = 0; k < kVariables; ++k)
      variables_.write(k, b_.inst(Op::ixor, Type::i32, {imul(thread_, 0x9e37'79b1U + 2 * k), any()}));
    add_statements(3, 2);
    for (unsigned k = 0; k < kVariables; ++k)
      b_.inst(Op::buffer_store, Type::i32, {handles_[kOut], b_.inst(Op::iadd, Type::i32, {own_, b_.i32(4 * k)}), variables_.read(k)});
    b_.return_values();
    variables_.finish();
  }

  ir::Module module;
  std::uint32_t lanes = 0;  ///< of a group

 private:
  static constexpr unsigned kVariables = 4;

  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  ir::Function& make_module() {
    constexpr std::array<std::uint32_t, 6> kSizes{3, 8, 31, 32, 100, 128};
    lanes = kSizes[below(kSizes.size())];
    module.stage = Stage::compute;
    module.info.group_size = {lanes, 1, 1};
    const auto add = [&](ResourceKind kind, ResourceDimension dimension) {
      ir::Resource& made = module.resources.emplace_back();
      made.name = "resource" + std::to_string(module.resources.size());
      made.kind = kind;
      made.dimension = dimension;
    };
    add(ResourceKind::uav_byte_address, ResourceDimension::buffer);
    add(ResourceKind::byte_address, ResourceDimension::buffer);
    add(ResourceKind::structured, ResourceDimension::buffer);
    add(ResourceKind::texture, ResourceDimension::buffer);
    add(ResourceKind::uav_typed, ResourceDimension::texture2d);
    module.variables.push_back({"group", ir::Space::group, 0, lanes * kGroupBytes, {}});
    module.variables.push_back({"own", ir::Space::private_, 0, kPrivateBytes, std::vector<std::byte>(kPrivateBytes)});
    ir::Function& made = module.functions.emplace_back();
    made.name = "main";
    return made;
  }

  Id any() { return b_.i32(static_cast<std::uint32_t>(random_())); }
  Id imul(Id value, std::uint32_t by) { return b_.inst(Op::imul, Type::i32, {value, b_.i32(by)}); }
  Id and_of(Id value, std::uint32_t bits) { return b_.inst(Op::iand, Type::i32, {value, b_.i32(bits)}); }
  Id sum(Id a, Id b) { return b_.inst(Op::iadd, Type::i32, {a, b}); }
  Id variable() { return variables_.read(below(kVariables)); }
  void set(Id value) { variables_.write(below(kVariables), value); }

  // Up to `most`, or now and then beyond: of all lanes alike, rising with the lanes, or scattered.
  Id number(std::uint32_t most) {
    Id made;
    switch (below(4)) {
      case 0: made = b_.i32(below(most + 1)); break;
      case 1: made = b_.inst(Op::urem, Type::i32, {sum(thread_, b_.i32(below(most + 1))), b_.i32(most + 1)}); break;
      default: made = b_.inst(Op::urem, Type::i32, {variable(), b_.i32(most + 1)}); break;
    }
    if (below(8) == 0) made = b_.inst(Op::isub, Type::i32, {made, b_.i32(below(8))});
    if (below(8) == 0) made = sum(made, b_.i32(below(most + 1)));
    return made;
  }

  void set_results(Id loaded, unsigned count) {
    if (count == 1) return set(loaded);
    for (unsigned k = 0; k < count; ++k)
      if (below(4) != 0) set(b_.get(loaded, Type::i32, k));
  }

  void add_load() {
    const std::uint32_t from = below(4) + kRaw;
    const auto count = static_cast<std::uint8_t>(1 + below(4));
    std::vector<Id> operands{handles_[from]};
    if (from == kPicture) {
      // of its own row
      operands.insert(operands.end(), {number(kTexels - 1), below(8) == 0 ? b_.i32(~0U) : thread_});
      set_results(
          b_.inst(Op::texel_load, Type::i32, operands, {.extra = ir::TextureExtra(ResourceDimension::texture2d).bits(), .results = count}),
          count);
      return;
    }
    ir::BufferExtra extra;
    if (from == kRaw) {
      extra.kind = ir::BufferKind::raw;
      operands.push_back(below(2) == 0 ? imul(number(kReadBytes / 4), 4) : number(kReadBytes));
    } else if (from == kElements) {
      extra.kind = ir::BufferKind::structured;
      extra.has_offset = true;
      operands.push_back(number(kReadBytes / 20));
      operands.push_back(below(2) == 0 ? b_.i32(4 * below(4)) : number(20));
    } else {
      extra.kind = ir::BufferKind::typed;
      operands.push_back(number(kReadBytes / 4));
    }
    set_results(b_.inst(Op::buffer_load, Type::i32, operands, {.extra = extra.bits(), .results = count}), count);
  }

  // An offset of its own memory where `bytes` lie.
  Id own_place(std::uint32_t all, std::uint32_t bytes) {
    const std::uint32_t last = (all - bytes) / 4;
    return imul(below(2) == 0 ? b_.i32(below(last + 1)) : b_.inst(Op::urem, Type::i32, {variable(), b_.i32(last + 1)}), 4);
  }

  void add_store() {
    const unsigned count = 1 + below(3);
    const Id at = sum(own_, own_place(kOwnBytes, 4 * count));
    if (below(3) == 0) {
      const auto results = static_cast<std::uint8_t>(count);
      return set_results(b_.inst(Op::buffer_load, Type::i32, {handles_[kOut], at}, {.results = results}), count);
    }
    if (below(6) == 0) {
      ir::BufferExtra extra;
      extra.op = ir::AtomicOp::xor_;
      return set(b_.inst(Op::buffer_atomic, Type::i32, {handles_[kOut], at, variable()}, {.extra = extra.bits()}));
    }
    std::vector<Id> operands{handles_[kOut], at};
    for (unsigned k = 0; k < count; ++k) operands.push_back(variable());
    b_.inst(Op::buffer_store, Type::i32, operands);
  }

  void add_statement() {
    switch (below(8)) {
      case 0:
      case 1: return add_load();
      case 2:
      case 3: return add_store();
      case 4: {
        const auto extra = ir::TextureExtra(ResourceDimension::texture2d).bits();
        b_.inst(Op::texel_store, Type::i32,
                {handles_[kPicture], number(kTexels - 1), thread_, variable(), variable(), variable(), variable()}, {.extra = extra});
        return;
      }
      case 5: {
        const Id at = sum(group_, own_place(kGroupBytes, 4));
        if (below(2) == 0) return set(b_.inst(Op::load, Type::i32, {at}, {.extra = 0}));
        b_.inst(Op::store, Type::i32, {at, variable()}, {.extra = 0});
        return;
      }
      case 6: {
        const Id at = below(2) == 0 ? imul(number(kPrivateBytes / 4), 4) : number(kPrivateBytes);
        if (below(2) == 0) return set(b_.inst(Op::load, Type::i32, {at}, {.extra = 1}));
        b_.inst(Op::store, Type::i32, {at, variable()}, {.extra = 1});
        return;
      }
      default: return set(sum(imul(variable(), 0x85eb'ca6bU), variable()));
    }
  }

  void add_statements(unsigned count, unsigned depth) {
    for (; count != 0; --count) {
      for (unsigned k = 1 + below(4); k != 0; --k) add_statement();
      if (depth == 0 || below(2) == 0) continue;
      if (below(2) == 0) {
        add_choice(depth);
      } else {
        add_loop(depth);
      }
    }
  }

  void add_choice(unsigned depth) {
    const BlockId yes = b_.block(), no = b_.block(), after = b_.block();
    b_.branch(b_.inst(Op::ieq, Type::i32, {and_of(variable(), 1 + below(3)), b_.i32(below(3))}), yes, no);
    for (const BlockId one : {yes, no}) {
      variables_.seal(one);
      b_.at(one);
      add_statements(1 + below(2), depth - 1);
      b_.jump(after);
    }
    variables_.seal(after);
    b_.at(after);
  }

  // Of up to 4 rounds, as each lane has it.
  void add_loop(unsigned depth) {
    const std::uint32_t round = variables_.declare(Type::i32);
    const BlockId body = b_.block(), after = b_.block();
    variables_.write(round, below(2) == 0 ? b_.i32(below(4)) : and_of(variable(), 3));
    b_.jump(body);
    b_.at(body);
    add_statements(1 + below(2), depth - 1);
    const Id left = variables_.read(round);
    variables_.write(round, b_.inst(Op::isub, Type::i32, {left, b_.i32(1)}));
    b_.branch(b_.inst(Op::ieq, Type::i32, {left, b_.i32(0)}), after, body);
    variables_.seal(body);
    variables_.seal(after);
    b_.at(after);
  }

  std::mt19937 random_;
  Builder b_;
  ir::SsaVariables variables_;
  std::array<Id, 5> handles_{};
  Id thread_ = ir::kNone, own_ = ir::kNone, group_ = ir::kNone;
};

struct Left {
  std::vector<std::uint32_t> own, texels;
  bool operator==(const Left&) const = default;
};

Left run(const RandomMemory& made, const Validated<ir::Module>& module, const Options& options, std::uint32_t groups, unsigned threads,
         const char* format) {
  const auto program = prepare(module, options);
  EXPECT_TRUE(program) << to_string(program.error());
  const std::uint32_t lanes = made.lanes * groups;
  Left left;
  left.own.assign(lanes * std::size_t{kOwnBytes / 4}, 5);
  for (std::uint32_t k = 0; k < left.own.size(); k += 3) left.own[k] = k * 2'654'435'761U;
  std::vector<std::uint32_t> read(kReadBytes / 4 + 1);
  for (std::uint32_t k = 0; k < read.size(); ++k) read[k] = k * 0x9e37'79b1U;
  Resources resources = empty_resources(*module);
  for (auto& row : resources.rows) row.resize(1);
  resources.rows[kOut][0].bytes = std::as_writable_bytes(std::span(left.own));
  for (const std::uint32_t which : {kRaw, kElements, kTyped})
    resources.rows[which][0].bytes = std::as_writable_bytes(std::span(read)).first(kReadBytes);
  resources.rows[kElements][0].stride = 20;
  resources.rows[kTyped][0].format = *texel::find_format(format);
  texel::Descriptor& picture = resources.rows[kPicture][0];
  picture.format = *texel::find_format(format);
  picture.width = kTexels;
  picture.height = lanes;
  left.texels.assign(texel::texture_bytes(picture) / 4 + 1, 0x0102'0304);
  picture.bytes = std::as_writable_bytes(std::span(left.texels)).first(texel::texture_bytes(picture));
  const auto done = dispatch(*program, resources, {groups, 1, 1}, {}, {}, {.threads = threads});
  EXPECT_TRUE(done && done->stop == Stop::finished);
  return left;
}

TEST(RandomMemory, IsTheSameInAllWavesAndThreads) {
  constexpr std::array<unsigned, 6> kWaves{4, 8, 16, 32, 64, 128};
  constexpr std::array<const char*, 5> kFormats{"R32_UINT", "R32G32_UINT", "R8G8B8A8_UINT", "B8G8R8X8_UNORM", "R16G16_SINT"};
  const auto isas = available_isas();
  const RandomSeeds seeds(unshade::test::effort(600U, 100U));
  for (std::uint32_t seed = seeds.first; seed < seeds.end; ++seed) {
    const RandomMemory made(seed);
    const std::uint32_t groups = seed % 3 == 0 ? 40 : 2;
    const char* const format = kFormats[seed % kFormats.size()];
    const auto plain = unshade::test::optimized(made.module, 0);
    ASSERT_TRUE(plain) << "seed " << seed << ": " << to_string(plain.error());
    const Left expected = run(made, *plain, {.wave = 4, .isa = isas.front()}, groups, 1, format);
    const auto better = unshade::test::optimized(made.module, 1 + seed % 2);
    ASSERT_TRUE(better);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t one = seed * 3 + k;
      const unsigned wave = kWaves[one % kWaves.size()];
      const Isa isa = isas[one / 6 % isas.size()];
      const unsigned threads = k == 0 ? 1 : 2 + one % 15;
      ASSERT_EQ(run(made, k == 2 ? *better : *plain, {.wave = wave, .isa = isa}, groups, threads, format), expected)
          << "seed " << seed << ", waves of " << wave << ", " << id(isa) << ", " << threads << " threads\n"
          << ir::print(made.module);
    }
  }
}

}  // namespace
}  // namespace unshade::vm
