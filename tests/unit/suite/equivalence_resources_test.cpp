// What is generated for resources when two shaders are compared: elements of arrays, samplers; and what cannot be.
#include <unshade/suite/equivalence.hpp>

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>

namespace unshade::suite {
namespace {

shader::Runnable prepared_text(std::string_view text) {
  auto module = ir::parse(text);
  EXPECT_TRUE(module) << to_string(module.error());
  auto made = shader::prepare(std::move(*module));
  EXPECT_TRUE(made) << to_string(made.error());
  return *made;
}

Equivalence compared_texts(std::string_view a, std::string_view b) {
  const shader::Runnable first = prepared_text(a);
  const shader::Runnable second = prepared_text(b);
  auto done = compare({"a", first}, {"b", second}, Value::map());
  EXPECT_TRUE(done) << to_string(done.error());
  return *done;
}

/// Reads one texture of an array by one of two samplers. `vulkan`: whether elements share the binding.
std::string reads_element(std::string_view index, std::string_view count, bool vulkan, std::string_view sampler = "0") {
  const std::string kind = std::string(" register 3 count ") + std::string(count) + (vulkan ? " in_set" : "") + '\n';
  return "stage pixel\ninput \"TEXCOORD\" type f32 register 0 columns 2\noutput \"SV_Target\" type f32 register 0 columns 4\n"
         "resource @maps texture dimension texture2d returns float" +
         kind + "resource @samplers sampler" + kind +
         "function @main {\n^0:\n  %x = input f32 in0.x\n  %y = input f32 in0.y\n  %i = f_to_u i32 %x\n  %t = handle @maps " +
         std::string(index) + "\n  %s = handle @samplers " + std::string(sampler) +
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
  const shader::Runnable first = prepared_text(kByAddress);
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
  const shader::Runnable first = prepared_text(reading("1"));
  const shader::Runnable second = prepared_text(reading("2"));
  const auto refused = compare({"a", first}, {"b", second}, Value::map());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
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
