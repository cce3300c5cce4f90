#include <unshade/system/program.hpp>
#include <unshade/system/work_folder.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/files.hpp"

namespace unshade::system {
namespace {

using std::chrono::milliseconds;

#ifdef _WIN32
constexpr const char* kShell = "cmd";
constexpr const char* kRuns = "/c";
constexpr const char* kSays = "echo one& exit 3";
constexpr const char* kSaid = "one\r\n";
constexpr const char* kSleeps = "for /l %i in (0,0,1) do @rem";
#else
constexpr const char* kShell = "sh";
constexpr const char* kRuns = "-c";
constexpr const char* kSays = "read nothing; echo one; echo two >&2; exit 3";
constexpr const char* kSaid = "one\ntwo\n";
constexpr const char* kSleeps = "exec sleep 600";
#endif

TEST(Program, RunsAndTellsItsStatus) {
  const WorkFolder work;
  ASSERT_FALSE(work.path().empty());
  const auto shell = find_program(kShell);
  ASSERT_TRUE(shell);
  const std::string log = (work.path() / "log").string();
  const std::vector<std::string> arguments{kRuns, kSays};
  const auto status = run_program(*shell, arguments, log, milliseconds(60'000));
  ASSERT_TRUE(status) << to_string(status.error());
  EXPECT_EQ(*status, 3);
  EXPECT_EQ(test::read_text(log), kSaid);
}

TEST(Program, EndsWhatTakesTooLong) {
  const WorkFolder work;
  const auto shell = find_program(kShell);
  ASSERT_TRUE(shell);
  const std::vector<std::string> arguments{kRuns, kSleeps};
  const auto status = run_program(*shell, arguments, (work.path() / "log").string(), milliseconds(30));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::limit);
}

TEST(Program, SaysWhatCannotBeStarted) {
  const WorkFolder work;
  const auto status = run_program((work.path() / "none").string(), {}, (work.path() / "log").string(), milliseconds(1000));
#ifdef UNSHADE_TEST_IS_UNDER_QEMU
  if (status && *status == 127)
    GTEST_SKIP() << "QEMU makes a fork() of vfork(), so that posix_spawn() does not see that there is no program";
#endif
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::missing);
  EXPECT_FALSE(find_program("no program of this name"));
}

TEST(Program, FoldersOfWorkAreRemoved) {
  std::filesystem::path path;
  {
    const WorkFolder work;
    path = work.path();
    std::filesystem::create_directories(path / "inner");
    EXPECT_TRUE(std::filesystem::is_directory(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace unshade::system
