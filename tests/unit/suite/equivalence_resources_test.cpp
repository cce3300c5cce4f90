// What is generated for resources when two shaders are compared: elements of arrays, samplers; and what cannot be.
#include <unshade/suite/equivalence.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/root_signature_text.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/root_signature.hpp>
#include <unshade/shader/shader.hpp>

#include "suite/equivalence/word_kinds.hpp"
#include "support/files.hpp"

namespace unshade::suite {
namespace {

run::Runnable prepared_text(std::string_view text) {
  auto module = ir::parse(text);
  EXPECT_TRUE(module) << to_string(module.error());
  auto made = run::prepare(std::move(*module));
  EXPECT_TRUE(made) << to_string(made.error());
  return *made;
}

Equivalence compared_texts(std::string_view a, std::string_view b) {
  const run::Runnable first = prepared_text(a);
  const run::Runnable second = prepared_text(b);
  auto done = compare({"a", first}, {"b", second}, Value::map());
  EXPECT_TRUE(done) << to_string(done.error());
  return *done;
}

/// Reads one texture of an array by one of two samplers. `vulkan`: whether elements share the binding.
std::string reads_element(std::string_view index, std::string_view count, bool vulkan, std::string_view sampler = "0",
                          std::string_view before = {}) {
  const std::string kind = std::string(" register 3 count ") + std::string(count) + (vulkan ? " in_set" : "") + '\n';
  return "stage pixel\ninput \"TEXCOORD\" type f32 register 0 columns 2\noutput \"SV_Target\" type f32 register 0 columns 4\n"
         "resource @maps texture dimension texture2d returns float" +
         kind + "resource @samplers sampler" + kind +
         "function @main {\n^0:\n  %x = input f32 in0.x\n  %y = input f32 in0.y\n  %i = f_to_u i32 %x\n" + std::string(before) +
         "  %t = handle @maps " + std::string(index) + "\n  %s = handle @samplers " + std::string(sampler) +
         "\n  %v = sample f32 x4 texture2d lod %t %s %x %y 0.0\n  %r = get f32 0 %v\n  output f32 out0.x %r\n  output f32 out0.y %r\n"
         "  output f32 out0.z %r\n  output f32 out0.w %r\n  return\n}\n";
}

TEST(Equivalence, ElementsOfArraysHaveDataOfTheirOwn) {
  for (const bool vulkan : {false, true}) {
    for (const char* const count : {"4", "0"}) {
      SCOPED_TRACE(std::string(count) + (vulkan ? " vulkan" : " direct3d"));
      EXPECT_TRUE(compared_texts(reads_element("1", count, vulkan), reads_element("1", count, vulkan)).equal());
      const auto other = compared_texts(reads_element("1", count, vulkan), reads_element("2", count, vulkan));
      EXPECT_TRUE(other.difference.has_value());
      EXPECT_TRUE(compared_texts(reads_element("%i", count, vulkan), reads_element("%i", count, vulkan)).equal());
      EXPECT_FALSE(compared_texts(reads_element("%i", count, vulkan), reads_element("0", count, vulkan)).equal());
    }
    // and so have samplers
    EXPECT_FALSE(compared_texts(reads_element("1", "4", vulkan, "1"), reads_element("1", "4", vulkan, "2")).equal());
  }
}

// Of an array of thousands, data is made for the elements that are named and for the first of those that an index may reach.
TEST(Equivalence, LargeArraysHaveDataWhereProgramsRead) {
  const auto reads = [](std::string_view index) { return reads_element(index, "1000000", true); };
  EXPECT_FALSE(compared_texts(reads("5001"), reads("5002")).equal());
  EXPECT_TRUE(compared_texts(reads("5001"), reads("5001")).equal());
  EXPECT_TRUE(compared_texts(reads("%i"), reads("%i")).equal());
  const auto other = compared_texts(reads("%i"), reads("0"));
  ASSERT_TRUE(other.difference.has_value());
  EXPECT_EQ(other.difference->inputs.find("resources")->as_map()->size(), 256U);
}

// Indexes beyond the elements that have data mean these again.
TEST(Equivalence, ElementsBeyondThoseWithDataAreRepeated) {
  const auto reads = [](std::string_view first, std::string_view count, bool vulkan) {
    return reads_element("%j", count, vulkan, "0", "  %k = iand i32 %i 63\n  %j = iadd i32 %k " + std::string(first) + '\n');
  };
  for (const bool vulkan : {false, true}) {
    for (const char* const count : {"0", "1000000"}) {
      EXPECT_TRUE(compared_texts(reads("640", count, vulkan), reads("640", count, vulkan)).equal()) << count;
      for (const char* const other : {"641", "576", "512"})
        EXPECT_FALSE(compared_texts(reads("640", count, vulkan), reads(other, count, vulkan)).equal()) << count << ' ' << other;
      const auto done = compared_texts(reads("640", count, vulkan), reads_element("640", count, vulkan));
      ASSERT_TRUE(done.difference.has_value()) << count;
      EXPECT_EQ(done.difference->inputs.find("repeated_elements")->as_integer()->magnitude, 61U);
    }
    // what is beyond the array stays out of bounds
    EXPECT_TRUE(compared_texts(reads("640", "80", vulkan), reads("700", "80", vulkan)).equal());
  }
}

TEST(Equivalence, SamplersBeyondThoseThatAreGivenAreRepeated) {
  const auto samples = [](std::string_view first) {
    return reads_element("0", "0", true, "%j", "  %k = iand i32 %i 63\n  %j = iadd i32 %k " + std::string(first) + '\n');
  };
  EXPECT_TRUE(compared_texts(samples("640"), samples("640")).equal());
  EXPECT_TRUE(compared_texts(samples("640"), samples("641")).difference);
}

TEST(Equivalence, ConstantIndexesThatAreFarAwayHaveData) {
  for (const bool vulkan : {false, true}) {
    EXPECT_TRUE(compared_texts(reads_element("100000", "0", vulkan), reads_element("100000", "0", vulkan)).equal());
    EXPECT_TRUE(compared_texts(reads_element("100000", "0", vulkan), reads_element("100001", "0", vulkan)).difference);
  }
}

/// Writes `if_all` if both conditions %a and %b on fields of %v, a word of a constant buffer, hold, else `otherwise`.
std::string reads_fields(std::string_view fields, std::string_view if_all, std::string_view otherwise) {
  return "stage pixel\noutput \"SV_Target\" type i32 register 0 columns 1\nresource @packed cbuffer register 0 bytes 16\nfunction @main "
         "{\n^0:\n"
         "  %p = handle @packed 0\n  %w = cbuffer_load i32 x3 %p 0\n  %v = get i32 1 %w\n" +
         std::string(fields) + "  %all = iand b1 %a %b\n  %r = select i32 %all " + std::string(if_all) + ' ' + std::string(otherwise) +
         "\n  output i32 out0.x %r\n  return\n}\n";
}

// Of a word that a program takes apart each field is likely to have a value that the program compares it with.
TEST(Equivalence, FieldsOfPackedWordsHaveTheValuesThatTheyAreComparedWith) {
  constexpr std::string_view kFields[] = {
      "  %f = ubfe i32 %v 13 9\n  %g = iand i32 %v 0x78000000\n  %a = ieq i32 %f 341\n  %b = ieq i32 %g 0x50000000\n",
      "  %s = ushr i32 %v 7\n  %f = iand i32 %s 1023\n  %t = ushr i32 %v 20\n  %u = ushr i32 %t 2\n  %g = iand i32 %u 511\n  %a = ieq i32 "
      "%f 700\n"
      "  %b = ieq i32 %g 300\n",
      // a value beside the constant decides
      "  %f = ubfe i32 %v 3 14\n  %g = iand i32 %v 0x20000\n  %a = ult i32 16382 %f\n  %b = ine i32 %g 0\n",
  };
  for (const std::string_view fields : kFields) {
    SCOPED_TRACE(fields);
    const std::string program = reads_fields(fields, "1", "2");
    EXPECT_TRUE(compared_texts(program, program).equal());
    EXPECT_TRUE(compared_texts(program, reads_fields(fields, "3", "2")).difference);
    EXPECT_TRUE(compared_texts(program, reads_fields(fields, "1", "3")).difference);
  }
}

// Raw buffers of DXBC are told by their kind: what they hold are words, not texels. All of several words are compared, and one of them.
TEST(Equivalence, RawBuffersHaveTheWordsThatTheyAreComparedWith) {
  const auto reads = [](std::string_view last, std::string_view then) {
    return "stage pixel\noutput \"SV_Target\" type i32 register 0 columns 1\nresource @words byte_address dimension buffer register 0\n"
           "function @main {\n^0:\n  %p = handle @words 0\n  %w = buffer_load i32 x3 raw %p 0\n  %x = get i32 0 %w\n  %y = get i32 1 %w\n"
           "  %z = get i32 2 %w\n  %a = ieq i32 %x 0x12345\n  %b = ieq i32 %y 77777\n  %c = ieq i32 %z 0x7f123456\n  %d = iand b1 %a %b\n"
           "  %e = iand b1 %d " +
           std::string(last) + "\n  %r = select i32 %e " + std::string(then) + " 2\n  output i32 out0.x %r\n  return\n}\n";
  };
  EXPECT_TRUE(compared_texts(reads("%c", "1"), reads("%c", "1")).equal());
  EXPECT_TRUE(compared_texts(reads("%c", "1"), reads("%c", "3")).difference);
  EXPECT_TRUE(compared_texts(reads("%c", "1"), reads("%b", "1")).difference);
}

TEST(Equivalence, ShadingRatesVary) {
  const auto chooses = [](std::string_view rate) {
    return "stage pixel\noutput \"SV_Target\" type i32 register 0 columns 1\nfunction @main {\n^0:\n  %s = builtin i32 shading_rate\n  %a "
           "= ieq i32 %s " +
           std::string(rate) + "\n  %r = select i32 %a 1 2\n  output i32 out0.x %r\n  return\n}\n";
  };
  EXPECT_TRUE(compared_texts(chooses("5"), chooses("5")).equal());
  EXPECT_TRUE(compared_texts(chooses("5"), chooses("10")).difference);
}

// Each stream has an order of its own.
TEST(Equivalence, StreamsMayBeEmittedInAnotherOrder) {
  const auto emits = [](std::string_view code) {
    return "stage geometry\ninfo input_primitive point streams 2 point_list point_list max_vertices 4\n"
           "input \"A\" type f32 register 0 columns 2\noutput \"R\" type f32 register 0 columns 1\n"
           "output \"S\" type f32 register 0 columns 1 stream 1\nfunction @main {\n^0:\n  %x = input f32 in0.x vertex 0\n"
           "  %y = input f32 in0.y vertex 0\n" +
           std::string(code) + "  return\n}\n";
  };
  const std::string one = emits("  output f32 out0.x %x\n  emit 0\n  output f32 out1.x %y\n  emit 1\n");
  EXPECT_TRUE(compared_texts(one, emits("  output f32 out1.x %y\n  emit 1\n  output f32 out0.x %x\n  emit 0\n")).equal());
  EXPECT_TRUE(compared_texts(one, emits("  output f32 out1.x %x\n  emit 1\n  output f32 out0.x %x\n  emit 0\n")).difference);
}

// What is beyond the data of all sets cannot be compared.
TEST(Equivalence, SaysWhatFoundNoData) {
  const auto reads = [](std::string_view byte) {
    return "stage compute\nresource @data byte_address dimension buffer register 0\n"
           "resource @out uav_byte_address dimension buffer register 0\n\nfunction @main {\n^0:\n  %d = handle @data 0\n"
           "  %o = handle @out 0\n  %v = buffer_load i32 raw %d " +
           std::string(byte) + "\n  buffer_store i32 raw %o 0 %v\n  return\n}\n";
  };
  const Equivalence done = compared_texts(reads("10000000"), reads("10000004"));
  EXPECT_TRUE(done.equal());
  EXPECT_EQ(done.without_data, (std::vector<std::string>{"an access to `data` in a was out of bounds for all inputs",
                                                         "an access to `data` in b was out of bounds for all inputs"}));
  EXPECT_EQ(compared_texts(reads("0"), reads("0")).without_data, std::vector<std::string>());
  EXPECT_EQ(compared_texts(reads("0"), reads("4")).without_data, std::vector<std::string>());  // a difference
}

// A level of detail counts only in a texture that has several.
TEST(Equivalence, TexturesHaveAllTheirLevels) {
  const auto at_level = [](std::string_view level) {
    std::string made = reads_element("1", "4", false);
    return made.replace(made.find("%y 0.0"), 6, "%y " + std::string(level));
  };
  EXPECT_TRUE(compared_texts(at_level("1.0"), at_level("1.0")).equal());
  EXPECT_FALSE(compared_texts(at_level("0.0"), at_level("1.0")).equal());
  EXPECT_FALSE(compared_texts(at_level("2.0"), at_level("3.0")).equal());
  EXPECT_TRUE(compared_texts(at_level("3.0"), at_level("4.0")).equal());  // the last of 8 texels
}

// What programs ask for sizes.
TEST(Equivalence, ResourcesAndGridsHaveSizesOfTheirOwn) {
  const auto asks = [](std::string_view handle, std::string_view how) {
    std::string made =
        "stage compute\nresource @a texture dimension texture2d returns float register 0\n"
        "resource @b texture dimension texture2d returns float register 1\nresource @o uav_byte_address dimension buffer register 0\n"
        "\nfunction @main {\n^0:\n  %o = handle @o 0\n  %a = handle @a 0\n  %b = handle @b 0\n  ";
    if (how == "levels") {
      made.append("%r = query_levels texture2d %").append(handle) += '\n';
    } else {
      made.append("%q = query_size x2 texture2d lod %").append(handle).append(" 0\n  %r = get i32 ").append(how).append(" %q\n");
    }
    return made + "  buffer_store i32 raw %o 0 %r\n  return\n}\n";
  };
  EXPECT_TRUE(compared_texts(asks("a", "0"), asks("a", "0")).equal());
  EXPECT_FALSE(compared_texts(asks("a", "0"), asks("b", "0")).equal());
  EXPECT_FALSE(compared_texts(asks("a", "0"), asks("a", "1")).equal());
  EXPECT_FALSE(compared_texts(asks("a", "levels"), asks("b", "levels")).equal());
}

// What `strip` removes a root signature from samples as before.
TEST(Equivalence, AStaticSamplerOfOneIsThatOfBoth) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/dxbc/textured_ps_5_0.dxbc");
  const auto with = [&](std::string_view states) {
    const auto parsed = dxcontainer::parse_root_signature_text(
        "RootFlags(0), CBV(b1), DescriptorTable(SRV(t0, numDescriptors = 4)), StaticSampler(s2), StaticSampler(s0, " + std::string(states) +
        ')');
    EXPECT_TRUE(parsed.ok);
    return shader::attach_root_signature(*shader::open(test::view_of(file)), dxcontainer::write_root_signature(parsed.signature));
  };
  const auto compared_files = [](const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    const auto first = run::prepare(*shader::open(test::view_of(a))), second = run::prepare(*shader::open(test::view_of(b)));
    const auto done = compare({"a", *first}, {"b", *second}, Value::map());
    EXPECT_TRUE(done) << to_string(done.error());
    return done->equal();
  };
  const auto point = with("filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_BORDER"), linear = with("mipLODBias = 1");
  ASSERT_TRUE(point && linear);
  EXPECT_TRUE(compared_files(point->edited.bytes, file));
  EXPECT_TRUE(compared_files(file, point->edited.bytes));
  EXPECT_TRUE(compared_files(file, linear->edited.bytes));
  EXPECT_FALSE(compared_files(point->edited.bytes, linear->edited.bytes));
}

/// Stores 1 if a word is a number that programs compare it with.
std::string decides_by(std::string_view buffer, std::string_view load, std::string_view compare, std::string_view result) {
  std::string made = "stage compute\ninfo group_size 1 1 1\nresource @in ";
  made.append(buffer).append(
      "\nresource @out uav_byte_address dimension buffer register 0\n\nfunction @main {\n^0:\n  %o = handle @out 0\n");
  made.append("  %h = handle @in 0\n  ").append(load).append("\n  ").append(compare).append("\n  %r = select i32 %c ").append(result);
  return made + " 0\n  buffer_store i32 raw %o 0 %r\n  return\n}\n";
}

TEST(Equivalence, NumbersAreWhatTheProgramsCompareThemWith) {
  for (const auto& [buffer, load, compare] : {
           std::tuple("cbuffer register 0 bytes 64", "%x = cbuffer_load f32 %h 20", "%c = feq f32 %x 7.5"),
           std::tuple("cbuffer register 0 bytes 64", "%x = cbuffer_load i32 %h 20", "%c = ieq i32 %x 71234567"),
           std::tuple("cbuffer register 0 bytes 64", "%v = cbuffer_load i32 x2 %h 16\n  %x = get i32 1 %v", "%c = ieq i32 71234567 %x"),
           std::tuple("byte_address dimension buffer register 0", "%x = buffer_load f32 raw %h 8", "%c = feq f32 %x 7.5"),
           std::tuple("structured dimension buffer register 0 stride 8", "%x = buffer_load i32 structured offset %h 3 4",
                      "%c = ieq i32 %x 71234567"),
       }) {
    SCOPED_TRACE(load);
    EXPECT_TRUE(compared_texts(decides_by(buffer, load, compare, "1"), decides_by(buffer, load, compare, "1")).equal());
    EXPECT_FALSE(compared_texts(decides_by(buffer, load, compare, "1"), decides_by(buffer, load, compare, "2")).equal());
  }
}

// Of a buffer of which no types are known: as floats they would be denormals and have no effect.
TEST(Equivalence, WordsAreOfTheTypeThatTheyAreLoadedAs) {
  const auto words = [](std::string_view loads) {
    const auto module = ir::parse(
        "stage compute\nresource @in byte_address dimension buffer register 0\n\nfunction @main {\n^0:\n"
        "  %h = handle @in 0\n  %i = builtin i32 group_id.x\n" +
        std::string(loads) + "  return\n}\n");
    EXPECT_TRUE(module) << to_string(module.error());
    return equivalence::word_kinds_of(*module).at(0);
  };
  using Kind = equivalence::WordKinds::Kind;
  const auto some = words("  %a = buffer_load f32 x2 raw %h 8\n  %b = buffer_load i32 raw %h 12\n  %c = buffer_load i32 raw %h %i\n");
  EXPECT_EQ(some.of(8), Kind::real);
  EXPECT_EQ(some.of(12), Kind::both);
  EXPECT_EQ(some.of(16), Kind::whole);
  EXPECT_EQ(words("").of(0), Kind::unknown);
}

// An input may have the name of a value that lanes know by themselves, and the shader may read both.
TEST(Equivalence, InputsMayHaveNamesOfBuiltIns) {
  const auto sums = [](std::string_view name, std::string_view factor, std::string_view built_in = "instance_id") {
    return "stage vertex\ninput \"" + std::string(name) + "\" type f32 register 0\noutput \"R\" type f32 register 0\n" +
           "function @main {\n^0:\n  %x = input f32 in0.x\n  %i = builtin i32 " + std::string(built_in) +
           "\n  %r = u_to_f f32 %i\n  %m = fmul f32 %x " + std::string(factor) +
           "\n  %s = fadd f32 %m %r\n  output f32 out0.x %s\n  return\n}\n";
  };
  EXPECT_TRUE(compared_texts(sums("instance_id", "2.0"), sums("instance_id", "2.0")).equal());
  EXPECT_TRUE(compared_texts(sums("instance_id", "2.0"), sums("instance_id", "3.0")).difference.has_value());
  // each has numbers of its own
  EXPECT_TRUE(compared_texts(sums("instance_id", "0.0"), sums("instance_id", "0.0", "base_vertex")).difference.has_value());
  EXPECT_TRUE(compared_texts(sums("instance_id", "0.0"), sums("instance_id", "0.0", "base_instance")).difference.has_value());
  EXPECT_TRUE(compared_texts(sums("VERTICES", "2.0"), sums("vertices", "2.0")).equal());
}

// The end of an invocation ends a strip too, an empty strip and one without a whole primitive are nothing, and points have no strips.
TEST(Equivalence, CutsCountWhereTheyPartPrimitives) {
  const auto emits = [](std::string_view topology, std::string_view how) {
    std::string made = "stage geometry\ninfo input_primitive point streams 1 " + std::string(topology) +
                       " max_vertices 8\ninput \"A\" type f32 register 0\noutput \"R\" type f32 register 0\nfunction @main {\n^0:\n"
                       "  %x = input f32 in0.x vertex 0\n";
    for (const char one : how) made += one == 'c' ? "  cut 0\n" : "  output f32 out0.x %x\n  emit 0\n";
    return made + "  return\n}\n";
  };
  const auto same = [&](std::string_view topology, std::string_view first, std::string_view second) {
    return compared_texts(emits(topology, first), emits(topology, second)).equal();
  };
  EXPECT_TRUE(same("triangle_strip", "vvvvc", "vvvv"));
  EXPECT_TRUE(same("triangle_strip", "cvvvccvvv", "vvvcvvv"));
  EXPECT_TRUE(same("triangle_strip", "vvcvvv", "vvv"));
  EXPECT_FALSE(same("triangle_strip", "vvvvvv", "vvvcvvv"));
  EXPECT_FALSE(same("triangle_strip", "vvvv", "vvv"));
  EXPECT_TRUE(same("line_strip", "vvcv", "vv"));
  EXPECT_FALSE(same("line_strip", "vvv", "vvcvv"));
  EXPECT_TRUE(same("point_list", "vcvc", "vv"));
  EXPECT_FALSE(same("point_list", "vcv", "vcvcv"));
}

// What `strip` leaves of a shader for the PICA200.
TEST(Equivalence, InputsWithoutNamesAreMatchedByRegister) {
  const auto sums = [](std::string_view first, std::string_view second, std::string_view how) {
    std::string made = "stage vertex\ninput \"";
    made.append(first).append("\" type f32 register 0 columns 1\ninput \"").append(second).append("\" type f32 register 1 columns 1\n");
    made.append(
        "output \"S\" type f32 register 0 columns 1\n\nfunction @main {\n^0:\n  %0 = input f32 in0.x\n  %1 = input f32 in1.x\n  %2 = ");
    return made.append(how).append(" f32 %0 %1\n  output f32 out0.x %2\n  return\n}\n");
  };
  EXPECT_TRUE(compared_texts(sums("a", "b", "fsub"), sums("v0", "v1", "fsub")).equal());
  EXPECT_TRUE(compared_texts(sums("v0", "v1", "fsub"), sums("a", "b", "fsub")).equal());
  EXPECT_TRUE(compared_texts(sums("v0", "v1", "fsub"), sums("a", "b", "fadd")).difference);
  EXPECT_EQ(compared_texts(sums("a", "b", "fsub"), sums("c", "v1", "fsub")).mismatches.size(), 2U);
}

// A hull shader has a second function for the constants of a patch; without a first one its control points pass through.
TEST(Equivalence, PatchConstantsOfHullShadersAreCompared) {
  constexpr std::string_view kHead =
      "stage hull\ninfo input_points 2 output_points 2 domain isoline partitioning integer tessellator_output line\n"
      "input \"P\" type f32 register 0 columns 1\noutput \"P\" type f32 register 0 columns 1\npatch \"SUM\" type f32 register 0 columns "
      "1\n\n";
  constexpr std::string_view kPoint =
      "function @control_point {\n^0:\n  %0 = builtin i32 control_point_id\n  %1 = input f32 in0.x vertex %0\n  output f32 out0.x %1\n  "
      "return\n}\n\n";
  const auto patch = [](std::string_view how) {
    return "function @patch_constant {\n^0:\n  %0 = input f32 in0.x vertex 0\n  %1 = input f32 in0.x vertex 1\n  %2 = " + std::string(how) +
           " f32 %0 %1\n  output f32 patch0.x %2\n  return\n}\n";
  };
  const auto both = [&](std::string_view how) { return std::string(kHead) + std::string(kPoint) + patch(how); };
  EXPECT_TRUE(compared_texts(both("fadd"), both("fadd")).equal());
  const Equivalence found = compared_texts(both("fadd"), both("fmul"));
  ASSERT_TRUE(found.difference);
  EXPECT_EQ(found.difference->what, "lane 0: SUM.x");
  EXPECT_EQ(found.difference->inputs.find("function")->as_integer()->magnitude, 1U);
  const std::string alone = std::string(kHead) + patch("fadd");
  EXPECT_TRUE(compared_texts(alone, both("fadd")).equal());
  EXPECT_TRUE(compared_texts(both("fmul"), alone).difference);
}

// One function of SPIR-V gives both, and is compared with each of two.
TEST(Equivalence, HullShadersOfSpirvHaveOneFunction) {
  constexpr std::string_view kInfo =
      "stage hull\ninfo input_points 2 output_points 2 domain isoline partitioning integer tessellator_output line\n";
  constexpr std::string_view kBegin = "function @main {\n^0:\n  %0 = builtin i32 control_point_id\n  %1 = input f32 in0.x vertex %0\n";
  const auto spirv = [&](std::string_view how) {
    return std::string(kInfo) +
           "input \"P\" type f32 register 0 columns 1 variable \"P\"\noutput \"P\" type f32 register 0 columns 1 variable \"P\"\n"
           "patch \"SUM\" type f32 register 0 columns 1 variable \"SUM\"\n\n" +
           std::string(kBegin) + "  %2 = " + std::string(how) +
           " f32 %1 %1\n  output f32 out0.x %2\n  output f32 patch0.x %1\n  return\n}\n";
  };
  const auto patch = [](std::string_view vertex) {
    return "function @patch_constant {\n^0:\n  %0 = input f32 in0.x vertex " + std::string(vertex) +
           "\n  output f32 patch0.x %0\n  return\n}\n";
  };
  const std::string head = std::string(kInfo) +
                           "input \"P\" type f32 register 0 columns 1\noutput \"P\" type f32 register 0 columns 1\n"
                           "patch \"SUM\" type f32 register 0 columns 1\n\n";
  const std::string points = head +
                             "function @control_point {\n^0:\n  %0 = builtin i32 control_point_id\n  %1 = input f32 in0.x vertex "
                             "%0\n  %2 = fadd f32 %1 %1\n  output f32 out0.x %2\n  return\n}\n\n";
  const std::string two = points + patch("0");
  EXPECT_TRUE(compared_texts(spirv("fadd"), two).equal());
  EXPECT_TRUE(compared_texts(two, spirv("fadd")).equal());
  const Equivalence other = compared_texts(two, spirv("fmul"));
  ASSERT_TRUE(other.difference);
  EXPECT_EQ(other.difference->what.substr(other.difference->what.find(':')), ": P.x");
  EXPECT_EQ(other.difference->inputs.find("function"), nullptr);
  // constants are those that the lane of the first control point gives
  const Equivalence constants = compared_texts(spirv("fadd"), points + patch("1"));
  ASSERT_TRUE(constants.difference);
  EXPECT_EQ(constants.difference->what, "lane 0: SUM.x");
  // a function of constants alone: control points pass through
  EXPECT_TRUE(compared_texts(spirv("fadd"), head + patch("0")).equal());
  EXPECT_TRUE(compared_texts(head + patch("0"), spirv("fadd")).equal());
  EXPECT_TRUE(compared_texts(head + patch("1"), spirv("fadd")).difference);
}

// u0 is bound at u1: a case that gives u0 alone may mean either.
TEST(Equivalence, RefusesBindingsThatAreNamesOfOthers) {
  const run::Runnable shader = prepared_text(
      "stage compute\nresource @u0 uav_byte_address dimension buffer register 1\n"
      "resource @first uav_byte_address dimension buffer register 0\n"
      "\nfunction @main {\n^0:\n  %0 = handle @u0 0\n  buffer_store i32 raw %0 0 5\n  return\n}\n");
  const auto given = [](std::initializer_list<std::string_view> names) {
    Value case_ = Value::map();
    Value& resources = case_.add("resources", Value::map());
    for (const std::string_view name : names) resources.add(name, Value::map()).add("size", Value::integer(8));
    return case_;
  };
  const auto wrong = compare({"a", shader}, {"b", shader}, given({"u0"}));
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("must be written as `u0,space0` or `u1`"), std::string::npos) << wrong.error().message;
  EXPECT_TRUE(compare({"a", shader}, {"b", shader}, given({"u0,space0"})));
  EXPECT_TRUE(compare({"a", shader}, {"b", shader}, given({"u0", "u1"})));
}

TEST(Equivalence, RefusesToMakeUpAddresses) {
  constexpr std::string_view kByAddress = R"(stage compute
resource @seen uav_byte_address register 0

function @main {
^0:
  %seen = handle @seen 0
  %at = handle_from_address 65536 0
  %v = buffer_load i32 raw %at 0
  buffer_store i32 raw %seen 0 %v
  return
}
)";
  const run::Runnable first = prepared_text(kByAddress);
  const auto refused = compare({"a", first}, {"b", first}, Value::map());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  Value buffer = Value::map(), addresses = Value::map(), seen = Value::map(), resources = Value::map(), given = Value::map();
  buffer.add("words", Value::list({Value::integer(7)}));
  addresses.add("0x10000", std::move(buffer));
  seen.add("size", Value::integer(4));
  resources.add("seen", std::move(seen));
  given.add("addresses", std::move(addresses));
  given.add("resources", std::move(resources));
  const auto same = compare({"a", first}, {"b", first}, given);
  ASSERT_TRUE(same) << to_string(same.error());
  EXPECT_EQ(same->sets, 1U);
  EXPECT_TRUE(same->equal());
}

TEST(Equivalence, RefusesToMakeUpADescriptorHeap) {
  const auto reading = [](std::string_view index) {
    return "stage compute\nresource @heap texture count 0 heap\nresource @seen uav_byte_address register 0\nfunction @main {\n^0:\n"
           "  %seen = handle @seen 0\n  %at = handle_from_heap @heap " +
           std::string(index) + "\n  %v = buffer_load i32 raw %at 0\n  buffer_store i32 raw %seen 0 %v\n  return\n}\n";
  };
  const run::Runnable first = prepared_text(reading("1"));
  const run::Runnable second = prepared_text(reading("2"));
  const auto refused = compare({"a", first}, {"b", second}, Value::map());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  // what to write in the case
  for (const std::string_view field : {"`resources.heap0 = {format = ", "`resources.heap1 = {class = \"u\", "})
    EXPECT_NE(refused.error().message.find(field), std::string::npos) << refused.error().message;
  Value resources = Value::map(), given = Value::map();
  for (const unsigned number : {1U, 2U}) {
    Value buffer = Value::map();
    buffer.add("words", Value::list({Value::integer(number)}));
    resources.add("heap" + std::to_string(number), std::move(buffer));
  }
  Value seen = Value::map();
  seen.add("size", Value::integer(4));
  resources.add("seen", std::move(seen));
  given.add("resources", std::move(resources));
  const auto found = compare({"a", first}, {"b", second}, given);
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_TRUE(found->difference.has_value());
}

}  // namespace
}  // namespace unshade::suite
