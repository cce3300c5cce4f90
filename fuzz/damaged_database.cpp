// A database of shaders, and changes of its bytes.
#ifdef UNSHADE_HAS_DATABASE

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include <unshade/system/work_folder.hpp>

#include "cli/app.hpp"
#include "cli/io/stream.hpp"
#include "fuzz/properties.hpp"
#include "index/checked_pages.hpp"
#include "index/writer.hpp"

namespace unshade::fuzz {

namespace {

struct Answer {
  std::string out;
  bool is_refused = false;

  friend bool operator==(const Answer&, const Answer&) = default;
};

Answer ask(const std::vector<std::string>& words) {
  cli::MemoryStream out;
  cli::MemoryStream err;
  cli::MemorySource in({});
  cli::Host host{&out, &err, &in};
  const auto exit = cli::run(words, host);
  return {out.text, exit != cli::Exit::ok && err.text.find("error[") != std::string::npos};
}

const std::vector<std::string> kQuestions[] = {
    {"--json"}, {"--binds", "t*"}, {"nam"}, {"--uses", "*d*", "--count"}, {"--where", "size > 100", "--places"}};

struct Scratch {
  system::WorkFolder folder;
  std::string path;
  explicit Scratch(const char* name) : path((folder.path() / name).string()) {}
};

std::vector<std::byte> bytes_of(const std::string& path) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::filesystem::file_size(path)));
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
  std::fclose(file);
  return bytes;
}

/// A database of made-up shaders: nothing is read from files.
struct Whole {
  std::vector<std::byte> bytes;
  std::vector<Answer> answers;

  Whole() {
    const Scratch scratch("whole.udb");
    {
      const auto database = *index::open_database(scratch.path, index::Mode::make);
      index::KnownShaders known;
      index::Writer writer(*database, known);
      for (unsigned i = 0; i < 300; ++i) {
        index::Entry entry;
        entry.digest = {std::byte(i), std::byte(i >> 8), std::byte{1}};
        entry.size = 50 + i;
        entry.facts.family = shader::Family::dxbc;
        entry.facts.profile = i % 3 != 0 ? "ps_5_0" : "vs_5_0";
        entry.facts.names = {{"texture", "name" + std::to_string(i / 2), "t", true, 0, i % 8, 1}};
        entry.facts.opcodes = {{i % 50, 1 + i % 4}};
        entry.facts.instructions = 1 + i % 4;
        entry.facts.order = {std::byte(i / 3), std::byte(i / 3 >> 8)};
        entry.facts.sketch.emplace();
        writer.add_file("file" + std::to_string(i), {100, 1}, {}, {{&entry, {}, i, "certain", {}}});
      }
      writer.commit();
    }
    bytes = bytes_of(scratch.path);
    for (const auto& question : kQuestions) answers.push_back(ask(words_of(scratch.path, question)));
  }

  static std::vector<std::string> words_of(const std::string& path, const std::vector<std::string>& question) {
    std::vector<std::string> words = {"search", path};
    words.insert(words.end(), question.begin(), question.end());
    return words;
  }
};

}  // namespace

std::string damaged_database(View changes) {
  static const Whole whole;
  std::vector<std::byte> bytes = whole.bytes;
  // each five bytes: where, and what is changed there
  constexpr std::size_t kMostChanges = 64;
  for (std::size_t i = 0; i < kMostChanges && changes.holds(5 * i, 5); ++i)
    bytes[*changes.u32(5 * i) % bytes.size()] ^= static_cast<std::byte>(*changes.u8(5 * i + 4));
  if (changes.size() % 5 == 1) bytes.resize(bytes.size() - std::to_integer<std::size_t>(changes.bytes().back()) * 64);
  const Scratch scratch("damaged.udb");
  std::FILE* const file = std::fopen(scratch.path.c_str(), "wb");
  if (file == nullptr) return {};
  std::fwrite(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
  for (std::size_t i = 0; i < std::size(kQuestions); ++i) {
    const Answer answer = ask(Whole::words_of(scratch.path, kQuestions[i]));
    if (whole.answers[i].is_refused) return "the whole database is refused";
    if (!answer.is_refused && answer != whole.answers[i]) return "a damaged database gives another answer";
  }
  return {};
}

}  // namespace unshade::fuzz

#endif
