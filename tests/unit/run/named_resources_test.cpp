// What a scene has, bound by its name.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/run/bindings.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/texel/formats.hpp>

#include "run_support.hpp"

namespace unshade::run {
namespace {

using run_test::map_of;

// What a scene has is bound by its name: it must have the dimension that the shader declares, as what a map says.
TEST(Bindings, NamedResourcesHaveTheDimensionOfTheShader) {
  constexpr std::string_view kText = R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texturecube (float,float,float,float) t1
dcl_resource_buffer (float,float,float,float) t2
dcl_resource_texture2dms(4) (float,float,float,float) t3
dcl_resource_texture1d (float,float,float,float) t4
dcl_resource_raw t5
dcl_resource_texture3d (float,float,float,float) t6
dcl_resource_texture2darray (float,float,float,float) t7
dcl_thread_group 1, 1, 1
ret
)";
  const Assembly made = shader::assemble(shader::language_of(kText), kText);
  const auto opened = shader::open(View(made.file));
  ASSERT_TRUE(opened);
  const auto runnable = prepare(*opened);
  ASSERT_TRUE(runnable);
  Shared shared;
  std::vector<std::byte> bytes(4096);
  const auto add = [&](std::string_view name, std::initializer_list<std::uint32_t> sizes) {
    texel::Descriptor& one = shared[std::string(name)];
    one.bytes = bytes;
    one.format = *texel::find_format("R32_FLOAT");
    std::uint32_t texel::Descriptor::* const members[] = {&texel::Descriptor::width,  &texel::Descriptor::height,
                                                          &texel::Descriptor::depth,  &texel::Descriptor::layers,
                                                          &texel::Descriptor::levels, &texel::Descriptor::samples};
    std::size_t at = 0;
    for (const std::uint32_t size : sizes) one.*members[at++] = size;
  };
  add("buffer", {});
  add("row", {4, 1, 1, 1, 1, 1});
  add("texel", {1, 1, 1, 1, 1, 1});
  add("square", {4, 4, 1, 1, 3, 1});
  add("volume", {4, 4, 4, 1, 1, 1});
  add("layers", {4, 4, 1, 2, 1, 1});
  add("cube", {4, 4, 1, 6, 1, 1});
  add("sampled", {4, 4, 1, 1, 1, 4});
  RunOptions options;
  const auto of = [&](std::string_view place, std::string_view name) {
    Bindings bindings(runnable->module(), options, &shared);
    const auto done = bindings.bind(map_of({{place, Value::text(name)}}));
    return done ? std::string("none") : done.error().path + ": " + done.error().message;
  };
  const std::pair<std::string_view, std::string_view> fitting[] = {{"t0", "square"},  {"t0", "row"},   {"t1", "cube"},   {"t2", "buffer"},
                                                                   {"t3", "sampled"}, {"t4", "row"},   {"t5", "buffer"}, {"t6", "volume"},
                                                                   {"t7", "layers"},  {"t7", "square"}};
  for (const auto& [place, name] : fitting) EXPECT_EQ(of(place, name), "none") << place << ' ' << name;
  EXPECT_EQ(of("t0", "buffer"), "resources/t0: `buffer` is a buffer, and this resource is a texture2d");
  EXPECT_EQ(of("t0", "volume"), "resources/t0: only 3D textures have `depth`, as `volume` has, and this resource is a texture2d");
  EXPECT_EQ(of("t0", "layers"), "resources/t0: only arrays and cubes have `layers`, as `layers` has, and this resource is a texture2d");
  EXPECT_EQ(of("t0", "sampled"),
            "resources/t0: only multisampled textures have `samples`, as `sampled` has, and this resource is a texture2d");
  EXPECT_EQ(of("t1", "square"), "resources/t1: a texture_cube has six layers for each cube, one for each face; found 1");
  EXPECT_EQ(of("t1", "buffer"), "resources/t1: `buffer` is a buffer, and this resource is a texture_cube");
  EXPECT_EQ(of("t2", "square"), "resources/t2: only textures have `width`, as `square` has, and this resource is a buffer");
  EXPECT_EQ(of("t3", "square"),
            "resources/t3: only textures with one sample have `levels`, as `square` has, and this resource is a texture2d_ms");
  EXPECT_EQ(of("t4", "square"), "resources/t4: only 2D and 3D textures have `height`, as `square` has, and this resource is a texture1d");
  EXPECT_EQ(of("t5", "texel"), "resources/t5: only textures have `width`, as `texel` has, and this resource is a buffer");
}

}  // namespace
}  // namespace unshade::run
