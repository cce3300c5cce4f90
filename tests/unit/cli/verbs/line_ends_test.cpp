// Texts with \r\n at the end of their lines are read as those with \n.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/system/work_folder.hpp>

#include "support/command.hpp"
#include "support/files.hpp"

namespace unshade::test {
namespace {

namespace fs = std::filesystem;

std::string with_carriage_returns(std::string_view text) {
  std::string made;
  for (const char letter : text) made.append(letter == '\n' ? "\r\n" : std::string(1, letter));
  return made;
}

/// A folder with texts of the checkout as they are, in `lf`, and with other line ends, in `crlf`.
class LineEnds : public ::testing::Test {
 protected:
  void add(const fs::path& name, const std::string& text) const {
    for (const bool is_crlf : {false, true}) {
      const fs::path path = folder_.path() / (is_crlf ? "crlf" : "lf") / name;
      fs::create_directories(path.parent_path());
      std::ofstream(path, std::ios::binary) << (is_crlf ? with_carriage_returns(text) : text);
    }
  }
  /// What a verb says of both texts, in which `FOLDER` stands for the folder of each.
  void expect_same(const std::vector<std::string>& words) const {
    std::array<Outcome, 2> said;
    for (const bool is_crlf : {false, true}) {
      const std::string folder = (folder_.path() / (is_crlf ? "crlf" : "lf")).generic_string();
      const auto in = [&](std::string text, std::string_view from, std::string_view to) {
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
        return text;
      };
      std::vector<std::string> given;
      std::ranges::transform(words, std::back_inserter(given), [&](const std::string& word) { return in(word, "FOLDER", folder); });
      Outcome& one = said[is_crlf ? 1 : 0] = run_command(given);
      one.out = in(one.out, folder, "FOLDER");
      one.err = in(one.err, folder, "FOLDER");
    }
    EXPECT_EQ(said[0].exit, said[1].exit) << words.back();
    EXPECT_EQ(said[0].out, said[1].out) << words.back();
    EXPECT_EQ(said[0].err, said[1].err) << words.back();
  }

  system::WorkFolder folder_;
};

TEST_F(LineEnds, OfListings) {
  constexpr std::string_view kEnds[] = {".asm", ".ll", ".pica", ".spvasm"};
  std::size_t texts = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "tests/data")) {
    if (std::ranges::find(kEnds, entry.path().extension().string()) == std::end(kEnds)) continue;
    const fs::path name = fs::relative(entry.path(), source_dir() / "tests/data");
    add(name, read_text(entry.path()));
    expect_same({"as", "FOLDER/" + name.generic_string()});
    ++texts;
  }
  EXPECT_GT(texts, 150U);
}

TEST_F(LineEnds, OfDocuments) {
  for (const char* form : {"yaml", "json"}) {
    const auto document = run_command({"dump", "--format", form, "tests/data/dxbc/lit_vs_5_0.dxbc"});
    ASSERT_EQ(document.exit, 0) << document.err;
    add("document", document.out);
    expect_same({"build", "FOLDER/document"});
  }
  add("root.txt", "// all\nCBV(b0),\nDescriptorTable(SRV(t0))\n");
  expect_same({"rootsig", "make", "FOLDER/root.txt"});
  add("shaders.h", run_command({"embed", "tests/data/dxbc/lit_vs_5_0.dxbc"}).out);
  expect_same({"dis", "FOLDER/shaders.h"});
}

TEST_F(LineEnds, OfSuitesAndScenes) {
  for (const char* folder : {"examples", "tests/data/suites", "tests/data/scenes", "tests/data/amber"})
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder)) {
      if (!entry.is_regular_file()) continue;
      const fs::path name = fs::relative(entry.path(), source_dir());
      const std::string text = read_text(entry.path());
      add(name, text.find('\0') == std::string::npos ? text : std::string());
      if (text.find('\0') == std::string::npos) continue;
      for (const char* kind : {"lf", "crlf"})
        fs::copy_file(entry.path(), folder_.path() / kind / name, fs::copy_options::overwrite_existing);
    }
  expect_same({"test", "-j1", "FOLDER/examples/shader_tests", "FOLDER/tests/data/suites", "FOLDER/tests/data/amber"});
  for (const char* scene : {"triangle", "pica"})
    expect_same({"draw", "FOLDER/examples/scenes/" + std::string(scene) + ".toml", "--terminal", "none", "--pixel", "20,20"});
}

}  // namespace
}  // namespace unshade::test
