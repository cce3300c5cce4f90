// Decorations and names of a module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

/// Annotations and names of a module by what they are about.
class Annotations {
 public:
  void add(std::uint32_t id, std::uint32_t member, std::uint32_t word, bool is_group_use = false, std::uint32_t group = 0) {
    notes_.push_back({id, member, word, is_group_use, group});
  }
  void add_name(std::uint32_t id, std::uint32_t member, std::uint32_t word) { names_.push_back({id, member, word, false, 0}); }
  void add_group(std::uint32_t id) { groups_.push_back({id, {}}); }

  /// After all were added.
  void finish(const Module& module);

  /// Nothing if there are none.
  std::optional<Decorations> of(const Module& module, std::uint32_t id, std::uint32_t member) const;

  std::string name(const Module& module, std::uint32_t id, std::uint32_t member) const;

 private:
  struct Note {
    std::uint32_t id;
    std::uint32_t member;
    std::uint32_t word;  // of the instruction, from the start of the module
    bool is_group_use;
    std::uint32_t group;
  };
  struct Group {
    std::uint32_t id;
    Decorations decorations;
  };
  static bool before(const Note& a, const Note& b) { return a.id != b.id ? a.id < b.id : a.member < b.member; }
  static std::pair<std::size_t, std::size_t> range(const std::vector<Note>& notes, std::uint32_t id, std::uint32_t member);
  Decorations own(const Module& module, std::uint32_t id, std::uint32_t member) const;

  std::vector<Note> notes_;
  std::vector<Note> names_;
  std::vector<Group> groups_;
  bool is_finished_ = false;
};

}  // namespace unshade::spirv
