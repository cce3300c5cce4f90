// The assembler: picasso's bytes for picasso's sources, and every instruction, directive and message once.
//
// tests/data/pica/as/*.pica: `; OPTIONS: no-nop line-info labels header` on the first line gives options, `; --- next` on a line begins
// another source. NAME.expected beside it holds the messages, the bytes of the file and the header. UNSHADE_BLESS=1 rewrites it. What is
// named op, pad, desc, operand, dir, multi and warn was compared with picasso 2.7.2 and is identical; what is named bad is refused by it
// too, but for bad-block-size; what is named add is not its language.
#include <unshade/pica/assembler.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/pica/instruction.hpp>

#include "pica/packed_text.hpp"
#include "support/files.hpp"
#include "support/reassemble.hpp"

namespace unshade::pica {

namespace {

using test::files_below;
using test::read_bytes;
using test::read_text;
using test::source_dir;

std::filesystem::path data() { return source_dir() / "tests/data/pica"; }

Assembly assemble_text(std::string_view text, const AssemblerOptions& options = {}) {
  const Source source{"t.pica", text};
  return assemble({&source, 1}, options);
}

std::vector<Source> sources_of(std::string_view text, const std::string& name, std::vector<std::string>& names) {
  constexpr std::string_view kNext = "; --- next\n";
  std::vector<std::string_view> texts;
  for (;;) {
    const auto at = text.find(kNext);
    texts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + kNext.size());
  }
  for (std::size_t i = 0; i < texts.size(); ++i) names.push_back(i == 0 ? name : name + '#' + std::to_string(i));
  std::vector<Source> sources;
  for (std::size_t i = 0; i < texts.size(); ++i) sources.push_back({names[i], texts[i]});
  return sources;
}

// To picasso each of these is a marker of line 0, so that all messages behind it would have the wrong line.
// One message for the text, whatever else there is to say of its lines.
TEST(PicaAssembler, OtherLanguagesAreNamed) {
  struct Row {
    std::string_view text, tool;
    std::uint32_t line, column;
  };
  constexpr Row kRows[] = {
      {"; constants\n\t.const 6, 0.0, 1.0, 2.0, 3.0\nmain:\n\tmov d00, d40 (0x0)\n\tend\nendmain:\n", "aemstro", 2, 2},
      {"\t.out o0, result.position\nmain:\n\tend\nendmain:\n", "aemstro", 1, 2},
      {"main:\n\tdp4 d00, d40, d00 (0x1)\n\tflush\n\tend\nendmain:\n", "aemstro", 2, 2},
      {"main:\n\tmov d04, d25 (1)\n\tend\nendmain:\n", "aemstro", 2, 2},
      {"main:\n\tend\nendmain:\n.opdesc xyzw, xyzw, xyzw ; 0x0\n", "aemstro", 4, 1},
      {"main:\n mov q0, v0\n end\nendmain:\n\t.vsh main, endmain\n", "aemstro", 5, 2},
      {".uniform 0x10, 0x13, projection\nmain:\n end\nendmain:\n", "aemstro", 1, 1},
      {"// a comment\nmain:\n  mov o0, v0\n  end\nendmain:\n", "nihstro", 1, 1},
      {".alias projection c0-c3\nmain:\n  end\nendmain:\n", "nihstro", 1, 1},
      {"main:\n  cmp r0.xy, r1.xy, <=, ==\n  end\nendmain:\n", "nihstro", 2, 3},
      {"main:\n  mov r0, v0\n  if cc.x\n  nop\n  endif\n  end\nendmain:\n", "nihstro", 3, 3},
      {"main:\n  loop i0\n  nop\n  endloop\n  end\nendmain:\n", "nihstro", 2, 3},
      {"main:\n  call helper until end_helper\n  end\nendmain:\n", "nihstro", 2, 3},
      {".include \"helpers.h\"\nmain:\n  end\nendmain:\n", "nihstro", 1, 1},
  };
  for (const Row& row : kRows) {
    const Assembly made = assemble_text(row.text);
    EXPECT_FALSE(made.ok) << row.text;
    ASSERT_EQ(made.messages.size(), 1U) << row.text;
    EXPECT_EQ(made.messages[0].id, "as.other-language") << row.text;
    EXPECT_EQ(made.messages[0].line, row.line) << row.text;
    EXPECT_EQ(made.messages[0].column, row.column) << row.text;
    EXPECT_NE(made.messages[0].text.find(row.tool), std::string::npos) << row.text;
  }
}

// What is wrong with picasso's language is told as it is.
TEST(PicaAssembler, PicassosLanguageIsNoOther) {
  for (const std::string_view text :
       {".alias one c5\n.proc main\n mov q0, one\n end\n.end\n", ".proc main\n cmp r0, ge, xx, r1\n end\n.end\n",
        ".proc main\n ifc cmp.x\n mov r0, q1\n .else\n nop\n .end\n end\n.end\n",
        ".constf a(1, 2, 3, 4)\n.proc main\n mov q0, a\n end\n.end\n",
        ".uniform \"m\" c0 c3\n.const 2 95 0 0 0 0\n.out - position o0\n.proc main\n mov q0, m\n end\n.end\n",
        ".proc main\n call none\n jmpu b0, none\n end\n.end\n"}) {
    const Assembly made = assemble_text(text);
    EXPECT_FALSE(made.ok) << text;
    for (const Message& one : made.messages) EXPECT_NE(one.id, "as.other-language") << text;
  }
}

// Prose gives one message; a program with wrong lines one for each of them.
TEST(PicaAssembler, ProseIsNoProgram) {
  const Assembly prose = assemble_text("; a letter\nDear reader,\nadd the numbers of\nall lines:\nif that helps,\nsay so.\n");
  ASSERT_EQ(prose.messages.size(), 1U);
  EXPECT_EQ(
      to_string(prose.messages[0]),
      "t.pica:2:1: error[as.no-program]: expected a program in picasso's language, found text: 4 of 5 lines begin with no label, directive "
      "or instruction, the first with `Dear`");
  const Assembly wrong = assemble_text(".proc main\n muv r0, v0\n moo r1, v0\n mow o0, r0\n end\n.end\n");
  EXPECT_FALSE(wrong.ok);
  EXPECT_EQ(wrong.messages.size(), 3U);
  const Assembly few = assemble_text("main:\n mov r0, v0\n mul r1, r0\n bogus\n wrong\n nothing\n end\n");
  EXPECT_GT(few.messages.size(), 1U);
}

TEST(PicaAssembler, PreprocessorDirectivesAreRefusedAtTheirPlaces) {
  for (const char* line : {"#include \"x\"", "#define X 3", "# define X", "#if 1", "#version 450", "#", "# x", "#line", "#line x"}) {
    const Assembly made = assemble_text(std::string(line) + "\n.bogus\n# 20 \"other\"\n.bogus\n#line 30\n.bogus\n");
    ASSERT_EQ(made.messages.size(), 4U) << line;
    EXPECT_EQ(made.messages[0].line, 1U) << line;
    EXPECT_EQ(made.messages[0].column, 1U) << line;
    EXPECT_NE(made.messages[0].text.find("preprocessor"), std::string::npos) << line;
    EXPECT_EQ(made.messages[1].line, 2U) << line;
    EXPECT_EQ(made.messages[2].line, 20U) << line;
    EXPECT_EQ(made.messages[2].file, "other") << line;
    EXPECT_EQ(made.messages[3].line, 30U) << line;
  }
}

Assembly assemble_file(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  const std::string first = text.substr(0, text.find('\n'));
  AssemblerOptions options;
  if (first.find("OPTIONS:") != std::string::npos) {
    options.padding_nops = first.find("no-nop") == std::string::npos;
    options.line_info = first.find("line-info") != std::string::npos;
    options.labels = first.find("labels") != std::string::npos;
    options.header = first.find("header") != std::string::npos;
  }
  std::vector<std::string> names;
  const auto sources = sources_of(text, path.filename().string(), names);
  return assemble(sources, options);
}

class AssemblerFile : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(AssemblerFile, GivesWhatIsExpected) {
  const Assembly assembly = assemble_file(GetParam());
  Text actual;
  for (const auto& message : assembly.messages) actual << to_string(message) << '\n';
  if (assembly.ok) {
    const auto bytes = write_assembly(assembly);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      actual.hex(static_cast<unsigned>(bytes[i]), 2) << (i % 16 == 15 || i + 1 == bytes.size() ? '\n' : ' ');
    }
    actual << assembly.header;
  }
  auto expected_path = GetParam();
  expected_path.replace_extension(".expected");
  const char* bless = std::getenv("UNSHADE_BLESS");
  if (bless != nullptr && std::string_view(bless) == "1") {
    std::ofstream(expected_path, std::ios::binary) << actual.view();
    return;
  }
  EXPECT_EQ(read_text(expected_path), actual.view());
}

TEST_P(AssemblerFile, IsListedAndAssembledAgain) {
  const Assembly assembly = assemble_file(GetParam());
  if (!assembly.ok) return;
  if (assembly.object) {
    test::expect_reassembles(*assembly.object);
  } else {
    test::expect_reassembles(assembly.shbin);
  }
}

TEST_P(AssemblerFile, ReadsWhateverIsCutOff) {
  const std::string text = read_text(GetParam()).substr(0, 1500);
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));  // so that a sanitizer sees its end
    const Assembly assembly = assemble_text({exact.data(), exact.size()});
    EXPECT_EQ(assembly.ok, std::none_of(assembly.messages.begin(), assembly.messages.end(),
                                        [](const auto& m) { return m.severity == Severity::error; }));
  }
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem().string();
  for (char& c : name)
    if (c == '-' || c == '.') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, AssemblerFile, testing::ValuesIn(files_below(data() / "as", ".pica")), name_of);

TEST(Assembler, WritesPicassosBytes) {
  unsigned files = 0;
  for (const auto& path : files_below(data(), ".pica")) {
    if (path.parent_path() != data()) continue;
    SCOPED_TRACE(path.filename().string());
    const Assembly assembly = assemble_file(path);
    ASSERT_TRUE(assembly.ok);
    EXPECT_TRUE(assembly.messages.empty());
    auto binary = path;
    EXPECT_EQ(write_shbin(assembly.shbin), read_bytes(binary.replace_extension(".shbin")));
    ++files;
  }
  EXPECT_GE(files, 5U);
}

TEST(Assembler, PutsTwoSourcesIntoOneFile) {
  const std::string vertex = read_text(data() / "skin.v.pica");
  const std::string geometry = read_text(data() / "quad.g.pica");
  const Source sources[] = {{"skin.v.pica", vertex}, {"quad.g.pica", geometry}};
  const Assembly assembly = assemble(sources);
  ASSERT_TRUE(assembly.ok);
  EXPECT_EQ(write_shbin(assembly.shbin), read_bytes(data() / "skin_quad.shbin"));
}

TEST(Assembler, SaysEachOfItsMessagesInSomeFile) {
  std::set<std::string_view> said;
  for (const auto& path : files_below(data() / "as", ".pica"))
    for (const auto& message : assemble_file(path).messages) said.insert(message.id);
  for (const Rule& rule : assembler_rules()) EXPECT_TRUE(said.contains(rule.id)) << rule.id;
}

TEST(Assembler, WritesEachOfItsInstructionsInSomeFile) {
  std::set<Opcode> written;
  for (const auto& path : files_below(data() / "as", ".pica"))
    for (const std::uint32_t word : assemble_file(path).shbin.program.code) written.insert(decode(word).opcode);
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) EXPECT_TRUE(written.contains(Opcode::id)) << text;
#include <unshade/pica/instructions.def>
#undef PICA_OP
}

TEST(Assembler, MessagesAreDocumented) {
  const std::string page = read_text(source_dir() / "docs/reference/texts/pica.md");
  for (const Rule& row : assembler_rules()) {
    const std::string line =
        "| `" + std::string(row.id) + "` | " + std::string(id(row.severity)) + " | " + std::string(row.summary) + " |\n";
    EXPECT_NE(page.find(line), std::string::npos) << line;
  }
}

// Most lines take a path of their own; a comma behind the last operand, which picasso lets pass, leads them over the general one.
TEST(Assembler, ThePlainPathGivesWhatTheGeneralOneDoes) {
  for (const auto& path : files_below(data(), ".pica")) {
    const std::string text = read_text(path);
    if (text.find("; ---") != std::string::npos) continue;
    const Assembly plain = assemble_text(text);
    if (!plain.ok) continue;
    SCOPED_TRACE(path.filename().string());
    std::string general;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string line = text.substr(at, end - at);
      line = line.substr(0, line.find(';'));
      const auto last = line.find_last_not_of(" \t");
      const bool is_instruction = last != std::string::npos && (line[0] == '\t' || line[0] == ' ') &&
                                  line.find(" r") != std::string::npos &&
                                  line.find_first_of(".{:\"@", line.find_first_not_of(" \t")) != line.find_first_not_of(" \t") &&
                                  line.find_first_of("{:\"@") == std::string::npos;
      general += is_instruction && line[last] != ',' ? line.substr(0, last + 1) + ",\n" : line + '\n';
      at = end + 1;
    }
    const Assembly again = assemble_text(general);
    ASSERT_TRUE(again.ok) << (again.messages.empty() ? "" : to_string(again.messages[0]));
    EXPECT_EQ(write_shbin(plain.shbin), write_shbin(again.shbin));
  }
}

/// Lines of which most are plain: some have words for the general path only, some are wrong.
std::string any_lines(std::uint32_t seed, bool general) {
  std::uint32_t state = seed;
  const auto pick = [&](const auto& from) { return from[(state = state * 1664525U + 1013904223U) >> 10 & (std::size(from) - 1)]; };
  constexpr const char* kTwo[] = {"add", "MUL", "dp4", "dph", "sge", "max", "dst", "Dp3"};
  constexpr const char* kOne[] = {"mov", "rcp", "flr", "litp"};
  constexpr const char* kTo[] = {"r0", "r1.x", "r2.xyz", "r15.wz", "o0.xy", "aVeryLongNameOfATemporary.xyz", "r3", "c1"};
  constexpr const char* kFrom[] = {"r0",
                                   "v1.x",
                                   "-r2.wzyx",
                                   "matrix[2]",
                                   "matrix[a0.x+1].xyz",
                                   "c95",
                                   "-k.yyyy",
                                   "r4.rgba",
                                   "v1",
                                   "v2",
                                   "c4[aL]",
                                   "lightDirection.xyz",
                                   "r16",
                                   "nothing",
                                   "aVeryLongNameOfATemporary.w",
                                   "aVeryLongNameOfATemporary.z"};
  constexpr const char* kComma[] = {", ", ",", " , ", ",\t"};
  constexpr const char* kGap[] = {" ", "\t", "  ", " "};
  constexpr const char* kEnd[] = {"\n", "\n", " ; a comment, with a comma\n", "\r\n"};
  std::string text = ".fvec matrix[4], lightDirection\n.constf k(0, 1, 2, 3)\n.alias aVeryLongNameOfATemporary r7.wzyx\n.proc main\n";
  for (int i = 0; i < 300; ++i) {
    const unsigned kind = (state = state * 1664525U + 1013904223U) >> 10 & 7;
    std::string line = kind < 2 ? pick(kOne) : kind < 6 ? pick(kTwo) : "mad";
    const std::string gap = pick(kGap);
    const std::string comma = pick(kComma);
    line += gap + pick(kTo) + comma + pick(kFrom);
    if (kind >= 2) line += comma + pick(kFrom);
    if (kind >= 6) line += comma + pick(kFrom);
    text += pick(kGap) + line + (general ? "," : "") + pick(kEnd);
  }
  return text + "\tend\n.end\n";
}

std::string without_lines(const std::string& text, const std::set<std::uint32_t>& numbers) {
  std::string out;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (!numbers.contains(++number)) out += text.substr(at, end - at);
    at = end;
  }
  return out;
}

TEST(Assembler, ThePlainPathIsNoOtherForAnyLines) {
  std::size_t words = 0;
  for (std::uint32_t seed = 1; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Assembly plain = assemble_text(any_lines(seed, false));
    const Assembly general = assemble_text(any_lines(seed, true));
    ASSERT_EQ(plain.messages.size(), general.messages.size());
    for (std::size_t i = 0; i < plain.messages.size(); ++i) EXPECT_EQ(to_string(plain.messages[i]), to_string(general.messages[i]));
    EXPECT_EQ(plain.ok, general.ok);
    // with what is refused left out, there is a program to compare; no more than a hundred errors are told of at once
    std::string text[] = {any_lines(seed, false), any_lines(seed, true)};
    Assembly a = plain;
    for (int round = 0; round < 5 && !a.ok; ++round) {
      std::set<std::uint32_t> refused;
      for (const auto& message : a.messages)
        if (message.severity == Severity::error) refused.insert(message.line);
      for (std::string& lines : text) lines = without_lines(lines, refused);
      a = assemble_text(text[0]);
    }
    ASSERT_TRUE(a.ok);
    const Assembly b = assemble_text(text[1]);
    ASSERT_TRUE(b.ok);
    EXPECT_EQ(a.shbin.program.code.items, b.shbin.program.code.items);
    EXPECT_EQ(a.shbin.program.descriptors.items, b.shbin.program.descriptors.items);
    words += a.shbin.program.code.size();
  }
  EXPECT_GT(words, 1000U);
}

TEST(Assembler, WordsAndLinesAreFoundAlikeEverywhere) {
  std::uint32_t state = 1;
  std::array<char, 16> text{};
  for (int round = 0; round < 20000; ++round) {
    for (char& c : text) {
      state = state * 1664525U + 1013904223U;
      c = round % 2 == 0 ? static_cast<char>(state >> 24) : "r0.x, \n\t-+az[]\x7f\x80"[state >> 28];
    }
    packed::Marks expected;
    for (unsigned i = 0; i < text.size(); ++i) {
      if (text[i] >= '-' && static_cast<unsigned char>(text[i]) < 0x80) expected.words |= 1U << i;
      if (text[i] == '\n') expected.line_feeds |= 1U << i;
    }
    for (const packed::Marks& marks : {packed::marks_of(text.data()), packed::portable_marks(text.data())}) {
      ASSERT_EQ(marks.words, expected.words);
      ASSERT_EQ(marks.line_feeds, expected.line_feeds);
    }
  }
}

TEST(Assembler, PutsAFileWithoutExecutablesTogether) {
  const Assembly assembly = assemble_text(".exact\n.nodvle\n.proc helper\n\tmov r0, r1\n.end\n");
  ASSERT_TRUE(assembly.ok);
  EXPECT_TRUE(assembly.shbin.executables.empty());
  test::expect_reassembles(assembly.shbin);
  const auto bytes = write_assembly(assembly);
  const auto again = parse_shbin(test::view_of(bytes));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->program.code.items, assembly.shbin.program.code.items);
}

TEST(Assembler, TellsWhereAFaultIs) {
  const Assembly assembly = assemble_text(".proc main\n\tadd r0, c0, c1 ; two constants\n.end\n");
  ASSERT_EQ(assembly.messages.size(), 1U);
  EXPECT_FALSE(assembly.ok);
  EXPECT_EQ(assembly.messages[0].id, rule(MessageKind::invalid_source).id);
  EXPECT_EQ(assembly.messages[0].line, 2U);
  EXPECT_EQ(assembly.messages[0].column, 14U);
  EXPECT_EQ(to_string(assembly.messages[0]), "t.pica:2:14: error[as.invalid-source]: expected a v or r register, found `c1`");
}

// Of two statements neither may be lost.
TEST(Assembler, StatementsOfOneThingAgree) {
  const auto fault = [](std::string_view statements, std::string_view code = "\tend\n") {
    const Assembly assembly = assemble_text(std::string(statements) + ".proc main\n" + std::string(code) + ".end\n");
    return assembly.messages.empty() ? "none" : to_string(assembly.messages[0]);
  };
  constexpr std::string_view kTwice = ": error[as.duplicate-field]: ";
  const auto twice = [&](std::string_view place, std::string_view message) { return std::string(place).append(kTwice).append(message); };
  EXPECT_EQ(fault(".gsh point c0\n.geometry 1 0 0 0 0\n"), "none");
  EXPECT_EQ(fault(".gsh point c0\n.geometry 1 1 0 3 0\n"), twice("t.pica:2:11", "expected the values of the .gsh above"));
  EXPECT_EQ(fault(".geometry 1 1 0 3 0\n.gsh point c0\n"),
            "t.pica:2:6: error[as.geometry-twice]: expected a single .gsh, before .geometry and setemit");
  EXPECT_EQ(fault(".imask 0x80\n.in a v7\n"), "none");
  EXPECT_EQ(fault(".imask 5\n.in b v7\n"), twice("t.pica:2:5", "expected an input of .imask, found v7"));
  EXPECT_EQ(fault(".imask 5\n.in a\n.in b v0\n.in c\n"), "none");
  EXPECT_EQ(fault(".imask 5\n.in a\n.in b\n.in c\n"), "t.pica:4:5: error[as.no-room]: no register of .imask is left for the input");
  EXPECT_EQ(fault(".in a v3\n.imask 5\n"), twice("t.pica:2:8", "expected a mask with the inputs named above, found 5"));
  EXPECT_EQ(fault(".imask 5\n.in a v0\n.imask 5\n"), "none");
  EXPECT_EQ(fault(".omask 5\n.out a position o2\n.out b color o0\n"), "none");
  EXPECT_EQ(fault(".omask 5\n.out a position o1\n"), twice("t.pica:2:17", "expected an output of .omask, found o1"));
  EXPECT_EQ(fault(".omask 5\n.out a position\n.out b color\n"), "none");
  EXPECT_EQ(fault(".omask 4\n.out a position\n.out b color\n"),
            "t.pica:3:6: error[as.no-room]: no register of .omask is left for the output");
  EXPECT_EQ(fault(".out a position o1\n.omask 5\n"), "none");
  EXPECT_EQ(fault("", "\tnop\n.loc 7 \"q\"\n\tend\n"), twice("t.pica:3:6", "expected the first .loc before the first instruction"));
}

TEST(Assembler, WarnsOfNumbersThatBecomeZero) {
  const Assembly assembly = assemble_text(".setf c0(1e-30, -1e-20, 0, 1e-18)\n.proc main\n\tend\n.end\n");
  EXPECT_TRUE(assembly.ok);
  ASSERT_EQ(assembly.messages.size(), 2U);
  EXPECT_EQ(to_string(assembly.messages[0]),
            "t.pica:1:10: warning[as.constant-range]: expected 0 or a number above 2^-63, found `1e-30`; the constant becomes 0");
  EXPECT_EQ(assembly.messages[1].column, 17U);
}

// Each executable has registers of its own: one name may be two.
TEST(Assembler, HeadersHaveTheRegistersOfEachKindOfExecutable) {
  AssemblerOptions options;
  options.header = true;
  const Source sources[] = {{"v.pica", ".uniform \"x.y\" c40 c43\n.proc main\n\tend\n.end\n"},
                            {"g.pica", ".gsh\n.uniform \"x.y\" c44 c44\n.proc gmain\n\tend\n.end\n.entry gmain\n"}};
  const Assembly assembly = assemble(sources, options);
  ASSERT_TRUE(assembly.ok) << to_string(assembly.messages.front());
  EXPECT_EQ(assembly.header,
            "// Generated by unshade\n#pragma once\n#define VSH_FVEC_x$y 0x28\n#define VSH_ULEN_x$y 4\n"
            "#define GSH_FVEC_x$y 0x2C\n#define GSH_ULEN_x$y 1\n");
}

// src: docs/reference/formats/shbin.md, "Known disagreements": label ids count from 0x10000; the length is written in words, as 3dbrew has
// it
TEST(Assembler, NumbersLabelsAsTheVendorDoes) {
  AssemblerOptions options;
  options.labels = true;
  const Assembly assembly = assemble_text(".proc main\nx: nop\n\tend\n.end\n", options);
  ASSERT_TRUE(assembly.ok);
  const auto& labels = assembly.shbin.executables.at(0).labels;
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].id, 0x10000U);
  EXPECT_EQ(labels[0].length, 2U);
  EXPECT_EQ(labels[0].symbol.text, "main");
  EXPECT_EQ(labels[1].id, 0x10001U);
  EXPECT_EQ(labels[1].length, Label::kNoLength);
}

// src: docs/reference/formats/shbin.md, "Known disagreements": num is 8 bits wide to documents, 10 to picasso. We write what picasso writes
// and warn.
TEST(Assembler, WarnsOfLengthsBeyondEightBits) {
  std::string text = ".proc long\n";
  for (int i = 0; i < 256; ++i) text += "nop\n";
  const Assembly assembly = assemble_text(text + ".end\n.proc main\ncall long\nend\n.end\n");
  ASSERT_TRUE(assembly.ok);
  ASSERT_EQ(assembly.messages.size(), 1U);
  EXPECT_EQ(assembly.messages[0].id, rule(MessageKind::count_bits).id);
  EXPECT_EQ(decode(assembly.shbin.program.code[256]).count, 256U);
}

TEST(Assembler, BoundsWhatATextCanCost) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += ".dvle\n.fvec x[1]\n";
  const Assembly assembly = assemble_text(text);
  EXPECT_FALSE(assembly.ok);
  EXPECT_LE(assembly.messages.size(), 102U);
}

}  // namespace

}  // namespace unshade::pica
