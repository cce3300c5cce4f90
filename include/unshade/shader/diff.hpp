// Two shaders compared by what they mean, not by their bytes. Docs: docs/howto/diff.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// The sections to compare besides the summary.
struct DiffOptions {
  bool parts = true;
  bool interface = true;    ///< entry points, signatures, resources, buffers, features
  bool code = true;         ///< instructions
  bool exact_text = false;  ///< lines of the listings as they are printed: numbers of values, names and comments count
};

enum class ChangeKind : std::uint8_t { removed, added, changed };

std::string_view id(ChangeKind kind);

/// A field whose value differs.
struct FieldChange {
  std::string field;   ///< `used_mask`
  std::string before;  ///< empty if there is none
  std::string after;
};

/// Something that only one of the shaders has, or that both have with other values.
struct Change {
  ChangeKind kind = ChangeKind::changed;
  bool meaning = true;              ///< false: it does not change what the shader does or takes, or another section tells it in full
  std::string what;                 ///< `part`, `input`, `resource`, `variable`; empty for the file itself
  std::string name;                 ///< `TEXCOORD0`, `Frame.world`
  std::vector<FieldChange> fields;  ///< of `changed`: what differs; else what it has that is not as usual (0, `no`)
};

/// A run of lines of `before` that a run of lines of `after` stands for; either may be empty.
struct Hunk {
  std::uint32_t first_before = 0;
  std::uint32_t count_before = 0;
  std::uint32_t first_after = 0;
  std::uint32_t count_after = 0;
};

/// A listing cut into the lines that take part in the comparison.
struct DiffLines {
  struct Line {
    std::uint32_t offset = 0;  ///< in the text
    std::uint32_t size = 0;
    std::uint32_t number = 0;  ///< in the listing, from 1
  };
  std::string text;
  std::vector<Line> lines;

  std::string_view line(std::size_t index) const { return std::string_view(text).substr(lines[index].offset, lines[index].size); }
};

/// The instructions side by side. Lines outside hunks are the same, and in the same order.
struct CodeDifference {
  bool compared = false;
  DiffLines before;
  DiffLines after;
  std::vector<Hunk> hunks;
  std::uint32_t removed = 0;  ///< lines
  std::uint32_t added = 0;
  std::uint32_t same = 0;
};

/// What compare() finds. Owns all it holds.
struct Difference {
  bool same_bytes = false;
  bool same_meaning = false;    ///< as far as the options ask: what was not compared does not count
  std::vector<Change> summary;  ///< family, profile, stage, compiler
  std::vector<Change> parts;
  std::vector<Change> interface;
  CodeDifference code;
  std::vector<std::string> notes;  ///< what could not be compared, and why: a sentence each, lower case
};

/// Compares two opened files of any family. What cannot be read is listed in `notes`, and counts as a difference if the bytes differ.
Difference compare(const Shader& before, const Shader& after, const DiffOptions& options = {});

}  // namespace unshade::shader
