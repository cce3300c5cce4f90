#include "write/source/statement.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace unshade::write::source {
namespace {

constexpr unsigned kIndent = 2;

void collect(const Statement& one, Mentions& all) {
  all.insert(all.end(), one.mentions.begin(), one.mentions.end());
  for (const Statement& inner : one.first) collect(inner, all);
  for (const Statement& inner : one.second) collect(inner, all);
}

bool mentions(const Statement& one, VariableId variable) {
  if (std::ranges::find(one.mentions, variable) != one.mentions.end()) return true;
  const auto in = [&](const Statement& inner) { return mentions(inner, variable); };
  return std::ranges::any_of(one.first, in) || std::ranges::any_of(one.second, in);
}

Statement declaration(const LocalVariable& variable, VariableId id) {
  Statement made;
  made.kind = StatementKind::declare;
  made.declared_as = variable.type_name;
  made.text = variable.name;
  made.variable = id;
  made.mentions.push_back(id);
  return made;
}

// Places declarations from the outside in: a variable goes down into a list as long as one statement alone mentions it.
class Declaring {
 public:
  Declaring(const std::vector<LocalVariable>& variables) : variables_(variables) {}

  void run(Statements& body, const Mentions& here) {
    std::map<VariableId, std::pair<std::size_t, std::size_t>> found;  // first and last statement that mentions it
    std::vector<Mentions> inside(body.size());
    for (std::size_t at = 0; at < body.size(); ++at) {
      collect(body[at], inside[at]);
      std::ranges::sort(inside[at]);
      inside[at].erase(std::ranges::unique(inside[at]).begin(), inside[at].end());
      for (const VariableId id : inside[at]) {
        if (!std::ranges::binary_search(here, id)) continue;
        const auto [place, is_new] = found.try_emplace(id, at, at);
        if (!is_new) place->second.second = at;
      }
    }
    std::vector<std::vector<VariableId>> before(body.size());
    std::vector<Mentions> deeper(body.size());
    for (const auto& [id, range] : found) {
      Statement& first = body[range.first];
      const bool is_own = std::ranges::find(first.mentions, id) != first.mentions.end();
      if (first.kind == StatementKind::assign && first.variable == id && first.is_whole && std::ranges::count(first.mentions, id) == 1) {
        first.declared_as = variables_[id].type_name;
        continue;
      }
      if (range.first == range.second && !is_own && goes_into(first, id)) {
        deeper[range.first].push_back(id);
        continue;
      }
      before[range.first].push_back(id);
    }
    for (std::size_t at = 0; at < body.size(); ++at) {
      if (deeper[at].empty()) continue;
      Mentions left, right;
      for (const VariableId id : deeper[at]) {
        const auto in = [&](const Statement& inner) { return mentions(inner, id); };
        (std::ranges::any_of(body[at].first, in) ? left : right).push_back(id);
      }
      run(body[at].first, left);
      run(body[at].second, right);
    }
    Statements made;
    for (std::size_t at = 0; at < body.size(); ++at) {
      for (const VariableId id : before[at]) made.push_back(declaration(variables_[id], id));
      made.push_back(std::move(body[at]));
    }
    body = std::move(made);
  }

 private:
  // Into one arm, if its region allows: nothing of a round of a loop is kept for the next.
  bool goes_into(const Statement& one, VariableId id) const {
    const auto in = [&](const Statement& inner) { return mentions(inner, id); };
    if (std::ranges::any_of(one.first, in) && std::ranges::any_of(one.second, in)) return false;
    if (one.kind == StatementKind::switch_) return std::ranges::count_if(one.first, in) == 1;
    if (one.kind != StatementKind::loop && one.kind != StatementKind::do_) return true;
    return one.region == ir::kNone || is_within(variables_[id].region, one.region);
  }
  // Nodes stand before those that they hold: the region of a variable is the loop, or in it.
  static bool is_within(std::uint32_t region, std::uint32_t loop) { return region != ir::kNone && region >= loop; }

  const std::vector<LocalVariable>& variables_;
};

// How often each variable is mentioned.
void count_mentions(const Statements& body, std::vector<std::size_t>& counts) {
  for (const Statement& one : body) {
    for (const VariableId id : one.mentions) ++counts[id];
    count_mentions(one.first, counts);
    count_mentions(one.second, counts);
  }
}

// What is only computed. True if something went.
bool drop_unused(Statements& body, const std::vector<std::size_t>& counts) {
  bool any = false;
  std::erase_if(body, [&](const Statement& one) {
    const bool is_unused = one.kind == StatementKind::assign && one.variable != ir::kNone && !one.has_effect && counts[one.variable] == 1;
    any = any || is_unused;
    return is_unused;
  });
  for (Statement& one : body) {
    any = drop_unused(one.first, counts) || any;
    any = drop_unused(one.second, counts) || any;
  }
  return any;
}

bool ends(const Statement& one) {
  return one.kind == StatementKind::break_ || one.kind == StatementKind::continue_ || one.kind == StatementKind::return_;
}

Expression negated(const Expression& value) {
  Expression made = value;
  if (!value.opposite.empty()) {
    std::swap(made.text, made.opposite);
    return made;
  }
  if (value.text.starts_with('!') && value.level == Level::unary) {
    made.text = value.text.substr(1);
    if (made.text.starts_with('(') && made.text.ends_with(')')) made.text = made.text.substr(1, made.text.size() - 2);
    made.level = Level::conditional;
    return made;
  }
  made.text = '!' + value.in(Level::unary);
  made.level = Level::unary;
  return made;
}

bool is_break(const Statements& body) { return body.size() == 1 && body[0].kind == StatementKind::break_; }

bool has_continue(const Statements& body) {
  return std::ranges::any_of(body, [](const Statement& one) {
    if (one.kind == StatementKind::continue_) return true;
    if (one.kind == StatementKind::loop || one.kind == StatementKind::for_ || one.kind == StatementKind::while_ ||
        one.kind == StatementKind::do_)
      return false;
    return has_continue(one.first) || has_continue(one.second);
  });
}

// A loop that begins with a way out: its condition is that of a `while`, or of a `for` if it ends with a step.
void shape_loop(Statements& list, std::size_t at) {
  Statement& loop = list[at];
  Statements& body = loop.first;
  if (body.empty()) return;
  const auto leaves = [](const Statement& one) {
    return one.kind == StatementKind::if_ && (is_break(one.first) || (one.first.empty() && is_break(one.second)));
  };
  if (leaves(body[0])) {
    const bool breaks_if = is_break(body[0].first);
    Statements rest = breaks_if ? std::move(body[0].second) : Statements{};
    loop.value = breaks_if ? negated(body[0].value) : body[0].value;
    loop.mentions.insert(loop.mentions.end(), body[0].mentions.begin(), body[0].mentions.end());
    const Mentions condition = body[0].mentions;
    body.erase(body.begin());
    body.insert(body.begin(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
    loop.kind = StatementKind::while_;
    const auto counts = [&](const Statement& one) {
      return one.kind == StatementKind::assign && one.counted != ir::kNone && one.declared_as.empty() &&
             std::ranges::find(condition, one.counted) != condition.end();
    };
    // assignments to others may follow the step
    std::size_t step = body.size();
    while (step != 0 && body[step - 1].kind == StatementKind::assign && !counts(body[step - 1])) --step;
    if (step == 0 || !counts(body[step - 1]) || has_continue(body)) return;
    const Statement& last = body[--step];
    const VariableId counter = last.counted;
    for (std::size_t after = step + 1; after < body.size(); ++after) {
      if (mentions(body[after], counter)) return;
      if (std::ranges::find(last.mentions, body[after].variable) != last.mentions.end()) return;
    }
    std::size_t writes = 0;
    const auto writes_in = [&](const auto& self, const Statements& in) -> void {
      for (const Statement& one : in) {
        writes += one.kind == StatementKind::assign && one.variable == counter ? 1 : 0;
        self(self, one.first);
        self(self, one.second);
      }
    };
    writes_in(writes_in, body);
    if (writes != 1) return;
    loop.step = last.step.empty() ? last.text + " = " + last.value.text : last.step;
    loop.mentions.insert(loop.mentions.end(), last.mentions.begin(), last.mentions.end());
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(step));
    loop.kind = StatementKind::for_;
    // what it begins with, which may stand before assignments to others
    std::size_t first = at;
    while (first != 0 && list[first - 1].kind == StatementKind::assign && !mentions(list[first - 1], counter)) --first;
    if (first == 0) return;
    Statement& before = list[--first];
    if (before.kind != StatementKind::assign || before.variable != counter || !before.is_whole) return;
    if (first + 1 != at && std::ranges::any_of(before.mentions, [&](VariableId id) { return id != counter; })) return;
    // declared in the loop, if nothing after it asks for it
    for (std::size_t after = at + 1; after < list.size(); ++after)
      if (!before.declared_as.empty() && mentions(list[after], counter)) return;
    loop.text = (before.declared_as.empty() ? "" : before.declared_as + ' ') + before.text + " = " + before.value.text;
    loop.mentions.insert(loop.mentions.end(), before.mentions.begin(), before.mentions.end());
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(first));
    return;
  }
  Statement& last = body.back();
  if (last.kind == StatementKind::if_ && is_break(last.first) && last.second.empty() && !has_continue(body)) {
    // variables of the body are not known in its condition
    Mentions declared;
    for (const Statement& one : body)
      if (one.kind == StatementKind::declare || !one.declared_as.empty()) declared.push_back(one.variable);
    const bool knows =
        std::ranges::none_of(last.mentions, [&](VariableId id) { return std::ranges::find(declared, id) != declared.end(); });
    if (!knows) return;
    loop.kind = StatementKind::do_;
    loop.value = negated(last.value);
    loop.mentions.insert(loop.mentions.end(), last.mentions.begin(), last.mentions.end());
    body.pop_back();
  }
}

}  // namespace

namespace {

// Ways out of the loop or switch that the list is in.
std::size_t count_breaks(const Statements& body) {
  std::size_t count = 0;
  for (const Statement& one : body) {
    if (one.kind == StatementKind::break_) ++count;
    if (one.kind == StatementKind::if_) count += count_breaks(one.first) + count_breaks(one.second);
  }
  return count;
}

bool has_jump(const Statements& body) {
  return std::ranges::any_of(body, [](const Statement& one) { return ends(one) || has_jump(one.first) || has_jump(one.second); });
}

}  // namespace

void leave_loops(Statements& body) {
  for (std::size_t at = 0; at < body.size(); ++at) {
    leave_loops(body[at].first);
    leave_loops(body[at].second);
    Statements& loop = body[at].first;
    if (body[at].kind != StatementKind::loop || count_breaks(loop) != 1) continue;
    const auto is_way_out = [](const Statements& arm) {
      return arm.size() > 1 && arm.back().kind == StatementKind::break_ && !has_jump({arm.begin(), arm.end() - 1});
    };
    for (Statement& one : loop) {
      if (one.kind != StatementKind::if_) continue;
      Statements* const arm = is_way_out(one.first) ? &one.first : is_way_out(one.second) ? &one.second : nullptr;
      if (arm == nullptr) continue;
      Statements moved(std::make_move_iterator(arm->begin()), std::make_move_iterator(arm->end() - 1));
      arm->erase(arm->begin(), arm->end() - 1);
      body.insert(body.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::make_move_iterator(moved.begin()),
                  std::make_move_iterator(moved.end()));
      break;
    }
  }
}

void declare_variables(Statements& body, const std::vector<LocalVariable>& variables) {
  constexpr unsigned kMostRounds = 8;
  for (unsigned round = 0; round < kMostRounds; ++round) {
    std::vector<std::size_t> counts(variables.size(), 0);
    count_mentions(body, counts);
    if (!drop_unused(body, counts)) break;
  }
  Mentions all;
  for (const Statement& one : body) collect(one, all);
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  Declaring(variables).run(body, all);
}

void shape(Statements& body) {
  for (std::size_t at = 0; at < body.size();) {
    shape(body[at].first);
    shape(body[at].second);
    Statement& one = body[at];
    if (one.kind == StatementKind::if_) {
      if (one.first.empty() && one.second.empty()) {
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
        continue;
      }
      if (one.first.empty()) {
        one.first = std::move(one.second);
        one.second.clear();
        one.value = negated(one.value);
      }
      // what follows an arm that ends needs no other arm
      if (!one.second.empty() && ends(one.first.back())) {
        Statements rest = std::move(one.second);
        one.second.clear();
        body.insert(body.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::make_move_iterator(rest.begin()),
                    std::make_move_iterator(rest.end()));
      }
    } else if (one.kind == StatementKind::loop) {
      while (!one.first.empty() && one.first.back().kind == StatementKind::continue_) one.first.pop_back();
      const std::size_t before = body.size();
      shape_loop(body, at);
      if (body.size() < before) continue;  // what stood before it went into it: looked at already
    }
    ++at;
  }
  // nothing runs after a way out
  const auto end = std::ranges::find_if(body, ends);
  if (end != body.end() && std::next(end) != body.end()) body.erase(std::next(end), body.end());
}

void StatementPrinter::line(std::string_view text, std::uint32_t instruction) {
  out.repeat(' ', std::size_t{indent} * kIndent);
  out << text << '\n';
  lines.push_back(instruction);
}

void StatementPrinter::block(const Statements& body) {
  ++indent;
  for (const Statement& one : body) print(one);
  --indent;
}

void StatementPrinter::print(const Statements& body) {
  for (const Statement& one : body) print(one);
}

void StatementPrinter::print(const Statement& one, bool after_else) {
  const auto head = [&](const std::string& text) {
    if (after_else) {
      out << text << '\n';
      lines.push_back(one.instruction);
    } else {
      line(text, one.instruction);
    }
  };
  switch (one.kind) {
    case StatementKind::text: return line(one.text.ends_with('}') ? one.text : one.text + ';', one.instruction);
    case StatementKind::declare: return line(one.declared_as + ' ' + one.text + ';', one.instruction);
    case StatementKind::assign:
      if (one.declared_as.empty() && !one.step.empty()) return line(one.step + ';', one.instruction);
      return line((one.declared_as.empty() ? "" : one.declared_as + ' ') + one.text + " = " + one.value.text + ';', one.instruction);
    case StatementKind::if_:
      head("if (" + one.value.text + ") {");
      block(one.first);
      if (one.second.size() == 1 && one.second[0].kind == StatementKind::if_) {
        out.repeat(' ', std::size_t{indent} * kIndent);
        out << "} else ";
        return print(one.second[0], true);
      }
      if (!one.second.empty()) {
        line("} else {", ir::kNone);
        block(one.second);
      }
      return line("}", ir::kNone);
    case StatementKind::loop:
      head("while (true) {");
      block(one.first);
      return line("}", ir::kNone);
    case StatementKind::while_:
      head("while (" + one.value.text + ") {");
      block(one.first);
      return line("}", ir::kNone);
    case StatementKind::for_:
      head("for (" + one.text + "; " + one.value.text + "; " + one.step + ") {");
      block(one.first);
      return line("}", ir::kNone);
    case StatementKind::do_:
      head("do {");
      block(one.first);
      return line("} while (" + (one.value.text.empty() ? "false" : one.value.text) + ");", ir::kNone);
    case StatementKind::switch_:
      head("switch (" + one.value.text + ") {");
      block(one.first);
      return line("}", ir::kNone);
    case StatementKind::case_:
      line(one.text + " {", one.instruction);
      block(one.first);
      return line("}", ir::kNone);
    case StatementKind::break_: return line("break;", one.instruction);
    case StatementKind::continue_: return line("continue;", one.instruction);
    case StatementKind::return_: return line(one.text.empty() ? "return;" : "return " + one.text + ';', one.instruction);
  }
}

}  // namespace unshade::write::source
