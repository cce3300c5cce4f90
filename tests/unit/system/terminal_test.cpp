#include <unshade/system/terminal.hpp>

#include <gtest/gtest.h>

#include <string>

#include <unshade/system/replace.hpp>
#include <unshade/system/work_folder.hpp>

namespace unshade::system {
namespace {

TEST(Terminal, IsNotAskedIfItIsNone) {
  const WorkFolder work;
  std::string name;
  File file = make_beside((work.path() / "file").string(), new_file_rights(), name);
  ASSERT_TRUE(file);
  EXPECT_EQ(ask_terminal(file, "\x1b[c", 'c', 1000), "");
  EXPECT_EQ(file.status()->bytes, 0U);
}

}  // namespace
}  // namespace unshade::system
