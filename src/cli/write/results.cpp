#include <unshade/png/picture_files.hpp>

#include <unshade/core/text/paths.hpp>
#include <unshade/system/folder.hpp>

#include "cli/write/results.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/write/pending_files.hpp"

namespace unshade::cli::write {

namespace {

const png::PictureFile* picture_file(std::string_view id) {
  const auto found = std::ranges::find(png::picture_files(), id, &png::PictureFile::id);
  return found == png::picture_files().end() ? nullptr : &*found;
}

/// `npy`, `raw` or the id of a picture.
std::string_view format_of(const run::ResultArray& array, const std::vector<std::string_view>& formats) {
  for (auto format = formats.rbegin(); format != formats.rend(); ++format) {
    if (picture_file(*format) == nullptr || array.width != 0) return *format;
  }
  return array.format != 0 ? "dds" : "npy";
}

Result<std::vector<std::byte>> encode(const run::ResultArray& array, std::string_view format) {
  if (format == "raw") return array.bytes;
  const png::PictureFile* const file = picture_file(format);
  if (file == nullptr) return run::npy_of(array);
  const auto picture = run::picture_of(array);
  if (!picture) return picture.error();
  return file->write(*picture);
}

}  // namespace

bool names_folder(std::string_view path) {
  return (!path.empty() && paths::is_separator(path.back())) || system::is_folder(std::string(path));
}

Exit write_results(const std::vector<run::ResultArray>& arrays, std::string_view folder, const std::vector<std::string_view>& formats,
                   const InputFiles& inputs, Io& io, std::vector<ResultFile>& files) {
  if (!system::make_folders(std::string(folder))) {
    io.report(folder, "io", std::strerror(errno));
    return Exit::failed;
  }
  const std::vector<std::string> names = run::file_names(arrays);
  PendingFiles made;
  for (std::size_t at = 0; at < arrays.size(); ++at) {
    const run::ResultArray& array = arrays[at];
    const std::string_view format = format_of(array, formats);
    const std::string path = system::path_in(std::string(folder), names[at] + '.' + (format == "raw" ? "bin" : std::string(format)));
    const auto bytes = encode(array, format);
    if (!bytes) {
      io.report(array.name, bytes.error());
      return Exit::invalid;
    }
    if (!made.add(path, View(*bytes).text(), io)) return Exit::failed;
    files.push_back({array.name, path, array.kind + std::to_string(array.item_bytes), array.shape});
  }
  return made.commit(inputs, io) ? Exit::ok : Exit::failed;
}

}  // namespace unshade::cli::write
