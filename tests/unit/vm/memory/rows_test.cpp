// Accesses by rows of lanes: what they load and store in each lane is what that lane would alone, whichever lanes run and whatever they
// mean.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <unshade/texel/texture.hpp>
#include <unshade/vm/machine.hpp>

#include "unit/vm/machine_support.hpp"

namespace unshade::vm {
namespace {

using namespace test;
using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;

constexpr std::uint32_t kLanes = 100;  // no multiple of a chunk
constexpr std::uint32_t kGroups = 40;
constexpr std::uint32_t kUntouched = 0xcccc'cccc;

std::uint32_t number_of(std::uint32_t seed) { return (seed * 2'654'435'761U) ^ (seed * 40'503U >> 7); }

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> made;
  for (std::uint32_t k = 0; k < count; ++k) made.push_back(number_of(k + 1));
  return made;
}

/// `pattern` of each thread, computed by the shader and by the test.
struct Pattern {
  const char* name;
  std::function<Id(Builder&, Id)> in_shader;
  std::function<std::uint32_t(std::uint32_t)> here;
};

/// Numbers from 0 to `most` in several orders: rising, scattered, one for all, and beyond.
std::vector<Pattern> patterns(std::uint32_t step, std::uint32_t most) {
  const auto imul = [](Builder& b, Id value, std::uint32_t by) { return b.inst(Op::imul, Type::i32, {value, b.i32(by)}); };
  return {{"rising", [=](Builder& b, Id i) { return imul(b, i, step); }, [=](std::uint32_t i) { return i * step; }},
          {"scattered", [=](Builder& b, Id i) { return imul(b, b.inst(Op::urem, Type::i32, {imul(b, i, 37), b.i32(most)}), step); },
           [=](std::uint32_t i) { return i * 37 % most * step; }},
          {"one", [=](Builder& b, Id i) { return imul(b, b.inst(Op::iand, Type::i32, {i, b.i32(0)}), step); },
           [](std::uint32_t) { return 0U; }},
          {"beyond", [=](Builder& b, Id i) { return imul(b, b.inst(Op::isub, Type::i32, {i, b.i32(20)}), step); },
           [=](std::uint32_t i) { return (i - 20) * step; }}};
}

/// All lanes, and those whose number has bit 0 or 2.
constexpr std::array<std::uint32_t, 2> kMasks{0, 5};
bool runs(std::uint32_t mask, std::uint32_t lane) { return mask == 0 || (lane & mask) != 0; }

/// Runs `build` within the lanes of a mask and stores the values that it gives: `results` for each thread of a group of kLanes.
class Rows {
 public:
  explicit Rows(std::vector<ir::Resource> resources, std::uint32_t group_bytes = 0) : machine_({kLanes, 1, 1}, group_bytes) {
    for (ir::Resource& one : resources) machine_.module.resources.push_back(std::move(one));
  }
  ir::Module& module() { return machine_.module; }

  using Build = std::function<std::vector<Id>(Builder&, Id thread)>;
  void build(std::uint32_t mask, std::uint32_t results, const Build& build) {
    Builder b(machine_.module.functions[0]);
    const BlockId entry = b.block(), body = b.block(), exit = b.block();
    b.at(entry);
    const Id thread = builtin(b, ir::Builtin::thread_id);
    const Id bits = b.inst(Op::iand, Type::i32, {thread, b.i32(mask == 0 ? 0 : mask)});
    b.branch(b.inst(mask == 0 ? Op::ieq : Op::ine, Type::i32, {bits, b.i32(0)}), body, exit);
    b.at(body);
    const std::vector<Id> made = build(b, thread);
    const Id row = b.inst(Op::imul, Type::i32, {thread, b.i32(results)});
    for (std::uint32_t k = 0; k < made.size(); ++k) store(b, b.inst(Op::iadd, Type::i32, {row, b.i32(k)}), made[k]);
    b.jump(exit);
    b.at(exit);
    b.return_values();
  }

  /// What is stored, and left in `rows`, which is the same for all instruction sets.
  std::vector<std::uint32_t> run(std::size_t count, unsigned wave, const std::vector<std::vector<texel::Descriptor>>& rows,
                                 std::uint32_t groups = 1, unsigned threads = 1) {
    const auto all_bytes = [&] {
      std::vector<std::byte> made;
      for (const auto& row : rows)
        for (const texel::Descriptor& one : row) made.insert(made.end(), one.bytes.begin(), one.bytes.end());
      return made;
    };
    const std::vector<std::byte> before = all_bytes();
    std::vector<std::byte> after;
    std::vector<std::uint32_t> first;
    for (const Isa isa : available_isas()) {
      const std::byte* from = before.data();
      for (const auto& row : rows)
        for (const texel::Descriptor& one : row) {
          std::copy_n(from, one.bytes.size(), one.bytes.data());
          from += one.bytes.size();
        }
      const Program program = machine_.ready({.wave = wave, .isa = isa});
      std::vector<std::uint32_t> memory(count, kUntouched);
      Resources resources = empty_resources(machine_.module);
      resources.rows[0].resize(1);
      resources.rows[0][0].bytes = std::as_writable_bytes(std::span(memory));
      for (std::size_t k = 0; k < rows.size(); ++k) resources.rows[k + 1] = rows[k];
      const auto done = dispatch(program, resources, {groups, 1, 1}, {}, {}, {.threads = threads});
      EXPECT_TRUE(done && done->stop == Stop::finished);
      if (isa == available_isas().front()) first = memory, after = all_bytes();
      EXPECT_EQ(memory, first) << id(isa);
      EXPECT_EQ(all_bytes(), after) << id(isa);
    }
    return first;
  }

 private:
  Machine machine_;
};

ir::Resource resource(ResourceKind kind, ResourceDimension dimension = ResourceDimension::buffer, std::uint32_t count = 1) {
  ir::Resource made;
  made.name = "one";
  made.kind = kind;
  made.dimension = dimension;
  made.count = count;
  return made;
}

// Bytes from `at` on, 0 where there are none.
std::uint32_t word_at(const std::vector<std::uint32_t>& memory, std::size_t bytes, std::uint64_t at) {
  std::uint32_t made = 0;
  if (at + 4 <= bytes) std::memcpy(&made, reinterpret_cast<const std::byte*>(memory.data()) + at, 4);
  return made;
}

TEST(Rows, LoadRawAndStructuredBuffers) {
  std::vector<std::uint32_t> memory = numbers(120);
  texel::Descriptor bound;
  bound.bytes = std::as_writable_bytes(std::span(memory)).first(470);  // no whole word, no whole element
  bound.stride = 12;
  for (const bool is_raw : {true, false}) {
    for (const std::uint32_t mask : kMasks) {
      for (const unsigned count : {1U, 3U}) {
        for (const Pattern& pattern : patterns(is_raw ? 4 : 1, is_raw ? 118 : 39)) {
          Rows rows({resource(is_raw ? ResourceKind::byte_address : ResourceKind::structured)});
          rows.build(mask, count, [&](Builder& b, Id thread) {
            ir::BufferExtra extra;
            extra.kind = is_raw ? ir::BufferKind::raw : ir::BufferKind::structured;
            const Id from = b.inst(Op::handle, Type::void_, {b.i32(0)}, {.extra = 1});
            std::vector<std::uint32_t> operands{from, pattern.in_shader(b, thread)};
            if (!is_raw) extra.has_offset = true, operands.push_back(b.i32(count == 1 ? 8 : 0));
            const Id loaded =
                b.inst(Op::buffer_load, Type::i32, operands, {.extra = extra.bits(), .results = static_cast<std::uint8_t>(count)});
            if (count == 1) return std::vector<Id>{loaded};
            std::vector<Id> made;
            for (unsigned k = 0; k < count; ++k) made.push_back(b.get(loaded, Type::i32, k));
            return made;
          });
          for (const unsigned wave : {4U, 16U, 64U, 128U}) {
            const auto made = rows.run(std::size_t{kLanes} * count, wave, {{bound}});
            for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
              for (std::uint32_t k = 0; k < count; ++k) {
                const std::uint64_t at = pattern.here(lane);
                std::uint32_t expected = kUntouched;
                if (runs(mask, lane) && is_raw) expected = word_at(memory, 470, at + 4 * k);
                if (runs(mask, lane) && !is_raw) expected = at < 39 ? word_at(memory, 470, at * 12 + (count == 1 ? 8 : 4 * k)) : 0;
                ASSERT_EQ(made[lane * count + k], expected)
                    << pattern.name << ", wave " << wave << ", lane " << lane << ", value " << k << (is_raw ? ", raw" : ", structured");
              }
            }
          }
        }
      }
    }
  }
}

// Each lane another buffer of an array, one of which is not bound.
TEST(Rows, LoadFromSeveralBuffers) {
  std::vector<std::uint32_t> memory = numbers(48);
  std::vector<texel::Descriptor> bound(3);
  for (std::size_t k = 0; k < 2; ++k) bound[k].bytes = std::as_writable_bytes(std::span(memory)).subspan(64 * k, 64);
  Rows rows({resource(ResourceKind::byte_address, ResourceDimension::buffer, 3)});
  rows.build(0, 1, [&](Builder& b, Id thread) {
    const Id from = b.inst(Op::handle, Type::void_, {b.inst(Op::urem, Type::i32, {thread, b.i32(3)})}, {.extra = 1});
    return std::vector<Id>{b.inst(Op::buffer_load, Type::i32, {from, b.inst(Op::iand, Type::i32, {thread, b.i32(0x1c)})})};
  });
  for (const unsigned wave : {4U, 64U}) {
    const auto made = rows.run(kLanes, wave, {bound});
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      ASSERT_EQ(made[lane], lane % 3 == 2 ? 0 : memory[16 * (lane % 3) + (lane & 0x1c) / 4]) << lane;
  }
}

TEST(Rows, LoadTypedBuffersOfEachKindOfFormat) {
  for (const char* name : {"R32_UINT", "R32G32B32A32_FLOAT", "R8G8B8A8_UNORM", "B8G8R8A8_UNORM_SRGB", "R16G16_FLOAT", "R10G10B10A2_UNORM",
                           "R9G9B9E5_SHAREDEXP", "R8_SINT", "R11G11B10_FLOAT", "R16G16B16A16_SNORM"}) {
    std::vector<std::uint32_t> memory = numbers(400);
    texel::Descriptor bound;
    bound.format = *texel::find_format(name);
    const std::uint32_t texels = 90;
    bound.bytes = std::as_writable_bytes(std::span(memory)).first(std::size_t{texels} * bound.format.bytes());
    for (const std::uint32_t mask : kMasks) {
      for (const Pattern& pattern : patterns(1, texels)) {
        Rows rows({resource(ResourceKind::texture)});
        rows.build(mask, 4, [&](Builder& b, Id thread) {
          ir::BufferExtra extra;
          extra.kind = ir::BufferKind::typed;
          const Id from = b.inst(Op::handle, Type::void_, {b.i32(0)}, {.extra = 1});
          const Id loaded = b.inst(Op::buffer_load, Type::i32, {from, pattern.in_shader(b, thread)}, {.extra = extra.bits(), .results = 4});
          std::vector<Id> made;
          for (unsigned k = 0; k < 4; ++k) made.push_back(b.get(loaded, Type::i32, k));
          return made;
        });
        const auto made = rows.run(std::size_t{kLanes} * 4, 64, {{bound}});
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
          const std::uint32_t at = pattern.here(lane);
          const auto expected = at < texels ? texel::load_texel(bound.format, bound.bytes.data() + std::size_t{at} * bound.format.bytes())
                                            : texel::missing_texel(bound.format);
          for (std::uint32_t k = 0; k < 4; ++k)
            ASSERT_EQ(made[lane * 4 + k], runs(mask, lane) ? expected[k] : kUntouched) << name << ", " << pattern.name << ", lane " << lane;
        }
      }
    }
  }
}

// By one thread, and by several, whose stores wait for their turn.
TEST(Rows, StoreToBuffersInTheOrderOfLanes) {
  for (const Pattern& pattern : patterns(4, 98)) {
    for (const unsigned count : {1U, 2U}) {
      Rows rows({});
      rows.build(5, 0, [&](Builder& b, Id thread) {
        const Id group = builtin(b, ir::Builtin::group_id);
        const Id at = b.inst(Op::iadd, Type::i32, {pattern.in_shader(b, thread), b.inst(Op::imul, Type::i32, {group, b.i32(40)})});
        std::vector<std::uint32_t> operands{out(b), at};
        for (unsigned k = 0; k < count; ++k) operands.push_back(b.inst(Op::iadd, Type::i32, {thread, b.i32(1000 * (k + 1))}));
        b.inst(Op::buffer_store, Type::i32, operands);
        return std::vector<Id>{};
      });
      constexpr std::size_t kWords = 520;
      std::vector<std::uint32_t> expected(kWords, kUntouched);
      for (std::uint32_t group = 0; group < kGroups; ++group) {
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
          const std::uint32_t at = pattern.here(group * kLanes + lane) + group * 40;
          for (std::uint32_t k = 0; k < count && runs(5, group * kLanes + lane); ++k)
            if (std::uint64_t{at} + 4 * k + 4 <= kWords * 4) expected[at / 4 + k] = group * kLanes + lane + 1000 * (k + 1);
        }
      }
      for (const unsigned threads : {1U, 4U})
        for (const unsigned wave : {4U, 32U, 128U})
          EXPECT_EQ(rows.run(kWords, wave, {}, kGroups, threads), expected) << pattern.name << ", wave " << wave << ", threads " << threads;
    }
  }
}

TEST(Rows, LoadAndStoreTexelsOfLevelsAndLayers) {
  for (const char* name : {"R32_UINT", "R16G16_FLOAT", "B5G6R5_UNORM", "B8G8R8X8_UNORM"}) {
    texel::Descriptor texture;
    texture.format = *texel::find_format(name);
    texture.width = 13;
    texture.height = 7;
    texture.layers = 3;
    texture.levels = 3;
    std::vector<std::uint32_t> memory = numbers(texel::texture_bytes(texture) / 4 + 1);
    texture.bytes = std::as_writable_bytes(std::span(memory)).first(texel::texture_bytes(texture));
    std::vector<std::uint32_t> stored = memory;
    texel::Descriptor target = texture;
    target.bytes = std::as_writable_bytes(std::span(stored)).first(texture.bytes.size());
    target.levels = 1;
    target.layers = 2;
    for (const std::uint32_t mask : kMasks) {
      for (const std::uint32_t level : {0U, 1U, 2U, 3U}) {
        Rows rows({resource(ResourceKind::texture, ResourceDimension::texture2d_array),
                   resource(ResourceKind::uav_typed, ResourceDimension::texture2d_array)});
        const auto place_of = [&](std::uint32_t lane) {
          return texel::TexelPlace{lane * 5 % 15, lane * 3 % 8, 0, lane % 4, level, 0};  // some are out of bounds
        };
        rows.build(mask, 4, [&](Builder& b, Id thread) {
          const auto rest = [&](std::uint32_t by, std::uint32_t of) {
            return b.inst(Op::urem, Type::i32, {b.inst(Op::imul, Type::i32, {thread, b.i32(by)}), b.i32(of)});
          };
          ir::TextureExtra extra(ResourceDimension::texture2d_array);
          extra.has_lod = true;
          const Id from = b.inst(Op::handle, Type::void_, {b.i32(0)}, {.extra = 1}),
                   to = b.inst(Op::handle, Type::void_, {b.i32(0)}, {.extra = 2});
          const Id x = rest(5, 15), y = rest(3, 8), layer = rest(1, 4);
          const Id loaded = b.inst(Op::texel_load, Type::i32, {from, x, y, layer, b.i32(level)}, {.extra = extra.bits(), .results = 4});
          std::vector<Id> made;
          for (unsigned k = 0; k < 4; ++k) made.push_back(b.get(loaded, Type::i32, k));
          extra.has_lod = false;
          b.inst(Op::texel_store, Type::i32, {to, x, y, layer, made[0], made[1], made[2], made[3]}, {.extra = extra.bits()});
          return made;
        });
        std::vector<std::uint32_t> expected_memory = stored;
        texel::Descriptor expected_target = target;
        expected_target.bytes = std::as_writable_bytes(std::span(expected_memory)).first(texture.bytes.size());
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
          if (!runs(mask, lane)) continue;
          const std::byte* const at = texel::texel_at(texture, place_of(lane));
          const auto value = at != nullptr ? texel::load_texel(texture.format, at) : texel::missing_texel(texture.format);
          texel::TexelPlace place = place_of(lane);
          place.level = 0;
          if (std::byte* const to = texel::texel_at(expected_target, place)) texel::store_texel(texture.format, value, to);
        }
        const auto made = rows.run(std::size_t{kLanes} * 4, 32, {{texture}, {target}});
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
          const std::byte* const at = texel::texel_at(texture, place_of(lane));
          const auto value = at != nullptr ? texel::load_texel(texture.format, at) : texel::missing_texel(texture.format);
          for (std::uint32_t k = 0; k < 4; ++k)
            ASSERT_EQ(made[lane * 4 + k], runs(mask, lane) ? value[k] : kUntouched) << name << ", level " << level << ", lane " << lane;
        }
        ASSERT_EQ(stored, expected_memory) << name << ", level " << level;
      }
    }
  }
}

TEST(Rows, LoadAndStoreGroupAndPrivateMemory) {
  for (const ir::Space space : {ir::Space::group, ir::Space::private_}) {
    for (const std::uint32_t mask : kMasks) {
      for (const Pattern& pattern : patterns(4, 90)) {
        Rows rows({});
        rows.module().variables.push_back({"x", space, 0, 361, std::vector<std::byte>(space == ir::Space::private_ ? 361 : 0)});
        rows.build(mask, 1, [&](Builder& b, Id thread) {
          const Id at = pattern.in_shader(b, thread);
          b.inst(Op::store, Type::i32, {at, b.inst(Op::iadd, Type::i32, {thread, b.i32(500)})}, {.extra = 0});
          return std::vector<Id>{b.inst(Op::load, Type::i32, {at}, {.extra = 0})};
        });
        // what lanes of a wave store to one place is the last one's
        if (space == ir::Space::group && std::string(pattern.name) != "rising" && std::string(pattern.name) != "beyond") continue;
        for (const unsigned wave : {4U, 32U, 128U}) {
          const auto made = rows.run(kLanes, wave, {});
          for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            const std::uint32_t at = pattern.here(lane);
            const bool is_inside = at <= 361 - 4;
            ASSERT_EQ(made[lane], !runs(mask, lane) ? kUntouched
                                  : is_inside       ? lane + 500
                                                    : 0)
                << pattern.name << ", wave " << wave << ", " << lane;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace unshade::vm
