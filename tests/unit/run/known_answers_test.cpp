// Programs of several families against the same in C++, on all instruction sets and in waves of several sizes.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/run/run.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/texel/formats.hpp>

#include "support/files.hpp"

namespace unshade::run {
namespace {

// Numbers that look random, and are the same everywhere.
class Noise {
 public:
  std::uint32_t next() {
    state_ = state_ * 1664525 + 1013904223;
    return state_ >> 8;
  }
  /// From -1 to 1.
  float real() { return static_cast<float>(next() & 0xffff) / 32768.0F - 1.0F; }

 private:
  std::uint32_t state_ = 1;
};

// A shader of tests/data: a file, or a text that is assembled.
Runnable known_shader(std::string_view name) {
  std::vector<std::byte> file = test::read_bytes(test::source_dir() / "tests/data" / name);
  if (name.ends_with("asm")) {
    const std::string text = test::read_text(test::source_dir() / "tests/data" / name);
    Assembly made = shader::assemble(shader::language_of(text), text);
    for (const Message& one : made.messages) ADD_FAILURE() << one.text;
    file = std::move(made.file);
  }
  const auto opened = shader::open(test::view_of(file));
  EXPECT_TRUE(opened) << to_string(opened.error());
  auto runnable = prepare(*opened);
  EXPECT_TRUE(runnable) << to_string(runnable.error());
  return *runnable;
}

template <class Test>
void on_all_machines(const Runnable& shader, Test test) {
  for (const vm::Isa isa : vm::available_isas()) {
    for (const unsigned wave : {4U, 32U, 128U}) {
      const auto program = shader.program({.wave = wave, .isa = isa});
      ASSERT_TRUE(program) << to_string(program.error());
      SCOPED_TRACE(std::string(vm::id(isa)) + ", waves of " + std::to_string(wave));
      test(*program);
    }
  }
}

template <class Item>
texel::Descriptor buffer_of(std::vector<Item>& items, std::uint32_t stride = 0) {
  texel::Descriptor made;
  made.bytes = std::as_writable_bytes(std::span(items));
  made.stride = stride;
  return made;
}

// Descriptors in the order of the module's resources.
vm::Resources resources_of(const vm::Program& program, std::initializer_list<texel::Descriptor> given) {
  vm::Resources resources = vm::empty_resources(program.module());
  EXPECT_EQ(resources.rows.size(), given.size());
  std::size_t row = 0;
  for (const texel::Descriptor& one : given) resources.rows.at(row++) = {one};
  return resources;
}

void dispatched(const vm::Program& program, vm::Resources resources, std::uint32_t groups) {
  const auto done = vm::dispatch(program, resources, {groups, 1, 1});
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_EQ(done->stop, vm::Stop::finished) << done->fault;
  EXPECT_FALSE(done->divergent_barrier);
}

TEST(KnownAnswers, PrefixSumOfDxbcText) {
  std::vector<std::uint32_t> numbers(256), sums(256);
  Noise noise;
  for (std::uint32_t& one : numbers) one = noise.next() << 8;
  for (std::size_t group = 0; group < 4; ++group) {
    const auto first = static_cast<std::ptrdiff_t>(group * 64);
    std::partial_sum(numbers.begin() + first, numbers.begin() + first + 64, sums.begin() + first);
  }
  on_all_machines(known_shader("known_answers/prefix_sum.cs.asm"), [&](const vm::Program& program) {
    std::vector<std::uint32_t> memory = numbers;
    dispatched(program, resources_of(program, {buffer_of(memory, 4)}), 4);
    EXPECT_EQ(memory, sums);
  });
}

// All steps of a bitonic sort of a group's 512 keys, one dispatch each.
TEST(KnownAnswers, BitonicSortOfDxil) {
  std::vector<std::uint32_t> keys(512);
  Noise noise;
  for (std::uint32_t& key : keys) key = noise.next() % 300;  // some twice
  std::vector<std::uint32_t> sorted = keys;
  std::ranges::sort(sorted);
  on_all_machines(known_shader("dxil/bitonic_cs_6_0.dxil"), [&](const vm::Program& program) {
    std::vector<std::uint32_t> memory = keys;
    for (std::uint32_t level = 2; level <= 512; level *= 2) {
      std::vector<std::uint32_t> constants = {level, level};
      dispatched(program, resources_of(program, {buffer_of(constants), buffer_of(memory, 4)}), 1);
    }
    EXPECT_EQ(memory, sorted);
  });
}

// --- a fluid -----------------------------------------------------------------------------------------------------------------------------

constexpr int kCells = 16;
struct Flow {
  float x, y;
};
Flow operator+(Flow a, Flow b) { return {a.x + b.x, a.y + b.y}; }
Flow operator-(Flow a, Flow b) { return {a.x - b.x, a.y - b.y}; }
Flow operator*(Flow a, float b) { return {a.x * b, a.y * b}; }

std::size_t cell(int x, int y) {
  return static_cast<std::size_t>(std::clamp(y, 0, kCells - 1)) * kCells + static_cast<std::size_t>(std::clamp(x, 0, kCells - 1));
}

template <class Item>
Item bilinear(const std::vector<Item>& field, Flow at) {
  const float x = std::clamp(at.x, 0.0F, 15.0F), y = std::clamp(at.y, 0.0F, 15.0F);
  const int left = static_cast<int>(std::floor(x)), up = static_cast<int>(std::floor(y));
  const float across = x - static_cast<float>(left), along = y - static_cast<float>(up);
  const Item a = field[cell(left, up)], b = field[cell(left + 1, up)];
  const Item c = field[cell(left, up + 1)], d = field[cell(left + 1, up + 1)];
  const Item top = a + (b - a) * across, bottom = c + (d - c) * across;
  return top + (bottom - top) * along;
}

void step_of_a_fluid(std::vector<Flow>& velocity, std::vector<float>& dye) {
  constexpr float kStep = 0.75F;
  std::vector<Flow> moved(velocity.size());
  std::vector<float> divergence(velocity.size()), pressure(velocity.size()), next(velocity.size());
  const auto for_each_cell = [](auto each) {
    for (int y = 0; y < kCells; ++y) {
      for (int x = 0; x < kCells; ++x) each(x, y, cell(x, y));
    }
  };
  const auto place = [](int x, int y) { return Flow{static_cast<float>(x), static_cast<float>(y)}; };
  for_each_cell([&](int x, int y, std::size_t at) { moved[at] = bilinear(velocity, place(x, y) - velocity[at] * kStep); });
  for_each_cell([&](int x, int y, std::size_t at) {
    const float across = moved[cell(x + 1, y)].x - moved[cell(x - 1, y)].x, along = moved[cell(x, y + 1)].y - moved[cell(x, y - 1)].y;
    divergence[at] = 0.5F * (across + along);
  });
  for (int round = 0; round < 20; ++round) {
    for_each_cell([&](int x, int y, std::size_t at) {
      const float across = pressure[cell(x - 1, y)] + pressure[cell(x + 1, y)], along = pressure[cell(x, y - 1)] + pressure[cell(x, y + 1)];
      next[at] = 0.25F * ((across + along) - divergence[at]);
    });
    pressure.swap(next);
  }
  const std::vector<float> before = dye;
  for_each_cell([&](int x, int y, std::size_t at) {
    velocity[at] =
        moved[at] - Flow{pressure[cell(x + 1, y)] - pressure[cell(x - 1, y)], pressure[cell(x, y + 1)] - pressure[cell(x, y - 1)]} * 0.5F;
    dye[at] = bilinear(before, place(x, y) - velocity[at] * kStep);
  });
}

template <class Item>
std::vector<std::uint32_t> words_of(const std::vector<Item>& items) {
  std::vector<std::uint32_t> words(items.size() * sizeof(Item) / 4);
  if (!words.empty()) std::memcpy(words.data(), items.data(), words.size() * 4);
  return words;
}

TEST(KnownAnswers, StepsOfAFluidOfSpirv) {
  std::vector<Flow> start(256);
  std::vector<float> start_dye(256);
  Noise noise;
  for (Flow& one : start) {
    one.x = 3 * noise.real();
    one.y = 3 * noise.real();
  }
  for (float& one : start_dye) one = std::abs(noise.real());
  std::vector<Flow> velocity = start;
  std::vector<float> dye = start_dye;
  for (int step = 0; step < 3; ++step) step_of_a_fluid(velocity, dye);
  on_all_machines(known_shader("known_answers/fluid.spvasm"), [&](const vm::Program& program) {
    std::vector<Flow> flow = start;
    std::vector<float> amount = start_dye;
    for (int step = 0; step < 3; ++step) dispatched(program, resources_of(program, {buffer_of(flow), buffer_of(amount)}), 1);
    EXPECT_EQ(words_of(flow), words_of(velocity));
    EXPECT_EQ(words_of(amount), words_of(dye));
  });
}

// --- atomic operations on floats
// -----------------------------------------------------------------------------------------------------------

TEST(KnownAnswers, AtomicFloatsOfSpirv) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> given(64);
  for (std::size_t at = 0; at < given.size(); ++at) given[at] = static_cast<float>(at * 37 % 64) - 20;
  on_all_machines(known_shader("known_answers/atomic_floats.spvasm"), [&](const vm::Program& program) {
    std::vector<float> in = given, made{100, kNan, 3, 0, 0};
    dispatched(program, resources_of(program, {buffer_of(in), buffer_of(made)}), 1);
    // 0 + ... + 63 - 64 * 20; a NaN in memory gives way to a number
    EXPECT_EQ(made, (std::vector<float>{100 + 736, -20, 43, 1000 + 368, -10}));
    made[1] = -1000, made[2] = 1000;
    dispatched(program, resources_of(program, {buffer_of(in), buffer_of(made)}), 1);
    EXPECT_EQ(made, (std::vector<float>{100 + 2 * 736, -1000, 1000, 1000 + 368, -10}));
  });
}

// --- blocks of BC7 -----------------------------------------------------------------------------------------------------------------------

// Blocks of any bits, of each mode the same number, and of none.
TEST(KnownAnswers, BlocksOfBc7DecodedBySpirv) {
  constexpr std::size_t kBlocks = 9 * 12;
  std::vector<std::uint32_t> blocks(kBlocks * 4), texels(kBlocks * 16);
  Noise noise;
  for (std::size_t word = 0; word < blocks.size(); ++word) {
    blocks[word] = noise.next() << 16 ^ noise.next();
    const std::size_t mode = word / 4 % 9;
    if (word % 4 == 0) blocks[word] = mode == 8 ? blocks[word] & ~0xffU : (blocks[word] >> (mode + 1) << 1 | 1) << mode;
  }
  const auto format = texel::find_format("BC7_UNORM");
  ASSERT_TRUE(format);
  for (std::size_t at = 0; at < texels.size(); ++at) {
    const auto* const block = std::as_bytes(std::span(blocks)).subspan(at / 16 * 16).data();
    const auto value = texel::load_texel(*format, block, static_cast<unsigned>(at % 4), static_cast<unsigned>(at / 4 % 4));
    for (unsigned k = 0; k < 4; ++k)
      texels[at] |= static_cast<std::uint32_t>(std::lround(std::bit_cast<float>(value[k]) * 255.0F)) << (8 * k);
  }
  on_all_machines(known_shader("known_answers/bc7.spvasm"), [&](const vm::Program& program) {
    std::vector<std::uint32_t> given = blocks, made(texels.size());
    dispatched(program, resources_of(program, {buffer_of(given), buffer_of(made)}), kBlocks);
    EXPECT_EQ(made, texels);
  });
}

// --- a mesh ------------------------------------------------------------------------------------------------------------------------------

TEST(KnownAnswers, SkinnedMeshOfDxbcText) {
  constexpr std::size_t kBones = 16, kVertices = 75;
  using Row = std::array<float, 4>;
  Noise noise;
  std::vector<Row> bones(kBones * 3), projection(4);
  for (Row& row : bones) {
    for (float& one : row) one = noise.real();
  }
  for (Row& row : projection) {
    for (float& one : row) one = noise.real();
  }
  struct Vertex {
    std::array<float, 3> position{}, normal{};
    std::array<float, 4> weights{};
    std::array<std::uint32_t, 4> indices{};
  };
  std::vector<Vertex> vertices(kVertices);
  vm::Lanes lanes;
  lanes.count = kVertices;
  for (Vertex& vertex : vertices) {
    for (float& one : vertex.position) one = noise.real();
    for (float& one : vertex.normal) one = noise.real();
    for (float& one : vertex.weights) one = std::abs(noise.real());
    for (std::uint32_t& one : vertex.indices) one = noise.next() % kBones;
  }
  lanes.inputs.resize(14 * kVertices);
  std::vector<std::array<float, 7>> expected(kVertices);
  for (std::size_t at = 0; at < kVertices; ++at) {
    const Vertex& vertex = vertices[at];
    const auto put = [&](std::size_t first, const auto& values) {
      for (std::size_t k = 0; k < values.size(); ++k) lanes.inputs[(first + k) * kVertices + at] = std::bit_cast<std::uint32_t>(values[k]);
    };
    put(0, vertex.position);
    put(3, vertex.normal);
    put(6, vertex.weights);
    put(10, vertex.indices);
    std::array<Row, 3> rows{};
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t k = 0; k < 4; ++k) {
          const float product = vertex.weights[k] * bones[vertex.indices[k] * 3 + row][column];
          rows[row][column] = k == 0 ? product : product + rows[row][column];
        }
      }
    }
    std::array<float, 3> moved{}, turned{};
    for (std::size_t row = 0; row < 3; ++row) {
      const auto& [a, b, c, d] = rows[row];
      moved[row] = a * vertex.position[0] + b * vertex.position[1] + c * vertex.position[2] + d;
      turned[row] = a * vertex.normal[0] + b * vertex.normal[1] + c * vertex.normal[2];
    }
    for (std::size_t k = 0; k < 4; ++k)
      expected[at][k] = (moved[2] * projection[2][k] + (moved[0] * projection[0][k] + moved[1] * projection[1][k])) + projection[3][k];
    const float length = std::sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]);
    for (std::size_t k = 0; k < 3; ++k) expected[at][4 + k] = turned[k] / length;
  }
  on_all_machines(known_shader("known_answers/skin.vs.asm"), [&](const vm::Program& program) {
    vm::Lanes given = lanes;
    vm::Resources resources = resources_of(program, {buffer_of(bones), buffer_of(projection)});
    const auto done = vm::run_lanes(program, resources, given);
    ASSERT_TRUE(done) << to_string(done.error());
    for (std::size_t at = 0; at < kVertices; ++at) {
      for (std::size_t k = 0; k < 7; ++k) {
        const float made = std::bit_cast<float>(static_cast<std::uint32_t>(given.outputs[k * kVertices + at]));
        if (k < 4) {
          EXPECT_EQ(made, expected[at][k]) << at << ' ' << k;
        } else {
          EXPECT_NEAR(made, expected[at][k], 0x1p-22) << at << ' ' << k;  // a reciprocal square root, and a product
        }
      }
    }
  });
}

}  // namespace
}  // namespace unshade::run
