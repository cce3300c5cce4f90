// The one description of the signature parts.
#pragma once

#include <unshade/dxcontainer/signature.hpp>

namespace unshade::dxcontainer {

/// One element. Bytes: 24; 28 with a stream (OSG5); 32 with stream and minimum precision (ISG1, OSG1, PSG1).
/// Source: docs/reference/formats/dxcontainer.md, "Signature parts".
template <class Archive>
void describe(Archive& a, SignatureElement& e, const SignatureLayout& layout) {
  if (layout.has_stream) a.u32("stream", e.stream);
  a.string_at("semantic", e.semantic);
  a.u32("semantic_index", e.semantic_index);
  a.enum32("system_value", e.system_value);
  a.enum32("component_type", e.component_type);
  a.u32("register", e.register_index);
  a.u8("mask", e.mask, kMask);
  a.u8("used_mask", e.used_mask, kMask);
  a.u16("reserved", e.reserved, kHex);
  if (layout.has_min_precision) a.enum32("min_precision", e.min_precision);
}

/// u32 count, u32 offset of the first element, and the elements there.
template <class Archive>
void describe(Archive& a, Signature& s) {
  a.table("elements", s.elements, s.layout.stride(), s.layout);
}

}  // namespace unshade::dxcontainer
