// A job of lavapipe.cpp or draws.cpp: what is run, and its inputs. Its lines, where AT and SIZE are bytes in the blob:
//
//   stage compute|vertex|fragment|draw
//   file PATH           run by unshade
//   module PATH         SPIR-V, run by unshade too if it is another file
//   vulkan PATH         the module with what Vulkan's run needs, such as transform feedback
//   entry NAME
//   vs PATH             of a fragment shader, the vertex shader before it
//   blob PATH
//   groups X Y Z
//   in_order yes        in Vulkan a group after the other, as unshade runs them; the number of groups is 1 there
//   area W H            pixels
//   lanes N
//   wave N              lanes that unshade runs at once, 8 if it does not say; 0: as many as Vulkan
//   check yes           count misuses: values that were never set, accesses out of bounds
//   xfb STRIDE
//   input LOCATION COLUMN AT        a word of each lane
//   builtin NAME AT                 the same, components one after the other
//   attribute LOCATION FORMAT AT    16 bytes of each vertex
//   target LOCATION FORMAT
//   buffer SET BINDING uniform|storage|texel|storage_texel FORMAT AT SIZE CLASS REGISTER SPACE OUT
//   image SET BINDING sampled|storage|combined VIEW FORMAT W H D LAYERS LEVELS SAMPLES AT SIZE CLASS REGISTER SPACE OUT
//   sampler SET BINDING MIN MAG MIP U V W COMPARISON BIAS MIN_LOD MAX_LOD BORDER REGISTER SPACE
//   push AT SIZE
//
// Of several dispatches one after the other (compute.cpp), in place of file, module, vulkan and groups:
//
//   shader PATH                         SPIR-V, whose entry point is main
//   pass SHADER X Y Z SWAPPED PUSH...   by the shader of that number; SWAPPED: with buffers 0 and 1 of set 0 in each other's place
//   repeat N
//   waves N...                          each of which unshade runs it with
//
// Of a draw, where `file` and `vulkan` are the pixel shader's, whose sets begin at kPixelSets:
//
//   vs_file PATH        run by unshade; `vs` is that of Vulkan
//   vs_entry NAME
//   topology triangles|strip|lines|line_strip|points
//   vertices N
//   samples N
//   readback PATH       of several samples: a compute shader that copies them to a buffer
//   viewport X Y W H
//   scissor X Y W H
//   bias CONSTANT SLOPE CLAMP
//   depth FORMAT        a target that is cleared to 1, less_equal
//   additive yes        colors are added
//   unclipped yes       depth is clamped
//   repeat N            times to run it, for the time of each
//   threads N           of unshade
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace compare {

using Bytes = std::vector<std::byte>;
using Words = std::vector<std::uint32_t>;

/// The first descriptor set of a pixel shader in a draw.
inline constexpr unsigned kPixelSets = 8;

[[noreturn]] inline void fail(const std::string& who, const std::string& why) {
  std::printf("%s failed %s\n", who.c_str(), why.c_str());
  std::fflush(stdout);
  std::_Exit(0);
}

inline Bytes read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

struct Buffer {
  unsigned set, binding;
  std::string kind, format;
  std::size_t at, size;
  char letter;
  unsigned reg, space, out;
};
struct Image {
  unsigned set, binding;
  std::string kind, view, format;
  unsigned width, height, depth, layers, levels, samples;
  std::size_t at, size;
  char letter;
  unsigned reg, space, out;
};
struct Sampler {
  unsigned set, binding, min, mag, mip, u, v, w;
  int comparison;
  float bias, min_lod, max_lod;
  unsigned border, reg, space;
};
struct Input {
  unsigned location, column;
  std::size_t at;
};
struct Builtin {
  std::string name;
  std::size_t at;
};
struct Attribute {
  unsigned location;
  std::string format;
  std::size_t at;
};
struct Target {
  unsigned location;
  std::string format;
};
struct Pass {
  unsigned shader = 0;
  std::array<unsigned, 3> groups{1, 1, 1};
  bool swapped = false;
  Words push{};
};

struct Job {
  std::map<std::string, std::string> words;
  std::array<unsigned, 3> groups{1, 1, 1};
  unsigned width = 0, height = 0, lanes = 0, xfb = 0, wave = 8;
  std::size_t push_at = 0, push_size = 0;
  std::vector<Buffer> buffers;
  std::vector<Image> images;
  std::vector<Sampler> samplers;
  std::vector<Input> inputs;
  std::vector<Builtin> builtins;
  std::vector<Attribute> attributes;
  std::vector<Target> targets;
  std::vector<std::string> shaders;
  std::vector<Pass> passes;
  Bytes blob;
};

/// The numbers of a line, or others if there is none.
inline std::vector<double> numbers(const Job& job, const std::string& word, std::vector<double> otherwise) {
  const auto found = job.words.find(word);
  if (found == job.words.end()) return otherwise;
  std::istringstream in(found->second);
  std::vector<double> made;
  for (double one = 0; in >> one;) made.push_back(one);
  return made;
}
inline unsigned number(const Job& job, const std::string& word, unsigned otherwise) {
  return static_cast<unsigned>(numbers(job, word, {static_cast<double>(otherwise)}).at(0));
}

/// Of a run, in nanoseconds: on the clock, and of all processors.
struct Times {
  double wall = 0, processors = 0;
  static Times now() {
    const auto of = [](clockid_t clock) {
      timespec made{};
      clock_gettime(clock, &made);
      return 1e9 * static_cast<double>(made.tv_sec) + static_cast<double>(made.tv_nsec);
    };
    return {of(CLOCK_MONOTONIC), of(CLOCK_PROCESS_CPUTIME_ID)};
  }
  Times since(const Times& begun) const { return {wall - begun.wall, processors - begun.processors}; }
};

/// A line of `time` and one of `processors`: who, and the nanoseconds of each run.
inline void print_times(const std::string& who, const std::vector<Times>& times) {
  for (const auto& [what, which] : {std::pair("time", &Times::wall), std::pair("processors", &Times::processors)}) {
    std::printf("%s %s", what, who.c_str());
    for (const Times& one : times) std::printf(" %.0f", one.*which);
    std::printf("\n");
  }
}

inline Job read_job(const char* path) {
  Job job;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream in(line);
    std::string what;
    in >> what;
    if (what == "groups") {
      in >> job.groups[0] >> job.groups[1] >> job.groups[2];
    } else if (what == "area") {
      in >> job.width >> job.height;
    } else if (what == "lanes") {
      in >> job.lanes;
    } else if (what == "wave") {
      in >> job.wave;
    } else if (what == "xfb") {
      in >> job.xfb;
    } else if (what == "push") {
      in >> job.push_at >> job.push_size;
    } else if (what == "input") {
      Input& i = job.inputs.emplace_back();
      in >> i.location >> i.column >> i.at;
    } else if (what == "builtin") {
      Builtin& b = job.builtins.emplace_back();
      in >> b.name >> b.at;
    } else if (what == "attribute") {
      Attribute& a = job.attributes.emplace_back();
      in >> a.location >> a.format >> a.at;
    } else if (what == "shader") {
      in >> job.shaders.emplace_back();
    } else if (what == "pass") {
      Pass& p = job.passes.emplace_back();
      in >> p.shader >> p.groups[0] >> p.groups[1] >> p.groups[2] >> p.swapped;
      for (std::uint32_t word = 0; in >> word;) p.push.push_back(word);
    } else if (what == "target") {
      Target& t = job.targets.emplace_back();
      in >> t.location >> t.format;
    } else if (what == "buffer") {
      Buffer& b = job.buffers.emplace_back();
      in >> b.set >> b.binding >> b.kind >> b.format >> b.at >> b.size >> b.letter >> b.reg >> b.space >> b.out;
    } else if (what == "image") {
      Image& i = job.images.emplace_back();
      in >> i.set >> i.binding >> i.kind >> i.view >> i.format >> i.width >> i.height >> i.depth >> i.layers >> i.levels >> i.samples >>
          i.at >> i.size >> i.letter >> i.reg >> i.space >> i.out;
    } else if (what == "sampler") {
      Sampler& s = job.samplers.emplace_back();
      in >> s.set >> s.binding >> s.min >> s.mag >> s.mip >> s.u >> s.v >> s.w >> s.comparison >> s.bias >> s.min_lod >> s.max_lod >>
          s.border >> s.reg >> s.space;
    } else {
      in >> std::ws;
      std::getline(in, job.words[what]);
    }
  }
  job.blob = read(job.words["blob"]);
  return job;
}

inline void print(const char* who, const std::string& name, const Words& words) {
  std::printf("%s %s", who, name.c_str());
  for (const std::uint32_t word : words) std::printf(" %x", word);
  std::printf("\n");
}
inline Words words_of(const std::byte* bytes, std::size_t size) {
  Words words(size / 4);
  std::memcpy(words.data(), bytes, size / 4 * 4);
  return words;
}
inline std::string place(char letter, unsigned reg, unsigned space) { return letter + std::to_string(reg) + "," + std::to_string(space); }

}  // namespace compare
