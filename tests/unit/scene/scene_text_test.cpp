// What has to hold of any text of a scene, and of any glTF file: small ones, cut and changed at each byte.
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/properties.hpp"
#include "support/files.hpp"

namespace unshade::test {
namespace {

using Property = std::string (*)(View file);

void holds(Property property, std::string_view text) { EXPECT_EQ(property(View(std::as_bytes(std::span(text)))), "") << text; }

/// The text cut, and without or with another character, at each `step`.
void holds_of_changes(Property property, const std::string& text, std::size_t step) {
  holds(property, text);
  for (std::size_t at = 0; at < text.size(); at += step) {
    holds(property, text.substr(0, at));
    holds(property, text.substr(0, at) + text.substr(at + 1));
    for (const char other : {'9', '-', ']'}) holds(property, text.substr(0, at) + other + text.substr(at + 1));
  }
}

constexpr std::string_view kScene =
    "[targets.a]\nformat = 'R8G8B8A8_UNORM'\nwidth = 4\nheight = 4\nsamples = 4\n"
    "[targets.d]\nformat = 'D24_UNORM_S8_UINT'\nwidth = 4\nheight = 4\nsamples = 4\nclear = {Depth = 1, Stencil = 2}\n"
    "[resources]\nb = {raw = true, size = 64}\n"
    "[animation]\nframes = 3\n[[animation.tracks]]\nfield = 'pass[1]/stencil_ref'\nlinear = [0, 4]\n"
    "[[pass]]\ncompute = 'c'\ngrid = [4]\nresources.u0 = 'b'\n"
    "[[pass]]\nvertex = 'v'\npixel = 'p'\ntargets = ['a']\ndepth_target = 'd'\nstencil_ref = 1\nqueries = {q = 'OCCLUSION'}\n"
    "rasterizer = {CullMode = 'NONE', DepthBias = 2}\ndepth_stencil = {StencilEnable = true, BackFace = {StencilReadMask = 3}}\n"
    "mesh.vertices = [{POSITION = [0, 1, 0], COLOR = [1, 0, 0, 1]}, {POSITION = [1, -1, 0], COLOR = [1, 0, 0, 1]}, "
    "{POSITION = [-1, -1, 0], COLOR = [1, inf, nan, 1]}]\n"
    "[[pass]]\nvertex = 'v'\npixel = 'p'\ntargets = ['a']\nviewports = [{Width = 4, Height = 0.5, TopLeftX = 0.5}]\n"
    "predication = {query = 'q', operation = 'EQUAL_ZERO'}\nmesh = {topology = 'TRIANGLESTRIP', indices = [0, 1, 2], "
    "buffers = [{data = 'b', stride = 16, elements = {POSITION = {format = 'R32G32B32_FLOAT'}, COLOR = {format = 'R8G8B8A8_UNORM', offset "
    "= "
    "12}}}]}\n";
constexpr std::string_view kGltf =
    R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": "data:;base64,AACAPwAAAEAAAEBAAACAQAAAoEAAAMBAAADgQAAAAEEAABBB"}],
"bufferViews": [{"buffer": 0, "byteOffset": 0, "byteStride": 12, "byteLength": 36}],
"accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}, {"componentType": 5121, "type": "SCALAR", "count": 3}],
"scene": 0, "scenes": [{"nodes": [0]}],
"nodes": [{"mesh": 0, "children": [1], "rotation": [0, 0, 0, 1]}, {"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,-1,0, 2,3,4,1]}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 0, "TEXCOORD_0": 0, "COLOR_0": 0}, "indices": 1, "mode": 5}]}]})";

TEST(SceneText, ChangedAnywhereIsRefusedOrDrawn) { holds_of_changes(fuzz::scene_text, std::string(kScene), 11); }

TEST(SceneText, ExamplesHold) {
  for (const char* const name : {"cube.toml", "shadow.toml", "particles.toml", "deferred.toml"})
    holds(fuzz::scene_text, read_text(source_dir() / "examples/scenes" / name));
}

TEST(GltfText, ChangedAnywhereIsRefusedOrRead) { holds_of_changes(fuzz::gltf, std::string(kGltf), 1); }

}  // namespace
}  // namespace unshade::test
