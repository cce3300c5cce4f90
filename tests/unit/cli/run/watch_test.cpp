// What watches a run: --trace, --break, --profile, --check; and what it writes of resources.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unshade/document_text/document_text.hpp>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {
namespace {

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(RunWatched, TracesEachFamilyByItsLines) {
  const auto traced = [](const char* file) { return run_command({"run", "--trace", "--lane", "1", file}).out; };
  EXPECT_TRUE(holds(traced("tests/data/pica/control.v.shbin"),
                    "   20  mov r0, a  ; 1: r0.x = 1.0, r0.y = 2.0, r0.z = 3.0, r0.w = 4.0 | 3 more lanes\n"));
  EXPECT_TRUE(holds(traced("tests/data/dxbc/lit_vs_5_0.dxbc"), "   16  mov r1.z, cb0[13].xxxx  ; 1: r1.z = 0 | 3 more lanes\n"));
  EXPECT_TRUE(holds(traced("tests/data/dxil/bitonic_cs_6_0.dxil"),
                    "    3  %4 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)  ; 1: %4 = 33 | 31 more lanes\n"));
  EXPECT_TRUE(holds(traced("tests/data/vbc/minimal.vbc"),
                    "   42  %19 = OpLoad %v2float %position  ; 1: %19.0 = 1.0, %19.1 = 2.0 | 3 more lanes\n"));
}

TEST(RunWatched, TracesAsJsonALineEach) {
  const auto outcome = run_command({"run", "--trace", "--json", "tests/data/pica/control.v.shbin"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < outcome.out.size(); ++lines) {
    const std::size_t end = outcome.out.find('\n', at);
    const auto read = document_text::read_yaml(std::string_view(outcome.out).substr(at, end - at));
    ASSERT_TRUE(read) << outcome.out.substr(at, 200);
    const bool is_last = end + 1 == outcome.out.size();
    EXPECT_NE(read->find(is_last ? "schema" : "instruction"), nullptr);
    at = end + 1;
  }
  EXPECT_GT(lines, 20U);
}

TEST(RunWatched, StopsAtABreakpoint) {
  const auto outcome = run_command({"run", "--break", "21", "tests/data/pica/control.v.shbin"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_TRUE(outcome.out.starts_with("   21  mov r1, b  ; 0: ")) << outcome.out;
}

TEST(RunWatched, CountsInstructionsOnce) {
  const auto outcome = run_command({"run", "--profile", "tests/data/dxbc/lit_vs_5_0.dxbc"});
  EXPECT_TRUE(holds(outcome.out, "\n           1     4.0                        mov o0.xyzw, r3.xyzw\n")) << outcome.out;
  // once for all lanes
  EXPECT_TRUE(holds(outcome.out, "\n           1     4.0            16     1.0  mov r4.xyzw, cb0[9].xyzw\n")) << outcome.out;
}

TEST(RunWatched, FindsWhatIsOutOfBoundsAndUndefined) {
  Surroundings around;
  around.input = from_hex("\"{resources: {u0: {words: [1, 2]}}}\"");
  const auto out_of_bounds = run_command({"run", "--check", "tests/data/dxil/atomics_cs_6_0.dxil", "-"}, around);
  EXPECT_EQ(out_of_bounds.exit, 0);
  EXPECT_TRUE(holds(out_of_bounds.err, "warning[out-of-bounds]: instruction ")) << out_of_bounds.err;
  // the first value of r0 goes elsewhere
  std::string listing = run_command({"dis", "--exact", "tests/data/dxbc/lit_vs_5_0.dxbc"}).out;
  listing.replace(listing.find("mov r0.xyzw, v3.xyzw"), 6, "mov r16");
  const auto file = std::filesystem::temp_directory_path() / ("unshade-undefined-" + std::to_string(process_id()));
  std::ofstream(file) << listing;
  const std::string cso = file.generic_string() + ".cso";
  EXPECT_EQ(run_command({"as", "--no-validate", file.generic_string(), "-o", cso}).exit, 0);
  const auto undefined = run_command({"run", "--check", cso});
  EXPECT_TRUE(holds(undefined.err, "warning[undefined]: instruction 221: mov o3.xyzw, r0.xyzw: uses a value that was never set"))
      << undefined.err;
  std::filesystem::remove(file);
  std::filesystem::remove(cso);
  EXPECT_EQ(run_command({"run", "--check", "tests/data/dxbc/lit_vs_5_0.dxbc"}).err, "");
}

TEST(RunWatched, WritesResources) {
  const auto raw = run_command({"run", "--raw", "u0", "tests/data/dxil/atomics_cs_6_0.dxil"});
  const auto npy = run_command({"run", "--npy", "u0", "--float", "tests/data/dxil/atomics_cs_6_0.dxil"});
  EXPECT_TRUE(npy.out.starts_with("\x93NUMPY"));
  EXPECT_TRUE(holds(npy.out, "'<f4'"));
  EXPECT_TRUE(npy.out.ends_with(raw.out));
  EXPECT_EQ(run_command({"run", "--raw", "u7", "tests/data/dxil/atomics_cs_6_0.dxil"}).exit, 1);
}

}  // namespace
}  // namespace unshade::test
