// The DXIL modules of an opened shader: parsed once, whatever asks for them.
#include <unshade/shader/shader.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/flow.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/source_files.hpp>
#include <unshade/shader/validate.hpp>

#include "support/files.hpp"

namespace unshade::test {
namespace {

/// With the program in DXIL and ILDB, and STAT.
constexpr const char* kWithDebugProgram = "tests/data/dxil/control_ps_6_0_zi.dxil";

struct OpenedFile {
  explicit OpenedFile(const char* name) : bytes(read_bytes(source_dir() / name)), shader(*shader::open(view_of(bytes))) {}

  View bitcode(const char (&part)[5]) const {
    const auto* const found = shader.container()->find(dxcontainer::fourcc(part));
    return found != nullptr ? dxil::parse_program(*found)->bitcode : View();
  }

  std::vector<std::byte> bytes;
  shader::Shader shader;
};

TEST(ShaderModules, AreParsedOnceAndSharedByCopies) {
  const OpenedFile file(kWithDebugProgram);
  const View bitcode = file.bitcode("DXIL");
  EXPECT_EQ(file.shader.kept_module(bitcode), nullptr);
  const shader::Shader copy = file.shader;
  const auto module = file.shader.module(bitcode);
  ASSERT_TRUE(module);
  EXPECT_EQ(*file.shader.module(bitcode), *module);
  EXPECT_EQ(*copy.module(bitcode), *module);
  EXPECT_EQ(copy.kept_module(bitcode), *module);
  EXPECT_NE(*file.shader.module(file.bitcode("ILDB")), *module);
}

// Each of these asks the shader for its module, so that the next finds it.
TEST(ShaderModules, AreKeptByWhatReadsThem) {
  const auto keeps = [](const char* part, auto ask) {
    const OpenedFile file(kWithDebugProgram);
    ask(file.shader);
    const View bitcode = part == std::string("DXIL") ? file.bitcode("DXIL") : file.bitcode("ILDB");
    return file.shader.kept_module(bitcode) != nullptr;
  };
  EXPECT_TRUE(keeps("DXIL", [](const shader::Shader& shader) { EXPECT_TRUE(shader::lower(shader)); }));
  EXPECT_TRUE(keeps("ILDB", [](const shader::Shader& shader) {
    shader::LowerOptions how;
    how.keep_copies = true;
    EXPECT_TRUE(shader::lower(shader, how));
  }));
  EXPECT_TRUE(keeps("DXIL", [](const shader::Shader& shader) { EXPECT_TRUE(shader::opcodes(shader)); }));
  EXPECT_TRUE(keeps("DXIL", [](const shader::Shader& shader) { EXPECT_TRUE(shader::instruction_lines(shader, "main")); }));
  EXPECT_TRUE(keeps("ILDB", [](const shader::Shader& shader) { EXPECT_TRUE(shader::stepped_lines(shader, "main")); }));
  EXPECT_TRUE(keeps("ILDB", [](const shader::Shader& shader) { EXPECT_TRUE(shader::source_lines(shader, "main")); }));
  EXPECT_TRUE(keeps("ILDB", [](const shader::Shader& shader) { EXPECT_TRUE(shader::sources_of(shader, {})); }));
  EXPECT_TRUE(keeps("DXIL", [](const shader::Shader& shader) { EXPECT_TRUE(shader::validate(shader).ok()); }));
  EXPECT_TRUE(keeps("ILDB", [](const shader::Shader& shader) {
    Text text;
    EXPECT_TRUE(shader::disassemble(shader, text));
  }));
  EXPECT_TRUE(keeps("ILDB", [](const shader::Shader& shader) {
    Text text;
    EXPECT_TRUE(shader::control_flow(shader, text));
  }));
}

TEST(ShaderModules, OfBitcodeAlone) {
  const OpenedFile container(kWithDebugProgram);
  const View bitcode = container.bitcode("DXIL");
  const std::vector<std::byte> bytes(bitcode.bytes().begin(), bitcode.bytes().end());
  const auto shader = shader::open(view_of(bytes));
  ASSERT_TRUE(shader);
  EXPECT_TRUE(shader::lower(*shader));
  EXPECT_NE(shader->kept_module(view_of(bytes)), nullptr);
}

TEST(ShaderModules, OfAContainerInADatabase) {
  const OpenedFile file("tests/data/dxil/control_ps_6_6_zi.pdb");
  ASSERT_NE(file.shader.pdb(), nullptr);
  Text text;
  EXPECT_TRUE(shader::disassemble(file.shader, text));
  EXPECT_NE(file.shader.kept_module(file.bitcode("ILDB")), nullptr);
}

TEST(ShaderModules, OfOtherBytesAreNotKept) {
  const OpenedFile file(kWithDebugProgram);
  const View bitcode = file.bitcode("DXIL");
  const std::vector<std::byte> elsewhere(bitcode.bytes().begin(), bitcode.bytes().end());
  EXPECT_TRUE(file.shader.module(view_of(elsewhere)));
  EXPECT_EQ(file.shader.kept_module(view_of(elsewhere)), nullptr);
}

TEST(ShaderModules, OfAShaderThatWasNotOpenedAreNotKept) {
  const OpenedFile file(kWithDebugProgram);
  const View bitcode = file.bitcode("DXIL");
  const shader::Shader none;
  EXPECT_TRUE(none.module(bitcode));
  EXPECT_EQ(none.kept_module(bitcode), nullptr);
}

TEST(ShaderModules, ComeFromNoMoreBytesThanTheFileHas) {
  const OpenedFile file(kWithDebugProgram);
  const View bitcode = file.bitcode("DXIL");
  std::size_t kept = 0;
  // the same bytes, told to lie elsewhere, as overlapping parts would have them
  for (std::uint64_t offset = 0; offset < 64; ++offset) {
    const View other(bitcode.bytes(), offset);
    ASSERT_TRUE(file.shader.module(other));
    if (file.shader.kept_module(other) != nullptr) ++kept;
  }
  EXPECT_EQ(kept, file.bytes.size() / bitcode.size());
}

TEST(ShaderModules, FaultsAreToldEachTime) {
  OpenedFile file(kWithDebugProgram);
  const View bitcode = file.bitcode("DXIL");
  file.bytes[bitcode.file_offset()] ^= std::byte{1};  // its magic
  const auto first = file.shader.module(bitcode);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, ErrorCode::bad_magic);
  const auto second = file.shader.module(bitcode);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::bad_magic);
  EXPECT_EQ(file.shader.kept_module(bitcode), nullptr);
}

TEST(ShaderModules, AreSharedByThreads) {
  const OpenedFile file(kWithDebugProgram);
  const View bitcode = file.bitcode("DXIL");
  std::vector<std::shared_ptr<const dxil::Module>> found(8);
  std::vector<std::string> listings(found.size());
  std::vector<std::thread> threads;
  for (std::size_t at = 0; at < found.size(); ++at) {
    threads.emplace_back([&, at] {
      const shader::Shader copy = file.shader;
      if (auto module = copy.module(bitcode)) found[at] = *std::move(module);
      Text text;
      if (shader::disassemble(file.shader, text)) listings[at] = text.str();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t at = 0; at < found.size(); ++at) {
    EXPECT_NE(found[at], nullptr);
    EXPECT_EQ(found[at], found[0]);
    EXPECT_FALSE(listings[at].empty());
    EXPECT_EQ(listings[at], listings[0]);
  }
}

}  // namespace
}  // namespace unshade::test
