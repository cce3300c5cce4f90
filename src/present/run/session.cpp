#include <unshade/present/run/session.hpp>

#include <bit>
#include <string_view>

#include <unshade/present/schemas.hpp>
#include <unshade/run/session.hpp>

namespace unshade::present {

namespace {

void write_number(const run::Session::Number& number, Json& json) {
  using Kind = run::Session::Number::Kind;
  switch (number.kind) {
    case Kind::none: json.null(); break;
    case Kind::single: json.real(std::bit_cast<float>(static_cast<std::uint32_t>(number.bits))); break;
    case Kind::real: json.real(std::bit_cast<double>(number.bits)); break;
    case Kind::signed_: json.number_signed(static_cast<std::int64_t>(number.bits)); break;
    case Kind::unsigned_: json.number(number.bits); break;
    case Kind::boolean: json.boolean(number.bits != 0); break;
    case Kind::nan: json.string("nan"); break;
    case Kind::infinity: json.string("inf"); break;
    case Kind::minus_infinity: json.string("-inf"); break;
  }
}

/// The type of a register's numbers, as HLSL calls it; null if it has none yet. Registers without types may have another in each lane.
std::string_view type_of(const run::Session::Register& one) {
  using Kind = run::Session::Number::Kind;
  std::string_view type;
  for (const auto& number : one.numbers) {
    switch (number.kind) {
      case Kind::none: continue;
      case Kind::single: return "float";
      case Kind::real: return "double";
      case Kind::signed_: return "int";
      case Kind::unsigned_: type = "uint"; break;  // or an int that is not below 0
      case Kind::boolean: return "bool";
      case Kind::nan:
      case Kind::infinity:
      case Kind::minus_infinity: type = "float"; break;  // or a double
    }
  }
  return type;
}

void write_group(const run::Session::Wave& wave, Json& json) {
  json.array("group", wave.group, [&](std::uint32_t axis) { json.number(axis); });
  json.member("wave", wave.wave);
}

}  // namespace

void write_session(const run::Session& session, Json& json) {
  begin_document(Schema::session, json);
  json.member("whole", session.is_whole());
  json.objects("waves", session.waves(), [&](const run::Session::Wave& wave) {
    write_group(wave, json);
    json.member("steps", std::uint64_t{wave.steps.size()});
  });
  json.member("followed", std::uint64_t{session.followed()});
  json.key("lane");
  session.lane() ? json.number(*session.lane()) : json.null();
  json.member("position", std::uint64_t{session.position()});
  json.object_or_null("next", !session.waves().empty() && !session.at_end(), [&] {
    json.member("instruction", session.instruction());
    json.key("line");
    session.line() != 0 ? json.number(session.line()) : json.null();
    json.member("text", session.text());
    json.text_or_null("function", session.function());
    json.key("active");
    json.begin_array();
    const auto active = session.active();
    for (std::uint32_t lane = 0; lane < 64 * active.size(); ++lane)
      if ((active[lane / 64] >> (lane % 64) & 1) != 0) json.number(lane);
    json.end_array();
  });
  json.objects("registers", session.registers(), [&](const run::Session::Register& one) {
    json.member("name", one.name);
    json.member("changed", one.changed);
    json.text_or_null("type", type_of(one));
    json.array("lanes", one.numbers, [&](const run::Session::Number& number) { write_number(number, json); });
  });
  if (!session.printed().empty()) {
    json.objects("messages", session.printed(), [&](const run::Session::Printed& one) {
      json.member("lane", one.lane);
      json.member("text", one.text);
    });
  }
  end_document(json);
}

}  // namespace unshade::present
