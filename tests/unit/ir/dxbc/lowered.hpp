// Lowered token programs, from and as text.
#pragma once

#include <unshade/ir/lower_dxbc.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/ir/text.hpp>

namespace unshade::ir::test {

inline Result<Module> lowered(std::string_view text, const DxbcOptions& options = {}) {
  const auto assembly = dxbc::assemble_program(text);
  for (const auto& message : assembly.messages) ADD_FAILURE() << to_string(message);
  const dxcontainer::Part part{dxcontainer::fourcc("SHEX"), 0, View(std::as_bytes(std::span(assembly.tokens)))};
  const auto program = dxbc::parse_program(part);
  return program ? lower(*program, {}, options) : Result<Module>(program.error());
}

inline void expect_ir(std::string_view text, std::string_view expected) {
  const auto module = lowered(text);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(print(*module), expected.substr(1));
}

inline void expect_error(std::string_view text, ErrorCode code, std::string_view path) {
  const auto module = lowered(text);
  ASSERT_FALSE(module) << print(*module);
  EXPECT_EQ(module.error().code, code) << to_string(module.error());
  EXPECT_EQ(module.error().path, path) << to_string(module.error());
}

}  // namespace unshade::ir::test
