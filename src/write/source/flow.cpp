// Statements: the tree of a function, assignments, and the order in which they are written.
#include <algorithm>
#include <array>
#include <utility>

#include "write/source/function_writer.hpp"
#include "write/source/prepare.hpp"

namespace unshade::write::source {

using ir::NodeKind;
using ir::Writing;

namespace {

/// Nested statements: printing them recurses.
constexpr unsigned kMostNested = 200;

std::size_t count_statements(const Statements& body, SourceScore& score) {
  std::size_t count = 0;
  for (const Statement& one : body) {
    switch (one.kind) {
      case StatementKind::declare: ++score.temporaries; break;
      case StatementKind::assign: score.temporaries += one.declared_as.empty() ? 0 : 1; [[fallthrough]];
      case StatementKind::text:
      case StatementKind::return_: ++count; break;
      case StatementKind::break_:
      case StatementKind::continue_: ++count, ++score.jumps; break;
      case StatementKind::do_:
        score.once += one.value.text.empty() ? 1 : 0;
        ++count;
        break;
      case StatementKind::case_: break;
      default: ++count; break;
    }
    if (one.kind == StatementKind::loop || one.kind == StatementKind::while_ || one.kind == StatementKind::for_) ++score.loops;
    count += count_statements(one.first, score) + count_statements(one.second, score);
  }
  return count;
}

}  // namespace

FunctionWriter::FunctionWriter(ModuleWriter& writer, std::size_t function)
    : writer_(writer),
      target_(*writer.target),
      number_(function),
      f_(writer.module.functions[function]),
      tree_(writer.structured.trees[function]),
      plan_(f_, tree_, writer.types.of[function], {writer.is_exact(), knows_expansions()}),
      is_done_(f_.insts.size()),
      is_counted_(f_.insts.size()) {}

void FunctionWriter::run(Text& out, std::vector<std::uint32_t>& lines) {
  name_variables();
  Statements body;
  walk(body, 0, static_cast<std::uint32_t>(tree_.nodes.size()), 0);
  if (writer_.failed()) return;
  if (body.empty() || body.back().kind != StatementKind::return_) return_(body);
  if (body.back().text.empty()) body.pop_back();
  leave_loops(body);
  declare_variables(body, variables_);
  shape(body);
  writer_.score.statements += count_statements(body, writer_.score);
  const std::size_t before = lines.size();
  StatementPrinter{out, lines}.print(body);
  writer_.score.lines += lines.size() - before;
}

std::uint32_t FunctionWriter::line_of(Id id) const { return id < f_.sources.size() ? f_.sources[id].instruction : kNone; }

Statement& FunctionWriter::add(Statements& into, StatementKind kind, std::string text, Id source) {
  Statement& made = into.emplace_back();
  made.kind = kind;
  made.text = std::move(text);
  made.instruction = source == kNone ? kNone : line_of(source);
  made.mentions = take_mentions();
  return made;
}

void FunctionWriter::walk(Statements& into, std::uint32_t first, std::uint32_t end, unsigned depth) {
  if (depth > kMostNested) return writer_.unsupported("so many statements in each other");
  for (std::uint32_t node = first; node < end && !writer_.failed(); node = tree_.nodes[node].end) {
    const ir::Node& at = tree_.nodes[node];
    switch (at.kind) {
      case NodeKind::block: block(into, at.block); break;
      case NodeKind::if_: if_(into, node, depth); break;
      case NodeKind::switch_: {
        Statements made;
        switch_(made, node, depth);
        cross(into, std::move(made), node);
        break;
      }
      case NodeKind::loop: {
        Statements made;
        loop(made, node, depth);
        cross(into, std::move(made), node);
        break;
      }
      case NodeKind::once: {
        Statements made(1);
        made[0].kind = StatementKind::do_;
        walk(made[0].first, node + 1, at.end, depth + 1);
        cross(into, std::move(made), node);
        break;
      }
      case NodeKind::break_:
      case NodeKind::continue_: leave(into, node); break;
      case NodeKind::return_: return_(into); break;
      default: walk(into, node + 1, at.end, depth + 1); break;
    }
  }
}

void FunctionWriter::block(Statements& into, BlockId block) {
  const Id last = f_.blocks[block].last;
  for (Id id = f_.blocks[block].first; id != kNone && id != last && !writer_.failed(); id = f_.next[id])
    if (f_.insts[id].op != Op::phi) instruction(into, id);
  for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) is_done_[id] = false;
  if (f_.insts[last].op == Op::jump) edge(into, block, f_.operands_of(last)[0]);
}

void FunctionWriter::return_(Statements& into) { add(into, StatementKind::return_, target_.return_value(), kNone); }

// The loop, switch or region that a break at a node leaves.
std::uint32_t FunctionWriter::left_by_break(std::uint32_t node) const {
  const auto is_left = [](NodeKind kind) { return kind == NodeKind::loop || kind == NodeKind::switch_ || kind == NodeKind::once; };
  for (node = tree_.nodes[node].parent; node != kNone && !is_left(tree_.nodes[node].kind); node = tree_.nodes[node].parent) {
  }
  return node;
}

void FunctionWriter::leave(Statements& into, std::uint32_t at) {
  const ir::Node& node = tree_.nodes[at];
  if (node.crossed == 0) return arrive(into, node);
  // languages leave the innermost alone: a variable says that what is around it is left too
  auto [way, is_new] = ways_.try_emplace({node.target, node.kind == NodeKind::continue_});
  if (is_new) {
    way->second.node = at;
    way->second.variable = static_cast<VariableId>(variables_.size());
    LocalVariable flag;
    const std::string word = node.kind == NodeKind::break_ ? "leaves" : "goesOn";
    const Name name = writer_.names.claim(Name{word, word}, way->second.variable, Names::Kind::local);
    flag.name = name.shown;
    flag.plain = name.plain;
    flag.type = {Base::bool_, 1};
    flag.type_name = target_.type_name(flag.type);
    flag.region = node.target;
    variables_.push_back(std::move(flag));
  }
  set(into, way->second.variable, true);
  add(into, StatementKind::break_, {}, kNone);
  for (std::uint32_t left = left_by_break(at); left != kNone && left != node.target; left = left_by_break(left))
    ways_left_[left].insert(way->first);
}

void FunctionWriter::set(Statements& into, VariableId flag, bool value) {
  mention(flag);
  Statement& made = add(into, StatementKind::assign, variables_[flag].name, kNone);
  made.value = {target_.literal(Base::bool_, value ? 1 : 0, false), Level::postfix, {Base::bool_, 1}, true};
  made.variable = flag;
  made.is_whole = true;
}

// What a node has become, and where those that leave more than it go on.
void FunctionWriter::cross(Statements& into, Statements made, std::uint32_t node) {
  const auto found = ways_left_.find(node);
  const std::uint32_t around = left_by_break(node);
  if (found != ways_left_.end())
    for (const auto& to : found->second)
      if (around == to.first) set(into, ways_.at(to).variable, false);
  into.insert(into.end(), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  if (found == ways_left_.end()) return;
  for (const auto& to : found->second) {
    const Way& way = ways_.at(to);
    Statement leaves;
    leaves.kind = StatementKind::if_;
    leaves.value = {variables_[way.variable].name, Level::postfix, {Base::bool_, 1}};
    leaves.mentions = {way.variable};
    if (around == to.first) {
      arrive(leaves.first, tree_.nodes[way.node]);
    } else {
      add(leaves.first, StatementKind::break_, {}, kNone);
    }
    into.push_back(std::move(leaves));
  }
}

// A break or continue to what is around it.
void FunctionWriter::arrive(Statements& into, const ir::Node& node) {
  if (node.kind == NodeKind::break_) {
    add(into, StatementKind::break_, {}, kNone);
    return;
  }
  // what the latch does comes before the next round
  const BlockId latch = tree_.nodes[node.target].latch;
  if (f_.insts[f_.blocks[latch].last].op != Op::jump) return writer_.unsupported("a continue to a test at the end of a loop");
  block(into, latch);
  add(into, StatementKind::continue_, {}, kNone);
}

void FunctionWriter::if_(Statements& into, std::uint32_t node, unsigned depth) {
  const ir::Node& at = tree_.nodes[node];
  const Id last = f_.blocks[at.block].last;
  const auto terminator = f_.operands_of(last);
  Statement made;
  made.kind = StatementKind::if_;
  made.value = one(terminator[0], Base::bool_);
  made.mentions = take_mentions();
  made.instruction = line_of(last);
  edge(made.first, at.block, terminator[1]);
  edge(made.second, at.block, terminator[2]);
  for (std::uint32_t child = node + 1; child < at.end; child = tree_.nodes[child].end) {
    const ir::Node& arm = tree_.nodes[child];
    walk(arm.kind == NodeKind::then_ ? made.first : made.second, child + 1, arm.end, depth + 1);
  }
  into.push_back(std::move(made));
}

void FunctionWriter::switch_(Statements& into, std::uint32_t node, unsigned depth) {
  const ir::Node& at = tree_.nodes[node];
  const Id last = f_.blocks[at.block].last;
  const auto terminator = f_.operands_of(last);
  Statement made;
  made.kind = StatementKind::switch_;
  made.value = one(terminator[0]);
  if (is_real(made.value.type.base)) made.value = as(made.value, bits_of(made.value.type.base) == 64 ? Base::uint64 : Base::uint_);
  const Base base = made.value.type.base;
  // GLSL takes words: the number of the operand that names the case
  const bool is_numbered = bits_of(base) == 64 && target_.words() == ShadingLanguage::glsl;
  if (is_numbered) {
    // `x == 7L ? 3 : x == 9L ? 5 : 1`
    std::string chosen;
    for (std::size_t operand = 3; operand < terminator.size(); operand += 2) {
      const Expression label{target_.literal(base, ir::constant_bits(f_, terminator[operand - 1]), false), Level::postfix, {base, 1}, true};
      chosen += target_.compared("==", Level::equality, made.value, label).in(Level::logical_or) + " ? " + std::to_string(operand) + " : ";
    }
    made.value = {chosen + '1', chosen.empty() ? Level::postfix : Level::conditional, {Base::int_, 1}};
  }
  made.mentions = take_mentions();
  made.instruction = line_of(last);
  std::vector<bool> has_case(terminator.size());
  const auto label = [&](std::size_t operand) {
    if (operand == 1) return std::string("default:");
    return "case " +
           (is_numbered ? std::to_string(operand) : target_.literal(base, ir::constant_bits(f_, terminator[operand - 1]), false)) + ':';
  };
  const auto close = [&](Statement& one) {
    const bool ends =
        !one.first.empty() && (one.first.back().kind == StatementKind::break_ || one.first.back().kind == StatementKind::return_ ||
                               one.first.back().kind == StatementKind::continue_);
    if (!ends) add(one.first, StatementKind::break_, {}, kNone);
    made.first.push_back(std::move(one));
  };
  for (std::uint32_t child = node + 1; child < at.end; child = tree_.nodes[child].end) {
    const ir::Node& arm = tree_.nodes[child];
    Statement one;
    one.kind = StatementKind::case_;
    for (std::uint32_t k = 0; k < arm.label_count; ++k) {
      const std::uint32_t operand = tree_.labels[arm.first_label + k];
      has_case[operand] = true;
      (one.text += k == 0 ? "" : " ") += label(operand);
    }
    edge(one.first, at.block, arm.block);
    walk(one.first, child + 1, arm.end, depth + 1);
    close(one);
  }
  // labels that lead behind it, if something is assigned on the way
  std::vector<std::size_t> left;
  for (std::size_t operand = 1; operand < terminator.size(); operand += 2)
    if (!has_case[operand]) left.push_back(operand);
  if (!left.empty()) {
    Statement one;
    one.kind = StatementKind::case_;
    edge(one.first, at.block, terminator[left.front()]);
    if (!one.first.empty()) {
      for (const std::size_t operand : left) (one.text += one.text.empty() ? "" : " ") += label(operand);
      close(one);
    }
  }
  into.push_back(std::move(made));
}

void FunctionWriter::loop(Statements& into, std::uint32_t node, unsigned depth) {
  Statement made;
  made.kind = StatementKind::loop;
  made.region = node;
  walk(made.first, node + 1, tree_.nodes[node].end, depth + 1);
  into.push_back(std::move(made));
}

// Assigns values to components of a variable. What adds to them is said so.
void FunctionWriter::assign(Statements& into, Ids ids, std::span<const Place> places, Id source) {
  const VariableId variable = places[0].variable;
  const LocalVariable named = variables_[variable];
  std::vector<std::uint8_t> components;
  for (const Place& place : places) components.push_back(place.component);
  const std::string to = swizzled(named.name, named.type.width, components, named.type.base).text;
  const ir::Inst& inst = f_.insts[ids[0]];
  // computed here, not named elsewhere
  const bool is_computed = std::ranges::all_of(ids, [&](Id id) {
    return !is_constant(id) && inst.op != Op::phi &&
           (plan_.is_named(id) ? plan_.place(id).variable == variable && source == ids[0] : true) && f_.insts[id].op == inst.op;
  });
  const auto is_own = [&](const std::vector<Id>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Place place = place_of(values[k]);
      if (place.variable != variable || place.component != components[k]) return false;
    }
    return true;
  };
  std::string step;
  bool counts = false;
  Expression value;
  const Base base = named.type.base;
  const bool is_float_sum = ir::is_float(inst.type) && is_real(base) &&
                            (inst.op == Op::fadd || inst.op == Op::fmad || inst.op == Op::fmul || inst.op == Op::fsub);
  const bool is_whole_sum = inst.op == Op::iadd && inst.type == Type::i32 && !is_real(base);
  const bool is_alike = is_computed && (ids.size() == 1 || are_alike_operations(ids));
  const bool is_function = is_alike && is_float_sum && (normalized(ids) || interpolated(ids) || mixed(ids) || reflected(ids));
  if (is_alike && !is_function && (is_float_sum || is_whole_sum) && !(inst.op == Op::fmad && writer_.module.modes.fused_mad)) {
    const std::size_t own = inst.op == Op::fmad ? 2 : is_own(plan_.operands_at(ids, 0)) || inst.op == Op::fsub ? 0 : 1;
    if (is_own(plan_.operands_at(ids, own))) {
      mention(variable);
      const std::string word = inst.op == Op::fmul ? " *= " : inst.op == Op::fsub ? " -= " : " += ";
      if (inst.op == Op::fmad) {
        Expression a = list(plan_.operands_at(ids, 0), base), b = list(plan_.operands_at(ids, 1), base);
        value = binary("*", Level::product, a, b, {base, std::max(a.type.width, b.type.width)});
      } else {
        value = list(plan_.operands_at(ids, 1 - own), base);
      }
      if (is_whole_sum && is_constant(f_.operands_of(ids[0])[1 - own]) && ids.size() == 1) {
        counts = true;
        const auto by = static_cast<std::int32_t>(static_cast<std::uint32_t>(ir::constant_bits(f_, f_.operands_of(ids[0])[1 - own])));
        if (by == 1) step = to + "++";
        if (by == -1) step = to + "--";
        if (by < -1) step = to + " -= " + target_.literal(base, 0U - static_cast<std::uint32_t>(by), false);
      }
      if (step.empty() && word == " += " && value.is_literal && value.type.width == 1 && value.text.starts_with('-')) {
        step = to + " -= " + value.text.substr(1);
      } else if (step.empty()) {
        step = to + word + value.text;
      }
    }
  }
  if (step.empty()) {
    const bool is_definition = source == ids[0] && plan_.is_named(ids[0]) && plan_.place(ids[0]).variable == variable;
    const bool is_cast = is_definition && inst.op == Op::bitcast && bits_of(base) == 32 && are_alike_operations(ids);
    value = is_cast ? loosely(plan_.operands_at(ids, 0), base) : is_definition ? compute(ids) : loosely(ids, base);
    const bool is_near = target_.mixes_signs() && !is_real(base) && !is_real(value.type.base) && base != Base::bool_ &&
                         value.type.base != Base::bool_ && bits_of(base) == bits_of(value.type.base);
    if (!is_near) value = as(std::move(value), base);
    value = widened(std::move(value), ids.size());
  }
  mention(variable);
  Statement& made = add(into, StatementKind::assign, to, source);
  made.value = std::move(value);
  made.variable = variable;
  made.is_whole = components.size() == named.type.width;
  made.step = std::move(step);
  if (counts) made.counted = variable;
}

// What operations on rows ask for: all are the same operation.
bool FunctionWriter::are_alike_operations(Ids ids) const {
  return std::ranges::all_of(ids, [&](Id id) {
    return f_.insts[id].op == f_.insts[ids[0]].op && f_.insts[id].type == f_.insts[ids[0]].type &&
           f_.insts[id].operand_count == f_.insts[ids[0]].operand_count;
  });
}

void FunctionWriter::edge(Statements& into, BlockId from, BlockId to) {
  const auto predecessors = f_.predecessors_of(to);
  const auto at = static_cast<std::size_t>(std::ranges::lower_bound(predecessors, from) - predecessors.begin());
  if (at >= predecessors.size() || predecessors[at] != from) return;
  const auto assignments = plan_.webs().on_edge(f_, to, at);
  const Id last = f_.blocks[from].last;
  // components of one vector, at once
  const auto is_of_first = [&](const ir::WebAssignment& one) {
    return plan_.place_of_web(one.web).variable == plan_.place_of_web(assignments[0].web).variable;
  };
  if (assignments.size() > 2 && std::ranges::all_of(assignments, is_of_first)) {
    std::vector<std::pair<Place, Id>> all;
    for (const ir::WebAssignment& one : assignments)
      if (one.kind != ir::MoveStep::Kind::restore) all.emplace_back(plan_.place_of_web(one.web), one.value);
    std::ranges::sort(all, {}, [](const auto& one) { return one.first.component; });
    std::vector<Id> ids;
    std::vector<Place> places;
    for (const auto& [place, id] : all) places.push_back(place), ids.push_back(id);
    return assign(into, ids, places, last);
  }
  for (std::size_t k = 0; k < assignments.size();) {
    const ir::WebAssignment& first = assignments[k];
    const Place place = plan_.place_of_web(first.web);
    if (first.kind != ir::MoveStep::Kind::whole) {
      const VariableId spare = spare_of(place.variable);
      const std::uint8_t component[] = {place.component};
      const LocalVariable &own = variables_[place.variable], &kept = variables_[spare];
      const std::string at_own = swizzled(own.name, own.type.width, component, own.type.base).text;
      const std::string at_kept = swizzled(kept.name, kept.type.width, component, kept.type.base).text;
      const bool keeps = first.kind == ir::MoveStep::Kind::keep;
      Expression value = keeps ? one(first.value, kept.type.base) : Expression{at_kept, Level::postfix, {own.type.base, 1}};
      mention(place.variable);
      mention(spare);
      Statement& made = add(into, StatementKind::assign, keeps ? at_kept : at_own, last);
      made.value = std::move(value);
      made.variable = keeps ? spare : place.variable;
      ++k;
      continue;
    }
    std::vector<Id> ids;
    std::vector<Place> places;
    std::size_t end = k;
    for (; end < assignments.size(); ++end) {
      const ir::WebAssignment& other = assignments[end];
      const Place next = plan_.place_of_web(other.web);
      const auto same = [&](const Place& one) { return one.component == next.component; };
      if (other.kind != ir::MoveStep::Kind::whole || next.variable != place.variable || std::ranges::any_of(places, same)) break;
      ids.push_back(other.value);
      places.push_back(next);
    }
    // in the order of components
    std::vector<std::size_t> order(ids.size());
    for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
    std::ranges::sort(order, {}, [&](std::size_t n) { return places[n].component; });
    std::vector<Id> sorted_ids;
    std::vector<Place> sorted_places;
    for (const std::size_t n : order) sorted_ids.push_back(ids[n]), sorted_places.push_back(places[n]);
    assign(into, sorted_ids, sorted_places, last);
    k = end;
  }
}

VariableId FunctionWriter::spare_of(VariableId variable) {
  const auto found = spares_.find(variable);
  if (found != spares_.end()) return found->second;
  LocalVariable made = variables_[variable];
  const Name name = writer_.names.claim(Name{made.plain, made.name} + "_before", variable, Names::Kind::local);
  made.name = name.shown;
  made.plain = name.plain;
  const auto id = static_cast<VariableId>(variables_.size());
  variables_.push_back(std::move(made));
  return spares_.emplace(variable, id).first->second;
}

void FunctionWriter::instruction(Statements& into, Id id) {
  if (is_done_[id]) return;
  const ir::Inst& inst = f_.insts[id];
  switch (inst.op) {
    case Op::output:
    case Op::store: {
      std::vector<Id> ids{id};
      const ir::ElementExtra extra(inst.extra);
      const bool joins =
          inst.op == Op::output ? target_.joins_outputs(extra.signature, extra.element) : !writer_.variable(inst.extra).is_flat;
      if (joins) {
        for (Id next = f_.next[id]; next != kNone && ids.size() < 4; next = f_.next[next]) {
          const bool is_statement = f_.insts[next].results == 0 || plan_.is_named(next);
          if (!is_statement && !ir::has(ir::info(f_.insts[next].op).effects, ir::Effects::reads)) continue;
          if (!goes_on(id, next) || !is_beside(ids, next)) break;
          ids.push_back(next);
        }
      }
      for (const Id one : ids) is_done_[one] = true;
      return inst.op == Op::output ? outputs(into, ids) : store(into, ids);
    }
    case Op::buffer_store: return buffer_store(into, id);
    case Op::texel_store: {
      std::string text = target_.texel_store(texture_call(id));
      add(into, StatementKind::text, std::move(text), id);
      return;
    }
    case Op::atomic:
    case Op::buffer_atomic:
    case Op::texel_atomic: return atomic(into, id);
    case Op::emit: add(into, StatementKind::text, target_.emit(inst.extra), id); return;
    case Op::cut: add(into, StatementKind::text, target_.cut(inst.extra), id); return;
    case Op::set_mesh_counts:
    case Op::dispatch_mesh: {
      std::vector<Expression> counts;
      for (const Id count : f_.operands_of(id)) counts.push_back(one(count, Base::uint_));
      return statement(into, inst.op == Op::dispatch_mesh ? target_.dispatch_mesh(counts) : target_.mesh_counts(counts[0], counts[1]), id);
    }
    case Op::sampler_feedback: return statement(into, target_.write_feedback(texture_call(id)), id);
    case Op::print: return message(into, id);
    case Op::trap: return statement(into, target_.stop(), id);
    case Op::mesh_index: return mesh_index(into, id);
    case Op::barrier: add(into, StatementKind::text, target_.barrier(inst.extra), id); return;
    case Op::demote: {
      const auto operands = f_.operands_of(id);
      const bool is_always = operands.empty() || (known(operands[0]) && *known(operands[0]) != 0);
      if (is_always) {
        add(into, StatementKind::text, target_.demote(""), id);
        return;
      }
      Statement made;
      made.kind = StatementKind::if_;
      made.value = one(operands[0], Base::bool_);
      made.mentions = take_mentions();
      made.instruction = line_of(id);
      add(made.first, StatementKind::text, target_.demote(""), id);
      into.push_back(std::move(made));
      return;
    }
    case Op::counter: {
      const ResourceUse buffer = resource(f_.operands_of(id)[0]);
      if (buffer.resource == kNone) return;
      const std::string text = target_.counter(buffer, static_cast<ir::Counter>(inst.extra) == ir::Counter::up);
      if (plan_.uses().count[id] == 0) {
        add(into, StatementKind::text, text, id);
        return;
      }
      const Place to = plan_.place(id);
      mention(to.variable);
      Statement& made = add(into, StatementKind::assign, variables_[to.variable].name, id);
      made.value = as({text, Level::postfix, {Base::uint_, 1}}, variables_[to.variable].type.base);
      made.variable = to.variable;
      made.is_whole = true;
      made.has_effect = true;
      return;
    }
    default: break;
  }
  if (inst.results == 0) return unsupported_operation(inst.op);
  const Ids ids = plan_.statement_of(id);
  if (ids.empty()) return;
  const VariableId variable = plan_.place(id).variable;
  if (inst.results > 1) {
    // a load: its type is what the resource gives, or what is made of it
    std::vector<std::uint8_t> members;
    for (unsigned k = has_status(inst) ? inst.results - 1U : 0; k < inst.results; ++k) members.push_back(static_cast<std::uint8_t>(k));
    Expression value = members_of_load(id, members);
    for (Id next = f_.next[id]; next != kNone; next = f_.next[next]) {
      if (f_.insts[next].op != Op::get || f_.operands_of(next)[0] != id || plan_.uses().count[next] == 0) continue;
      if (is_real(base_of(next)) != is_real(value.type.base)) value = as(value, base_of(next));
      break;
    }
    LocalVariable& named = variables_[variable];
    named.type = value.type;
    named.type_name = target_.type_name(value.type);
    mention(variable);
    Statement& made = add(into, StatementKind::assign, named.name, id);
    made.value = std::move(value);
    made.variable = variable;
    made.is_whole = true;
    return;
  }
  std::vector<Place> places;
  for (const Id one : ids) places.push_back(plan_.place(one));
  assign(into, ids, places, ids[0]);
}

// What an operation is in the language; nothing: the language does not have it.
void FunctionWriter::statement(Statements& into, std::string text, Id id) {
  if (text.empty()) return unsupported_operation(f_.insts[id].op);
  add(into, StatementKind::text, std::move(text), id);
}

void FunctionWriter::unsupported_operation(Op op) {
  const std::string_view feature = feature_of(op);
  writer_.unsupported(feature.empty() ? "the operation `" + std::string(ir::info(op).text) + "` of the IR" : std::string(feature));
}

// Whether an output or store goes to another component of the same vector.
bool FunctionWriter::is_beside(Ids ids, Id next) const {
  if (f_.insts[next].op == Op::output) {
    const std::uint8_t column = ir::ElementExtra(f_.insts[next].extra).column;
    return std::ranges::none_of(ids, [&](Id id) { return ir::ElementExtra(f_.insts[id].extra).column == column; });
  }
  const Memory& memory = writer_.variable(f_.insts[next].extra);
  const unsigned bytes = ir::bit_width(f_.insts[next].type) / 8;
  const auto a = places(memory.layout, address_of(f_, f_.operands_of(ids[0])[0]), 1, bytes);
  const auto b = places(memory.layout, address_of(f_, f_.operands_of(next)[0]), 1, bytes);
  if (!a || !b || a->front().kind != ScalarPlace::Kind::vector || b->front().kind != a->front().kind || a->front().path != b->front().path)
    return false;
  if (!a->front().component.terms.empty() || !b->front().component.terms.empty()) return false;
  return std::ranges::none_of(ids, [&](Id id) {
    const auto other = places(memory.layout, address_of(f_, f_.operands_of(id)[0]), 1, bytes);
    return !other || other->front().component == b->front().component;
  });
}

}  // namespace unshade::write::source
