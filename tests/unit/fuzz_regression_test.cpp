// What fuzzing and looking for trouble by hand have found: the properties of fuzz/properties.hpp over the samples, over
// tests/data/regressions (commented hex), and over files made here to cost as much as they can.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>

#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>

#include "support/container.hpp"
#include "support/cost.hpp"
#include "support/effort.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

using dxcontainer::fourcc;
using Bytes = std::vector<std::byte>;

void append(Bytes& bytes, std::uint32_t value) {
  bytes.resize(bytes.size() + 4);
  put_u32(bytes, bytes.size() - 4, value);
}

Bytes joined(Bytes bytes, const Bytes& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
  return bytes;
}

// Whatever lies in tests/data: shaders, their listings, sources and documents. The properties take any bytes, and fuzzing starts from
// these.
TEST(FuzzRegression, SamplesHaveEveryProperty) {
  const auto files = files_below(source_dir() / "tests/data", "");
  ASSERT_FALSE(files.empty());
  for (const auto& path : files) {
    const auto bytes = read_bytes(path);
    expect_properties_at_fair_cost(view_of(bytes), path.lexically_relative(source_dir()).string());
  }
}

TEST(FuzzRegression, FindsStayMended) {
  for (const auto& path : files_below(source_dir() / "tests/data/regressions", ".hex")) {
    const auto bytes = from_hex(read_text(path));
    expect_properties_at_fair_cost(view_of(bytes), path.filename().string());
  }
}

// --- files made to cost as much as they can ---------------------------------------------------------------------------------------

constexpr std::size_t kBig = std::size_t{1} << effort(18, 15);

Bytes words(std::initializer_list<std::uint32_t> values) {
  Bytes bytes;
  for (const std::uint32_t value : values) append(bytes, value);
  return bytes;
}

Bytes file_of(const char (&name)[5], Bytes data) { return container_of({{fourcc(name), std::move(data)}}); }

TEST(Cost, LabelsAndRecordsOfOneAddress) {
  std::string text;
  for (int i = 0; i < 6000; ++i) text += ".label \"n" + std::to_string(i) + "\" 0x0 0 0\n";
  text += ".proc main\n";
  for (int i = 0; i < 6000; ++i) text += 'l' + std::to_string(i) + ":\n";
  text += "end\n.end\n";
  expect_properties_at_fair_cost(View(std::as_bytes(std::span(text))), "labels of one address");
}

TEST(Cost, PartsThatShareOneHeader) {
  const std::size_t count = kBig / 4;
  Bytes file(dxcontainer::kHeaderBytes + 4 * count + 8);
  put_u32(file, 0, dxcontainer::kMagic);
  put_u32(file, 24, static_cast<std::uint32_t>(file.size()));
  put_u32(file, 28, static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i) put_u32(file, 32 + 4 * i, static_cast<std::uint32_t>(file.size() - 8));
  put_u32(file, file.size() - 8, fourcc("ISGN"));
  expect_properties_at_fair_cost(view_of(file), "one header");
}

// A legacy frame of LZ4 and a block of as many bytes as there may be, most of which are not there.
TEST(Cost, BlocksOfLz4ThatAreCutOff) {
  for (const std::size_t size : {std::size_t{0}, kBig}) {
    expect_properties_at_fair_cost(view_of(joined(words({0x184c2102, 8421520}), Bytes(size))), "a block of LZ4");
  }
}

TEST(Cost, PartsInsideEachOther) {
  for (const std::size_t count : {std::size_t{4000}, kBig / 12}) {
    Bytes file(dxcontainer::kHeaderBytes + 12 * count);
    put_u32(file, 0, dxcontainer::kMagic);
    put_u32(file, 24, static_cast<std::uint32_t>(file.size()));
    put_u32(file, 28, static_cast<std::uint32_t>(count));
    constexpr std::uint32_t kKinds[] = {fourcc("ISGN"), fourcc("RDEF"), fourcc("SHEX"), fourcc("Aon9"), fourcc("SPDB"), 1};
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = dxcontainer::kHeaderBytes + 4 * count + 8 * i;
      put_u32(file, 32 + 4 * i, static_cast<std::uint32_t>(at));
      put_u32(file, at, kKinds[i % std::size(kKinds)]);
      put_u32(file, at + 4, static_cast<std::uint32_t>(file.size() - at - 8));
    }
    expect_properties_at_fair_cost(view_of(file), "nested parts");
  }
}

/// The file of the largest number up to `most` that is still reflected: where the reader's bounds let most through.
template <class Make>
Bytes largest_reflected(std::uint32_t most, Make make) {
  std::uint32_t low = 0;
  while (low < most) {
    const std::uint32_t middle = low + (most - low + 1) / 2;
    const Bytes file = make(middle);
    const auto opened = shader::open(view_of(file));
    if (opened && shader::reflect(*opened)) {
      low = middle;
    } else {
      most = middle - 1;
    }
  }
  return make(low);
}

/// An input signature of as many elements as fit into half of it, `long_ones` of which share a name of `name_bytes`.
Bytes long_semantics(std::uint32_t long_ones, std::uint32_t name_bytes) {
  constexpr auto kCount = static_cast<std::uint32_t>(kBig / 2 / 24);
  constexpr std::uint32_t kText = 8 + 24 * kCount;
  Bytes data = words({kCount, 8});
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const std::uint32_t at = i < long_ones ? kText : kText + name_bytes - 2;
    data = joined(std::move(data), words({at, i, 0, 3, i % 32, 0x0f0f}));
  }
  data.resize(data.size() + name_bytes, std::byte{'N'});
  data.resize(data.size() + 4);
  return file_of("ISGN", data);
}

/// The same of resource bindings.
Bytes long_bindings(std::uint32_t long_ones, std::uint32_t name_bytes) {
  constexpr auto kCount = static_cast<std::uint32_t>(kBig / 2 / 32);
  constexpr std::uint32_t kText = 28 + 32 * kCount;
  Bytes data = words({0, 28, kCount, 28, 0xffff0400, 0, kText + name_bytes - 2});
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const std::uint32_t at = i < long_ones ? kText : kText + name_bytes - 2;
    data = joined(std::move(data), words({at, i % 4, 5, i % 12, 0xffff'ffff, i, 1, 12}));
  }
  data.resize(data.size() + name_bytes, std::byte{'N'});
  data.resize(data.size() + 4);
  return file_of("RDEF", data);
}

TEST(Cost, RecordsThatShareLongNames) {
  for (const std::uint32_t name_bytes : {8U, 64U, 1000U, 10'000U, 100'000U}) {
    const auto what = " with names of " + std::to_string(name_bytes);
    const auto semantics = largest_reflected(5000, [&](std::uint32_t count) { return long_semantics(count, name_bytes); });
    expect_properties_at_fair_cost(view_of(semantics), "elements" + what);
    const auto bindings = largest_reflected(4000, [&](std::uint32_t count) { return long_bindings(count, name_bytes); });
    expect_properties_at_fair_cost(view_of(bindings), "bindings" + what);
    expect_properties_at_fair_cost(view_of(long_bindings(4000, name_bytes)), "too many bindings" + what);
  }
}

/// An RDEF of one buffer with `variables` variables of the last of `depth` structs, each of which has `members` members of the one before.
Bytes nested_structs(std::uint32_t depth, std::uint32_t members, std::uint32_t variables, std::uint32_t name_bytes,
                     std::uint32_t elements) {
  const std::uint32_t types = 28 + 24;
  const std::uint32_t type_bytes = 16 + 12 * members;
  const std::uint32_t table = types + 16 + depth * type_bytes;
  const std::uint32_t text = table + 24 * variables;
  Bytes data = words({1, 28, 0, 28, 0xffff0400, 0, text, text, variables, table, 16, 0, 0});
  data = joined(std::move(data), words({0x0003'0000, 0x0001'0001, 0, 0}));
  for (std::uint32_t i = 0; i < depth; ++i) {
    const std::uint32_t before = i == 0 ? types : types + 16 + (i - 1) * type_bytes;
    const std::uint32_t here = types + 16 + i * type_bytes;
    data = joined(std::move(data), words({5, 0x0001'0001, members << 16 | elements, here + 16}));
    for (std::uint32_t m = 0; m < members; ++m) data = joined(std::move(data), words({text, before, m * 16}));
  }
  const std::uint32_t last = depth == 0 ? types : types + 16 + (depth - 1) * type_bytes;
  for (std::uint32_t i = 0; i < variables; ++i) data = joined(std::move(data), words({text, 16 * i, 16, 2, last, 0}));
  data.resize(data.size() + name_bytes, std::byte{'n'});
  data.resize(data.size() + 4);
  return file_of("RDEF", data);
}

TEST(Cost, StructsThatExpand) {
  expect_properties_at_fair_cost(view_of(nested_structs(60, 2, 1, 8, 0)), "too deep");
  expect_properties_at_fair_cost(view_of(nested_structs(24, 2, 1, 8, 0)), "deep");
  expect_properties_at_fair_cost(view_of(nested_structs(12, 100, 100, 8, 4)), "deep and wide");
  expect_properties_at_fair_cost(view_of(nested_structs(2, 1000, 1000, 8, 0)), "wide");
  expect_properties_at_fair_cost(view_of(nested_structs(1, 5000, 5000, 8, 2)), "wide, of many variables");
  expect_properties_at_fair_cost(view_of(nested_structs(1, 4, 10'000, 8, 0)), "many variables of a struct");
  expect_properties_at_fair_cost(view_of(nested_structs(0, 0, 10'000, 8, 0)), "many variables");
  expect_properties_at_fair_cost(view_of(nested_structs(3, 100, 1000, 1000, 0)), "long names");
  expect_properties_at_fair_cost(view_of(nested_structs(1, 100, 4, 50'000, 0)), "very long names");
}

Bytes program_of(std::initializer_list<std::uint32_t> instruction, std::uint32_t version = 0x50, std::size_t bytes = kBig) {
  Bytes data = words({version, 0});
  const Bytes one = words(instruction);
  while (data.size() + one.size() <= bytes) data.insert(data.end(), one.begin(), one.end());
  put_u32(data, 4, static_cast<std::uint32_t>(data.size() / 4));
  return file_of("SHEX", data);
}

/// An RDEF of shader model 5.0: `variables` variables of one named struct with a member, each with the same `default_bytes` of default.
Bytes named_struct(std::uint32_t variables, std::uint32_t name_bytes, std::uint32_t default_bytes, std::uint32_t variable_class) {
  const std::uint32_t buffer = 60;
  const std::uint32_t type = buffer + 24;
  const std::uint32_t member = type + 36;
  const std::uint32_t scalar = member + 12;
  const std::uint32_t table = scalar + 36;
  const std::uint32_t values = table + 40 * variables;
  const std::uint32_t text = values + default_bytes;
  Bytes data = words({1, buffer, 0, 60, 0xffff0500, 0, text, dxbc::kRdefMagic50, 60, 24, 32, 40, 36, 12, 0});
  data = joined(std::move(data), words({text + name_bytes - 2, variables, table, 0xffff, 0, 0}));
  data = joined(std::move(data), words({variable_class, 0x0001'0001, 0x0001'0000, member, 0, 0, 0, 0, text}));
  data = joined(std::move(data), words({text + name_bytes - 2, scalar, 0}));
  data = joined(std::move(data), words({0x0003'0000, 0x0001'0001, 0, 0, 0, 0, 0, 0, text}));
  for (std::uint32_t i = 0; i < variables; ++i)
    data = joined(std::move(data),
                  words({text + name_bytes - 2, 16 * i, default_bytes, 2, type, default_bytes == 0 ? 0 : values, 0, 0, 0, 0}));
  data.resize(data.size() + default_bytes, std::byte{0x7e});
  data.resize(data.size() + name_bytes, std::byte{'n'});
  data.resize(data.size() + 4);
  put_u32(data, 56, 3);
  return file_of("RDEF", data);
}

TEST(Cost, RecordsThatAreSaidToBeHuge) {
  // A header says how long records are: also those of which only one is read would be written so long.
  for (const std::size_t stride : {32U, 36U, 40U, 44U, 48U, 52U}) {
    Bytes file = named_struct(2, 8, 0, 5);
    const std::size_t header = shader::open(view_of(file))->parts()[0].data.file_offset();
    put_u32(file, header + stride, 0x0800'0024);
    const auto opened = shader::open(view_of(file));
    ASSERT_TRUE(opened);
    EXPECT_FALSE(dxbc::parse_rdef(opened->parts()[0])) << stride;
    auto parts = loose_parts(*opened->container());
    parts.push_back({fourcc("SHEX"), words({0x50, 3, 0x0100'003e})});
    expect_properties_at_fair_cost(view_of(container_of(parts)), "stride at " + std::to_string(stride));
  }
}

TEST(FuzzRegression, StrippingAContainerOfTwoFamiliesTwiceIsStrippingItOnce) {
  // Without the name of a debug file, nothing says bitcode any more.
  auto parts = loose_parts(*shader::open(view_of(program_of({0x0100'003e}, 0x50, 16)))->container());
  parts.push_back({fourcc("STAT"), words({1, 0, 0, 0})});
  parts.push_back({fourcc("ILDN"), words({0x0001'0000, 0x0062'0061})});
  Bytes file = container_of(parts);
  file.push_back(std::byte{16});  // by which the property strips statistics and the name
  EXPECT_EQ(fuzz::edit_container(view_of(file)), "");
}

TEST(Cost, VariablesOfOneTypeWithALongName) {
  for (std::uint32_t variable_class = 0; variable_class < 8; variable_class += effort(1U, 4U)) {
    const auto what = "class " + std::to_string(variable_class);
    const auto most = [&](std::uint32_t name_bytes, std::uint32_t default_bytes) {
      return largest_reflected(3000, [&](std::uint32_t count) { return named_struct(count, name_bytes, default_bytes, variable_class); });
    };
    for (const std::uint32_t name_bytes : {100U, 1000U, 100'000U})
      expect_properties_at_fair_cost(view_of(most(name_bytes, 0)), what + ", name of " + std::to_string(name_bytes));
    for (const std::uint32_t default_bytes : {4U, 100U, 1000U, 50'000U})
      expect_properties_at_fair_cost(view_of(most(100, default_bytes)), what + ", default of " + std::to_string(default_bytes));
  }
}

TEST(Cost, ClassLinkageWithLongNames) {
  constexpr std::uint32_t kInstances = 4000;
  constexpr std::uint32_t kSlots = 2000;
  constexpr std::uint32_t kNameBytes = 50'000;
  const std::uint32_t types = 36 + 16 * kInstances;
  const std::uint32_t slots = types + 12;
  const std::uint32_t ids = slots + 16 * kSlots;
  const std::uint32_t text = ids + 4 * kSlots;
  Bytes data = words({kInstances, 1, kSlots, kSlots, 36, types, slots, 0, 0});
  for (std::uint32_t i = 0; i < kInstances; ++i)
    data = joined(std::move(data), words({text + kNameBytes - 2, 0x0002'0000, i << 16, 0xffff'ffff}));
  data = joined(std::move(data), words({text, 0, 0}));
  for (std::uint32_t i = 0; i < kSlots; ++i) data = joined(std::move(data), words({1, 1, ids, ids}));
  data.resize(data.size() + 4 * kSlots);
  data.resize(data.size() + kNameBytes, std::byte{'c'});
  data.resize(data.size() + 4);
  expect_properties_at_fair_cost(view_of(file_of("IFCE", data)), "IFCE alone");
  auto program = program_of({0x0100'003e}, 0x50, 16);
  const auto opened = shader::open(view_of(program));
  ASSERT_TRUE(opened);
  auto parts = loose_parts(*opened->container());
  parts.push_back({fourcc("IFCE"), data});
  expect_properties_at_fair_cost(view_of(container_of(parts)), "with a program");
}

TEST(Cost, SourceFilesThatShareTheirText) {
  constexpr std::uint32_t kFiles = 4000;
  constexpr std::uint32_t kTextBytes = 100'000;
  const std::uint32_t texts = 16 * kFiles;
  Bytes data = words({84, 0, 0, 0, 0, kFiles, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, texts, texts});
  for (std::uint32_t i = 0; i < kFiles; ++i) data = joined(std::move(data), words({0, kTextBytes, 0, kTextBytes}));
  data.resize(data.size() + kTextBytes, std::byte{'s'});
  for (const auto name : {fourcc("SDBG"), fourcc("SDGB")}) {
    auto parts = loose_parts(*shader::open(view_of(program_of({0x0100'003e}, 0x50, 16)))->container());
    parts.push_back({name, data});
    expect_properties_at_fair_cost(view_of(container_of(parts)), "one text");
  }
}

TEST(Cost, TypesThatContainThemselves) {
  // struct S { S member; } with a name as long as a record allows
  const std::string name(60'000, 'm');
  dxbc::DebugInfo info;
  info.first_type = 0x1000;
  info.types.push_back({dxbc::DebugType::Kind::structure, false, 0x1001, 16, 0, 0, 0, "S"});
  info.types.push_back({dxbc::DebugType::Kind::other, false, 0, 0, 0, 0, 1, {}});
  info.members.push_back({0, 0x1000, name});
  info.variables.push_back({});
  info.variables.back().name = name;
  info.variables.back().type = 0x1000;
  dxbc::VariableLocation location;
  location.variable = 0;
  location.bytes = 16;
  Text text;
  dxbc::append_component(text, info, location);
  EXPECT_LT(text.size(), 4 * name.size());
}

TEST(Cost, ProgramsOfOneInstruction) {
  struct Case {
    const char* name;
    Bytes file;
  };
  // For time, a large file; for memory, smaller ones with one more than a power of two of fields, where a growing table is at its largest.
  for (const std::size_t bytes : {kBig, kBig / 4 + 64, kBig / 4 + kBig / 8}) {
    const Case cases[] = {
        {"nop", program_of({0x0100'003a}, 0x50, bytes)},
        {"loop", program_of({0x0100'0030}, 0x50, bytes)},
        {"if", program_of({0x0300'001f, 0x0000'4001, 0}, 0x50, bytes)},
        {"else", program_of({0x0100'0012}, 0x50, bytes)},
        {"endloop", program_of({0x0100'0016}, 0x50, bytes)},
        {"unknown", program_of({0x0100'07ff}, 0x50, bytes)},
        {"mov null", program_of({0x0300'0036, 0x0000'd000, 0x0000'd000}, 0x50, bytes)},
        {"mov of floats", program_of({0x0500'0036, 0x0010'0012, 0, 0x0000'4001, 0x7f7f'ffff}, 0x50, bytes)},
        {"mov of doubles",
         program_of({0x0800'0036, 0x0010'00f2, 0, 0x0000'5002, 0xffff'ffff, 0x7fef'ffff, 0xffff'ffff, 0x7fef'ffff}, 0x50, bytes)},
        {"dcl_sampler", program_of({0x0300'005a, 0x0010'6000, 0}, 0x50, bytes)},
        {"dcl_constantbuffer", program_of({0x0400'0059, 0x0020'8e46, 0, 4096}, 0x50, bytes)},
        {"dcl_resource", program_of({0x0400'1858, 0x0010'7000, 0, 0x5555}, 0x50, bytes)},
        {"dcl_uav_typed", program_of({0x0401'189c, 0x0011'e000, 7, 0x5555}, 0x5'0050, bytes)},
        {"dcl_input_ps", program_of({0x0300'1062, 0x0010'10f2, 3}, 0x50, bytes)},
        {"customdata", program_of({0x0000'0035, 2}, 0x50, bytes)},
        {"immediate constant buffer", program_of({0x0000'1835, 2}, 0x50, bytes)},
        {"message", program_of({0x0000'2035, 7, 0, 0, 0, 0, 0}, 0x50, bytes)},
        {"dcl_function_body", program_of({0x0200'0090, 1}, 0x50, bytes)},
        {"dcl_function_table", program_of({0x0300'0091, 1, 0}, 0x50, bytes)},
        {"dcl_interface", program_of({0x0400'0092, 1, 0, 0}, 0x50, bytes)},
        {"nested indexes",
         program_of({0x0700'0036, 0x0010'00f2, 0, 0x0010'0e46 | 2U << 22, 0x0010'0e46 | 2U << 22, 0x0010'0e46, 0}, 0x50, bytes)},
    };
    for (const Case& one : cases) expect_properties_at_fair_cost(view_of(one.file), std::string(one.name) + ' ' + std::to_string(bytes));
  }
}

TEST(Cost, OneLongInstruction) {
  for (std::uint32_t kind = 0; kind < 7; ++kind) {
    Bytes data = words({0x50, kBig / 4, kind << 11 | 0x35, kBig / 4 - 2});
    data.resize(kBig, std::byte{0x7f});
    expect_properties_at_fair_cost(view_of(file_of("SHEX", data)), "custom data of class " + std::to_string(kind));
  }
  for (const std::uint32_t head : {0x8000'0091U, 0x8000'0092U}) {
    Bytes data = words({0x50, kBig / 4, head, kBig / 4 - 2, 1, kBig / 4 - 5});
    if (head == 0x8000'0092U) data = words({0x50, kBig / 4, head, kBig / 4 - 2, 1, 1, 0xffff});
    data.resize(kBig, std::byte{0x7f});
    expect_properties_at_fair_cost(view_of(file_of("SHEX", data)), "a long table");
  }
}

TEST(Cost, Level9TablesOverEachOther) {
  // Every table begins at the same place and is as long as it can be.
  Bytes data(kBig);
  const auto count = [](std::size_t stride) { return static_cast<std::uint32_t>((kBig - 40) / stride); };
  const std::uint32_t head[] = {static_cast<std::uint32_t>(kBig), 0xffff'0200, 8, static_cast<std::uint32_t>(kBig - 8)};
  for (std::size_t i = 0; i < std::size(head); ++i) put_u32(data, 4 * i, head[i]);
  put_u32(data, kBig - 8, 0xffff'0200);
  put_u32(data, kBig - 4, 0xffff);
  const auto tables = [&](std::initializer_list<std::uint32_t> counts) {
    std::size_t at = 16;
    for (const std::uint32_t number : counts) {
      // u16 count, u16 offset
      put_u32(data, at, std::min(number, 0xffffU) | 40U << 16);
      at += 4;
    }
  };
  tables({0, 0, 0, count(4), 0});
  expect_properties_at_fair_cost(view_of(file_of("Aon9", data)), "samplers");
  tables({count(12), count(8), count(8), count(4), count(4)});
  expect_properties_at_fair_cost(view_of(file_of("Aon9", data)), "all");
}

TEST(Cost, Level9ProgramsOfOneInstruction) {
  struct Case {
    const char* name;
    Bytes instruction;
  };
  const Case cases[] = {
      {"nop", words({0})},
      {"mov", words({0x0200'0001, 0x800f'0000, 0x80e4'0000})},
      {"def", words({0x0500'0051, 0xa00f'0000, 0x7f7f'ffff, 0x7f7f'ffff, 0x7f7f'ffff, 0x7f7f'ffff})},
      {"unknown", words({0x0000'0fff})},
      {"comment", words({0x0000'fffe})},
      {"constant table", words({0x0001'fffe, 0x4241'5443})},
      {"debug", words({0x0001'fffe, 0x4755'4244})},
  };
  for (const Case& one : cases) {
    Bytes data = words({0, 0xffff'0200, 8, 36, 0, 0, 0, 0, 0, 0xffff'0200});
    while (data.size() + one.instruction.size() < kBig) data.insert(data.end(), one.instruction.begin(), one.instruction.end());
    append(data, 0xffff);
    put_u32(data, 0, static_cast<std::uint32_t>(data.size()));
    put_u32(data, 8, static_cast<std::uint32_t>(data.size() - 36));
    expect_properties_at_fair_cost(view_of(file_of("Aon9", data)), one.name);
  }
}

}  // namespace

}  // namespace unshade::test
