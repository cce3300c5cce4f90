// Tests as text of the IR: every *.ir below this folder. docs/internals/ir_tests.md. UNSHADE_BLESS=1 rewrites what their commands print.
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/files.hpp"
#include "support/ir_file.hpp"

namespace unshade::test {

namespace {

class GoldenIr : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(GoldenIr, IsAsItSays) {
  const std::string path = GetParam().generic_string();
  IrFile file = check_ir_file(read_text(path));
  const char* bless = std::getenv("UNSHADE_BLESS");
  if (bless != nullptr && std::string_view(bless) == "1") {
    std::ofstream(path, std::ios::binary) << file.blessed;
    file = check_ir_file(std::string(file.blessed));
  }
  for (const IrFault& fault : file.faults)
    ADD_FAILURE_AT(path.c_str(), static_cast<int>(fault.line)) << "expected: " << fault.expected << "\n     got: " << fault.got;
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenIr, testing::ValuesIn(files_below(source_dir() / "tests/golden/ir", ".ir")),
                         [](const testing::TestParamInfo<std::filesystem::path>& file) { return file.param.stem().string(); });

}  // namespace

}  // namespace unshade::test
