// Lists of named things with fields, compared. Knows nothing of what they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <unshade/shader/diff.hpp>

namespace unshade::shader::diff {

/// A field, and whether it bears on what the shader means.
struct ThingField {
  std::string_view name;
  std::string value;
  bool meaning = true;
  bool always = false;  ///< told of things without a partner even if it is as usual: 0, `no`
};

/// Something that either side has any number of.
struct Thing {
  std::string_view what;
  std::string name;   ///< what people call it
  std::string key;    ///< things of one key are the same thing; each key has as many partners as it has things
  std::string place;  ///< where no partner has the key: where it is. Empty: nowhere
  std::vector<ThingField> fields;
  bool meaning = true;
};

/// Appends a change for each thing without a partner, and for each field of partners that differs.
void compare_things(const std::vector<Thing>& before, const std::vector<Thing>& after, std::vector<Change>& changes);

}  // namespace unshade::shader::diff
