// The C interface over the library: what it gives, what it refuses, and that nothing it is given makes it throw.
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

struct Free {
  void operator()(unshade_shader* p) const { unshade_shader_free(p); }
  void operator()(unshade_error* p) const { unshade_error_free(p); }
  void operator()(unshade_blob* p) const { unshade_blob_free(p); }
  void operator()(unshade_reflection* p) const { unshade_reflection_free(p); }
  void operator()(unshade_messages* p) const { unshade_messages_free(p); }
  void operator()(unshade_edit* p) const { unshade_edit_free(p); }
  void operator()(unshade_program* p) const { unshade_program_free(p); }
  void operator()(unshade_result* p) const { unshade_result_free(p); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

std::vector<std::byte> sample(const char* name) { return test::read_bytes(test::source_dir() / "tests/data" / name); }

Owned<unshade_shader> open_sample(const char* name) {
  const auto bytes = sample(name);
  unshade_shader* shader = nullptr;
  EXPECT_EQ(unshade_open(bytes.data(), bytes.size(), &shader, nullptr), UNSHADE_OK);
  return Owned<unshade_shader>(shader);
}

std::string_view text_of(const unshade_blob* blob) { return {static_cast<const char*>(unshade_blob_data(blob)), unshade_blob_size(blob)}; }

TEST(CApi, OpensAndSummarizes) {
  const auto shader = open_sample("dxbc/textured_ps_5_0.dxbc");
  ASSERT_TRUE(shader);
  unshade_summary summary{};
  EXPECT_EQ(unshade_summarize(shader.get(), &summary), UNSHADE_INVALID_ARGUMENT);
  summary.struct_size = sizeof summary;
  ASSERT_EQ(unshade_summarize(shader.get(), &summary), UNSHADE_OK);
  EXPECT_STREQ(unshade_family_name(summary.family), "dxbc");
  EXPECT_STREQ(summary.profile, "ps_5_0");
  EXPECT_STREQ(summary.stage, "pixel");
  EXPECT_STREQ(summary.digest, "valid");
  EXPECT_EQ(summary.size, unshade_shader_size(shader.get()));
  unshade_part part{.struct_size = sizeof part, .name = nullptr, .offset = 0, .size = 0};
  ASSERT_EQ(unshade_part_at(shader.get(), 0, &part), UNSHADE_OK);
  EXPECT_STREQ(part.name, "ISGN");
  EXPECT_EQ(unshade_part_at(shader.get(), summary.part_count, &part), UNSHADE_INVALID_ARGUMENT);
}

// A caller of a later version has longer structs: what this one does not know stays.
TEST(CApi, StructsMayBeLonger) {
  const auto shader = open_sample("dxbc/textured_ps_5_0.dxbc");
  struct Later {
    unshade_part part;
    std::uint64_t more;
  } later{};
  later.part.struct_size = sizeof later;
  later.more = 42;
  ASSERT_EQ(unshade_part_at(shader.get(), 0, &later.part), UNSHADE_OK);
  EXPECT_EQ(later.part.struct_size, sizeof later);
  EXPECT_EQ(later.more, 42U);
}

TEST(CApi, ErrorsHaveCodePlaceAndPath) {
  auto bytes = sample("dxbc/textured_ps_5_0.dxbc");
  unshade_shader* shader = nullptr;
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_open(bytes.data(), 40, &shader, &error), UNSHADE_TRUNCATED);
  EXPECT_EQ(shader, nullptr);
  const Owned<unshade_error> owned(error);
  EXPECT_EQ(unshade_error_code(error), UNSHADE_TRUNCATED);
  EXPECT_STRNE(unshade_error_path(error), "");
  EXPECT_STREQ(unshade_code_name(UNSHADE_TRUNCATED), "truncated");
  EXPECT_EQ(unshade_open("text", 4, &shader, nullptr), UNSHADE_BAD_MAGIC);
  EXPECT_EQ(unshade_open(nullptr, 4, &shader, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_open("text", 4, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApi, NullIsTakenEverywhere) {
  unshade_shader_free(nullptr);
  unshade_blob_free(nullptr);
  unshade_error_free(nullptr);
  unshade_reflection_free(nullptr);
  unshade_messages_free(nullptr);
  unshade_edit_free(nullptr);
  EXPECT_STREQ(unshade_error_path(nullptr), "");
  EXPECT_EQ(unshade_blob_size(nullptr), 0U);
  EXPECT_EQ(unshade_resource_count(nullptr), 0U);
  EXPECT_EQ(unshade_reflect(nullptr, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_disassemble(nullptr, 0, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_strip(nullptr, 0, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_edit_note(nullptr, 0), nullptr);
}

TEST(CApi, ListsAndAssemblesAgain) {
  const auto shader = open_sample("dxbc/textured_ps_5_0.dxbc");
  unshade_blob* text = nullptr;
  ASSERT_EQ(unshade_disassemble(shader.get(), UNSHADE_LISTING_EXACT, &text, nullptr), UNSHADE_OK);
  const Owned<unshade_blob> listing(text);
  EXPECT_NE(text_of(text).find("ps_5_0\n"), std::string_view::npos);
  EXPECT_EQ(static_cast<const char*>(unshade_blob_data(text))[unshade_blob_size(text)], '\0');
  unshade_blob* file = nullptr;
  ASSERT_EQ(unshade_assemble(UNSHADE_UNKNOWN_FAMILY, text_of(text).data(), text_of(text).size(), &file, nullptr, nullptr), UNSHADE_OK);
  const Owned<unshade_blob> assembled(file);
  EXPECT_EQ(unshade_identify(unshade_blob_data(file), unshade_blob_size(file)), UNSHADE_DXBC);

  const std::string_view bad = "ps_5_0\nno_such_instruction r0\n";
  unshade_messages* messages = nullptr;
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_assemble(UNSHADE_DXBC, bad.data(), bad.size(), &file, &messages, &error), UNSHADE_BAD_VALUE);
  EXPECT_EQ(file, nullptr);
  EXPECT_TRUE(std::string_view(unshade_error_message(error)).starts_with("2:1: ")) << unshade_error_message(error);
  unshade_error_free(error);
  const Owned<unshade_messages> owned(messages);
  ASSERT_GE(unshade_message_count(messages), 1U);
  EXPECT_TRUE(unshade_has_errors(messages));
  unshade_message message{};
  message.struct_size = sizeof message;
  ASSERT_EQ(unshade_message_at(messages, 0, &message), UNSHADE_OK);
  EXPECT_EQ(message.line, 2U);
  EXPECT_STREQ(message.severity, "error");
}

TEST(CApi, AssemblesDxilAloneAndInContainers) {
  const auto shader = open_sample("dxil/textured_ps_6_6.dxil");
  unshade_blob* text = nullptr;
  ASSERT_EQ(unshade_disassemble(shader.get(), 0, &text, nullptr), UNSHADE_OK);
  const Owned<unshade_blob> listing(text);
  const char* const source = text_of(text).data();
  const size_t size = text_of(text).size();
  unshade_blob* file = nullptr;
  ASSERT_EQ(unshade_assemble(UNSHADE_UNKNOWN_FAMILY, source, size, &file, nullptr, nullptr), UNSHADE_OK);
  const Owned<unshade_blob> bitcode(file);
  EXPECT_EQ(unshade_identify(unshade_blob_data(file), unshade_blob_size(file)), UNSHADE_DXIL);
  EXPECT_EQ(text_of(file).substr(0, 2), "BC");

  unshade_assemble_options options{sizeof(unshade_assemble_options), UNSHADE_DXIL, 1, nullptr, 0};
  ASSERT_EQ(unshade_assemble_with(&options, source, size, &file, nullptr, nullptr), UNSHADE_OK);
  const Owned<unshade_blob> container(file);
  EXPECT_EQ(text_of(file).substr(0, 4), "DXBC");

  options.make_container = 0;
  options.into = unshade_shader_data(shader.get());
  options.into_size = unshade_shader_size(shader.get());
  ASSERT_EQ(unshade_assemble_with(&options, source, size, &file, nullptr, nullptr), UNSHADE_OK);
  const Owned<unshade_blob> again(file);
  EXPECT_TRUE(text_of(file) == std::string_view(static_cast<const char*>(options.into), options.into_size));

  options.make_container = 1;
  EXPECT_EQ(unshade_assemble_with(&options, source, size, &file, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  options.make_container = 0;
  options.language = UNSHADE_DXBC;
  EXPECT_EQ(unshade_assemble_with(&options, source, size, &file, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  options.struct_size = 4;
  EXPECT_EQ(unshade_assemble_with(&options, source, size, &file, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_assemble_with(nullptr, source, size, &file, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApi, Reflects) {
  const auto shader = open_sample("dxbc/textured_ps_5_0.dxbc");
  unshade_reflection* made = nullptr;
  ASSERT_EQ(unshade_reflect(shader.get(), &made, nullptr), UNSHADE_OK);
  const Owned<unshade_reflection> reflection(made);
  ASSERT_EQ(unshade_entry_point_count(made), 1U);
  unshade_entry_point entry{};
  entry.struct_size = sizeof entry;
  ASSERT_EQ(unshade_entry_point_at(made, 0, &entry), UNSHADE_OK);
  EXPECT_EQ(entry.input_count, 4U);
  unshade_element element{};
  element.struct_size = sizeof element;
  ASSERT_EQ(unshade_element_at(made, 0, UNSHADE_INPUTS, 0, &element), UNSHADE_OK);
  EXPECT_STRNE(element.semantic, "");
  EXPECT_EQ(unshade_element_at(made, 0, UNSHADE_INPUTS, 4, &element), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_element_at(made, 0, 3, 0, &element), UNSHADE_INVALID_ARGUMENT);
  ASSERT_GE(unshade_resource_count(made), 1U);
  unshade_resource resource{};
  resource.struct_size = sizeof resource;
  ASSERT_EQ(unshade_resource_at(made, 0, &resource), UNSHADE_OK);
  EXPECT_STRNE(resource.name, "");
  ASSERT_GE(unshade_buffer_count(made), 1U);
  unshade_variable variable{};
  variable.struct_size = sizeof variable;
  ASSERT_EQ(unshade_variable_at(made, 0, 0, &variable), UNSHADE_OK);
  EXPECT_STRNE(variable.type, "");
  unshade_blob* hlsl = nullptr;
  ASSERT_EQ(unshade_reflection_hlsl(made, &hlsl, nullptr), UNSHADE_OK);
  EXPECT_NE(text_of(Owned<unshade_blob>(hlsl).get()).find("cbuffer"), std::string_view::npos);
}

TEST(CApi, ValidatesAlsoWhatDoesNotOpen) {
  auto bytes = sample("dxbc/textured_ps_5_0.dxbc");
  unshade_messages* made = nullptr;
  ASSERT_EQ(unshade_validate(bytes.data(), bytes.size(), &made, nullptr), UNSHADE_OK);
  EXPECT_FALSE(unshade_has_errors(made));
  unshade_messages_free(made);
  bytes.resize(100);
  ASSERT_EQ(unshade_validate(bytes.data(), bytes.size(), &made, nullptr), UNSHADE_OK);
  EXPECT_TRUE(unshade_has_errors(made));
  unshade_messages_free(made);
}

TEST(CApi, Signs) {
  auto bytes = sample("dxbc/textured_ps_5_0.dxbc");
  const auto right = bytes;
  bytes[4] = std::byte{0};
  bytes[5] ^= std::byte{1};
  unshade_shader* opened = nullptr;
  ASSERT_EQ(unshade_open(bytes.data(), bytes.size(), &opened, nullptr), UNSHADE_OK);
  const Owned<unshade_shader> shader(opened);
  unshade_edit* edit = nullptr;
  ASSERT_EQ(unshade_sign(opened, UNSHADE_SIGN_STANDARD, 0, &edit, nullptr), UNSHADE_OK);
  const Owned<unshade_edit> owned(edit);
  ASSERT_EQ(unshade_edit_size(edit), right.size());
  EXPECT_EQ(std::memcmp(unshade_edit_data(edit), right.data(), right.size()), 0);
  unshade_edit* none = nullptr;
  EXPECT_EQ(unshade_sign(opened, UNSHADE_SIGN_ZERO + 1, 0, &none, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_sign(open_sample("spirv/odd.spv").get(), UNSHADE_SIGN_STANDARD, 0, &none, nullptr), UNSHADE_UNSUPPORTED);
  EXPECT_EQ(none, nullptr);
}

TEST(CApi, AnEditThatChangesNothingGivesTheSameBytes) {
  const auto shader = open_sample("dxbc/textured_ps_5_0.dxbc");
  unshade_edit* edit = nullptr;
  ASSERT_EQ(unshade_strip(shader.get(), 0, &edit, nullptr), UNSHADE_OK);
  const Owned<unshade_edit> owned(edit);
  EXPECT_FALSE(unshade_edit_changed(edit));
  ASSERT_EQ(unshade_edit_size(edit), unshade_shader_size(shader.get()));
  EXPECT_EQ(std::memcmp(unshade_edit_data(edit), unshade_shader_data(shader.get()), unshade_edit_size(edit)), 0);
  const unshade_rename_item nameless{UNSHADE_RENAME_RESOURCE, nullptr, "x"};
  EXPECT_EQ(unshade_rename(shader.get(), &nameless, 1, sizeof nameless, &edit, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_rename(shader.get(), &nameless, 1, 4, &edit, nullptr), UNSHADE_INVALID_ARGUMENT);
  // The last kind is known, and DXBC has no nodes; behind it there is none.
  const unshade_rename_item node{UNSHADE_RENAME_NODE, "a", "b"};
  EXPECT_NE(unshade_rename(shader.get(), &node, 1, sizeof node, &edit, nullptr), UNSHADE_INVALID_ARGUMENT);
  const unshade_rename_item unknown{UNSHADE_RENAME_NODE + 1, "a", "b"};
  EXPECT_EQ(unshade_rename(shader.get(), &unknown, 1, sizeof unknown, &edit, nullptr), UNSHADE_INVALID_ARGUMENT);
}

// Every language, every sample: what is embedded is read back.
TEST(CApi, SourceTextThereAndBack) {
  for (const char* name :
       {"dxbc/textured_ps_5_0.dxbc", "dxil/transform_vs_6_8.dxil", "pica/skin.v.shbin", "spirv/odd.spv", "vbc/textured.vbc"}) {
    const auto shader = open_sample(name);
    ASSERT_TRUE(shader) << name;
    for (const int language : {UNSHADE_SOURCE_C, UNSHADE_SOURCE_CPP, UNSHADE_SOURCE_RUST}) {
      unshade_blob* made = nullptr;
      ASSERT_EQ(unshade_embed(shader.get(), language, "g_it", 1, &made, nullptr), UNSHADE_OK) << name;
      const Owned<unshade_blob> text(made);
      for (const char* wanted : {static_cast<const char*>(nullptr), "g_it"}) {
        unshade_shader* again = nullptr;
        ASSERT_EQ(unshade_open_source(text_of(made).data(), text_of(made).size(), wanted, &again, nullptr), UNSHADE_OK) << name;
        const Owned<unshade_shader> read(again);
        ASSERT_EQ(unshade_shader_size(again), unshade_shader_size(shader.get())) << name;
        EXPECT_EQ(std::memcmp(unshade_shader_data(again), unshade_shader_data(shader.get()), unshade_shader_size(again)), 0) << name;
      }
      unshade_shader* none = nullptr;
      EXPECT_EQ(unshade_open_source(text_of(made).data(), text_of(made).size(), "other", &none, nullptr), UNSHADE_MISSING);
    }
  }
}

Owned<unshade_program> program_of(const char* name) {
  unshade_program* program = nullptr;
  EXPECT_EQ(unshade_program_new(open_sample(name).get(), nullptr, &program, nullptr), UNSHADE_OK);
  return Owned<unshade_program>(program);
}

TEST(CApi, RunsVertexShaders) {
  const auto program = program_of("dxbc/lit_vs_5_0.dxbc");
  ASSERT_TRUE(program);
  const double identity[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const double twice[] = {2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};
  ASSERT_EQ(unshade_set_constant(program.get(), "viewProjection", identity, 16), UNSHADE_OK);
  ASSERT_EQ(unshade_set_constant(program.get(), "world", twice, 16), UNSHADE_OK);
  const double position[] = {1, 2, 3};
  ASSERT_EQ(unshade_set_input(program.get(), 1, "POSITION", position, 3), UNSHADE_OK);
  unshade_result* made = nullptr;
  ASSERT_EQ(unshade_run(program.get(), nullptr, &made, nullptr), UNSHADE_OK);
  const Owned<unshade_result> result(made);
  EXPECT_STREQ(unshade_result_stop(made), "finished");
  ASSERT_EQ(unshade_result_lane_count(made), 2U);
  double values[4] = {9, 9, 9, 9};
  size_t count = 0;
  ASSERT_EQ(unshade_result_output(made, 1, "SV_Position", values, 3, &count), UNSHADE_OK);
  EXPECT_EQ(count, 4U);
  EXPECT_EQ(std::vector<double>(values, values + 4), (std::vector<double>{3, 4, 6, 9}));
  EXPECT_EQ(unshade_result_output(made, 2, "SV_Position", values, 4, &count), UNSHADE_MISSING);
  EXPECT_EQ(unshade_result_output(made, 0, "TANGENT", nullptr, 0, nullptr), UNSHADE_MISSING);
  EXPECT_EQ(unshade_result_discarded(made, 0), 0);
}

TEST(CApi, RunsComputeShaders) {
  const auto program = program_of("dxil/bitonic_cs_6_0.dxil");
  ASSERT_TRUE(program);
  std::vector<std::uint32_t> keys;
  for (std::uint32_t k = 0; k < 1024; ++k) keys.push_back(k ^ 1);
  const double level = 2, mask = 0x8000'0000;
  ASSERT_EQ(unshade_set_constant(program.get(), "level", &level, 1), UNSHADE_OK);
  ASSERT_EQ(unshade_set_constant(program.get(), "levelMask", &mask, 1), UNSHADE_OK);
  ASSERT_EQ(unshade_set_buffer(program.get(), "keys", keys.data(), keys.size() * 4, nullptr), UNSHADE_OK);
  const unshade_run_options options{
      .struct_size = sizeof options, .groups = {2, 0, 0}, .wave = 16, .operations = 0, .memory = 0, .threads = 2, .float24 = 0};
  unshade_result* made = nullptr;
  ASSERT_EQ(unshade_run(program.get(), &options, &made, nullptr), UNSHADE_OK);
  const Owned<unshade_result> result(made);
  unshade_blob* bytes = nullptr;
  ASSERT_EQ(unshade_result_resource(made, "u0", &bytes, nullptr), UNSHADE_OK);
  const Owned<unshade_blob> kept(bytes);
  ASSERT_EQ(unshade_blob_size(bytes), keys.size() * 4);
  for (std::uint32_t k = 0; k < keys.size(); ++k) keys[k] = k;
  EXPECT_EQ(std::memcmp(unshade_blob_data(bytes), keys.data(), keys.size() * 4), 0);
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_result_resource(made, "u7", &bytes, &error), UNSHADE_MISSING);
  EXPECT_STREQ(unshade_error_path(Owned<unshade_error>(error).get()), "u7");
}

constexpr std::string_view kRoundedCase = R"({"lanes": [{"a": [0.1, 0.3, 0.7, 1], "b": [0.2, 0.4, 0.6, 0.9]}]})";

TEST(CApi, RoundsNumbersOfThePica200) {
  const auto program = program_of("pica/control.v.shbin");
  ASSERT_TRUE(program);
  const auto output = [&](std::uint32_t rounding, std::string_view given) {
    unshade_run_options options{};
    options.struct_size = sizeof options;
    options.float24 = rounding;
    unshade_blob* made = nullptr;
    EXPECT_EQ(unshade_run_case(program.get(), given.data(), given.size(), &options, &made, nullptr), UNSHADE_OK);
    return std::string(text_of(Owned<unshade_blob>(made).get()));
  };
  const std::string stated = output(UNSHADE_FLOAT24_AS_STATED, kRoundedCase);
  EXPECT_EQ(output(UNSHADE_FLOAT24_TRUNCATE, kRoundedCase), stated);
  const std::string nearest = output(UNSHADE_FLOAT24_NEAREST, kRoundedCase), whole = output(UNSHADE_FLOAT24_F32, kRoundedCase);
  EXPECT_NE(nearest, stated);
  EXPECT_NE(whole, stated);
  EXPECT_NE(whole, nearest);
  unshade_run_options options{};
  options.struct_size = sizeof options;
  options.float24 = 4;
  unshade_blob* made = nullptr;
  unshade_result* result = nullptr;
  EXPECT_EQ(unshade_run_case(program.get(), kRoundedCase.data(), kRoundedCase.size(), &options, &made, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_run(program.get(), &options, &result, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApi, RunsCases) {
  const auto program = program_of("dxil/bitonic_cs_6_0.dxil");
  ASSERT_TRUE(program);
  const std::string_view given =
      R"({"grid": [1], "constants": {"level": 2, "levelMask": 2147483648}, "resources": {"u0": {"words": [3, 1, 2, 0]}}})";
  unshade_blob* made = nullptr;
  ASSERT_EQ(unshade_run_case(program.get(), given.data(), given.size(), nullptr, &made, nullptr), UNSHADE_OK);
  const std::string text(text_of(Owned<unshade_blob>(made).get()));
  EXPECT_NE(text.find(R"("schema": "unshade.run/1")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("stop": "finished")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("name": "keys")"), std::string::npos) << text;
  ASSERT_EQ(unshade_run_case(program.get(), "{}", 2, nullptr, &made, nullptr), UNSHADE_OK);
  EXPECT_NE(text_of(Owned<unshade_blob>(made).get()), text);
}

TEST(CApi, RunsTheEntryPointThatACaseNames) {
  const auto shader = open_sample("vbc/textured.vbc");
  ASSERT_TRUE(shader);
  const auto run = [&](std::string_view given) {
    unshade_program* program = nullptr;
    EXPECT_EQ(unshade_program_of_case(shader.get(), given.data(), given.size(), &program, nullptr), UNSHADE_OK);
    unshade_blob* made = nullptr;
    EXPECT_EQ(unshade_run_case(Owned<unshade_program>(program).get(), given.data(), given.size(), nullptr, &made, nullptr), UNSHADE_OK);
    return std::string(text_of(Owned<unshade_blob>(made).get()));
  };
  EXPECT_NE(run(R"({"entry": "main:vertex"})").find("gl_Position"), std::string::npos);
  EXPECT_NE(run("").find("gl_Position"), std::string::npos);
  const std::string pixel = run(R"({"entry": "main:pixel"})");
  EXPECT_EQ(pixel.find("gl_Position"), std::string::npos) << pixel;
  EXPECT_NE(pixel.find("colour"), std::string::npos) << pixel;
  unshade_program* none = nullptr;
  unshade_error* error = nullptr;
  const std::string_view missing = R"({"entry": "main:hull"})";
  EXPECT_EQ(unshade_program_of_case(shader.get(), missing.data(), missing.size(), &none, &error), UNSHADE_MISSING);
  unshade_error_free(error);
  EXPECT_EQ(unshade_program_of_case(shader.get(), "[]", 2, &none, nullptr), UNSHADE_BAD_VALUE);
  EXPECT_EQ(unshade_program_of_case(shader.get(), nullptr, 1, &none, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_program_of_case(nullptr, "{}", 2, &none, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
}

TEST(CApi, TellsWhatIsWrongWithACase) {
  const auto program = program_of("dxil/bitonic_cs_6_0.dxil");
  ASSERT_TRUE(program);
  unshade_blob* made = nullptr;
  unshade_error* error = nullptr;
  const std::string_view given = R"({"grid": [1], "constants": {"none": 1}})";
  EXPECT_EQ(unshade_run_case(program.get(), given.data(), given.size(), nullptr, &made, &error), UNSHADE_MISSING);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(unshade_error_offset(error), given.find("\"none\""));
  EXPECT_STREQ(unshade_error_path(Owned<unshade_error>(error).get()), "constants/none");
  EXPECT_EQ(unshade_run_case(program.get(), "{", 1, nullptr, &made, nullptr), UNSHADE_BAD_VALUE);
  EXPECT_EQ(unshade_run_case(program.get(), "[]", 2, nullptr, &made, nullptr), UNSHADE_BAD_VALUE);
  EXPECT_EQ(unshade_run_case(program.get(), nullptr, 1, nullptr, &made, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_run_case(nullptr, "{}", 2, nullptr, &made, nullptr), UNSHADE_INVALID_ARGUMENT);
  const unshade_run_options small{};
  EXPECT_EQ(unshade_run_case(program.get(), "{}", 2, &small, &made, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApi, TellsWhatIsWrongWithARun) {
  const auto program = program_of("dxbc/textured_ps_5_0.dxbc");
  ASSERT_TRUE(program);
  EXPECT_EQ(unshade_set_constant(program.get(), "heat", nullptr, 1), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_set_input(program.get(), 65536, "TEXCOORD", nullptr, 0), UNSHADE_LIMIT);
  EXPECT_EQ(unshade_set_texture(program.get(), "t0", 2, 2, "R8G8B8A8_UNORM", "0123456789abcdef", 16), UNSHADE_OK);
  EXPECT_EQ(unshade_set_sampler(program.get(), "s0", "cubic", "wrap"), UNSHADE_OK);
  unshade_result* made = nullptr;
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_run(program.get(), nullptr, &made, &error), UNSHADE_BAD_VALUE);
  EXPECT_EQ(made, nullptr);
  EXPECT_STREQ(unshade_error_path(Owned<unshade_error>(error).get()), "samplers/s0/filter");
  ASSERT_EQ(unshade_set_sampler(program.get(), "s0", "linear", "wrap"), UNSHADE_OK);
  const unshade_run_options small{};
  EXPECT_EQ(unshade_run(program.get(), &small, &made, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_run(program.get(), nullptr, &made, nullptr), UNSHADE_OK);
  unshade_result_free(made);
  unshade_clear_lanes(program.get());
  unshade_program* none = nullptr;
  EXPECT_NE(unshade_program_new(open_sample("dxil/rays_lib_6_7.dxil").get(), nullptr, &none, &error), UNSHADE_OK);
  EXPECT_EQ(none, nullptr);
  unshade_error_free(error);
  EXPECT_EQ(unshade_program_new(nullptr, nullptr, &none, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_run(nullptr, nullptr, &made, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_STREQ(unshade_result_stop(nullptr), "");
}

}  // namespace
}  // namespace unshade
