// Shaders and texts of the C interface, for its tests.
#pragma once

#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/files.hpp"

namespace unshade::test {

/// A file of tests/data, opened through the C interface.
class OpenedSample {
 public:
  explicit OpenedSample(const char* name) : bytes_(read_bytes(source_dir() / "tests/data" / name)) {
    EXPECT_EQ(unshade_open(bytes_.data(), bytes_.size(), &shader_, nullptr), UNSHADE_OK) << name;
  }
  OpenedSample(const OpenedSample&) = delete;
  OpenedSample& operator=(const OpenedSample&) = delete;
  ~OpenedSample() { unshade_shader_free(shader_); }
  const unshade_shader* get() const { return shader_; }

 private:
  std::vector<std::byte> bytes_;
  unshade_shader* shader_ = nullptr;
};

/// The text of a blob, which is freed.
inline std::string taken(unshade_blob* blob) {
  std::string text(static_cast<const char*>(unshade_blob_data(blob)), unshade_blob_size(blob));
  unshade_blob_free(blob);
  return text;
}

}  // namespace unshade::test
