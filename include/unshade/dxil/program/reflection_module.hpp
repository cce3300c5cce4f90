// The module for reflection (STAT) beside the program that it describes.
#pragma once

#include <string>
#include <vector>

#include <unshade/dxil/metadata.hpp>

namespace unshade::dxil::program {

struct ReflectionFault {
  std::string path;     ///< `entry/thread_group`, `uav[1]/lower_bound`
  std::string message;  ///< `64 1 1, but 64 4 2 in the program`
};

/// What a module for reflection says otherwise than the program: entry points by their names, their flags, properties and signatures,
/// resources by class and id, members of structures by the structure's name. Names that one of them lacks are not compared, nor is usage.
/// At most `most` faults.
std::vector<ReflectionFault> reflection_faults(const ProgramMetadata& reflection, const ProgramMetadata& program, std::size_t most);

}  // namespace unshade::dxil::program
