#include "spirv/interface/annotations.hpp"

#include <algorithm>

#include "spirv/grammar/instruction_words.hpp"

namespace unshade::spirv {

namespace {

/// `word`: of the decoration's number; what follows are its operands.
void apply(Decorations& d, const Instruction& i, std::uint32_t word) {
  if (word >= i.word_count()) return;
  const std::uint32_t value = i.word(word + 1);
  const bool has_value = word + 1 < i.word_count();
  const auto number = [&](std::optional<std::uint32_t>& field) {
    if (has_value) field = value;
  };
  switch (static_cast<Decoration>(i.word(word))) {
    case Decoration::block: d.block = true; break;
    case Decoration::buffer_block: d.buffer_block = true; break;
    case Decoration::row_major: d.row_major = true; break;
    case Decoration::col_major: d.col_major = true; break;
    case Decoration::flat: d.flat = true; break;
    case Decoration::no_perspective: d.no_perspective = true; break;
    case Decoration::centroid: d.centroid = true; break;
    case Decoration::sample: d.sample = true; break;
    case Decoration::patch: d.patch = true; break;
    case Decoration::invariant: d.invariant = true; break;
    case Decoration::relaxed_precision: d.relaxed_precision = true; break;
    case Decoration::non_writable: d.non_writable = true; break;
    case Decoration::non_readable: d.non_readable = true; break;
    case Decoration::coherent: d.coherent = true; break;
    case Decoration::volatile_: d.volatile_ = true; break;
    case Decoration::restrict: d.restrict = true; break;
    case Decoration::aliased: d.aliased = true; break;
    case Decoration::per_primitive_nv: d.per_primitive = true; break;
    case Decoration::per_view_nv: d.per_view = true; break;
    case Decoration::per_vertex_khr: d.per_vertex = true; break;
    case Decoration::explicit_interp_amd: d.explicit_interpolation = true; break;
    case Decoration::non_uniform: d.non_uniform = true; break;
    case Decoration::descriptor_set: number(d.set); break;
    case Decoration::binding: number(d.binding); break;
    case Decoration::location: number(d.location); break;
    case Decoration::component: number(d.component); break;
    case Decoration::index: number(d.index); break;
    case Decoration::built_in:
      if (has_value) d.builtin = static_cast<BuiltIn>(value);
      break;
    case Decoration::input_attachment_index: number(d.input_attachment_index); break;
    case Decoration::offset: number(d.offset); break;
    case Decoration::array_stride: number(d.array_stride); break;
    case Decoration::matrix_stride: number(d.matrix_stride); break;
    case Decoration::spec_id: number(d.spec_id); break;
    case Decoration::stream: number(d.stream); break;
    case Decoration::xfb_buffer: number(d.xfb_buffer); break;
    case Decoration::xfb_stride: number(d.xfb_stride); break;
    case Decoration::counter_buffer: number(d.counter_buffer); break;
    case Decoration::user_semantic:
      if (has_value) d.semantic = literal_string(i, word + 1);
      break;
    default: break;
  }
}

/// What one set of decorations adds to another: groups.
void merge(Decorations& to, const Decorations& from) {
#define UNSHADE_FLAG(name) to.name = to.name || from.name;
  UNSHADE_FLAG(block)
  UNSHADE_FLAG(buffer_block)
  UNSHADE_FLAG(row_major)
  UNSHADE_FLAG(col_major)
  UNSHADE_FLAG(flat)
  UNSHADE_FLAG(no_perspective)
  UNSHADE_FLAG(centroid)
  UNSHADE_FLAG(sample)
  UNSHADE_FLAG(patch)
  UNSHADE_FLAG(invariant)
  UNSHADE_FLAG(relaxed_precision)
  UNSHADE_FLAG(non_writable)
  UNSHADE_FLAG(non_readable)
  UNSHADE_FLAG(coherent)
  UNSHADE_FLAG(volatile_)
  UNSHADE_FLAG(restrict)
  UNSHADE_FLAG(aliased)
  UNSHADE_FLAG(per_primitive)
  UNSHADE_FLAG(per_view)
  UNSHADE_FLAG(per_vertex)
  UNSHADE_FLAG(explicit_interpolation)
  UNSHADE_FLAG(non_uniform)
#undef UNSHADE_FLAG
  const auto number = [](auto& a, const auto& b) {
    if (b) a = b;
  };
  number(to.set, from.set);
  number(to.binding, from.binding);
  number(to.location, from.location);
  number(to.component, from.component);
  number(to.index, from.index);
  number(to.builtin, from.builtin);
  number(to.input_attachment_index, from.input_attachment_index);
  number(to.offset, from.offset);
  number(to.array_stride, from.array_stride);
  number(to.matrix_stride, from.matrix_stride);
  number(to.spec_id, from.spec_id);
  number(to.stream, from.stream);
  number(to.xfb_buffer, from.xfb_buffer);
  number(to.xfb_stride, from.xfb_stride);
  number(to.counter_buffer, from.counter_buffer);
  // not the text: a long one would be copied for each target of the group, and none is decorated so in groups
}

}  // namespace

void Annotations::finish(const Module& module) {
  std::stable_sort(notes_.begin(), notes_.end(), before);
  std::stable_sort(names_.begin(), names_.end(), before);
  std::stable_sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) { return a.id < b.id; });
  // each once, so that a group costs its size and each use of it no more than a fixed amount
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (i == 0 || groups_[i].id != groups_[i - 1].id) groups_[i].decorations = own(module, groups_[i].id, grammar::kNoMember);
  is_finished_ = true;
}

std::optional<Decorations> Annotations::of(const Module& module, std::uint32_t id, std::uint32_t member) const {
  const auto [from, to] = range(notes_, id, member);
  if (from == to) return std::nullopt;
  return own(module, id, member);
}

std::string Annotations::name(const Module& module, std::uint32_t id, std::uint32_t member) const {
  const auto [from, to] = range(names_, id, member);
  if (from == to) return {};
  return literal_string(module.at(names_[from].word), member == grammar::kNoMember ? 2 : 3);
}

std::pair<std::size_t, std::size_t> Annotations::range(const std::vector<Note>& notes, std::uint32_t id, std::uint32_t member) {
  const auto [from, to] = std::equal_range(notes.begin(), notes.end(), Note{id, member, 0, false, 0}, before);
  return {static_cast<std::size_t>(from - notes.begin()), static_cast<std::size_t>(to - notes.begin())};
}

Decorations Annotations::own(const Module& module, std::uint32_t id, std::uint32_t member) const {
  Decorations d;
  const auto [from, to] = range(notes_, id, member);
  for (std::size_t i = from; i < to; ++i) {
    const Note& note = notes_[i];
    if (!note.is_group_use) {
      apply(d, module.at(note.word), member == grammar::kNoMember ? 2 : 3);
    } else if (is_finished_) {
      const auto group =
          std::lower_bound(groups_.begin(), groups_.end(), note.group, [](const Group& g, std::uint32_t wanted) { return g.id < wanted; });
      if (group != groups_.end() && group->id == note.group) merge(d, group->decorations);
    }
  }
  return d;
}

}  // namespace unshade::spirv
