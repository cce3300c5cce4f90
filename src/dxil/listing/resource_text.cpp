#include "dxil/listing/resource_text.hpp"

#include <cstddef>
#include <iterator>

namespace unshade::dxil::listing {

namespace {

/// By ResourceKind. src: DXC DxilResourceBase.cpp, dxcdisassembler.cpp
struct KindText {
  std::string_view type;
  std::string_view dimension;
};
constexpr KindText kKinds[] = {
    {"", "invalid"},
    {"Texture1D", "1d"},
    {"Texture2D", "2d"},
    {"Texture2DMS", "2dMS"},
    {"Texture3D", "3d"},
    {"TextureCube", "cube"},
    {"Texture1DArray", "1darray"},
    {"Texture2DArray", "2darray"},
    {"Texture2DMSArray", "2darrayMS"},
    {"TextureCubeArray", "cubearray"},
    {"TypedBuffer", "buf"},
    {"ByteAddressBuffer", "rawbuf"},
    {"StructuredBuffer", "structbuf"},
    {"CBuffer", "cbuffer"},
    {"Sampler", "sampler"},
    {"TBuffer", "tbuffer"},
    {"RTAccelerationStructure", "ras"},
    {"FeedbackTexture2D", "fbtex2d"},
    {"FeedbackTexture2DArray", "fbtex2darray"},
};

const KindText& kind_text(ResourceKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return kKinds[index < std::size(kKinds) ? index : 0];
}

}  // namespace

std::string_view resource_type_text(ResourceKind kind) { return kind_text(kind).type; }
std::string_view resource_dimension_text(ResourceKind kind) { return kind_text(kind).dimension; }

}  // namespace unshade::dxil::listing
