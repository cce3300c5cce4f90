// Stepping through the C interface.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/files.hpp"

namespace unshade {
namespace {

struct Stepped {
  unshade_session* session = nullptr;

  explicit Stepped(const char* name, const unshade_session_options* options = nullptr) {
    const auto bytes = test::read_bytes(test::source_dir() / "tests/data" / name);
    unshade_shader* shader = nullptr;
    EXPECT_EQ(unshade_open(bytes.data(), bytes.size(), &shader, nullptr), UNSHADE_OK);
    EXPECT_EQ(unshade_session_new(shader, options, "{}", 2, &session, nullptr), UNSHADE_OK);
    unshade_shader_free(shader);  // the session needs it no longer
  }
  Stepped(const Stepped&) = delete;
  Stepped& operator=(const Stepped&) = delete;
  ~Stepped() { unshade_session_free(session); }

  std::string state() const {
    unshade_blob* json = nullptr;
    EXPECT_EQ(unshade_session_state(session, &json, nullptr), UNSHADE_OK);
    std::string text(static_cast<const char*>(unshade_blob_data(json)), unshade_blob_size(json));
    unshade_blob_free(json);
    return text;
  }
  std::uint32_t line() const {
    const std::string text = state();
    const std::size_t at = text.find("\"line\":");
    return at == std::string::npos ? 0 : static_cast<std::uint32_t>(std::stoul(text.substr(at + 7)));
  }
};

TEST(CApiSession, StepsThereAndBack) {
  const Stepped stepped("dxbc/control_ps_4_0.dxbc");
  const std::string begin = stepped.state();
  EXPECT_TRUE(begin.starts_with("{\"schema\":\"unshade.session/1\"")) << begin.substr(0, 60);
  EXPECT_NE(begin.find("\"position\":0,"), std::string::npos);
  EXPECT_NE(begin.find("\"registers\":[]"), std::string::npos);
  EXPECT_EQ(unshade_session_step(stepped.session, 3), UNSHADE_OK);
  const std::string third = stepped.state();
  EXPECT_NE(third.find("\"position\":3,"), std::string::npos);
  EXPECT_NE(third.find("\"changed\":true"), std::string::npos);
  EXPECT_EQ(unshade_session_over(stepped.session), UNSHADE_OK);
  EXPECT_EQ(unshade_session_step(stepped.session, -1), UNSHADE_OK);
  EXPECT_EQ(stepped.state(), third);
  EXPECT_EQ(unshade_session_step(stepped.session, -4), UNSHADE_MISSING);
  EXPECT_EQ(stepped.state(), begin);
  EXPECT_EQ(unshade_session_step(stepped.session, INT64_MIN), UNSHADE_MISSING);
  EXPECT_EQ(unshade_session_step(stepped.session, INT64_MAX), UNSHADE_MISSING);
  EXPECT_NE(stepped.state().find("\"next\":null"), std::string::npos);
  EXPECT_EQ(unshade_session_over(stepped.session), UNSHADE_MISSING);
}

TEST(CApiSession, RunsToLines) {
  const Stepped stepped("pica/control.v.shbin");
  ASSERT_EQ(unshade_session_step(stepped.session, 2), UNSHADE_OK);
  const std::uint32_t line = stepped.line();
  ASSERT_NE(line, 0U);
  ASSERT_EQ(unshade_session_step(stepped.session, -2), UNSHADE_OK);
  EXPECT_EQ(unshade_session_run_to(stepped.session, &line, 1, 0), UNSHADE_OK);
  EXPECT_EQ(stepped.line(), line);
  EXPECT_EQ(unshade_session_stop_line(stepped.session, line), line);
  EXPECT_GT(unshade_session_stop_line(stepped.session, 1), 1U);  // a directive
  EXPECT_EQ(unshade_session_stop_line(stepped.session, UINT32_MAX), 0U);
  EXPECT_EQ(unshade_session_stop_line(nullptr, line), 0U);
  EXPECT_EQ(unshade_session_run_to(stepped.session, nullptr, 0, 1), UNSHADE_MISSING);
  EXPECT_NE(stepped.state().find("\"position\":0,"), std::string::npos);
  EXPECT_EQ(unshade_session_run_to(stepped.session, nullptr, 1, 0), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApiSession, TellsTheTypesOfRegisters) {
  const Stepped stepped("dxbc/control_ps_5_0.dxbc");
  EXPECT_EQ(unshade_session_step(stepped.session, INT64_MAX), UNSHADE_MISSING);
  const std::string end = stepped.state();
  const auto type_of = [&](std::string_view name) {
    const std::size_t at = end.find("{\"name\":\"" + std::string(name) + "\"");
    if (at == std::string::npos) return std::string("absent");
    const std::size_t type = end.find("\"type\":", at) + 7;
    return end.substr(type, end.find(',', type) - type);
  };
  EXPECT_EQ(type_of("r1.x"), "\"float\"");
  EXPECT_EQ(type_of("r19.w"), "\"int\"");
  EXPECT_EQ(type_of("r19.z"), "\"uint\"");
}

TEST(CApiSession, HasTheResultOfTheRun) {
  const Stepped stepped("dxbc/lit_vs_5_0.dxbc");
  unshade_blob* json = nullptr;
  ASSERT_EQ(unshade_session_result(stepped.session, &json, nullptr), UNSHADE_OK);
  const std::string_view text(static_cast<const char*>(unshade_blob_data(json)), unshade_blob_size(json));
  EXPECT_NE(text.find("\"stop\": \"finished\""), std::string_view::npos) << text.substr(0, 200);
  unshade_blob_free(json);
}

TEST(CApiSession, StepsTheEntryPointThatTheCaseNames) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/vbc/textured.vbc");
  unshade_shader* shader = nullptr;
  ASSERT_EQ(unshade_open(bytes.data(), bytes.size(), &shader, nullptr), UNSHADE_OK);
  constexpr std::string_view kCase = R"({"entry": "main:pixel"})";
  unshade_session* session = nullptr;
  ASSERT_EQ(unshade_session_new(shader, nullptr, kCase.data(), kCase.size(), &session, nullptr), UNSHADE_OK);
  unshade_blob* json = nullptr;
  ASSERT_EQ(unshade_session_result(session, &json, nullptr), UNSHADE_OK);
  const std::string_view text(static_cast<const char*>(unshade_blob_data(json)), unshade_blob_size(json));
  EXPECT_NE(text.find("colour"), std::string_view::npos) << text.substr(0, 200);
  unshade_blob_free(json);
  unshade_session_free(session);
  unshade_shader_free(shader);
}

TEST(CApiSession, RefusesBadArguments) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/dxbc/lit_vs_5_0.dxbc");
  unshade_shader* shader = nullptr;
  ASSERT_EQ(unshade_open(bytes.data(), bytes.size(), &shader, nullptr), UNSHADE_OK);
  unshade_session* session = nullptr;
  EXPECT_EQ(unshade_session_new(nullptr, nullptr, "{}", 2, &session, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_session_new(shader, nullptr, "[]", 2, &session, nullptr), UNSHADE_BAD_VALUE);
  EXPECT_EQ(unshade_session_new(shader, nullptr, "{", 1, &session, nullptr), UNSHADE_BAD_VALUE);
  unshade_session_options small{};
  small.struct_size = 8;
  EXPECT_EQ(unshade_session_new(shader, &small, "{}", 2, &session, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(session, nullptr);
  EXPECT_EQ(unshade_session_step(nullptr, 1), UNSHADE_INVALID_ARGUMENT);
  unshade_shader_free(shader);
}

}  // namespace
}  // namespace unshade
