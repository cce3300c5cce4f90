#include <unshade/pica/edit.hpp>

namespace unshade::pica {

namespace {

/// Empties a table; whether it had anything.
template <class T>
bool empty_out(Table<T>& table) {
  if (table.empty()) return false;
  table = {};
  return true;
}

}  // namespace

bool strip(Shbin& shbin, const Strip& options) {
  bool changed = false;
  if (options.debug) {
    changed |= empty_out(shbin.program.lines);
    changed |= empty_out(shbin.program.file_names);
  }
  for (Executable& executable : shbin.executables) {
    if (options.debug) changed |= empty_out(executable.labels);
    if (options.names) changed |= empty_out(executable.uniforms);
  }
  if (changed) shbin.origin = {};
  return changed;
}

bool strip(Object& object, const Strip& options) {
  bool changed = options.debug && empty_out(object.lines);
  if (options.names) changed |= empty_out(object.uniforms);
  if (changed) object.origin = {};
  return changed;
}

}  // namespace unshade::pica
