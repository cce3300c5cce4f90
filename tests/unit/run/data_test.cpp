// Files of numbers that cases name.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include <unshade/run/data.hpp>

namespace unshade::run {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

std::string npy(std::string_view type, std::string_view shape, std::string_view items, bool fortran = false) {
  std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
                       std::string(shape) + "), }\n";
  std::string made = "\x93NUMPY";
  made += std::string_view("\1\0", 2);
  made += static_cast<char>(header.size());
  made += '\0';
  return made + header + std::string(items);
}

TEST(RunData, ArraysComeBack) {
  const std::array<float, 6> items{1, 2.5F, -3, 0, 1e30F, 6};
  const std::array<std::uint64_t, 2> shape{2, 3};
  const auto written = write_npy('f', 4, shape, std::as_bytes(std::span(items)));
  EXPECT_EQ((written.size() - sizeof items) % 64, 0U);
  const auto read = read_npy(written);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->kind, 'f');
  EXPECT_EQ(read->shape, (std::vector<std::uint64_t>{2, 3}));
  ASSERT_EQ(read->bytes.size(), sizeof items);
  EXPECT_EQ(std::memcmp(read->bytes.data(), items.data(), sizeof items), 0);
  EXPECT_EQ(read->at(2).as_real()->narrow, -3.0F);
}

TEST(RunData, ArraysHaveEachType) {
  const auto first = [](std::string_view type, std::string_view items) {
    const std::string file = npy(type, "1,", items);
    const auto read = read_npy(bytes_of(file));
    EXPECT_TRUE(read) << type;
    return read ? read->at(0) : Value();
  };
  EXPECT_TRUE(first("|u1", "\xff") == Value::integer(255));
  EXPECT_TRUE(first("|i1", "\xff") == Value::signed_integer(-1));
  EXPECT_TRUE(first("<i2", std::string_view("\0\x80", 2)) == Value::signed_integer(-32768));
  EXPECT_TRUE(first("<u8", "\xff\xff\xff\xff\xff\xff\xff\xff") == Value::integer(~std::uint64_t{0}));
  EXPECT_EQ(first("<f2", std::string_view("\0\x3c", 2)).as_real()->wide, 1.0);
  EXPECT_EQ(first("<f2", std::string_view("\1\0", 2)).as_real()->wide, 0x1p-24);
  EXPECT_EQ(*first("<f2", std::string_view("\0\xfc", 2)).as_text(), "-inf");
  EXPECT_EQ(first("<f8", std::string_view("\0\0\0\0\0\0\xf0\x3f", 8)).as_real()->wide, 1.0);
}

TEST(RunData, RefusesOtherArrays) {
  const auto code = [](const std::string& file) {
    const auto read = read_npy(bytes_of(file));
    EXPECT_FALSE(read);
    return read ? ErrorCode::overlap : read.error().code;
  };
  EXPECT_EQ(code("PK"), ErrorCode::bad_magic);
  EXPECT_EQ(code("\x93NUMPY\1"), ErrorCode::truncated);
  EXPECT_EQ(code(npy(">f4", "1,", "1234")), ErrorCode::unsupported);
  EXPECT_EQ(code(npy("<c8", "1,", "12345678")), ErrorCode::unsupported);
  EXPECT_EQ(code(npy("|f1", "1,", "1")), ErrorCode::unsupported);
  EXPECT_EQ(code(npy("<f4", "1,", "1234", true)), ErrorCode::unsupported);
  EXPECT_EQ(code(npy("<f4", "2,", "1234")), ErrorCode::truncated);
  EXPECT_EQ(code(npy("<f4", "4294967295, 4294967295, 4294967295", "1234")), ErrorCode::truncated);
  EXPECT_EQ(code(npy("<f4", "-1,", "1234")), ErrorCode::truncated);
}

TEST(RunData, TablesHaveNames) {
  const auto read = read_csv("# vertices\nPOSITION.x, POSITION.y, \"ID\"\n1, -2.5, 0x10\r\n\nnan, 3, 4\n");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->rows(), 2U);
  const Value row = read->row(0);
  ASSERT_EQ(row.as_map()->size(), 2U);
  EXPECT_EQ((*row.find("POSITION")->as_list())[1].as_real()->narrow, -2.5F);
  EXPECT_TRUE(*row.find("ID") == Value::integer(16));
  EXPECT_EQ(*(*read->row(1).find("POSITION")->as_list())[0].as_text(), "nan");
  EXPECT_TRUE(read_csv("1,2\n3,4\n")->columns.empty());
}

TEST(RunData, RefusesOtherTables) {
  for (const std::string_view text :
       {"a,b\n1\n", "a,1\n", "1,a\n", "a\nx\n", "P.y\n1\n", "P.x,P.z\n1,2\n", "1,,2\n", "1\n2,3\n", "0\n--1\n", "1e400\n", "0\n-1e400\n"})
    EXPECT_FALSE(read_csv(text)) << text;
  EXPECT_NE(read_csv("a\n1\nx\n").error().message.find("line 3"), std::string::npos);
  EXPECT_TRUE(read_csv("a\n1e-400\n-1e-400\n4.9e-324\n"));
  EXPECT_EQ(read_csv("a\n1e400\n").error().message, "line 2: expected a number, found `1e400`");
}

TEST(RunData, ColumnsOfTablesAreNamedOnce) {
  for (const char* const text : {"A,A\n1,2\n", "A.x,A\n1,2\n", "A.x,A.r\n1,2\n", "A.x,A.y,B,A.x\n1,2,3,4\n"}) {
    const auto read = read_csv(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message.find("two columns have the name"), std::string::npos) << text;
  }
  EXPECT_TRUE(read_csv("A.x,A.y,A1\n1,2,3\n"));
}

TEST(RunData, TablesAndMeshesMayBeginWithAByteOrderMark) {
  const auto table = read_csv("\xef\xbb\xbfPOSITION.x,POSITION.y\n1,2\n");
  ASSERT_TRUE(table) << to_string(table.error());
  EXPECT_EQ(table->columns.front(), "POSITION.x");
  const auto mesh = read_obj("\xef\xbb\xbfv 1 2 3\nf 1 1 1\n", {});
  ASSERT_TRUE(mesh) << to_string(mesh.error());
  EXPECT_EQ(mesh->rows(), 3U);
}

TEST(RunData, MeshesAreTriangles) {
  const auto read = read_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.5\nvt 0.25 1\nvn 0 0 1\nf 1/1/1 2//1 3 -1/-1\nusemtl x\n");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->rows(), 6U);
  const Value last = read->row(5);
  EXPECT_EQ((*last.find("POSITION")->as_list())[2].as_real()->narrow, 0.5F);
  EXPECT_EQ((*last.find("TEXCOORD")->as_list())[0].as_real()->narrow, 0.25F);
  EXPECT_EQ((*read->row(1).find("NORMAL")->as_list())[2].as_real()->narrow, 1.0F);
  for (const std::string_view text : {"f 1 2 3\n", "v 0 0 0\nf 1 1\n", "v 0 0 0\nf 1 1 0\n", "v x 0 0\n", "v 0 0 0\nf 1 1 1/2\n"})
    EXPECT_FALSE(read_obj(text)) << text;
}

}  // namespace
}  // namespace unshade::run
