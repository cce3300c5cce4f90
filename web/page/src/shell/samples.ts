// Shaders of tests/data and scenes of examples that the page comes with; the build copies them.
export interface Sample {
  file: string;
  title: string;
  about: string;
  /** Files that a scene names. */
  with?: readonly string[];
}

export const samples: readonly Sample[] = [
  { file: "textured_ps_5_0.dxbc", title: "Pixel shader, DXBC", about: "textures, a constant buffer, alpha test" },
  { file: "grid_cs_5_0.dxbc", title: "Compute shader, DXBC", about: "groups, shared memory, atomics" },
  { file: "control_ps_6_0_zi.dxil", title: "Pixel shader, DXIL", about: "with debug information and its source" },
  { file: "mesh_ms_6_5.dxil", title: "Mesh shader, DXIL", about: "vertices and primitives of a meshlet" },
  { file: "rays_lib_6_7.dxil", title: "Ray tracing library, DXIL", about: "several entry points in one file" },
  { file: "odd.spv", title: "SPIR-V module", about: "rare instructions, debug information" },
  { file: "skin.v.shbin", title: "Vertex shader, Nintendo 3DS", about: "PICA200: skinning with four bones" },
  { file: "textured.vbc", title: "Vega shader, VBC", about: "SPIR-V of two stages with their bindings" },
  { file: "cube.toml", title: "Scene: a cube", about: "drawn here; each pixel tells why it is so", with: ["lit.vs.asm", "lit.ps.asm"] },
  { file: "shadow.toml", title: "Scene: a shadow", about: "three passes, a shadow map", with: ["shadow.vs.asm", "shadow.ps.asm"] },
] as const;
