// Sessions of stepping.
#include <algorithm>
#include <limits>

#include <unshade/present/run/run.hpp>
#include <unshade/present/run/session.hpp>
#include <unshade/present/value.hpp>
#include <unshade/run/session.hpp>

#include "capi/printed.hpp"
#include "capi/run/session.hpp"

using namespace unshade;
using capi::guarded;

namespace {

/// A move: `body` gives whether it came where it was to.
template <class Body>
unshade_code move_session(unshade_session* session, Body body) noexcept {
  if (session == nullptr) return UNSHADE_INVALID_ARGUMENT;
  return guarded(nullptr, [&]() -> unshade_code { return body(session->session) ? UNSHADE_OK : UNSHADE_MISSING; });
}

}  // namespace

Result<Value> capi::read_case(std::string_view text) {
  if (text.empty()) return Value::map();
  auto given = present::read_json(text);
  if (given && given->as_map() == nullptr) return Error{ErrorCode::bad_value, 0, "", "a case must be an object"};
  return given;
}

run::SessionOptions capi::session_options(const unshade_session_options& how) {
  run::SessionOptions options;
  // no more than a size has room for, where it has 32 bits
  if (how.record != 0)
    options.record = static_cast<std::size_t>(std::min<std::uint64_t>(how.record, std::numeric_limits<std::size_t>::max()));
  options.listing.header = (how.listing_flags & UNSHADE_LISTING_NO_HEADER) == 0;
  return options;
}

unshade_code unshade_session_new(const unshade_shader* shader, const unshade_session_options* options, const char* text, size_t size,
                                 unshade_session** session, unshade_error** error) {
  if (session != nullptr) *session = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || session == nullptr || (text == nullptr && size != 0))
      return capi::invalid_argument(error, "an argument is NULL");
    unshade_session_options how{};
    if (!capi::read_options(options, how)) return capi::invalid_argument(error, capi::kSmallOptions);
    const auto given = capi::read_case({text, size});
    if (!given) return capi::fail(error, given.error());
    run::SessionOptions recording = capi::session_options(how);
    recording.run.wave = how.wave;
    if (how.operations != 0) recording.run.operations = how.operations;
    if (how.memory != 0) recording.run.memory = how.memory;
    shader::LowerOptions lowering;
    const std::string entry = run::entry_of(*given, capi::or_empty(how.entry));
    lowering.entry = entry;
    auto made = run::Session::record(shader->shader, *given, recording, lowering);
    if (!made) return capi::fail(error, made.error());
    const auto bytes = shader->shader.file.bytes();
    *session = std::make_unique<unshade_session>(unshade_session{*std::move(made), {bytes.begin(), bytes.end()}}).release();
    return UNSHADE_OK;
  });
}

void unshade_session_free(unshade_session* session) { delete session; }

uint32_t unshade_session_stop_line(const unshade_session* session, uint32_t line) {
  return session == nullptr ? 0 : session->session.stop_line(line);
}

unshade_code unshade_session_follow(unshade_session* session, uint32_t wave) {
  return move_session(session, [&](run::Session& to) { return to.follow(wave); });
}

unshade_code unshade_session_follow_lane(unshade_session* session, int32_t lane) {
  constexpr int32_t kLanes = 128;
  if (lane < -1 || lane >= kLanes) return UNSHADE_INVALID_ARGUMENT;
  return move_session(session, [&](run::Session& to) {
    to.follow_lane(lane < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(lane)));
    return true;
  });
}

unshade_code unshade_session_step(unshade_session* session, int64_t steps) {
  return move_session(session, [&](run::Session& to) { return to.move(steps); });
}

unshade_code unshade_session_over(unshade_session* session) {
  return move_session(session, [](run::Session& to) {
    const bool moves = !to.waves().empty() && !to.at_end();
    to.over();
    return moves;
  });
}

unshade_code unshade_session_run_to(unshade_session* session, const uint32_t* lines, size_t count, int backwards) {
  if (lines == nullptr && count != 0) return UNSHADE_INVALID_ARGUMENT;
  return move_session(session, [&](run::Session& to) { return to.run_to({lines, count}, backwards != 0); });
}

unshade_code unshade_session_run_to_odd(unshade_session* session) {
  return move_session(session, [](run::Session& to) { return to.run_to_odd(); });
}

unshade_code unshade_session_state(const unshade_session* session, unshade_blob** json, unshade_error** error) {
  if (json != nullptr) *json = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (session == nullptr || json == nullptr) return capi::invalid_argument(error, "session or json is NULL");
    const auto made = capi::printed([&](present::Printer& printer) -> Result<void> {
      present::Json out(printer, present::Json::Layout::compact);
      present::write_session(session->session, out);
      return {};
    });
    *json = capi::make_blob(*made);
    return UNSHADE_OK;
  });
}

unshade_code unshade_session_result(const unshade_session* session, unshade_blob** json, unshade_error** error) {
  if (json != nullptr) *json = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (session == nullptr || json == nullptr) return capi::invalid_argument(error, "session or json is NULL");
    if (session->session.result().as_map() == nullptr)
      return capi::fail(error, UNSHADE_MISSING, 0, {}, "a session of a drawing has no result of its own");
    const auto made = capi::printed([&](present::Printer& printer) -> Result<void> {
      present::Json out(printer);
      present::write_run(session->session.result(), out);
      return {};
    });
    *json = capi::make_blob(*made);
    return UNSHADE_OK;
  });
}

unshade_code unshade_session_file(const unshade_session* session, unshade_blob** file, unshade_error** error) {
  if (file != nullptr) *file = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (session == nullptr || file == nullptr) return capi::invalid_argument(error, "session or file is NULL");
    *file = capi::make_blob(View(session->file).text());
    return UNSHADE_OK;
  });
}
