#include "cli/print/progress.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace unshade::test {

namespace {

/// What a bar shows at a third of the work, once it shows something.
std::string bar(std::string_view unit) {
  cli::MemoryStream err;
  cli::Host host;
  host.err = &err;
  host.err_is_terminal = true;
  cli::print::Progress progress(host, 3'000'000, unit);
  while (err.text.empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    progress.show(1'000'000);
  }
  return err.text;
}

TEST(Progress, CountsFiles) {
  const std::string text = bar("files");
  EXPECT_EQ(text.find("\r[########                ] 1000000/3000000 files, "), 0U) << text;
  EXPECT_NE(text.find(" files/s"), std::string::npos) << text;
}

TEST(Progress, TellsTheTimeLeftForBytes) {
  const std::string text = bar(cli::print::kProgressBytes);
  EXPECT_EQ(text.find("\r[########                ] 1.0 MB/3.0 MB, "), 0U) << text;
  EXPECT_NE(text.find("B/s, "), std::string::npos) << text;
  EXPECT_NE(text.find(" s left"), std::string::npos) << text;
}

}  // namespace

}  // namespace unshade::test
