// Memory of groups and buffers computes what the interpreter does, where SPIR-V has no such access.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <unshade/ir/text.hpp>

#include "unit/write/translated.hpp"

namespace unshade::write {
namespace {

/// A compute shader of eight threads with a buffer that is read and one that is written, by the instructions of its block.
std::string difference_of(std::string_view block, std::string_view variables = "", std::string_view more = "") {
  std::string text = R"(stage compute
info group_size 8 1 1
resource @t0 byte_address dimension buffer register 0
resource @u0 uav_byte_address dimension buffer register 0
)";
  (text += more) += variables;
  text += R"(
function @main {
^0:
  %thread = builtin i32 thread_id.x
  %at = ishl i32 %thread 4
  %in = handle @t0 0
  %out = handle @u0 0
)";
  (text += block) += "  return\n}\n";
  auto module = ir::parse(text);
  if (!module) return to_string(module.error()) + '\n' + text;
  return test::difference(*module);
}

TEST(TranslatedBuffers, LoadsSayThatTheirMemoryIsMapped) {
  EXPECT_EQ(difference_of(R"(  %loaded = buffer_load i32 x3 raw status %in %at
  %value = get i32 1 %loaded
  %status = get i32 2 %loaded
  %mapped = access_mapped %status
  %number = zext i32 %mapped
  buffer_store i32 raw %out %at %value %status %number
)"),
            "");
}

constexpr std::string_view kStructured = R"(resource @t1 structured dimension buffer register 1 stride 12
resource @u1 uav_structured dimension buffer register 1 stride 12
)";

TEST(TranslatedBuffers, PlacesBeyondAnElementAreNoneOfTheNext) {
  // a place that is computed: of 8 threads those from 3 on are beyond
  EXPECT_EQ(difference_of(R"(  %from = handle @t1 0
  %to = handle @u1 0
  %place = ishl i32 %thread 2
  %loaded = buffer_load i32 x2 structured offset %from 1 %place
  %a = get i32 0 %loaded
  %b = get i32 1 %loaded
  buffer_store i32 raw %out %at %a %b
  buffer_store i32 structured offset %to %thread %place %a 77
)",
                          "", kStructured),
            "");
  // values of 64 bits, of which half is beyond
  EXPECT_EQ(difference_of(R"(  %from = handle @t1 0
  %place = ishl i32 %thread 3
  %wide = buffer_load i64 structured offset %from %thread %place
  buffer_store i64 raw %out %at %wide
)",
                          "", kStructured),
            "");
}

TEST(TranslatedBuffers, AtomicsBeyondAnElementChangeNothing) {
  EXPECT_EQ(difference_of(R"(  %to = handle @u1 0
  %place = ishl i32 %thread 2
  %old = buffer_atomic i32 structured offset add %to %thread %place 5
  buffer_store i32 raw %out %at %old
)",
                          "", kStructured),
            "");
}

TEST(TranslatedBuffers, BytesAreThoseOfTheirWords) {
  EXPECT_EQ(difference_of(R"(  %byte = buffer_load i8 raw %in %thread
  %low = zext i32 %byte
  buffer_store i32 raw %out %at %low
  %place = iadd i32 %at 5
  buffer_store i8 raw %out %place %byte
)"),
            "");
  // several, across words
  EXPECT_EQ(difference_of(R"(  %bytes = buffer_load i8 x3 raw offset %in %thread 2
  %a = get i8 0 %bytes
  %b = get i8 1 %bytes
  %c = get i8 2 %bytes
  %place = iadd i32 %at 2
  buffer_store i8 raw %out %place %c %b %a
)"),
            "");
}

TEST(TranslatedBuffers, FloatsAreAdded) {
  EXPECT_EQ(difference_of(R"(  %value = buffer_load f32 raw %in %at
  %old = buffer_atomic f32 raw fadd %out %at %value
  %next = iadd i32 %at 4
  %least = buffer_atomic f32 raw fmin %out %next %value
  %third = iadd i32 %at 8
  buffer_store f32 raw %out %third %old %least
)"),
            "");
}

TEST(TranslatedGroupMemory, ThreadsStoreParts) {
  constexpr std::string_view kMemory = "variable @g group bytes 16\n";
  EXPECT_EQ(difference_of(R"(  %byte = trunc i8 %at
  store i8 @g %thread %byte
  barrier sync_group|group_memory
  jump ^1
^1:
  %place = iand i32 %thread 4
  %word = load i32 @g %place
  buffer_store i32 raw %out %at %word
)",
                          kMemory),
            "");
  EXPECT_EQ(difference_of(R"(  %half = trunc i16 %at
  %place = ishl i32 %thread 1
  store i16 @g %place %half
  barrier sync_group|group_memory
  jump ^1
^1:
  %aligned = iand i32 %place 12
  %word = load i32 @g %aligned
  buffer_store i32 raw %out %at %word
)",
                          kMemory),
            "");
}

TEST(TranslatedGroupMemory, FloatsAreAdded) {
  EXPECT_EQ(difference_of(R"(  %value = s_to_f f32 %thread
  %sum = atomic f32 @g fadd 0 %value
  %most = atomic f32 @g fmax 4 %value
  barrier sync_group|group_memory
  jump ^1
^1:
  %all = load f32 @g 0
  %last = load f32 @g 4
  buffer_store f32 raw %out %at %sum %most %all %last
)",
                          "variable @g group bytes 16\n"),
            "");
}

TEST(TranslatedWaves, ScansAmongLanesOfAMask) {
  EXPECT_EQ(difference_of(R"(  %value = buffer_load i32 raw %in %at
  %key = iand i32 %value 1
  %mask = wave_match i32 %key
  %m0 = get i32 0 %mask
  %m1 = get i32 1 %mask
  %m2 = get i32 2 %mask
  %m3 = get i32 3 %mask
  %before = wave_multi_scan i32 iadd %value %m0 %m1 %m2 %m3
  %with = wave_multi_scan i32 xor inclusive %value %m0 %m1 %m2 %m3
  buffer_store i32 raw %out %at %before %with
)"),
            "");
}

// A constant buffer of Direct3D is a whole number of rows, whatever is the size of what is in it.
TEST(TranslatedBuffers, RowsOfConstantsAreWhole) {
  EXPECT_EQ(difference_of(R"(  %constants = handle @b0 0
  %x = cbuffer_load i16 %constants 2
  %value = zext i32 %x
  buffer_store i32 raw %out %at %value
)",
                          "", "resource @b0 cbuffer register 0 bytes 4\n"),
            "");
  EXPECT_EQ(difference_of(R"(  %constants = handle @b0 0
  %x = cbuffer_load i16 %constants 0
  %value = zext i32 %x
  buffer_store i32 raw %out %at %value
)",
                          "", "resource @b0 cbuffer register 0 bytes 2\n"),
            "");
}

}  // namespace
}  // namespace unshade::write
