// Numbers of variables in memory.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <unshade/run/type_layout.hpp>

namespace unshade::run {
namespace {

shader::Type scalar(shader::BaseType base) {
  shader::Type type;
  type.base = base;
  type.rows = type.columns = 1;
  return type;
}

shader::Type vector(shader::BaseType base, std::uint32_t columns) {
  shader::Type type = scalar(base);
  type.type_class = shader::TypeClass::vector;
  type.columns = columns;
  return type;
}

shader::Type matrix(shader::TypeClass form, std::uint32_t rows, std::uint32_t columns) {
  shader::Type type = scalar(shader::BaseType::float_);
  type.type_class = form;
  type.rows = rows;
  type.columns = columns;
  return type;
}

shader::Type structure(std::vector<shader::Member> members) {
  shader::Type type;
  type.type_class = shader::TypeClass::structure;
  type.members = std::move(members);
  return type;
}

shader::Type array(shader::Type of, std::uint32_t elements) {
  of.elements = elements;
  return of;
}

Value numbers(std::initializer_list<int> list) {
  Value made = Value::list();
  for (const int one : list) made.push(Value::signed_integer(one));
  return made;
}

float float_at(const std::vector<std::byte>& memory, std::size_t at) {
  float made = 0;
  std::memcpy(&made, &memory.at(at), sizeof made);
  return made;
}

TEST(TypeLayout, ElementsOfConstantBuffersBeginAtMultiplesOf16) {
  shader::Reflection reflection;
  reflection.types = {array(scalar(shader::BaseType::float_), 3), matrix(shader::TypeClass::matrix_columns, 4, 4),
                      scalar(shader::BaseType::float_), array(structure({{"world", 1, 0}, {"weight", 2, 64}}), 2)};
  const TypeLayout layout(reflection, Packing::registers);
  EXPECT_EQ(layout.stride(0), 16U);
  EXPECT_EQ(layout.bytes(0), 36U);
  EXPECT_EQ(layout.bytes(1), 64U);
  // a struct is as large as its members, whatever those are
  EXPECT_EQ(layout.stride(3), 80U);
  EXPECT_EQ(layout.bytes(3), 80U + 68U);
  EXPECT_EQ(layout.components(3), 34U);

  std::vector<std::byte> memory(160);
  Value weights = Value::list();
  for (const int weight : {5, 6}) {
    Value one = Value::map();
    one.add("weight", Value::integer(static_cast<unsigned>(weight)));
    weights.push(std::move(one));
  }
  ASSERT_TRUE(layout.put("", weights, 3, 0, memory));
  EXPECT_EQ(float_at(memory, 64), 5.0F);
  EXPECT_EQ(float_at(memory, 144), 6.0F);
}

TEST(TypeLayout, ElementsOfStructuredBuffersAreTight) {
  shader::Reflection reflection;
  reflection.types = {array(vector(shader::BaseType::float_, 3), 2), matrix(shader::TypeClass::matrix_rows, 2, 3),
                      scalar(shader::BaseType::double_), scalar(shader::BaseType::float16),
                      array(structure({{"first", 2, 0}, {"second", 3, 8}}), 2)};
  const TypeLayout layout(reflection, Packing::tight);
  EXPECT_EQ(layout.stride(0), 12U);
  EXPECT_EQ(layout.bytes(0), 24U);
  EXPECT_EQ(layout.offset(reflection.types[1], 1, 0), 12U);
  // padded to the double
  EXPECT_EQ(layout.stride(4), 16U);
  EXPECT_EQ(layout.bytes(4), 26U);
}

TEST(TypeLayout, WhatIsPutIsGotBack) {
  shader::Reflection reflection;
  reflection.types = {matrix(shader::TypeClass::matrix_columns, 2, 3), vector(shader::BaseType::int16, 2),
                      array(scalar(shader::BaseType::uint64), 2), scalar(shader::BaseType::float16),
                      structure({{"m", 0, 0}, {"v", 1, 48}, {"a", 2, 64}, {"h", 3, 96}})};
  for (const Packing packing : {Packing::registers, Packing::tight}) {
    const TypeLayout layout(reflection, packing);
    Value given = Value::map();
    Value rows = Value::list();
    for (const float first : {1.5F, -4.0F}) {
      Value row = Value::list();
      for (unsigned k = 0; k < 3; ++k) row.push(Value::real(first + static_cast<float>(k)));
      rows.push(std::move(row));
    }
    given.add("m", std::move(rows));
    given.add("v", numbers({-2, 300}));
    Value wide = Value::list();
    wide.push(Value::integer(0xffff'ffff'0000'0001));
    wide.push(Value::integer(2));
    given.add("a", std::move(wide));
    given.add("h", Value::real(0.5F));
    std::vector<std::byte> memory(100);
    ASSERT_TRUE(layout.put("", given, 4, 0, memory));
    const Value got = layout.get(4, 0, memory);
    EXPECT_EQ(got.find("m")->as_list()->at(1).as_list()->at(2).as_real()->narrow, -2.0F);
    EXPECT_EQ(got.find("v")->as_list()->at(0).as_integer()->magnitude, 2U);
    EXPECT_EQ(got.find("v")->as_list()->at(1).as_integer()->magnitude, 300U);
    EXPECT_EQ(got.find("a")->as_list()->at(0).as_integer()->magnitude, 0xffff'ffff'0000'0001U);
    EXPECT_EQ(got.find("h")->as_real()->narrow, 0.5F);
    // a half takes two bytes
    EXPECT_EQ(std::to_integer<unsigned>(memory[97]), 0x38U);
    EXPECT_EQ(std::to_integer<unsigned>(memory[98]), 0U);
  }
}

// As a damaged file may state them.
TEST(TypeLayout, MatricesHaveFourRowsAndColumnsAtMost) {
  shader::Reflection reflection;
  reflection.types = {matrix(shader::TypeClass::matrix_rows, 65535, 65535)};
  const TypeLayout layout(reflection, Packing::registers);
  std::vector<std::byte> memory(256);
  std::size_t visited = 0;
  layout.each(0, 0, memory, [&](const TypeLayout::Component&) { ++visited; });
  EXPECT_LE(visited, 16U);
}

TEST(TypeLayout, OpenArraysHaveAsManyElementsAsTheMemory) {
  shader::Reflection reflection;
  shader::Type open = scalar(shader::BaseType::uint_);
  open.dimensions = {0};
  open.array_stride = 8;
  reflection.types = {open};
  const TypeLayout layout(reflection, Packing::tight);
  std::vector<std::byte> memory(36);
  memory[12] = std::byte{7};
  const Value got = layout.get(0, 4, memory);
  ASSERT_EQ(got.as_list()->size(), 4U);
  EXPECT_EQ(got.as_list()->at(1).as_integer()->magnitude, 7U);
  EXPECT_TRUE(layout.get(0, 40, memory).as_list()->empty());
}

TEST(TypeLayout, OuterArraysMayHaveGaps) {
  shader::Reflection reflection;
  shader::Type rows = scalar(shader::BaseType::uint_);
  rows.elements = 6;
  rows.dimensions = {3, 2};
  rows.array_stride = 4;
  rows.outer_strides = {16};
  shader::Type open = rows;
  open.elements = 0;
  open.dimensions = {0, 2};
  reflection.types = {rows, open};
  const TypeLayout layout(reflection, Packing::tight);
  EXPECT_EQ(layout.bytes(0), 40U);
  std::vector<std::byte> memory(40);
  Value numbers = Value::list();
  for (unsigned k = 1; k <= 6; ++k) numbers.push(Value::integer(k));
  ASSERT_TRUE(layout.put("", numbers, 0, 0, memory));
  for (const auto& [at, number] : std::vector<std::pair<std::size_t, unsigned>>{{0, 1}, {4, 2}, {8, 0}, {16, 3}, {20, 4}, {32, 5}, {36, 6}})
    EXPECT_EQ(std::to_integer<unsigned>(memory[at]), number) << at;
  const auto read = [&](std::uint32_t type, std::size_t bytes) {
    std::vector<std::uint64_t> got;
    const Value list = layout.get(type, 0, std::span(memory).first(bytes));
    for (const Value& one : *list.as_list()) got.push_back(one.as_integer() != nullptr ? one.as_integer()->magnitude : 0);
    return got;
  };
  EXPECT_EQ(read(0, 40), (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read(0, 36), (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(read(0, 12), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(read(0, 18), (std::vector<std::uint64_t>{1, 2, 0}));  // the third is cut
  EXPECT_EQ(read(1, 32), (std::vector<std::uint64_t>{1, 2, 3, 4}));
  std::size_t visited = 0;
  layout.each(0, 0, memory, [&](const TypeLayout::Component& one) { EXPECT_EQ(std::to_integer<unsigned>(one.memory[0]), ++visited); });
  EXPECT_EQ(visited, 6U);
}

TEST(TypeLayout, DamagedTypesTakeNoTime) {
  // each struct has the one before it twice, in arrays: 2^60 numbers
  shader::Reflection reflection;
  reflection.types = {scalar(shader::BaseType::float_)};
  for (std::uint32_t at = 0; at < 60; ++at) reflection.types.push_back(array(structure({{"a", at, 0}, {"b", at, 0}}), 0xffff'ffff));
  for (const Packing packing : {Packing::registers, Packing::tight}) {
    const TypeLayout layout(reflection, packing);
    std::vector<std::byte> memory(4096);
    EXPECT_TRUE(layout.get(60, 0, memory).as_list()->empty());
    layout.each(60, 0, memory, [](const TypeLayout::Component&) { ADD_FAILURE(); });
    EXPECT_FALSE(layout.put("", Value::integer(1), 61, 0, memory));
  }
}

TEST(TypeLayout, RowsAreWhole) {
  shader::Reflection reflection;
  reflection.types = {matrix(shader::TypeClass::matrix_columns, 4, 4), vector(shader::BaseType::float_, 4),
                      scalar(shader::BaseType::uint16), scalar(shader::BaseType::float16)};
  const TypeLayout layout(reflection, Packing::registers);
  const auto fault_of = [&](const Value& value, std::uint32_t type) {
    std::vector<std::byte> memory(64);
    const auto done = layout.put("", value, type, 0, memory);
    return done ? std::string("none") : done.error().message;
  };
  const Value three = Value::list({numbers({1, 2, 3}), numbers({4, 5, 6}), numbers({7, 8, 9})});
  EXPECT_EQ(fault_of(three, 0), "the row has 3 numbers, expected 4");
  EXPECT_EQ(fault_of(Value::list({numbers({1, 2, 3, 4}), Value::integer(5)}), 0), "expected a row: a list of 4 numbers, as beside it");
  EXPECT_EQ(fault_of(Value::list({numbers({1, 2, 3, 4}), numbers({5, 6, 7, 8})}), 0), "none");
  EXPECT_EQ(fault_of(numbers({1, 2, 3, 4, 5}), 0), "none");
  EXPECT_EQ(fault_of(Value::list({numbers({1, 2}), numbers({3, 4})}), 1), "the row has 2 numbers, expected 4");
  EXPECT_EQ(fault_of(Value::integer(70000), 2), "70000 does not fit into 16 bits: -32768 to 65535");
  EXPECT_EQ(fault_of(Value::integer(70000), 3), "70000 does not fit into a float of 16 bits, of at most 65504");
}

}  // namespace
}  // namespace unshade::run
