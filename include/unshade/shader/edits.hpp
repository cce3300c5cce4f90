// Several edits of one file, one after the other, and their texts: `input:TEXCOORD1=UV0`, `t0=t4;t4=t0`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/view.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/vbc/file.hpp>

namespace unshade::shader {

/// `entry, input, ...`: the kinds that parse_rename() knows.
std::string kinds_of_names();
/// `KIND:OLD=NEW`. Nothing if the text is none.
std::optional<Rename> parse_rename(std::string_view text);
/// Adds `t0=t4;t0,space1=t4,space2;0,set1=4;c4=c8`. False if the text is none.
bool parse_rebinds(std::string_view text, std::vector<Rebind>& rebinds);

/// Edits of VBC files, in the order in which they are made.
struct VbcEdits {
  bool repair = false;
  std::optional<vbc::Stage> stage{};  ///< that gets `module` in the place of its own
  View module{};
  std::optional<std::string_view> tables{};  ///< of vbc::parse_table_sizes()
  std::optional<Strip> strip{};
};

/// In the order in which they are made; renames are made at once, and so are rebinds.
struct Edits {
  std::optional<VbcEdits> vbc{};
  enum class Definitions : unsigned char { kept, restored, made };
  Definitions definitions = Definitions::kept;  ///< of DXBC: restore_definitions() and make_definitions()
  View restored{};
  std::vector<Rename> renames{};
  std::vector<Rebind> rebinds{};
};

/// Errors: those of the edits; unsupported for edits of VBC in other files.
Result<Edited> make_edits(const Shader& shader, const Edits& edits);

}  // namespace unshade::shader
