#include <unshade/pica/edit.hpp>

namespace unshade::pica {

namespace {

/// Empties a table; whether it had anything.
template <class T>
bool empty_out(Placed<T>& table) {
  if (table.empty()) return false;
  table.items.clear();
  table.offset = 0;
  return true;
}

}  // namespace

bool strip(Shbin& shbin, const StripOptions& options) {
  bool changed = false;
  if (options.lines) {
    changed |= empty_out(shbin.program.lines);
    changed |= empty_out(shbin.program.file_names);
  }
  for (Executable& executable : shbin.executables) {
    if (options.labels) changed |= empty_out(executable.labels);
    if (options.uniforms) changed |= empty_out(executable.uniforms);
  }
  if (changed) shbin.origin = {};
  return changed;
}

bool strip(Object& object, const StripOptions& options) {
  bool changed = options.lines && empty_out(object.lines);
  if (options.uniforms) changed |= empty_out(object.uniforms);
  if (changed) object.origin = {};
  return changed;
}

}  // namespace unshade::pica
