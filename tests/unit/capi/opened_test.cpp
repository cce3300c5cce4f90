// Documents of a shader that is open: those of its bytes, for every family.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <unshade/present/schemas.hpp>

#include "support/files.hpp"

namespace unshade {
namespace {

constexpr const char* kOpenedSamples[] = {
    "dxbc/textured_ps_5_0.dxbc",
    "dxbc/lit_vs_4_0.dxbc",
    "dxil/textured_ps_6_6.dxil",
    "dxil/control_ps_6_0_zi.dxil",
    "dxil/control_ps_6_6_zi.pdb",
    "dxil/rootsig_cs_6_0.dxil",
    "dxil/exported_lib_6_3.dxil",
    "pica/skin.v.shbin",
    "spirv/odd.spv",
    "vbc/textured.vbc",
};

/// What a function gave: its code, and the text or the error.
struct Answer {
  unshade_code code = UNSHADE_OK;
  std::string text;
  bool operator==(const Answer&) const = default;
};
void PrintTo(const Answer& answer, std::ostream* out) { *out << unshade_code_name(answer.code) << ": " << answer.text.substr(0, 400); }

template <class Ask>
Answer answer_of(Ask ask) {
  unshade_blob* blob = nullptr;
  unshade_error* error = nullptr;
  Answer made{ask(&blob, &error), {}};
  if (made.code == UNSHADE_OK) {
    made.text.assign(static_cast<const char*>(unshade_blob_data(blob)), unshade_blob_size(blob));
  } else {
    made.text = std::string(unshade_error_path(error)) + ": " + unshade_error_message(error);
    EXPECT_EQ(blob, nullptr);
  }
  unshade_blob_free(blob);
  unshade_error_free(error);
  return made;
}

/// A sample, opened from bytes that stay.
class OpenedSample {
 public:
  explicit OpenedSample(const char* name) : bytes_(test::read_bytes(test::source_dir() / "tests/data" / name)) {
    EXPECT_EQ(unshade_open_borrowed(bytes_.data(), bytes_.size(), &shader_, nullptr), UNSHADE_OK) << name;
  }
  OpenedSample(const OpenedSample&) = delete;
  OpenedSample& operator=(const OpenedSample&) = delete;
  ~OpenedSample() { unshade_shader_free(shader_); }

  const void* data() const { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }
  const unshade_shader* shader() const { return shader_; }

 private:
  std::vector<std::byte> bytes_;
  unshade_shader* shader_ = nullptr;
};

TEST(CApiOpened, DocumentsAreThoseOfTheBytes) {
  for (const char* const name : kOpenedSamples) {
    const OpenedSample sample(name);
    for (std::int32_t what = UNSHADE_JSON_INFO; what <= UNSHADE_JSON_SOURCES; ++what) {
      const auto of_shader =
          answer_of([&](auto** text, auto** error) { return unshade_shader_json(sample.shader(), "a name", what, text, error); });
      const auto of_bytes =
          answer_of([&](auto** text, auto** error) { return unshade_json(sample.data(), sample.size(), "a name", what, text, error); });
      EXPECT_EQ(of_shader, of_bytes) << name << ", document " << what;
      EXPECT_FALSE(of_shader.text.empty()) << name << ", document " << what;
    }
  }
}

TEST(CApiOpened, DocumentsHaveTheSchemasOfTheTable) {
  const OpenedSample sample("dxbc/textured_ps_5_0.dxbc");
  struct Row {
    std::int32_t what;
    present::Schema schema;
  };
  constexpr Row kRows[] = {
      {UNSHADE_JSON_INFO, present::Schema::info},         {UNSHADE_JSON_REFLECTION, present::Schema::reflect},
      {UNSHADE_JSON_TREE, present::Schema::dump},         {UNSHADE_JSON_FINDINGS, present::Schema::validate},
      {UNSHADE_JSON_DOCUMENT, present::Schema::document}, {UNSHADE_JSON_IDENTITIES, present::Schema::hash},
  };
  for (const Row& row : kRows) {
    const auto answer =
        answer_of([&](auto** text, auto** error) { return unshade_shader_json(sample.shader(), "a name", row.what, text, error); });
    EXPECT_NE(answer.text.substr(0, 60).find('"' + std::string(present::schema_id(row.schema)) + '"'), std::string::npos) << answer.text;
  }
}

TEST(CApiOpened, NumbersOfNoDocumentAreRefused) {
  const OpenedSample sample("dxbc/textured_ps_5_0.dxbc");
  for (const std::int32_t what : {-1, UNSHADE_JSON_SOURCES + 1, 1000}) {
    const auto of_shader =
        answer_of([&](auto** text, auto** error) { return unshade_shader_json(sample.shader(), nullptr, what, text, error); });
    EXPECT_EQ(of_shader.code, UNSHADE_INVALID_ARGUMENT) << what;
    EXPECT_EQ(of_shader.text, ": unknown document");
    const auto of_bytes =
        answer_of([&](auto** text, auto** error) { return unshade_json(sample.data(), sample.size(), nullptr, what, text, error); });
    EXPECT_EQ(of_shader, of_bytes) << what;
    const auto text =
        answer_of([&](auto** out, auto** error) { return unshade_text(sample.data(), sample.size(), nullptr, what, out, error); });
    EXPECT_EQ(text.text, ": unknown text") << what;
  }
}

TEST(CApiOpened, TextsAreThoseOfTheBytes) {
  for (const char* const name : kOpenedSamples) {
    const OpenedSample sample(name);
    for (std::int32_t what = UNSHADE_TEXT_INFO; what <= UNSHADE_TEXT_FINDINGS; ++what) {
      const auto of_shader =
          answer_of([&](auto** text, auto** error) { return unshade_shader_text(sample.shader(), nullptr, what, text, error); });
      const auto of_bytes =
          answer_of([&](auto** text, auto** error) { return unshade_text(sample.data(), sample.size(), nullptr, what, text, error); });
      EXPECT_EQ(of_shader, of_bytes) << name << ", text " << what;
      EXPECT_EQ(of_shader.code, UNSHADE_OK) << name << ", text " << what;
    }
  }
}

TEST(CApiOpened, RootSignaturesAreThoseOfTheBytes) {
  const OpenedSample sample("dxil/rootsig_cs_6_0.dxil");
  const auto of_shader =
      answer_of([&](auto** text, auto** error) { return unshade_shader_root_signature_text(sample.shader(), text, error); });
  const auto of_bytes =
      answer_of([&](auto** text, auto** error) { return unshade_root_signature_text(sample.data(), sample.size(), text, error); });
  EXPECT_EQ(of_shader, of_bytes);
  EXPECT_EQ(of_shader.code, UNSHADE_OK);
  for (const char* const name : {"dxbc/textured_ps_5_0.dxbc", "spirv/odd.spv"}) {
    const OpenedSample none(name);
    const auto refused =
        answer_of([&](auto** text, auto** error) { return unshade_shader_root_signature_text(none.shader(), text, error); });
    EXPECT_EQ(refused.code, UNSHADE_MISSING) << name;
  }
}

TEST(CApiOpened, FindingsAreThoseOfTheBytes) {
  const auto texts_of = [](const unshade_messages* messages) {
    std::vector<std::string> texts;
    unshade_message message{};
    message.struct_size = sizeof message;
    for (std::uint32_t i = 0; i < unshade_message_count(messages); ++i) {
      EXPECT_EQ(unshade_message_at(messages, i, &message), UNSHADE_OK);
      texts.push_back(std::string(message.rule) + ' ' + message.path + ' ' + message.text + ' ' + std::to_string(message.offset));
    }
    return texts;
  };
  // a digest that is wrong opens, and is a finding
  auto bytes = test::sample("textured_ps_5_0.dxbc");
  bytes[4] ^= std::byte{1};
  unshade_shader* shader = nullptr;
  ASSERT_EQ(unshade_open(bytes.data(), bytes.size(), &shader, nullptr), UNSHADE_OK);
  unshade_messages* of_shader = nullptr;
  unshade_messages* of_bytes = nullptr;
  ASSERT_EQ(unshade_shader_validate(shader, &of_shader, nullptr), UNSHADE_OK);
  ASSERT_EQ(unshade_validate(bytes.data(), bytes.size(), &of_bytes, nullptr), UNSHADE_OK);
  EXPECT_EQ(texts_of(of_shader), texts_of(of_bytes));
  EXPECT_NE(unshade_message_count(of_shader), 0U);
  unshade_messages_free(of_shader);
  unshade_messages_free(of_bytes);
  unshade_shader_free(shader);
}

TEST(CApiOpened, FieldsAreThoseOfTheBytes) {
  for (const char* const name : kOpenedSamples) {
    const auto bytes = test::read_bytes(test::source_dir() / "tests/data" / name);
    unshade_tree* of_bytes = nullptr;
    ASSERT_EQ(unshade_annotate(bytes.data(), bytes.size(), &of_bytes, nullptr), UNSHADE_OK);
    unshade_shader* shader = nullptr;
    ASSERT_EQ(unshade_open(bytes.data(), bytes.size(), &shader, nullptr), UNSHADE_OK);
    unshade_tree* of_shader = nullptr;
    ASSERT_EQ(unshade_shader_annotate(shader, &of_shader, nullptr), UNSHADE_OK);
    unshade_shader_free(shader);  // the fields and their bytes stay
    std::uint32_t count = 0, expected = 0;
    const std::uint32_t* const words = unshade_tree_fields(of_shader, &count);
    const std::uint32_t* const expected_words = unshade_tree_fields(of_bytes, &expected);
    ASSERT_EQ(count, expected) << name;
    EXPECT_EQ(std::memcmp(words, expected_words, std::size_t{4} * UNSHADE_FIELD_WORDS * count), 0) << name;
    EXPECT_EQ(unshade_tree_error_count(of_shader), unshade_tree_error_count(of_bytes)) << name;
    const auto value_of = [&](const unshade_tree* tree) {
      return answer_of([&](auto** text, auto** error) { return unshade_tree_value(tree, count - 1, text, error); });
    };
    EXPECT_EQ(value_of(of_shader), value_of(of_bytes)) << name;
    unshade_tree_free(of_shader);
    unshade_tree_free(of_bytes);
  }
}

TEST(CApiOpened, RefusesWhatIsNotThere) {
  const OpenedSample sample("dxbc/textured_ps_5_0.dxbc");
  unshade_blob* text = nullptr;
  EXPECT_EQ(unshade_shader_json(nullptr, nullptr, UNSHADE_JSON_INFO, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_shader_json(sample.shader(), nullptr, UNSHADE_JSON_INFO, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_shader_json(sample.shader(), nullptr, UNSHADE_JSON_SOURCES + 1, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_shader_json(sample.shader(), nullptr, -1, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_shader_json(sample.shader(), nullptr, UNSHADE_JSON_SOURCES, &text, nullptr), UNSHADE_MISSING);
  EXPECT_EQ(unshade_shader_text(nullptr, nullptr, UNSHADE_TEXT_INFO, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_shader_text(sample.shader(), nullptr, UNSHADE_TEXT_FINDINGS + 1, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_shader_annotate(nullptr, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_shader_annotate(sample.shader(), nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_shader_validate(nullptr, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_shader_root_signature_text(nullptr, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(text, nullptr);
}

}  // namespace
}  // namespace unshade
