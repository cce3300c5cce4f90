// What is in a database, counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <unshade/index/schema.hpp>

namespace unshade::index {

struct KindCount {
  std::string family;
  std::string profile;
  std::uint64_t shaders = 0;
  std::uint64_t bytes = 0;
};

struct Stats {
  std::uint64_t size = 0;     ///< bytes of the database
  std::uint64_t files = 0;    ///< searched
  std::uint64_t faults = 0;   ///< of them, files that could not be read
  std::uint64_t places = 0;   ///< where a shader is
  std::uint64_t shaders = 0;  ///< of different bytes
  std::uint64_t bytes = 0;    ///< of them
  std::uint64_t gone = 0;     ///< of them, shaders without a place: their files have changed, or are gone
  std::uint64_t codes = 0;    ///< different code
  std::uint64_t programs = 0;
  std::uint64_t interfaces = 0;
  std::uint64_t names = 0;
  Keeps keeps;
  std::vector<KindCount> kinds;  ///< the most frequent first
};

Stats stats_of(Connection& database, const std::string& path);

}  // namespace unshade::index
