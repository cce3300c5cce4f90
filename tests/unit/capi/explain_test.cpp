// What pages and bindings show of a file through the C interface: JSON, fields, lines and words of listings, edits of fields.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/files.hpp"

namespace unshade {
namespace {

struct FreeOf {
  void operator()(unshade_shader* p) const { unshade_shader_free(p); }
  void operator()(unshade_blob* p) const { unshade_blob_free(p); }
  void operator()(unshade_edit* p) const { unshade_edit_free(p); }
  void operator()(unshade_tree* p) const { unshade_tree_free(p); }
  void operator()(unshade_listing* p) const { unshade_listing_free(p); }
};
template <class T>
using Kept = std::unique_ptr<T, FreeOf>;

constexpr const char* kSamples[] = {"dxbc/textured_ps_5_0.dxbc", "dxbc/grid_cs_5_0.dxbc", "dxil/textured_ps_6_6.dxil", "pica/skin.v.shbin",
                                    "pica/control.v.shbin",      "spirv/odd.spv",         "vbc/textured.vbc"};

std::filesystem::path sample_path(const char* name) { return test::source_dir() / "tests/data" / name; }
std::vector<std::byte> bytes_of_sample(const char* name) { return test::read_bytes(sample_path(name)); }

Kept<unshade_shader> opened(const std::vector<std::byte>& bytes) {
  unshade_shader* shader = nullptr;
  EXPECT_EQ(unshade_open(bytes.data(), bytes.size(), &shader, nullptr), UNSHADE_OK);
  return Kept<unshade_shader>(shader);
}

Kept<unshade_tree> annotated(const std::vector<std::byte>& bytes) {
  unshade_tree* tree = nullptr;
  EXPECT_EQ(unshade_annotate(bytes.data(), bytes.size(), &tree, nullptr), UNSHADE_OK);
  return Kept<unshade_tree>(tree);
}

std::string taken(unshade_blob* blob) {
  const Kept<unshade_blob> kept(blob);
  return {static_cast<const char*>(unshade_blob_data(blob)), unshade_blob_size(blob)};
}

std::string json_of(const std::vector<std::byte>& bytes, const std::string& name, std::int32_t what) {
  unshade_blob* text = nullptr;
  EXPECT_EQ(unshade_json(bytes.data(), bytes.size(), name.c_str(), what, &text, nullptr), UNSHADE_OK);
  return taken(text);
}

std::string value_at(const unshade_tree* tree, const char* path) {
  unshade_blob* text = nullptr;
  EXPECT_EQ(unshade_tree_value(tree, unshade_tree_find(tree, path), &text, nullptr), UNSHADE_OK);
  return taken(text);
}

TEST(CApiJson, RefusesWhatIsNoShaderAndNoDocument) {
  unshade_blob* text = nullptr;
  EXPECT_EQ(unshade_json("text", 4, nullptr, UNSHADE_JSON_INFO, &text, nullptr), UNSHADE_BAD_MAGIC);
  EXPECT_EQ(text, nullptr);
  ASSERT_EQ(unshade_json("text", 4, nullptr, UNSHADE_JSON_TREE, &text, nullptr), UNSHADE_OK);
  EXPECT_NE(taken(text).find("\"code\":\"bad-magic\""), std::string::npos);
  EXPECT_EQ(unshade_json("text", 4, nullptr, 1000, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_json("text", 4, nullptr, -1, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_json(nullptr, 4, nullptr, UNSHADE_JSON_INFO, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApiJson, NamesShadersAsToolsDo) {
  const auto bytes = bytes_of_sample("dxbc/textured_ps_5_0.dxbc");
  const std::string document = json_of(bytes, "a.dxbc", UNSHADE_JSON_IDENTITIES);
  EXPECT_TRUE(document.starts_with("{\n \"schema\": \"unshade.hash/1\"")) << document;
  unshade_blob* name = nullptr;
  ASSERT_EQ(unshade_identity(opened(bytes).get(), "crc32", &name, nullptr), UNSHADE_OK);
  EXPECT_NE(document.find("\"value\": \"" + taken(name) + '"'), std::string::npos) << document;
}

TEST(CApiJson, DocumentsBuildTheSameFile) {
  for (const char* name : kSamples) {
    const auto bytes = bytes_of_sample(name);
    const std::string document = json_of(bytes, name, UNSHADE_JSON_DOCUMENT);
    unshade_blob* file = nullptr;
    ASSERT_EQ(unshade_build(document.data(), document.size(), &file, nullptr), UNSHADE_OK) << name;
    EXPECT_EQ(taken(file), std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())) << name;
  }
  unshade_blob* file = nullptr;
  for (const std::string_view bad : {"", "{", "[1,]", "{\"a\" 1}", "{\"a\": 1, \"a\": 2}", "\"\\ud800\"", "01", "nul", "{} {}", "[1] x"}) {
    unshade_error* error = nullptr;
    EXPECT_EQ(unshade_build(bad.data(), bad.size(), &file, &error), UNSHADE_BAD_VALUE) << bad;
    EXPECT_STRNE(unshade_error_message(error), "") << bad;
    unshade_error_free(error);
  }
  const std::string deep(100000, '[');
  EXPECT_EQ(unshade_build(deep.data(), deep.size(), &file, nullptr), UNSHADE_LIMIT);
}

TEST(CApiTree, EachByteHasItsFieldAndEachPathItsOwn) {
  for (const char* name : kSamples) {
    const auto bytes = bytes_of_sample(name);
    const auto tree = annotated(bytes);
    std::uint32_t count = 0;
    const std::uint32_t* const words = unshade_tree_fields(tree.get(), &count);
    ASSERT_GT(count, 10U) << name;
    EXPECT_EQ(unshade_tree_error_count(tree.get()), 0U) << name;
    for (std::uint64_t offset = 0; offset < bytes.size(); ++offset) {
      const std::uint32_t* const field = words + std::size_t{unshade_tree_at(tree.get(), offset)} * UNSHADE_FIELD_WORDS;
      ASSERT_NE(field, words) << name << ' ' << offset;
      ASSERT_LE(field[UNSHADE_FIELD_AT], offset) << name;
      ASSERT_LT(offset - field[UNSHADE_FIELD_AT], field[UNSHADE_FIELD_SIZE]) << name;
    }
    EXPECT_EQ(unshade_tree_at(tree.get(), bytes.size()), 0U);
    for (std::uint32_t i = 1; i < count; i += 1 + count / 500) {
      const std::uint32_t* const field = words + std::size_t{i} * UNSHADE_FIELD_WORDS;
      ASSERT_LT(field[UNSHADE_FIELD_PARENT], i);
      ASSERT_NE(unshade_tree_name(tree.get(), field[UNSHADE_FIELD_NAME]), nullptr);
      unshade_blob* path = nullptr;
      ASSERT_EQ(unshade_tree_path(tree.get(), i, &path, nullptr), UNSHADE_OK);
      const std::string text = taken(path);
      const std::uint32_t found = unshade_tree_find(tree.get(), text.c_str());
      ASSERT_NE(found, 0U) << name << ' ' << text;
      ASSERT_EQ(unshade_tree_path(tree.get(), found, &path, nullptr), UNSHADE_OK);
      EXPECT_EQ(taken(path), text) << name;
    }
  }
}

TEST(CApiTree, TellsBitsFlagsAndValuesOfEnumerations) {
  const auto tree = annotated(bytes_of_sample("dxbc/textured_ps_5_0.dxbc"));
  std::uint32_t count = 0;
  const std::uint32_t* const words = unshade_tree_fields(tree.get(), &count);
  bool seen[UNSHADE_FIELD_CUSTOM + 1] = {};
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t kind = words[std::size_t{i} * UNSHADE_FIELD_WORDS + UNSHADE_FIELD_KIND];
    unshade_detail detail{};
    detail.struct_size = sizeof detail;
    std::uint32_t bits = 0;
    std::uint32_t set = 0;
    std::uint32_t rows = 0;
    for (; unshade_tree_detail_at(tree.get(), i, rows, &detail) == UNSHADE_OK; ++rows) {
      EXPECT_STRNE(detail.name, "");
      bits += detail.bit_count;
      set += detail.is_set != 0 ? 1 : 0;
    }
    const bool has_details = kind == UNSHADE_FIELD_BITS || kind == UNSHADE_FIELD_FLAGS || kind == UNSHADE_FIELD_ENUMERATION;
    EXPECT_EQ(rows != 0, has_details) << i;
    if (kind == UNSHADE_FIELD_BITS) {
      EXPECT_GT(bits, 0U);
      EXPECT_LE(bits, 32U);
    }
    if (kind == UNSHADE_FIELD_ENUMERATION) {
      unshade_blob* value = nullptr;
      ASSERT_EQ(unshade_tree_value(tree.get(), i, &value, nullptr), UNSHADE_OK);
      EXPECT_EQ(set == 0, taken(value).starts_with("unknown(")) << i;
    }
    seen[kind] = true;
  }
  EXPECT_TRUE(seen[UNSHADE_FIELD_ENUMERATION] && seen[UNSHADE_FIELD_GROUP] && seen[UNSHADE_FIELD_FOURCC]);
  EXPECT_EQ(value_at(tree.get(), "header/magic"), "DXBC");
  EXPECT_EQ(unshade_tree_find(tree.get(), "header/none"), 0U);
  EXPECT_EQ(unshade_tree_find(tree.get(), "header[x]"), 0U);
}

TEST(CApiTree, TellsTheFaultsOfDamagedFiles) {
  auto bytes = bytes_of_sample("dxbc/textured_ps_5_0.dxbc");
  for (std::size_t size = 0; size < bytes.size(); size += 13) {
    const auto tree = annotated({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
    ASSERT_GT(unshade_tree_error_count(tree.get()), 0U) << size;
    unshade_message message{};
    message.struct_size = sizeof message;
    ASSERT_EQ(unshade_tree_error_at(tree.get(), 0, &message), UNSHADE_OK);
    EXPECT_STREQ(message.severity, "error");
    EXPECT_STRNE(message.text, "");
  }
  unshade_message message{};
  EXPECT_EQ(unshade_tree_error_at(nullptr, 0, &message), UNSHADE_INVALID_ARGUMENT);
}

// `--offsets` prints the same places as text.
TEST(CApiListing, LinesHaveTheOffsetsOfTheirInstructions) {
  for (const char* name :
       {"dxbc/textured_ps_5_0.dxbc", "dxbc/grid_cs_5_0.dxbc", "pica/skin.v.shbin", "pica/control.v.shbin", "spirv/odd.spv"}) {
    const auto bytes = bytes_of_sample(name);
    const auto shader = opened(bytes);
    unshade_listing* made = nullptr;
    ASSERT_EQ(unshade_list(shader.get(), 0, &made, nullptr), UNSHADE_OK) << name;
    const Kept<unshade_listing> listing(made);
    unshade_blob* blob = nullptr;
    ASSERT_EQ(unshade_disassemble(shader.get(), 0, &blob, nullptr), UNSHADE_OK);
    const std::string text(unshade_listing_text(made), unshade_listing_size(made));
    EXPECT_EQ(text, taken(blob)) << name;
    ASSERT_EQ(unshade_disassemble(shader.get(), UNSHADE_LISTING_OFFSETS, &blob, nullptr), UNSHADE_OK);
    const std::string with_offsets = taken(blob);

    std::uint32_t count = 0;
    const std::uint32_t* line = unshade_listing_lines(made, &count);
    std::uint32_t instructions = 0;
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < count; ++i, line += UNSHADE_LINE_WORDS) {
      const std::size_t end = with_offsets.find('\n', at);
      const std::string shown = with_offsets.substr(at, end - at);
      at = end + 1;
      if (line[UNSHADE_LINE_OFFSET] == UNSHADE_NO_OFFSET) {
        EXPECT_EQ(line[UNSHADE_LINE_SIZE], 0U);
        continue;
      }
      ++instructions;
      // a text of SPIR-V may have line ends, and the comment is behind it
      if (!shown.starts_with("0x") && shown.find("; 0x") == std::string::npos) continue;
      const std::size_t place = shown.starts_with("0x") ? 0 : shown.rfind("; 0x") + 2;
      EXPECT_EQ(std::stoul(shown.substr(place), nullptr, 16), line[UNSHADE_LINE_OFFSET]) << name << ": " << shown;
      EXPECT_NE(shown.find(text.substr(line[UNSHADE_LINE_TEXT], line[UNSHADE_LINE_TEXT_SIZE])), std::string::npos) << name;
      EXPECT_GE(line[UNSHADE_LINE_SIZE], 4U);
      EXPECT_LE(std::size_t{line[UNSHADE_LINE_OFFSET]} + line[UNSHADE_LINE_SIZE], bytes.size());
    }
    EXPECT_GT(instructions, 5U) << name;
  }
}

TEST(CApiListing, WordsHaveClassesAndStandInTheirOrder) {
  for (const char* name : kSamples) {
    const auto shader = opened(bytes_of_sample(name));
    unshade_listing* made = nullptr;
    ASSERT_EQ(unshade_list(shader.get(), 0, &made, nullptr), UNSHADE_OK) << name;
    const Kept<unshade_listing> listing(made);
    std::uint32_t count = 0;
    const std::uint32_t* const tokens = unshade_listing_tokens(made, &count);
    std::uint32_t end = 0;
    bool opcodes = false;
    bool values = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      EXPECT_GE(tokens[3 * i], end);
      EXPECT_GT(tokens[3 * i + 1], 0U);
      end = tokens[3 * i] + tokens[3 * i + 1];
      EXPECT_LE(tokens[3 * i + 2], static_cast<std::uint32_t>(UNSHADE_TOKEN_DIRECTIVE));
      opcodes = opcodes || tokens[3 * i + 2] == UNSHADE_TOKEN_OPCODE;
      values = values || tokens[3 * i + 2] == UNSHADE_TOKEN_VALUE;
    }
    EXPECT_LE(end, unshade_listing_size(made)) << name;
    EXPECT_TRUE(opcodes && values) << name;
  }
}

TEST(CApiListing, ClassesOfALine) {
  const auto shader = opened(bytes_of_sample("dxbc/textured_ps_5_0.dxbc"));
  unshade_listing* made = nullptr;
  ASSERT_EQ(unshade_list(shader.get(), UNSHADE_LISTING_NO_HEADER, &made, nullptr), UNSHADE_OK);
  const Kept<unshade_listing> listing(made);
  const std::string_view text(unshade_listing_text(made), unshade_listing_size(made));
  std::uint32_t count = 0;
  const std::uint32_t* const tokens = unshade_listing_tokens(made, &count);
  std::string marked;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view word = text.substr(tokens[3 * i], tokens[3 * i + 1]);
    if (text.substr(0, tokens[3 * i]).find("dcl_sampler") == std::string_view::npos && word != "dcl_sampler") continue;
    marked += "ovntcd"[tokens[3 * i + 2]];
    marked += ':';
    marked += word;
    marked += ' ';
    if (marked.size() > 40) break;
  }
  EXPECT_TRUE(marked.starts_with("o:dcl_sampler v:s0 ")) << marked;
}

TEST(CApiEdits, FieldsGetOtherValuesAndTheDigestFollows) {
  const auto bytes = bytes_of_sample("dxbc/textured_ps_5_0.dxbc");
  const auto shader = opened(bytes);
  unshade_edit* made = nullptr;
  const auto set = [&](const char* path, const char* value) { return unshade_set_field(shader.get(), path, value, &made, nullptr); };

  ASSERT_EQ(set("ISGN/elements[1]/semantic_index", "7"), UNSHADE_OK);
  {
    const Kept<unshade_edit> edit(made);
    EXPECT_TRUE(unshade_edit_changed(made));
    ASSERT_EQ(unshade_edit_size(made), bytes.size());
    const auto* const data = static_cast<const std::byte*>(unshade_edit_data(made));
    const auto tree = annotated({data, data + bytes.size()});
    EXPECT_EQ(value_at(tree.get(), "ISGN/elements[1]/semantic_index"), "7");
    unshade_summary summary{};
    summary.struct_size = sizeof summary;
    const auto again = opened({data, data + bytes.size()});
    ASSERT_EQ(unshade_summarize(again.get(), &summary), UNSHADE_OK);
    EXPECT_STREQ(summary.digest, "valid");
  }
  // every value that a field shows can be given to it
  const auto tree = annotated(bytes);
  std::uint32_t count = 0;
  const std::uint32_t* const words = unshade_tree_fields(tree.get(), &count);
  std::uint32_t given = 0;
  for (std::uint32_t i = 1; i < count && i < 400; ++i) {
    const std::uint32_t kind = words[std::size_t{i} * UNSHADE_FIELD_WORDS + UNSHADE_FIELD_KIND];
    if (kind == UNSHADE_FIELD_GROUP || kind >= UNSHADE_FIELD_TEXT) continue;
    unshade_blob* path = nullptr;
    unshade_blob* value = nullptr;
    ASSERT_EQ(unshade_tree_path(tree.get(), i, &path, nullptr), UNSHADE_OK);
    const std::string name = taken(path);
    if (unshade_tree_find(tree.get(), name.c_str()) != i) continue;
    ASSERT_EQ(unshade_tree_value(tree.get(), i, &value, nullptr), UNSHADE_OK);
    const std::string text = taken(value);
    ASSERT_EQ(set(name.c_str(), text.c_str()), UNSHADE_OK) << name << " = " << text;
    const Kept<unshade_edit> edit(made);
    EXPECT_FALSE(unshade_edit_changed(made)) << name << " = " << text;
    ++given;
  }
  EXPECT_GT(given, 50U);

  EXPECT_EQ(set("ISGN/elements[1]/none", "7"), UNSHADE_MISSING);
  EXPECT_EQ(set("ISGN", "7"), UNSHADE_UNSUPPORTED);
  EXPECT_EQ(set("ISGN/elements[1]/semantic_index", "4294967296"), UNSHADE_BAD_VALUE);
  EXPECT_EQ(set("ISGN/elements[1]/semantic_index", "x"), UNSHADE_BAD_VALUE);
  EXPECT_EQ(set("ISGN/elements[1]/system_value", "no_such"), UNSHADE_BAD_VALUE);
  EXPECT_EQ(set("header/magic", "DXBX"), UNSHADE_BAD_VALUE);
  EXPECT_EQ(set("header/part_count", "9999"), UNSHADE_BAD_VALUE);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(set(nullptr, "7"), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApiEdits, PartsComeAndGo) {
  const auto shader = opened(bytes_of_sample("dxbc/textured_ps_5_0.dxbc"));
  unshade_edit* made = nullptr;
  ASSERT_EQ(unshade_change_part(shader.get(), UNSHADE_PART_ADD, "PRIV", "data", 4, &made, nullptr), UNSHADE_OK);
  const Kept<unshade_edit> added(made);
  const auto* const data = static_cast<const std::byte*>(unshade_edit_data(made));
  const auto with = opened({data, data + unshade_edit_size(made)});
  ASSERT_EQ(unshade_change_part(with.get(), UNSHADE_PART_REMOVE, "PRIV", nullptr, 0, &made, nullptr), UNSHADE_OK);
  const Kept<unshade_edit> removed(made);
  ASSERT_EQ(unshade_edit_size(made), unshade_shader_size(shader.get()));
  EXPECT_EQ(std::memcmp(unshade_edit_data(made), unshade_shader_data(shader.get()), unshade_edit_size(made)), 0);
  EXPECT_EQ(unshade_change_part(shader.get(), UNSHADE_PART_REMOVE, "PRIV", nullptr, 0, &made, nullptr), UNSHADE_MISSING);
  EXPECT_EQ(unshade_change_part(shader.get(), UNSHADE_PART_ADD, "PRI", "data", 4, &made, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_change_part(shader.get(), 3, "PRIV", "data", 4, &made, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApiDiff, TellsWhatChanged) {
  const auto first = opened(bytes_of_sample("dxbc/textured_ps_4_0.dxbc"));
  const auto second = opened(bytes_of_sample("dxbc/textured_ps_5_0.dxbc"));
  unshade_blob* json = nullptr;
  ASSERT_EQ(unshade_diff(first.get(), "first", second.get(), nullptr, 0, &json, nullptr), UNSHADE_OK);
  const std::string text = taken(json);
  EXPECT_TRUE(text.starts_with("{\n \"schema\": \"unshade.diff/1\",\n \"before\": \"first\",\n \"after\": \"\",\n \"same_bytes\": false"))
      << text.substr(0, 120);
  EXPECT_EQ(unshade_diff(nullptr, "", second.get(), "", 0, &json, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApiText, PrintsWhatTheCommandPrints) {
  const auto bytes = bytes_of_sample("dxbc/textured_ps_4_0.dxbc");
  const auto printed = [&](std::int32_t what) {
    unshade_blob* text = nullptr;
    return unshade_text(bytes.data(), bytes.size(), "a.cso", what, &text, nullptr) == UNSHADE_OK ? taken(text) : std::string();
  };
  EXPECT_TRUE(printed(UNSHADE_TEXT_INFO).starts_with("a.cso  dxbc  ps_4_0  ")) << printed(UNSHADE_TEXT_INFO);
  EXPECT_NE(printed(UNSHADE_TEXT_TREE).find("semantic"), std::string::npos);
  EXPECT_NE(printed(UNSHADE_TEXT_HEX).find("44 58 42 43"), std::string::npos) << printed(UNSHADE_TEXT_HEX).substr(0, 400);
  EXPECT_NE(printed(UNSHADE_TEXT_FINDINGS).find("\na.cso: valid: 4 warnings"), std::string::npos) << printed(UNSHADE_TEXT_FINDINGS);
  unshade_blob* text = nullptr;
  EXPECT_EQ(unshade_text("no shader", 9, nullptr, UNSHADE_TEXT_INFO, &text, nullptr), UNSHADE_BAD_MAGIC);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(unshade_text(bytes.data(), bytes.size(), nullptr, 4, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_text(nullptr, 1, nullptr, UNSHADE_TEXT_INFO, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApiText, PrintsDifferences) {
  const auto first = opened(bytes_of_sample("dxbc/textured_ps_4_0.dxbc"));
  const auto second = opened(bytes_of_sample("dxbc/textured_ps_5_0.dxbc"));
  unshade_blob* text = nullptr;
  ASSERT_EQ(unshade_diff_text(first.get(), "a", second.get(), "b", 0, 3, &text, nullptr), UNSHADE_OK);
  const std::string printed = taken(text);
  EXPECT_TRUE(printed.starts_with("--- a\n+++ b\n")) << printed;
  EXPECT_NE(printed.find("~ profile ps_4_0 -> ps_5_0\n"), std::string::npos) << printed;
  EXPECT_EQ(unshade_diff_text(first.get(), "a", nullptr, "b", 0, 3, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApiIdentity, NamesAShaderAsToolsDo) {
  const auto shader = opened(bytes_of_sample("dxbc/textured_ps_5_0.dxbc"));
  const auto name_of = [&](const char* kind) {
    unshade_blob* name = nullptr;
    return unshade_identity(shader.get(), kind, &name, nullptr) == UNSHADE_OK ? taken(name) : std::string();
  };
  std::uint32_t count = 0;
  unshade_identity_kind kind{};
  kind.struct_size = sizeof kind;
  std::uint32_t named = 0;
  for (; unshade_identity_kind_at(count, &kind) == UNSHADE_OK; ++count) {
    EXPECT_STRNE(kind.id, "");
    EXPECT_STRNE(kind.summary, "");
    named += name_of(kind.id).empty() ? 0 : 1;
  }
  EXPECT_GT(count, 5U);
  EXPECT_GT(named, 3U);
  // src: zlib.crc32() of the file; spelled as ReShade does
  EXPECT_EQ(name_of("crc32"), "0x5BA01B57");
  unshade_blob* name = nullptr;
  EXPECT_EQ(unshade_identity(shader.get(), "none", &name, nullptr), UNSHADE_MISSING);
  EXPECT_EQ(name, nullptr);
  EXPECT_EQ(unshade_identity(nullptr, "crc32", &name, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApiExplain, NullIsTakenEverywhere) {
  unshade_tree_free(nullptr);
  unshade_listing_free(nullptr);
  std::uint32_t count = 9;
  EXPECT_EQ(unshade_tree_fields(nullptr, &count), nullptr);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(unshade_listing_lines(nullptr, nullptr), nullptr);
  EXPECT_EQ(unshade_listing_tokens(nullptr, nullptr), nullptr);
  EXPECT_STREQ(unshade_listing_text(nullptr), "");
  EXPECT_EQ(unshade_tree_name(nullptr, 0), nullptr);
  EXPECT_EQ(unshade_tree_value(nullptr, 0, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_tree_detail_at(nullptr, 0, 0, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_list(nullptr, 0, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_annotate(nullptr, 4, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_build(nullptr, 4, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace unshade
