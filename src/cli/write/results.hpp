// Results of a run in files of a folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <unshade/present/run/run.hpp>
#include <unshade/run/run.hpp>

#include "cli/io/io.hpp"
#include "cli/line/verb.hpp"
#include "cli/write/input_files.hpp"

namespace unshade::cli::write {

/// What --format takes, for Option::choices: `npy|raw|png|dds|exr`.
inline constexpr std::string_view kResultFormats = "npy|raw|png|dds|exr";

inline constexpr Option kResultsDir{"output-dir", 'd', Takes::folder,
                                    "DIR",        {},  "write each output and resource to a file of its own in DIR, as -o DIR/"};

using present::ResultFile;

/// Whether -o names a folder: one that is there, or a name with a slash at its end.
bool names_folder(std::string_view path);

/// Writes each result into a file of its own, named after it; the folder is made. Of `formats` the last one counts that a result can be
/// written in: those of pictures for textures alone. Without one, textures are DDS files (NumPy arrays, if DXGI does not have the format or
/// a texel has several samples), others NumPy arrays. Files appear under their names when all of them are complete; none may be one of
/// `inputs`. Reports faults.
Exit write_results(const std::vector<run::ResultArray>& arrays, std::string_view folder, const std::vector<std::string_view>& formats,
                   const InputFiles& inputs, Io& io, std::vector<ResultFile>& files);

}  // namespace unshade::cli::write
