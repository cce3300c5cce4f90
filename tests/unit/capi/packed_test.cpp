// Shaders in archives, through the C interface.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/files.hpp"

namespace unshade {
namespace {

TEST(CPacked, RefusesWhatIsMissing) {
  unshade_packed* packed = nullptr;
  EXPECT_EQ(unshade_unpack(nullptr, 1, 0, &packed, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_unpack("x", 1, 2, &packed, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_unpack("x", 1, 0, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_unpack_file(nullptr, 0, &packed, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_packed_count(nullptr), 0U);
  EXPECT_EQ(unshade_packed_at(nullptr, 0, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_packed_layer_at(nullptr, 0, 0, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_packed_fault_count(nullptr), 0U);
  unshade_packed_free(nullptr);
}

#ifdef UNSHADE_HAS_UNPACK

struct FreePacked {
  void operator()(unshade_packed* packed) const { unshade_packed_free(packed); }
};
using Packed = std::unique_ptr<unshade_packed, FreePacked>;

std::string data_of(const Packed& packed, std::uint32_t index) {
  unshade_blob* blob = nullptr;
  EXPECT_EQ(unshade_packed_data(packed.get(), index, &blob, nullptr), UNSHADE_OK);
  if (blob == nullptr) return {};
  std::string made(static_cast<const char*>(unshade_blob_data(blob)), unshade_blob_size(blob));
  unshade_blob_free(blob);
  return made;
}

TEST(CPacked, FindsAShaderThatLiesInNoArchive) {
  const std::vector<std::byte> file = test::read_bytes(test::source_dir() / "tests/data/dxbc/textured_ps_5_0.dxbc");
  unshade_packed* made = nullptr;
  ASSERT_EQ(unshade_unpack(file.data(), file.size(), 0, &made, nullptr), UNSHADE_OK);
  const Packed packed(made);
  ASSERT_EQ(unshade_packed_count(made), 1U);
  unshade_packed_shader row{};
  row.struct_size = sizeof row;
  ASSERT_EQ(unshade_packed_at(made, 0, &row), UNSHADE_OK);
  EXPECT_EQ(row.family, UNSHADE_DXBC);
  EXPECT_STREQ(row.profile, "ps_5_0");
  EXPECT_EQ(row.layer_count, 0U);
  EXPECT_EQ(row.parent, UNSHADE_NO_PARENT);
  EXPECT_EQ(data_of(packed, 0), std::string(reinterpret_cast<const char*>(file.data()), file.size()));
  EXPECT_EQ(unshade_packed_at(made, 1, &row), UNSHADE_INVALID_ARGUMENT);
}

TEST(CPacked, TellsAFileThatCannotBeRead) {
  unshade_packed* packed = nullptr;
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_unpack_file((test::source_dir() / "no_such_file").string().c_str(), 0, &packed, &error), UNSHADE_MISSING);
  EXPECT_EQ(packed, nullptr);
  EXPECT_STREQ(unshade_error_message(error), "the file cannot be read: No such file or directory");
  unshade_error_free(error);
}

#ifdef UNSHADE_HAS_ARCHIVES

std::filesystem::path archive() { return test::source_dir() / "tests/data/archives/members.7z"; }

// From a file and from memory the same: shaders, layers, bytes.
TEST(CPacked, OpensArchives) {
  const std::vector<std::byte> file = test::read_bytes(archive());
  unshade_packed *of_file = nullptr, *of_bytes = nullptr;
  ASSERT_EQ(unshade_unpack_file(archive().string().c_str(), 0, &of_file, nullptr), UNSHADE_OK);
  ASSERT_EQ(unshade_unpack(file.data(), file.size(), 0, &of_bytes, nullptr), UNSHADE_OK);
  const Packed first(of_file), second(of_bytes);
  for (const Packed& packed : {std::cref(first), std::cref(second)}) {
    ASSERT_EQ(unshade_packed_count(packed.get()), 2U);
    EXPECT_EQ(unshade_packed_fault_count(packed.get()), 0U);
    for (std::uint32_t i = 0; i < 2; ++i) {
      unshade_packed_shader row{};
      row.struct_size = sizeof row;
      ASSERT_EQ(unshade_packed_at(packed.get(), i, &row), UNSHADE_OK);
      ASSERT_EQ(row.layer_count, 1U);
      unshade_layer layer{};
      layer.struct_size = sizeof layer;
      ASSERT_EQ(unshade_packed_layer_at(packed.get(), i, 0, &layer), UNSHADE_OK);
      EXPECT_STREQ(layer.form, "7zip");
      EXPECT_EQ(layer.offset, UNSHADE_NO_STREAM);
      EXPECT_EQ(unshade_packed_layer_at(packed.get(), i, 1, &layer), UNSHADE_INVALID_ARGUMENT);
      const std::string bytes = data_of(packed, i);
      EXPECT_EQ(bytes.size(), row.size);
      EXPECT_EQ(bytes.substr(0, 4), "DXBC");
    }
  }
}

TEST(CPacked, SaysWhatCannotBeUnpacked) {
  std::vector<std::byte> file = test::read_bytes(test::source_dir() / "tests/data/archives/members.zip");
  file.resize(3000);
  unshade_packed* made = nullptr;
  ASSERT_EQ(unshade_unpack(file.data(), file.size(), 0, &made, nullptr), UNSHADE_OK);
  const Packed packed(made);
  ASSERT_EQ(unshade_packed_fault_count(made), 2U);
  unshade_message fault{};
  fault.struct_size = sizeof fault;
  ASSERT_EQ(unshade_packed_fault_at(made, 0, &fault), UNSHADE_OK);
  EXPECT_STREQ(fault.severity, "error");
  EXPECT_STREQ(fault.path, "");
  EXPECT_EQ(std::string(fault.text).find("last.cso: "), 0U) << fault.text;
  EXPECT_EQ(fault.offset, 3000U);
}

#endif
#endif

}  // namespace
}  // namespace unshade
