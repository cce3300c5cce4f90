#include <utility>

#include <unshade/present/run/run.hpp>
#include <unshade/present/value.hpp>

namespace unshade::present {

void print_step(const Value& step, Printer& out) {
  out.text.dec(step.find("instruction")->as_integer()->magnitude, 5) << "  ";
  if (const Value* const text = step.find("text")) print_safely(out.text, *text->as_text());
  out.paint(Paint::faint);
  const Value::List& lanes = *step.find("lanes")->as_list();
  for (const Value& lane : lanes) {
    out.text << (&lane == lanes.data() ? "  ; " : " | ");
    bool first = true;
    for (const Value::Member& member : *lane.as_map()) {
      if (member.key == "lane") {
        print_value(member.value, out.text);
        out.text << ": ";
        continue;
      }
      if (!std::exchange(first, false)) out.text << ", ";
      out.text << member.key << " = ";
      print_value(member.value, out.text);
    }
  }
  std::size_t shown = lanes.size();
  if (const Value* const messages = step.find("messages")) {
    shown = messages->as_list()->size();
    for (const Value& one : *messages->as_list()) {
      out.text << (&one == messages->as_list()->data() ? "  ; " : " | ");
      print_value(*one.find("lane"), out.text);
      print_safely(out.text << ": ", *one.find("text")->as_text());
    }
  }
  const std::uint64_t active = step.find("active")->as_integer()->magnitude;
  if (shown != 0 && active > shown) {
    out.text << " | ";
    out.text.dec(active - shown);
    out.text << " more lanes";
  }
  out.paint(Paint::plain);
  out.text << '\n';
}

}  // namespace unshade::present
