// Made by scripts/json_types.py of docs/reference/json.

/** a case of `unshade run`, in TOML, YAML or JSON: docs/reference/cases.md */
export type Case = {
  /** the entry point of a module with several; of an SHBIN the number of the executable */
  entry?: string | number;
  /** lanes of a wave */
  wave?: 4 | 8 | 16 | 32 | 64 | 128;
  /** how numbers of the PICA200 are rounded */
  float24?: "truncate" | "nearest" | "f32";
  /** thread groups of a compute, mesh or amplification shader */
  grid?: Case.Count[];
  /** variables of constant buffers by name (scale, of several Block.scale, of an array lights[2].scale), specialization constants by name or constant_id: numbers, lists of them, maps of structs */
  constants?: { [name: string]: unknown };
  /** by name or binding: u0, t1,space2, maps[3], set 2, binding 1, heap3 */
  resources?: {
    [name: string]: Case.Resource;
  };
  /** by name or binding: s0, s1,space2, heap3 */
  samplers?: {
    [name: string]: Case.Sampler;
  };
  /** inputs of each lane, of other stages */
  lanes?: Case.Lane[] | Case.Lanes;
  /** 1 for the patch constants of a hull shader */
  function?: Case.Count;
  /** of the targets of a pixel shader, which it can ask for: 1, 2, 4, 8 or 16 */
  samples?: Case.Count;
  /** elements of arrays that have no memory, or are samplers beyond those that are bound, stand for the first so many, in turn */
  repeated_elements?: Case.Count;
  /** that the groups of a mesh shader read, as the bytes of a resource */
  payload?: Case.Resource;
  /** buffers by the address that the shader is given: 0x10000 */
  addresses?: {
    [name: string]: Case.Resource;
  };
} | null;
export namespace Case {
  type Count = number;
  type Number = number | boolean | "nan" | "inf" | "-inf";
  type Numbers = Case.Number[];
  /** by semantic or built-in value */
  type Lane = {
    /** inputs of each vertex or control point that the lane reads */
    vertices?: Case.Vertices;
    /** of a hull shader: what its control point phase gave */
    control_points?: Case.Vertices;
    /** of a domain shader, by semantic: also those whose name an input has */
    patch_constants?: { [name: string]: unknown };
    /** built-in values by name: also those whose name an input has */
    built_ins?: { [name: string]: unknown };
    [name: string]: Case.Number | Case.Numbers | Case.Vertices | { [name: string]: unknown } | undefined;
  };
  type Vertices = { [name: string]: unknown }[];
  type Lanes = {
    /** a file whose first line names the inputs: POSITION.x,POSITION.y */
    csv?: string;
    /** a Wavefront OBJ file, three lanes a triangle */
    obj?: string;
    /** inputs that the OBJ file gives */
    names?: {
      v?: string;
      vt?: string;
      vn?: string;
    };
  };
  type Resource = {
    /** of DXGI: R32G32B32A32_FLOAT */
    format?: string;
    stride?: Case.Count;
    /** a byte address buffer */
    raw?: boolean;
    width?: Case.Count;
    height?: Case.Count;
    depth?: Case.Count;
    layers?: Case.Count;
    levels?: Case.Count;
    samples?: Case.Count;
    /** bytes; shorter data is padded with zeros, longer data is refused */
    size?: Case.Count;
    /** bytes as pairs of hexadecimal digits */
    hex?: string;
    /** bytes, of the library alone */
    bytes?: unknown;
    /** whole numbers of 32 bits */
    words?: Case.Number[];
    /** by the format, without one as 32-bit floats */
    values?: Case.Numbers;
    /** a file of numbers between commas, as values */
    csv?: string;
    /** a NumPy array */
    npy?: string;
    /** a file of raw bytes */
    file?: string;
    /** the hidden counter */
    counter?: Case.Count;
    /** a picture in DDS or PNG: the texture's size, format and bytes */
    image?: string;
    /** bytes from the start on that have memory, of a tiled resource */
    mapped?: Case.Count;
    /** of a feedback map: texels in width and height of the paired texture that a texel stands for; [4, 4] if it is missing */
    region?: Case.Count[];
    /** the kind of a feedback map; the shader's own if it is missing */
    feedback?: "min_mip" | "mip_region_used";
    /** of a place in the heap */
    class?: "t" | "u" | "b" | "s";
  };
  type Sampler = {
    /** or a list: what minifies, what magnifies, between levels */
    filter?: "anisotropic" | Case.Filter | Case.Filter[];
    /** of all axes, or by axis */
    address?: Case.Address | Case.Address[];
    border?: Case.Number[];
    comparison?: "never" | "less" | "equal" | "less_equal" | "greater" | "not_equal" | "greater_equal" | "always";
    reduction?: "average" | "minimum" | "maximum";
    lod_bias?: number;
    min_lod?: number;
    max_lod?: number;
    max_anisotropy?: number;
    /** false: coordinates are in texels */
    normalized?: boolean;
  };
  type Filter = "point" | "linear";
  type Address = "wrap" | "mirror" | "clamp" | "border" | "mirror_once";
}

/** what `unshade decompile --json` writes */
export type Decompile = {
  schema: "unshade.decompile/1";
  files: {
    /** as given or found in a folder; <stdin> for standard input */
    file: string;
    /** vertex, fragment, ... in a file with several modules; else empty */
    stage: string;
    language: "glsl" | "hlsl" | "msl";
    text: string;
    /** what lines of the text are written of, those that are of an instruction; absent of what SPIRV-Cross writes */
    lines?: {
      /** of the text */
      line: number;
      /** as the listing calls it; empty of the PICA200 */
      function: string;
      /** of the function's listing, as --lines prints it */
      instruction: number;
      /** the line of that instruction in what `dis` prints; absent where it prints none */
      listing_line?: number;
    }[];
    /** how the text reads; only with --score */
    score?: {
      /** of the listing that something is written of */
      instructions: number;
      /** of functions */
      lines: number;
      statements: number;
      /** variables that are declared in functions */
      temporaries: number;
      /** of bits */
      casts: number;
      /** of operations */
      components: number;
      /** components that are written as vectors */
      in_vectors: number;
      loops: number;
      /** blocks that are left from several places: `do { ... } while (false)` */
      one_round_loops: number;
    };
  }[];
  /** errors that kept a file or folder from being read; absent where there were none */
  errors?: {
    file: string;
    /** io, or an error code */
    id: string;
    /** bytes from the start of the file */
    offset?: number;
    path?: string;
    message: string;
  }[];
};

/** what `unshade diff --json` writes */
export type Diff = {
  schema: "unshade.diff/1";
  /** name of the first file */
  before: string;
  /** name of the second file */
  after: string;
  same_bytes: boolean;
  /** as far as was asked for: with --only, the rest does not count */
  same_meaning: boolean;
  summary: Diff.Changes;
  parts: Diff.Changes;
  interface: Diff.Changes;
  /** null where instructions were not asked for or could not be compared */
  code: null | {
    /** lines of the first file that the second lacks */
    removed: number;
    added: number;
    same: number;
    hunks: {
      before: Diff.Lines;
      after: Diff.Lines;
    }[];
  };
  /** what could not be compared, and why */
  notes: string[];
};
export namespace Diff {
  type Changes = {
    kind: "removed" | "added" | "changed";
    /** false: does not make the shaders differ in meaning */
    meaning: boolean;
    /** input, resource, variable, part, ...; null for the file itself */
    what: string | null;
    name: string | null;
    fields: {
      field: string;
      before: string | null;
      after: string | null;
    }[];
  }[];
  type Lines = {
    /** in the listing */
    line: number;
    text: string;
  }[];
}

/** what `unshade dump --format json` writes and `unshade build` reads; dump --yaml writes the same as YAML (docs/reference/yaml.md) */
export type Document = ({
  schema: "unshade.document/1";
  family: "dxbc" | "dxil" | "pica" | "spirv" | "vbc";
}) & ({
  schema?: unknown;
  family?: unknown;
  bytes: Document.Bytes;
} | {
  schema?: unknown;
  family?: "dxbc" | "dxil";
  digest?: Document.Digest;
  version?: Document.Version;
  parts: Document.Part[];
  /** behind the last part, in the container */
  after?: Document.Bytes;
  /** behind the container */
  trailing?: Document.Bytes;
} | {
  schema?: unknown;
  family?: "pica";
  dvlb?: Document.Dvlb;
  dvoj?: Document.Dvoj;
  size?: Document.U32;
  gaps?: Document.Gaps;
} | {
  schema?: unknown;
  family?: "spirv" | "vbc";
  /** assembly (docs/reference/texts/dxbc.md) */
  text: string;
  size?: Document.U32;
  gaps?: Document.Gaps;
});
export namespace Document {
  type U8 = number;
  type U16 = number;
  type U32 = number;
  type U64 = number;
  type I8 = number;
  type I16 = number;
  type I32 = number;
  type I64 = number;
  type Real = number | string;
  /** numbers of 32 bits, or bytes */
  type Numbers = Document.Real[] | Document.Bytes;
  type Text = string | {
    bytes: Document.Bytes;
  };
  /** pairs of hexadecimal digits, blanks and line ends between them */
  type Bytes = string;
  /** a hint: bytes that no field accounts for */
  type Gaps = {
    at: Document.U32;
    bytes: Document.Bytes;
  }[];
  type Digest = "valid" | "valid-debug" | "unsigned" | "bypass" | "preview-bypass" | Document.Bytes;
  /** of the container, where it is not 1.0 */
  type Version = {
    major?: Document.U16;
    minor?: Document.U16;
  };
  /** a container inside a part: a shader of an effect */
  type Container = {
    digest?: Document.Digest;
    version?: Document.Version;
    parts: Document.Part[];
    after?: Document.Bytes;
    trailing?: Document.Bytes;
  };
  type NamesPSV0ResourceFlags32 = "used_by_atomic_64" | Document.U32;
  type NamesPSV0ResourceType32 = "invalid" | "sampler" | "cbv" | "srv_typed" | "srv_raw" | "srv_structured" | "uav_typed" | "uav_raw" | "uav_structured" | "uav_structured_with_counter" | Document.U32;
  type NamesRDATResourceFlags32 = "globally_coherent" | "counter" | "rasterizer_ordered" | "dynamic_indexing" | "atomics_64" | "reorder_coherent" | Document.U32;
  type NamesRDATShaderFlags16 = "node_program_entry" | "output_position_present" | "depth_output" | "sample_frequency" | "uses_view_id" | Document.U16;
  type NamesArrangement8 = "picasso" | "nihstro" | "aemstro" | Document.U8;
  type NamesBaseType16 = "void" | "bool" | "int" | "float" | "string" | "texture" | "texture1d" | "texture2d" | "texture3d" | "texturecube" | "sampler" | "sampler1d" | "sampler2d" | "sampler3d" | "samplercube" | "pixelshader" | "vertexshader" | "pixelfragment" | "vertexfragment" | "unsupported" | Document.U16;
  type NamesBindingFlags32 = "user_packed" | "comparison_sampler" | "texture_component_0" | "texture_component_1" | "unused" | Document.U32;
  type NamesBufferFlags32 = "user_packed" | Document.U32;
  type NamesBufferKind32 = "cbuffer" | "tbuffer" | "interface_pointers" | "resource_bind_info" | Document.U32;
  type NamesChecksumKind8 = "none" | "md5" | "sha1" | "sha256" | Document.U8;
  type NamesComparisonFunction32 = "none" | "never" | "less" | "equal" | "less_equal" | "greater" | "not_equal" | "greater_equal" | "always" | Document.U32;
  type NamesCompileFlags32 = "debug" | "skip_validation" | "skip_optimization" | "pack_matrix_row_major" | "pack_matrix_column_major" | "partial_precision" | "force_vs_software_no_opt" | "force_ps_software_no_opt" | "no_preshader" | "avoid_flow_control" | "prefer_flow_control" | "enable_strictness" | "enable_backwards_compatibility" | "ieee_strictness" | "optimization_level0" | "optimization_level3" | "warnings_are_errors" | "resources_may_alias" | "enable_unbounded_descriptor_tables" | "all_resources_bound" | Document.U32;
  type NamesCompilerVersionFlags32 = "debug" | "internal" | Document.U32;
  type NamesComponentType32 = "unknown" | "uint" | "int" | "float" | "uint16" | "int16" | "float16" | "uint64" | "int64" | "double" | Document.U32;
  type NamesComponentType8 = "unknown" | "uint" | "int" | "float" | "uint16" | "int16" | "float16" | "uint64" | "int64" | "double" | Document.U8;
  type NamesComponentType8_ = "invalid" | "i1" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f16" | "f32" | "f64" | "snorm_f16" | "unorm_f16" | "snorm_f32" | "unorm_f32" | "snorm_f64" | "unorm_f64" | "packed_s8x32" | "packed_u8x32" | "i8" | "u8" | "f8_e4m3fn" | "f8_e5m2" | "bfloat16" | Document.U8;
  type NamesCompression16 = "none" | "zlib" | Document.U16;
  type NamesConstantType16 = "bool" | "ivec4" | "vec4" | Document.U16;
  type NamesConversion8 = "float" | "bool" | "int" | "uint" | Document.U8;
  type NamesDescriptorFlags32 = "descriptors_volatile" | "data_volatile" | "data_static_while_set_at_execute" | "data_static" | "descriptors_static_keeping_buffer_bounds_checks" | Document.U32;
  type NamesDescriptorRangeType32 = "srv" | "uav" | "cbv" | "sampler" | Document.U32;
  type NamesEffectBufferFlags32 = "tbuffer" | "single" | Document.U32;
  type NamesEffectObject32 = "String" | "BlendState" | "DepthStencilState" | "RasterizerState" | "PixelShader" | "VertexShader" | "GeometryShader" | "GeometryShaderSO" | "texture" | "Texture1D" | "Texture1DArray" | "Texture2D" | "Texture2DArray" | "Texture2DMS" | "Texture2DMSArray" | "Texture3D" | "TextureCube" | "ConstantBuffer" | "RenderTargetView" | "DepthStencilView" | "SamplerState" | "Buffer" | "TextureCubeArray" | "PixelShader5" | "VertexShader5" | "GeometryShader5" | "ComputeShader5" | "HullShader5" | "DomainShader5" | "RWTexture1D" | "RWTexture1DArray" | "RWTexture2D" | "RWTexture2DArray" | "RWTexture3D" | "RWBuffer" | "ByteAddressBuffer" | "RWByteAddressBuffer" | "StructuredBuffer" | "RWStructuredBuffer" | "RWStructuredBufferAlloc" | "RWStructuredBufferConsume" | "AppendStructuredBuffer" | "ConsumeStructuredBuffer" | Document.U32;
  type NamesEffectState32 = "RasterizerState" | "DepthStencilState" | "BlendState" | "RenderTargetView" | "DepthStencilView" | "GenerateMips" | "VertexShader" | "PixelShader" | "GeometryShader" | "DS_StencilRef" | "AB_BlendFactor" | "AB_SampleMask" | "FillMode" | "CullMode" | "FrontCounterClockwise" | "DepthBias" | "DepthBiasClamp" | "SlopeScaledDepthBias" | "DepthClipEnable" | "ScissorEnable" | "MultisampleEnable" | "AntialiasedLineEnable" | "DepthEnable" | "DepthWriteMask" | "DepthFunc" | "StencilEnable" | "StencilReadMask" | "StencilWriteMask" | "FrontFaceStencilFail" | "FrontFaceStencilDepthFail" | "FrontFaceStencilPass" | "FrontFaceStencilFunc" | "BackFaceStencilFail" | "BackFaceStencilDepthFail" | "BackFaceStencilPass" | "BackFaceStencilFunc" | "AlphaToCoverageEnable" | "BlendEnable" | "SrcBlend" | "DestBlend" | "BlendOp" | "SrcBlendAlpha" | "DestBlendAlpha" | "BlendOpAlpha" | "RenderTargetWriteMask" | "Filter" | "AddressU" | "AddressV" | "AddressW" | "MipLODBias" | "MaxAnisotropy" | "ComparisonFunc" | "BorderColor" | "MinLOD" | "MaxLOD" | "Texture" | "HullShader" | "DomainShader" | "ComputeShader" | Document.U32;
  type NamesEffectVersion32 = "fx_4_0" | "fx_4_1" | "fx_5_0" | Document.U32;
  type NamesExpressionBank32 = "literal" | "input" | "output" | "temporary" | Document.U32;
  type NamesFlags8 = "merge_outputs" | "debug" | Document.U8;
  type NamesGeometryMode8 = "point" | "variable" | "fixed" | Document.U8;
  type NamesHashFlags32 = "includes_source" | Document.U32;
  type NamesHitGroupType32 = "triangle" | "procedural_primitive" | Document.U32;
  type NamesInputPrimitive32 = "undefined" | "point" | "line" | "triangle" | "line_adjacency" | "triangle_adjacency" | "patch_1" | "patch_2" | "patch_3" | "patch_4" | "patch_5" | "patch_6" | "patch_7" | "patch_8" | "patch_9" | "patch_10" | "patch_11" | "patch_12" | "patch_13" | "patch_14" | "patch_15" | "patch_16" | "patch_17" | "patch_18" | "patch_19" | "patch_20" | "patch_21" | "patch_22" | "patch_23" | "patch_24" | "patch_25" | "patch_26" | "patch_27" | "patch_28" | "patch_29" | "patch_30" | "patch_31" | "patch_32" | Document.U32;
  type NamesInputPrimitive32_ = "undefined" | "point" | "line" | "triangle" | "reserved4" | "reserved5" | "line_with_adjacency" | "triangle_with_adjacency" | "control_point_patch_1" | "control_point_patch_2" | "control_point_patch_3" | "control_point_patch_4" | "control_point_patch_5" | "control_point_patch_6" | "control_point_patch_7" | "control_point_patch_8" | "control_point_patch_9" | "control_point_patch_10" | "control_point_patch_11" | "control_point_patch_12" | "control_point_patch_13" | "control_point_patch_14" | "control_point_patch_15" | "control_point_patch_16" | "control_point_patch_17" | "control_point_patch_18" | "control_point_patch_19" | "control_point_patch_20" | "control_point_patch_21" | "control_point_patch_22" | "control_point_patch_23" | "control_point_patch_24" | "control_point_patch_25" | "control_point_patch_26" | "control_point_patch_27" | "control_point_patch_28" | "control_point_patch_29" | "control_point_patch_30" | "control_point_patch_31" | "control_point_patch_32" | Document.U32;
  type NamesInputPrimitive8 = "undefined" | "point" | "line" | "triangle" | "reserved4" | "reserved5" | "line_with_adjacency" | "triangle_with_adjacency" | "control_point_patch_1" | "control_point_patch_2" | "control_point_patch_3" | "control_point_patch_4" | "control_point_patch_5" | "control_point_patch_6" | "control_point_patch_7" | "control_point_patch_8" | "control_point_patch_9" | "control_point_patch_10" | "control_point_patch_11" | "control_point_patch_12" | "control_point_patch_13" | "control_point_patch_14" | "control_point_patch_15" | "control_point_patch_16" | "control_point_patch_17" | "control_point_patch_18" | "control_point_patch_19" | "control_point_patch_20" | "control_point_patch_21" | "control_point_patch_22" | "control_point_patch_23" | "control_point_patch_24" | "control_point_patch_25" | "control_point_patch_26" | "control_point_patch_27" | "control_point_patch_28" | "control_point_patch_29" | "control_point_patch_30" | "control_point_patch_31" | "control_point_patch_32" | Document.U8;
  type NamesInterpolationMode8 = "undefined" | "constant" | "linear" | "linear_centroid" | "linear_noperspective" | "linear_noperspective_centroid" | "linear_sample" | "linear_noperspective_sample" | "invalid" | Document.U8;
  type NamesKind32 = "pixel" | "vertex" | "geometry" | "hull" | "domain" | "compute" | "library" | "ray_generation" | "intersection" | "any_hit" | "closest_hit" | "miss" | "callable" | "mesh" | "amplification" | "node" | "invalid" | Document.U32;
  type NamesKind8 = "pixel" | "vertex" | "geometry" | "hull" | "domain" | "compute" | "library" | "ray_generation" | "intersection" | "any_hit" | "closest_hit" | "miss" | "callable" | "mesh" | "amplification" | "node" | "invalid" | Document.U8;
  type NamesKind32_ = "invalid" | "node_output" | "empty_input" | "empty_output" | "node_output_array" | "empty_output_array" | "thread_node_input_record" | "rw_thread_node_input_record" | "thread_node_output_records" | "group_node_input_records" | "rw_group_node_input_records" | "group_node_output_records" | "dispatch_node_input_record" | "rw_dispatch_node_input_record" | Document.U32;
  type NamesKindOfAssignment32 = "constant" | "variable" | "constant_index" | "variable_index" | "expression_index" | "expression" | "inline_shader" | "inline_shader5" | Document.U32;
  type NamesKindOfType32 = "numeric" | "object" | "struct" | "interface" | Document.U32;
  type NamesLayout32 = "scalar" | "vector" | "matrix" | Document.U32;
  type NamesLeafKind16 = "LF_PROCEDURE" | "LF_MFUNCTION" | "LF_ARGLIST" | "LF_FIELDLIST" | "LF_METHODLIST" | "LF_BCLASS" | "LF_CLASS" | "LF_STRUCTURE" | "LF_ALIAS" | "LF_MEMBER" | "LF_METHOD" | "LF_ONEMETHOD" | "LF_STRIDED_ARRAY" | "LF_HLSL" | "LF_MODIFIER_EX" | "LF_INTERFACE" | "LF_BINTERFACE" | "LF_VECTOR" | "LF_MATRIX" | "LF_FUNC_ID" | "LF_MFUNC_ID" | Document.U16;
  type NamesLinesFlags16 = "columns" | Document.U16;
  type NamesMemorySpace32 = "data" | "sampler" | "resource" | "rwresource" | Document.U32;
  type NamesMeshOutputTopology8 = "undefined" | "line" | "triangle" | Document.U8;
  type NamesMin32 = "point" | "linear" | Document.U32;
  type NamesMinimumPrecision32 = "default" | "min16float" | "min2_8float" | "reserved" | "min16int" | "min16uint" | "any16" | "any10" | Document.U32;
  type NamesNodeFunctionAttribute32 = "none" | "id" | "num_threads" | "share_input_of" | "dispatch_grid" | "max_recursion_depth" | "local_root_arguments_table_index" | "max_dispatch_grid" | Document.U32;
  type NamesNodeInputOrOutputAttribute32 = "none" | "output_id" | "max_records" | "max_records_shared_with" | "record_size" | "record_dispatch_grid" | "output_array_size" | "allow_sparse_nodes" | "record_alignment" | Document.U32;
  type NamesNodeLaunchType32 = "invalid" | "broadcasting" | "coalescing" | "thread" | "mesh" | Document.U32;
  type NamesOpcode32 = "mov" | "neg" | "rcp" | "frc" | "exp" | "log" | "rsq" | "sin" | "cos" | "asin" | "acos" | "atan" | "sqrt" | "ineg" | "not" | "itof" | "utof" | "ftou" | "ftob" | "floor" | "ceil" | "min" | "max" | "add" | "mul" | "atan2" | "div" | "bilt" | "bige" | "bieq" | "bine" | "buge" | "bult" | "iadd" | "imul" | "udiv" | "imin" | "imax" | "umin" | "umax" | "and" | "or" | "xor" | "ishl" | "ishr" | "ushr" | "movc" | "dot" | "dotswiz" | Document.U32;
  type NamesOpcode32_ = "add" | "dp3" | "dp4" | "dph" | "dst" | "ex2" | "lg2" | "litp" | "mul" | "sge" | "slt" | "flr" | "max" | "min" | "rcp" | "rsq" | "mova" | "mov" | "dphi" | "dsti" | "sgei" | "slti" | "break" | "nop" | "end" | "breakc" | "call" | "callc" | "callu" | "ifu" | "ifc" | "for" | "emit" | "setemit" | "jmpc" | "jmpu" | "cmp" | "madi" | "mad" | Document.U32;
  type NamesOutputTopology32 = "undefined" | "point_list" | "line_strip" | "triangle_strip" | Document.U32;
  type NamesOutputType16 = "position" | "normalquat" | "color" | "texcoord0" | "texcoord0w" | "texcoord1" | "texcoord2" | "view" | "dummy" | Document.U16;
  type NamesPrimitiveTopology32 = "undefined" | "point_list" | "line_list" | "line_strip" | "triangle_list" | "triangle_strip" | Document.U32;
  type NamesPrimitiveTopology8 = "undefined" | "point_list" | "line_list" | "line_strip" | "triangle_list" | "triangle_strip" | Document.U8;
  type NamesRaytracingPipelineFlags32 = "skip_triangles" | "skip_procedural_primitives" | "allow_opacity_micromaps" | Document.U32;
  type NamesReduction32 = "standard" | "comparison" | "minimum" | "maximum" | Document.U32;
  type NamesRegisterFile16 = "r" | "v" | "o" | "x" | "s" | "t" | "cb" | "icb" | "vPrim" | "oDepth" | "null" | "oMask" | "m" | "fp" | "vOutputControlPointID" | "vForkInstanceID" | "vJoinInstanceID" | "vicp" | "vocp" | "vpc" | "vDomain" | "this" | "u" | "g" | "vThreadID" | "vThreadGroupID" | "vThreadIDInGroup" | "vCoverage" | "vThreadIDInGroupFlattened" | "vGSInstanceID" | "oDepthGE" | "oDepthLE" | "vCycleCounter" | Document.U16;
  type NamesRegisterSet16 = "bool" | "int4" | "float4" | "sampler" | Document.U16;
  type NamesResourceClass32 = "srv" | "uav" | "cbuffer" | "sampler" | "invalid" | Document.U32;
  type NamesResourceDimension32 = "unknown" | "buffer" | "texture1d" | "texture1d_array" | "texture2d" | "texture2d_array" | "texture2d_ms" | "texture2d_ms_array" | "texture3d" | "texture_cube" | "texture_cube_array" | "raw_buffer" | Document.U32;
  type NamesResourceKind32 = "cbuffer" | "tbuffer" | "texture" | "sampler" | "uav_typed" | "structured" | "uav_structured" | "byte_address" | "uav_byte_address" | "uav_append" | "uav_consume" | "uav_structured_with_counter" | Document.U32;
  type NamesResourceKind32_ = "invalid" | "texture1d" | "texture2d" | "texture2d_ms" | "texture3d" | "texture_cube" | "texture1d_array" | "texture2d_array" | "texture2d_ms_array" | "texture_cube_array" | "typed_buffer" | "raw_buffer" | "structured_buffer" | "cbuffer" | "sampler" | "tbuffer" | "acceleration_structure" | "feedback_texture2d" | "feedback_texture2d_array" | Document.U32;
  type NamesReturnType32 = "none" | "unorm" | "snorm" | "sint" | "uint" | "float" | "mixed" | "double" | "continued" | Document.U32;
  type NamesRootParameterType32 = "descriptor_table" | "constants" | "cbv" | "srv" | "uav" | Document.U32;
  type NamesRootSignatureFlags32 = "allow_input_assembler_input_layout" | "deny_vertex_shader_root_access" | "deny_hull_shader_root_access" | "deny_domain_shader_root_access" | "deny_geometry_shader_root_access" | "deny_pixel_shader_root_access" | "allow_stream_output" | "local_root_signature" | "deny_amplification_shader_root_access" | "deny_mesh_shader_root_access" | "cbv_srv_uav_heap_directly_indexed" | "sampler_heap_directly_indexed" | Document.U32;
  type NamesRootSignatureVersion32 = "1.0" | "1.1" | "1.2" | Document.U32;
  type NamesRuntimeConstant16 = "position_offset" | Document.U16;
  type NamesSamplerFlags32 = "uint_border_color" | "non_normalized_coordinates" | Document.U32;
  type NamesScalar32 = "float" | "int" | "uint" | "bool" | Document.U32;
  type NamesSemanticKind8 = "arbitrary" | "vertex_id" | "instance_id" | "position" | "render_target_array_index" | "viewport_array_index" | "clip_distance" | "cull_distance" | "output_control_point_id" | "domain_location" | "primitive_id" | "gs_instance_id" | "sample_index" | "is_front_face" | "coverage" | "inner_coverage" | "target" | "depth" | "depth_less_equal" | "depth_greater_equal" | "stencil_ref" | "dispatch_thread_id" | "group_id" | "group_index" | "group_thread_id" | "tess_factor" | "inside_tess_factor" | "view_id" | "barycentrics" | "shading_rate" | "cull_primitive" | "start_vertex_location" | "start_instance_location" | "invalid" | Document.U8;
  type NamesShaderVisibility32 = "all" | "vertex" | "hull" | "domain" | "geometry" | "pixel" | "amplification" | "mesh" | Document.U32;
  type NamesSource132 = "xxxx" | "xxxy" | "xxxz" | "xxxw" | "xxyx" | "xxyy" | "xxyz" | "xxyw" | "xxzx" | "xxzy" | "xxzz" | "xxzw" | "xxwx" | "xxwy" | "xxwz" | "xxww" | "xyxx" | "xyxy" | "xyxz" | "xyxw" | "xyyx" | "xyyy" | "xyyz" | "xyyw" | "xyzx" | "xyzy" | "xyzz" | "xyzw" | "xywx" | "xywy" | "xywz" | "xyww" | "xzxx" | "xzxy" | "xzxz" | "xzxw" | "xzyx" | "xzyy" | "xzyz" | "xzyw" | "xzzx" | "xzzy" | "xzzz" | "xzzw" | "xzwx" | "xzwy" | "xzwz" | "xzww" | "xwxx" | "xwxy" | "xwxz" | "xwxw" | "xwyx" | "xwyy" | "xwyz" | "xwyw" | "xwzx" | "xwzy" | "xwzz" | "xwzw" | "xwwx" | "xwwy" | "xwwz" | "xwww" | "yxxx" | "yxxy" | "yxxz" | "yxxw" | "yxyx" | "yxyy" | "yxyz" | "yxyw" | "yxzx" | "yxzy" | "yxzz" | "yxzw" | "yxwx" | "yxwy" | "yxwz" | "yxww" | "yyxx" | "yyxy" | "yyxz" | "yyxw" | "yyyx" | "yyyy" | "yyyz" | "yyyw" | "yyzx" | "yyzy" | "yyzz" | "yyzw" | "yywx" | "yywy" | "yywz" | "yyww" | "yzxx" | "yzxy" | "yzxz" | "yzxw" | "yzyx" | "yzyy" | "yzyz" | "yzyw" | "yzzx" | "yzzy" | "yzzz" | "yzzw" | "yzwx" | "yzwy" | "yzwz" | "yzww" | "ywxx" | "ywxy" | "ywxz" | "ywxw" | "ywyx" | "ywyy" | "ywyz" | "ywyw" | "ywzx" | "ywzy" | "ywzz" | "ywzw" | "ywwx" | "ywwy" | "ywwz" | "ywww" | "zxxx" | "zxxy" | "zxxz" | "zxxw" | "zxyx" | "zxyy" | "zxyz" | "zxyw" | "zxzx" | "zxzy" | "zxzz" | "zxzw" | "zxwx" | "zxwy" | "zxwz" | "zxww" | "zyxx" | "zyxy" | "zyxz" | "zyxw" | "zyyx" | "zyyy" | "zyyz" | "zyyw" | "zyzx" | "zyzy" | "zyzz" | "zyzw" | "zywx" | "zywy" | "zywz" | "zyww" | "zzxx" | "zzxy" | "zzxz" | "zzxw" | "zzyx" | "zzyy" | "zzyz" | "zzyw" | "zzzx" | "zzzy" | "zzzz" | "zzzw" | "zzwx" | "zzwy" | "zzwz" | "zzww" | "zwxx" | "zwxy" | "zwxz" | "zwxw" | "zwyx" | "zwyy" | "zwyz" | "zwyw" | "zwzx" | "zwzy" | "zwzz" | "zwzw" | "zwwx" | "zwwy" | "zwwz" | "zwww" | "wxxx" | "wxxy" | "wxxz" | "wxxw" | "wxyx" | "wxyy" | "wxyz" | "wxyw" | "wxzx" | "wxzy" | "wxzz" | "wxzw" | "wxwx" | "wxwy" | "wxwz" | "wxww" | "wyxx" | "wyxy" | "wyxz" | "wyxw" | "wyyx" | "wyyy" | "wyyz" | "wyyw" | "wyzx" | "wyzy" | "wyzz" | "wyzw" | "wywx" | "wywy" | "wywz" | "wyww" | "wzxx" | "wzxy" | "wzxz" | "wzxw" | "wzyx" | "wzyy" | "wzyz" | "wzyw" | "wzzx" | "wzzy" | "wzzz" | "wzzw" | "wzwx" | "wzwy" | "wzwz" | "wzww" | "wwxx" | "wwxy" | "wwxz" | "wwxw" | "wwyx" | "wwyy" | "wwyz" | "wwyw" | "wwzx" | "wwzy" | "wwzz" | "wwzw" | "wwwx" | "wwwy" | "wwwz" | "wwww" | Document.U32;
  type NamesStage8 = "vertex" | "geometry" | Document.U8;
  type NamesStateObjectFlags32 = "allow_local_dependencies_on_external_definitions" | "allow_external_dependencies_on_local_definitions" | "allow_state_object_additions" | Document.U32;
  type NamesStaticBorderColor32 = "transparent_black" | "opaque_black" | "opaque_white" | "opaque_black_uint" | "opaque_white_uint" | Document.U32;
  type NamesSubobjectKind32 = "state_object_config" | "global_root_signature" | "local_root_signature" | "subobject_to_exports_association" | "raytracing_shader_config" | "raytracing_pipeline_config" | "hit_group" | "raytracing_pipeline_config1" | Document.U32;
  type NamesSubsectionKind32 = "DEBUG_S_SYMBOLS" | "DEBUG_S_LINES" | "DEBUG_S_STRINGTABLE" | "DEBUG_S_FILECHKSMS" | "DEBUG_S_INLINEELINES" | Document.U32;
  type NamesSymbolKind16 = "S_END" | "S_OBJNAME" | "S_BLOCK32" | "S_CONSTANT" | "S_UDT" | "S_PUB32" | "S_LPROC32" | "S_GPROC32" | "S_PROCREF" | "S_COMPILE3" | "S_ENVBLOCK" | "S_LOCAL" | "S_BUILDINFO" | "S_INLINESITE" | "S_INLINESITE_END" | "S_PROC_ID_END" | "S_DEFRANGE_HLSL" | "S_GDATA_HLSL" | "S_LDATA_HLSL" | Document.U16;
  type NamesSystemValue32 = "undefined" | "position" | "clip_distance" | "cull_distance" | "render_target_array_index" | "viewport_array_index" | "vertex_id" | "primitive_id" | "instance_id" | "is_front_face" | "sample_index" | "final_quad_edge_tessfactor" | "final_quad_inside_tessfactor" | "final_tri_edge_tessfactor" | "final_tri_inside_tessfactor" | "final_line_detail_tessfactor" | "final_line_density_tessfactor" | "barycentrics" | "shading_rate" | "cull_primitive" | "target" | "depth" | "coverage" | "depth_greater_equal" | "depth_less_equal" | "stencil_ref" | "inner_coverage" | Document.U32;
  type NamesTarget16 = "compute" | "domain" | "effect" | "geometry" | "hull" | "library" | "vertex" | "pixel" | Document.U16;
  type NamesTessellatorDomain32 = "undefined" | "isoline" | "triangle" | "quad" | Document.U32;
  type NamesTessellatorDomain8 = "undefined" | "isoline" | "triangle" | "quad" | Document.U8;
  type NamesTessellatorOutput32 = "undefined" | "point" | "line" | "triangle_clockwise" | "triangle_counter_clockwise" | Document.U32;
  type NamesTessellatorOutputPrimitive32 = "undefined" | "point" | "line" | "triangle_cw" | "triangle_ccw" | Document.U32;
  type NamesTessellatorOutputPrimitive8 = "undefined" | "point" | "line" | "triangle_cw" | "triangle_ccw" | Document.U8;
  type NamesTessellatorPartitioning32 = "undefined" | "integer" | "power_of_two" | "fractional_odd" | "fractional_even" | Document.U32;
  type NamesTextureAddressMode32 = "wrap" | "mirror" | "clamp" | "border" | "mirror_once" | Document.U32;
  type NamesTypeClass16 = "scalar" | "vector" | "matrix_rows" | "matrix_columns" | "object" | "struct" | Document.U16;
  type NamesVariableClass16 = "scalar" | "vector" | "matrix_rows" | "matrix_columns" | "object" | "struct" | "interface_class" | "interface_pointer" | Document.U16;
  type NamesVariableFlags32 = "user_packed" | "used" | "interface_pointer" | "interface_parameter" | Document.U32;
  type NamesVariableFlags16 = "parameter" | "address_taken" | "compiler_generated" | "aggregate" | "aggregated" | "aliased" | "alias" | "return_value" | "optimized_out" | "register_global" | "register_static" | Document.U16;
  type NamesVariableType16 = "void" | "bool" | "int" | "float" | "string" | "texture" | "texture1d" | "texture2d" | "texture3d" | "texture_cube" | "sampler" | "sampler1d" | "sampler2d" | "sampler3d" | "sampler_cube" | "pixel_shader" | "vertex_shader" | "pixel_fragment" | "vertex_fragment" | "uint" | "uint8" | "geometry_shader" | "rasterizer" | "depth_stencil" | "blend" | "buffer" | "cbuffer" | "tbuffer" | "texture1d_array" | "texture2d_array" | "render_target_view" | "depth_stencil_view" | "texture2d_ms" | "texture2d_ms_array" | "texture_cube_array" | "hull_shader" | "domain_shader" | "interface_pointer" | "compute_shader" | "double" | "rw_texture1d" | "rw_texture1d_array" | "rw_texture2d" | "rw_texture2d_array" | "rw_texture3d" | "rw_buffer" | "byte_address_buffer" | "rw_byte_address_buffer" | "structured_buffer" | "rw_structured_buffer" | "append_structured_buffer" | "consume_structured_buffer" | "min8float" | "min10float" | "min16float" | "min12int" | "min16int" | "min16uint" | Document.U16;
  type Aon9 = {
    size?: Document.U32;
    version?: Document.U32;
    program_offset?: Document.U32;
    constant_buffers?: Document.Aon9ConstantBuffersItem[];
    "constant_buffers@"?: Document.U32;
    integers?: Document.Aon9IntegersItem[];
    "integers@"?: Document.U32;
    booleans?: Document.Aon9BooleansItem[];
    "booleans@"?: Document.U32;
    samplers?: Document.Aon9SamplersItem[];
    "samplers@"?: Document.U32;
    runtime_constants?: Document.Aon9RuntimeConstantsItem[];
    "runtime_constants@"?: Document.U32;
    program?: Document.Bytes | string;
    DBUG?: Document.DBUG;
    CTAB?: Document.CTAB;
  };
  type Aon9Item = Document.Aon9 | Document.Bytes | Document.U32 | string;
  type Aon9Booleans = {
    buffer?: Document.U16;
    source_register?: Document.U16;
    component?: Document.U16;
    target?: Document.U16;
  };
  type Aon9BooleansItem = Document.Aon9Booleans;
  type Aon9ConstantBuffers = {
    buffer?: Document.U16;
    first_register?: Document.U16;
    register_count?: Document.U16;
    target?: Document.U16;
    conversion_x?: Document.NamesConversion8;
    conversion_y?: Document.NamesConversion8;
    conversion_z?: Document.NamesConversion8;
    conversion_w?: Document.NamesConversion8;
  };
  type Aon9ConstantBuffersItem = Document.Aon9ConstantBuffers;
  type Aon9Integers = {
    buffer?: Document.U16;
    source_register?: Document.U16;
    component?: Document.U16;
    target?: Document.U16;
  };
  type Aon9IntegersItem = Document.Aon9Integers;
  type Aon9RuntimeConstants = {
    constant?: Document.NamesRuntimeConstant16;
    target?: Document.U16;
  };
  type Aon9RuntimeConstantsItem = Document.Aon9RuntimeConstants;
  type Aon9Samplers = {
    resource?: Document.U8;
    sampler?: Document.U8;
    target?: Document.U8;
    reserved?: Document.U8;
  };
  type Aon9SamplersItem = Document.Aon9Samplers;
  type CLI4 = {
    values?: Document.CLI4ValuesItem[];
  };
  type CLI4Item = Document.CLI4;
  type CLI4Values = {
    value?: Document.Real;
  };
  type CLI4ValuesItem = Document.CLI4Values | Document.Real;
  type CTAB = {
    size?: Document.U32;
    creator?: Document.Text;
    "creator@"?: Document.U32;
    version?: Document.U32;
    types?: Document.CTABTypesItem[];
    constants?: Document.CTABConstantsItem[];
    "constants@"?: Document.U32;
    flags?: Document.U32;
    target?: Document.Text;
    "target@"?: Document.U32;
  };
  type CTABItem = Document.CTAB;
  type CTABConstants = {
    name?: Document.Text;
    "name@"?: Document.U32;
    set?: Document.NamesRegisterSet16;
    register_index?: Document.U16;
    register_count?: Document.U16;
    reserved?: Document.U16;
    type?: Document.U32;
    default_value?: Document.Numbers;
    "default_value@"?: Document.U32;
  };
  type CTABConstantsItem = Document.CTABConstants;
  type CTABTypes = {
    class?: Document.NamesTypeClass16;
    base?: Document.NamesBaseType16;
    rows?: Document.U16;
    columns?: Document.U16;
    elements?: Document.U16;
    members?: Document.CTABTypesMembersItem[];
    "members@"?: Document.U32;
    "@"?: Document.U32;
  };
  type CTABTypesItem = Document.CTABTypes;
  type CTABTypesMembers = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
  };
  type CTABTypesMembersItem = Document.CTABTypesMembers;
  type DBUG = {
    size?: Document.U32;
    creator?: Document.Text;
    "creator@"?: Document.U32;
    source?: Document.Text;
    "source@"?: Document.U32;
    files?: Document.DBUGFilesItem[];
    "files@"?: Document.U32;
    lines?: Document.DBUGLinesItem[];
    "lines@"?: Document.U32;
    types?: Document.DBUGTypesItem[];
    variables?: Document.DBUGVariablesItem[];
    "variables@"?: Document.U32;
    entry_point?: Document.Text;
    "entry_point@"?: Document.U32;
  };
  type DBUGItem = Document.DBUG | Document.Text | Document.U32;
  type DBUGFiles = {
    name?: Document.Text;
    "name@"?: Document.U32;
  };
  type DBUGFilesItem = Document.DBUGFiles | Document.Text | Document.U32;
  type DBUGLines = {
    line?: Document.U16;
    file?: Document.U16;
    offset?: Document.U32;
  };
  type DBUGLinesItem = Document.DBUGLines;
  type DBUGTypes = {
    class?: Document.NamesTypeClass16;
    base?: Document.NamesBaseType16;
    rows?: Document.U16;
    columns?: Document.U16;
    elements?: Document.U16;
    members?: Document.DBUGTypesMembersItem[];
    "members@"?: Document.U32;
    "@"?: Document.U32;
  };
  type DBUGTypesItem = Document.DBUGTypes;
  type DBUGTypesMembers = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
  };
  type DBUGTypesMembersItem = Document.DBUGTypesMembers;
  type DBUGVariables = {
    scope?: Document.Text;
    "scope@"?: Document.U32;
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    writes?: Document.DBUGVariablesWritesItem[];
    "writes@"?: Document.U32;
  };
  type DBUGVariablesItem = Document.DBUGVariables;
  type DBUGVariablesWrites = {
    instruction?: Document.U32;
    x?: Document.U16;
    y?: Document.U16;
    z?: Document.U16;
    w?: Document.U16;
  };
  type DBUGVariablesWritesItem = Document.DBUGVariablesWrites;
  type DXIL = {
    program_version?: {
      kind?: Document.NamesKind32;
      major?: number;
      minor?: number;
      reserved?: number;
      rest?: Document.U32;
    };
    size_dwords?: Document.U32;
    dxil_version?: {
      major?: number;
      minor?: number;
      reserved?: number;
      rest?: Document.U32;
    };
    bitcode_offset?: Document.U32;
    before_bitcode?: Document.Bytes;
    bitcode?: Document.Bytes;
    padding?: Document.Bytes;
  };
  type DXILItem = Document.DXIL;
  type FX10 = {
    version?: Document.NamesEffectVersion32;
    numeric_variable_count?: Document.U32;
    shared_numeric_variable_count?: Document.U32;
    technique_count?: Document.U32;
    data_bytes?: Document.U32;
    string_count?: Document.U32;
    shader_resource_count?: Document.U32;
    depth_stencil_state_count?: Document.U32;
    blend_state_count?: Document.U32;
    rasterizer_state_count?: Document.U32;
    sampler_state_count?: Document.U32;
    render_target_view_count?: Document.U32;
    depth_stencil_view_count?: Document.U32;
    shader_count?: Document.U32;
    inline_shader_count?: Document.U32;
    unordered_access_view_count?: Document.U32;
    interface_element_count?: Document.U32;
    class_instance_element_count?: Document.U32;
    reserved?: Document.U32;
    types?: Document.FX10TypesItem[];
    buffers?: Document.FX10BuffersItem[];
    objects?: Document.FX10ObjectsItem[];
    shared_buffers?: Document.FX10SharedBuffersItem[];
    shared_objects?: Document.FX10SharedObjectsItem[];
    interfaces?: Document.FX10InterfacesItem[];
    groups?: Document.FX10GroupsItem[];
    techniques?: Document.FX10TechniquesItem[];
  };
  type FX10Item = Document.FX10 | Document.NamesEffectVersion32 | Document.U32;
  type FX10Buffers = {
    name?: Document.Text;
    "name@"?: Document.U32;
    size?: Document.U32;
    flags?: Document.NamesEffectBufferFlags32[];
    bind_point?: Document.I32;
    annotations?: Document.FX10BuffersAnnotationsItem[];
    variables?: Document.FX10BuffersVariablesItem[];
  };
  type FX10BuffersItem = Document.FX10Buffers;
  type FX10BuffersAnnotations = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    value?: Document.Numbers;
    "value@"?: Document.U32;
    strings?: Document.FX10BuffersAnnotationsStringsItem[];
  };
  type FX10BuffersAnnotationsItem = Document.FX10BuffersAnnotations;
  type FX10BuffersAnnotationsStrings = {
    text?: Document.Text;
    "text@"?: Document.U32;
  };
  type FX10BuffersAnnotationsStringsItem = Document.FX10BuffersAnnotationsStrings | Document.Text | Document.U32;
  type FX10BuffersVariables = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    offset?: Document.U32;
    default_value?: Document.Numbers;
    "default_value@"?: Document.U32;
    flags?: Document.U32;
    annotations?: Document.FX10BuffersVariablesAnnotationsItem[];
  };
  type FX10BuffersVariablesItem = Document.FX10BuffersVariables;
  type FX10BuffersVariablesAnnotations = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    value?: Document.Numbers;
    "value@"?: Document.U32;
    strings?: Document.FX10BuffersVariablesAnnotationsStringsItem[];
  };
  type FX10BuffersVariablesAnnotationsItem = Document.FX10BuffersVariablesAnnotations;
  type FX10BuffersVariablesAnnotationsStrings = {
    text?: Document.Text;
    "text@"?: Document.U32;
  };
  type FX10BuffersVariablesAnnotationsStringsItem = Document.FX10BuffersVariablesAnnotationsStrings | Document.Text | Document.U32;
  type FX10Groups = {
    name?: Document.Text;
    "name@"?: Document.U32;
    annotations?: Document.FX10GroupsAnnotationsItem[];
    techniques?: Document.FX10GroupsTechniquesItem[];
  };
  type FX10GroupsItem = Document.FX10Groups | Document.Text | Document.U32;
  type FX10GroupsAnnotations = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    value?: Document.Numbers;
    "value@"?: Document.U32;
    strings?: Document.FX10GroupsAnnotationsStringsItem[];
  };
  type FX10GroupsAnnotationsItem = Document.FX10GroupsAnnotations;
  type FX10GroupsAnnotationsStrings = {
    text?: Document.Text;
    "text@"?: Document.U32;
  };
  type FX10GroupsAnnotationsStringsItem = Document.FX10GroupsAnnotationsStrings | Document.Text | Document.U32;
  type FX10GroupsTechniques = {
    name?: Document.Text;
    "name@"?: Document.U32;
    annotations?: Document.FX10GroupsTechniquesAnnotationsItem[];
    passes?: Document.FX10GroupsTechniquesPassesItem[];
  };
  type FX10GroupsTechniquesItem = Document.FX10GroupsTechniques | Document.Text | Document.U32;
  type FX10GroupsTechniquesAnnotations = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    value?: Document.Numbers;
    "value@"?: Document.U32;
    strings?: Document.FX10GroupsTechniquesAnnotationsStringsItem[];
  };
  type FX10GroupsTechniquesAnnotationsItem = Document.FX10GroupsTechniquesAnnotations;
  type FX10GroupsTechniquesAnnotationsStrings = {
    text?: Document.Text;
    "text@"?: Document.U32;
  };
  type FX10GroupsTechniquesAnnotationsStringsItem = Document.FX10GroupsTechniquesAnnotationsStrings | Document.Text | Document.U32;
  type FX10GroupsTechniquesPasses = {
    name?: Document.Text;
    "name@"?: Document.U32;
    annotations?: Document.FX10GroupsTechniquesPassesAnnotationsItem[];
    assignments?: Document.FX10GroupsTechniquesPassesAssignmentsItem[];
  };
  type FX10GroupsTechniquesPassesItem = Document.FX10GroupsTechniquesPasses | Document.Text | Document.U32;
  type FX10GroupsTechniquesPassesAnnotations = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    value?: Document.Numbers;
    "value@"?: Document.U32;
    strings?: Document.FX10GroupsTechniquesPassesAnnotationsStringsItem[];
  };
  type FX10GroupsTechniquesPassesAnnotationsItem = Document.FX10GroupsTechniquesPassesAnnotations;
  type FX10GroupsTechniquesPassesAnnotationsStrings = {
    text?: Document.Text;
    "text@"?: Document.U32;
  };
  type FX10GroupsTechniquesPassesAnnotationsStringsItem = Document.FX10GroupsTechniquesPassesAnnotationsStrings | Document.Text | Document.U32;
  type FX10GroupsTechniquesPassesAssignments = {
    state?: Document.NamesEffectState32;
    index?: Document.U32;
    kind?: Document.NamesKindOfAssignment32;
    initializer?: Document.FX10GroupsTechniquesPassesAssignmentsInitializer;
    "initializer@"?: Document.U32;
    variable?: Document.Text;
    "variable@"?: Document.U32;
    code?: Document.Bytes | Document.Container;
    "code@"?: Document.U32;
  };
  type FX10GroupsTechniquesPassesAssignmentsItem = Document.FX10GroupsTechniquesPassesAssignments;
  type FX10GroupsTechniquesPassesAssignmentsInitializer = {
    values?: Document.FX10GroupsTechniquesPassesAssignmentsInitializerValuesItem[];
    array?: Document.Text;
    "array@"?: Document.U32;
    element?: Document.Text | Document.U32;
    "element@"?: Document.U32;
    code?: Document.Bytes | Document.Container;
    "code@"?: Document.U32;
    stream_output?: Document.Text;
    "stream_output@"?: Document.U32;
    stream_output0?: Document.Text;
    "stream_output0@"?: Document.U32;
    stream_output1?: Document.Text;
    "stream_output1@"?: Document.U32;
    stream_output2?: Document.Text;
    "stream_output2@"?: Document.U32;
    stream_output3?: Document.Text;
    "stream_output3@"?: Document.U32;
    stream_count?: Document.U32;
    rasterized_stream?: Document.U32;
    bindings?: Document.FX10GroupsTechniquesPassesAssignmentsInitializerBindingsItem[];
    "bindings@"?: Document.U32;
  };
  type FX10GroupsTechniquesPassesAssignmentsInitializerItem = Document.FX10GroupsTechniquesPassesAssignmentsInitializer;
  type FX10GroupsTechniquesPassesAssignmentsInitializerBindings = {
    name?: Document.Text;
    "name@"?: Document.U32;
    element?: Document.I32;
  };
  type FX10GroupsTechniquesPassesAssignmentsInitializerBindingsItem = Document.FX10GroupsTechniquesPassesAssignmentsInitializerBindings;
  type FX10GroupsTechniquesPassesAssignmentsInitializerValues = {
    type?: Document.NamesScalar32;
    value?: Document.I32 | Document.Real | Document.U32;
  };
  type FX10GroupsTechniquesPassesAssignmentsInitializerValuesItem = Document.FX10GroupsTechniquesPassesAssignmentsInitializerValues;
  type FX10Interfaces = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    instances?: Document.FX10InterfacesInstancesItem[];
    "instances@"?: Document.U32;
    flags?: Document.U32;
    annotations?: Document.FX10InterfacesAnnotationsItem[];
  };
  type FX10InterfacesItem = Document.FX10Interfaces;
  type FX10InterfacesAnnotations = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    value?: Document.Numbers;
    "value@"?: Document.U32;
    strings?: Document.FX10InterfacesAnnotationsStringsItem[];
  };
  type FX10InterfacesAnnotationsItem = Document.FX10InterfacesAnnotations;
  type FX10InterfacesAnnotationsStrings = {
    text?: Document.Text;
    "text@"?: Document.U32;
  };
  type FX10InterfacesAnnotationsStringsItem = Document.FX10InterfacesAnnotationsStrings | Document.Text | Document.U32;
  type FX10InterfacesInstances = {
    name?: Document.Text;
    "name@"?: Document.U32;
    element?: Document.I32;
  };
  type FX10InterfacesInstancesItem = Document.FX10InterfacesInstances;
  type FX10Objects = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    bind_point?: Document.I32;
    annotations?: Document.FX10ObjectsAnnotationsItem[];
    strings?: Document.FX10ObjectsStringsItem[];
    blocks?: Document.FX10ObjectsBlocksItem[];
    shaders?: Document.FX10ObjectsShadersItem[];
  };
  type FX10ObjectsItem = Document.FX10Objects;
  type FX10ObjectsAnnotations = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    value?: Document.Numbers;
    "value@"?: Document.U32;
    strings?: Document.FX10ObjectsAnnotationsStringsItem[];
  };
  type FX10ObjectsAnnotationsItem = Document.FX10ObjectsAnnotations;
  type FX10ObjectsAnnotationsStrings = {
    text?: Document.Text;
    "text@"?: Document.U32;
  };
  type FX10ObjectsAnnotationsStringsItem = Document.FX10ObjectsAnnotationsStrings | Document.Text | Document.U32;
  type FX10ObjectsBlocks = {
    assignments?: Document.FX10ObjectsBlocksAssignmentsItem[];
  };
  type FX10ObjectsBlocksItem = Document.FX10ObjectsBlocks;
  type FX10ObjectsBlocksAssignments = {
    state?: Document.NamesEffectState32;
    index?: Document.U32;
    kind?: Document.NamesKindOfAssignment32;
    initializer?: Document.FX10ObjectsBlocksAssignmentsInitializer;
    "initializer@"?: Document.U32;
    variable?: Document.Text;
    "variable@"?: Document.U32;
    code?: Document.Bytes | Document.Container;
    "code@"?: Document.U32;
  };
  type FX10ObjectsBlocksAssignmentsItem = Document.FX10ObjectsBlocksAssignments;
  type FX10ObjectsBlocksAssignmentsInitializer = {
    values?: Document.FX10ObjectsBlocksAssignmentsInitializerValuesItem[];
    array?: Document.Text;
    "array@"?: Document.U32;
    element?: Document.Text | Document.U32;
    "element@"?: Document.U32;
    code?: Document.Bytes | Document.Container;
    "code@"?: Document.U32;
    stream_output?: Document.Text;
    "stream_output@"?: Document.U32;
    stream_output0?: Document.Text;
    "stream_output0@"?: Document.U32;
    stream_output1?: Document.Text;
    "stream_output1@"?: Document.U32;
    stream_output2?: Document.Text;
    "stream_output2@"?: Document.U32;
    stream_output3?: Document.Text;
    "stream_output3@"?: Document.U32;
    stream_count?: Document.U32;
    rasterized_stream?: Document.U32;
    bindings?: Document.FX10ObjectsBlocksAssignmentsInitializerBindingsItem[];
    "bindings@"?: Document.U32;
  };
  type FX10ObjectsBlocksAssignmentsInitializerItem = Document.FX10ObjectsBlocksAssignmentsInitializer;
  type FX10ObjectsBlocksAssignmentsInitializerBindings = {
    name?: Document.Text;
    "name@"?: Document.U32;
    element?: Document.I32;
  };
  type FX10ObjectsBlocksAssignmentsInitializerBindingsItem = Document.FX10ObjectsBlocksAssignmentsInitializerBindings;
  type FX10ObjectsBlocksAssignmentsInitializerValues = {
    type?: Document.NamesScalar32;
    value?: Document.I32 | Document.Real | Document.U32;
  };
  type FX10ObjectsBlocksAssignmentsInitializerValuesItem = Document.FX10ObjectsBlocksAssignmentsInitializerValues;
  type FX10ObjectsShaders = {
    code?: Document.Bytes | Document.Container;
    "code@"?: Document.U32;
    stream_output?: Document.Text;
    "stream_output@"?: Document.U32;
    stream_output0?: Document.Text;
    "stream_output0@"?: Document.U32;
    stream_output1?: Document.Text;
    "stream_output1@"?: Document.U32;
    stream_output2?: Document.Text;
    "stream_output2@"?: Document.U32;
    stream_output3?: Document.Text;
    "stream_output3@"?: Document.U32;
    stream_count?: Document.U32;
    rasterized_stream?: Document.U32;
    bindings?: Document.FX10ObjectsShadersBindingsItem[];
    "bindings@"?: Document.U32;
  };
  type FX10ObjectsShadersItem = Document.FX10ObjectsShaders | Document.Bytes | Document.Text | Document.U32;
  type FX10ObjectsShadersBindings = {
    name?: Document.Text;
    "name@"?: Document.U32;
    element?: Document.I32;
  };
  type FX10ObjectsShadersBindingsItem = Document.FX10ObjectsShadersBindings;
  type FX10ObjectsStrings = {
    text?: Document.Text;
    "text@"?: Document.U32;
  };
  type FX10ObjectsStringsItem = Document.FX10ObjectsStrings | Document.Text | Document.U32;
  type FX10SharedBuffers = {
    name?: Document.Text;
    "name@"?: Document.U32;
    size?: Document.U32;
    flags?: Document.NamesEffectBufferFlags32[];
    bind_point?: Document.I32;
    variables?: Document.FX10SharedBuffersVariablesItem[];
  };
  type FX10SharedBuffersItem = Document.FX10SharedBuffers;
  type FX10SharedBuffersVariables = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    offset?: Document.U32;
    default_value?: Document.Numbers;
    "default_value@"?: Document.U32;
    flags?: Document.U32;
  };
  type FX10SharedBuffersVariablesItem = Document.FX10SharedBuffersVariables;
  type FX10SharedObjects = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    bind_point?: Document.I32;
  };
  type FX10SharedObjectsItem = Document.FX10SharedObjects;
  type FX10Techniques = {
    name?: Document.Text;
    "name@"?: Document.U32;
    annotations?: Document.FX10TechniquesAnnotationsItem[];
    passes?: Document.FX10TechniquesPassesItem[];
  };
  type FX10TechniquesItem = Document.FX10Techniques | Document.Text | Document.U32;
  type FX10TechniquesAnnotations = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    value?: Document.Numbers;
    "value@"?: Document.U32;
    strings?: Document.FX10TechniquesAnnotationsStringsItem[];
  };
  type FX10TechniquesAnnotationsItem = Document.FX10TechniquesAnnotations;
  type FX10TechniquesAnnotationsStrings = {
    text?: Document.Text;
    "text@"?: Document.U32;
  };
  type FX10TechniquesAnnotationsStringsItem = Document.FX10TechniquesAnnotationsStrings | Document.Text | Document.U32;
  type FX10TechniquesPasses = {
    name?: Document.Text;
    "name@"?: Document.U32;
    annotations?: Document.FX10TechniquesPassesAnnotationsItem[];
    assignments?: Document.FX10TechniquesPassesAssignmentsItem[];
  };
  type FX10TechniquesPassesItem = Document.FX10TechniquesPasses | Document.Text | Document.U32;
  type FX10TechniquesPassesAnnotations = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    value?: Document.Numbers;
    "value@"?: Document.U32;
    strings?: Document.FX10TechniquesPassesAnnotationsStringsItem[];
  };
  type FX10TechniquesPassesAnnotationsItem = Document.FX10TechniquesPassesAnnotations;
  type FX10TechniquesPassesAnnotationsStrings = {
    text?: Document.Text;
    "text@"?: Document.U32;
  };
  type FX10TechniquesPassesAnnotationsStringsItem = Document.FX10TechniquesPassesAnnotationsStrings | Document.Text | Document.U32;
  type FX10TechniquesPassesAssignments = {
    state?: Document.NamesEffectState32;
    index?: Document.U32;
    kind?: Document.NamesKindOfAssignment32;
    initializer?: Document.FX10TechniquesPassesAssignmentsInitializer;
    "initializer@"?: Document.U32;
    variable?: Document.Text;
    "variable@"?: Document.U32;
    code?: Document.Bytes | Document.Container;
    "code@"?: Document.U32;
  };
  type FX10TechniquesPassesAssignmentsItem = Document.FX10TechniquesPassesAssignments;
  type FX10TechniquesPassesAssignmentsInitializer = {
    values?: Document.FX10TechniquesPassesAssignmentsInitializerValuesItem[];
    array?: Document.Text;
    "array@"?: Document.U32;
    element?: Document.Text | Document.U32;
    "element@"?: Document.U32;
    code?: Document.Bytes | Document.Container;
    "code@"?: Document.U32;
    stream_output?: Document.Text;
    "stream_output@"?: Document.U32;
    stream_output0?: Document.Text;
    "stream_output0@"?: Document.U32;
    stream_output1?: Document.Text;
    "stream_output1@"?: Document.U32;
    stream_output2?: Document.Text;
    "stream_output2@"?: Document.U32;
    stream_output3?: Document.Text;
    "stream_output3@"?: Document.U32;
    stream_count?: Document.U32;
    rasterized_stream?: Document.U32;
    bindings?: Document.FX10TechniquesPassesAssignmentsInitializerBindingsItem[];
    "bindings@"?: Document.U32;
  };
  type FX10TechniquesPassesAssignmentsInitializerItem = Document.FX10TechniquesPassesAssignmentsInitializer;
  type FX10TechniquesPassesAssignmentsInitializerBindings = {
    name?: Document.Text;
    "name@"?: Document.U32;
    element?: Document.I32;
  };
  type FX10TechniquesPassesAssignmentsInitializerBindingsItem = Document.FX10TechniquesPassesAssignmentsInitializerBindings;
  type FX10TechniquesPassesAssignmentsInitializerValues = {
    type?: Document.NamesScalar32;
    value?: Document.I32 | Document.Real | Document.U32;
  };
  type FX10TechniquesPassesAssignmentsInitializerValuesItem = Document.FX10TechniquesPassesAssignmentsInitializerValues;
  type FX10Types = {
    name?: Document.Text;
    "name@"?: Document.U32;
    kind?: Document.NamesKindOfType32;
    elements?: Document.U32;
    total_bytes?: Document.U32;
    stride?: Document.U32;
    packed_bytes?: Document.U32;
    numeric?: {
      layout?: Document.NamesLayout32;
      scalar?: Document.NamesScalar32;
      rows?: number;
      columns?: number;
      column_major?: number;
      packed?: number;
      rest?: Document.U32;
    };
    "@"?: Document.U32;
    object?: Document.NamesEffectObject32;
    members?: Document.FX10TypesMembersItem[];
    base_class?: Document.U32;
    interfaces?: Document.FX10TypesInterfacesItem[];
  };
  type FX10TypesItem = Document.FX10Types;
  type FX10TypesInterfaces = {
    type?: Document.U32;
  };
  type FX10TypesInterfacesItem = Document.FX10TypesInterfaces | Document.U32;
  type FX10TypesMembers = {
    name?: Document.Text;
    "name@"?: Document.U32;
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    offset?: Document.U32;
    type?: Document.U32;
  };
  type FX10TypesMembersItem = Document.FX10TypesMembers;
  type FXLC = {
    instructions?: Document.FXLCInstructionsItem[];
  };
  type FXLCItem = Document.FXLC;
  type FXLCInstructions = {
    token?: {
      components?: number;
      opcode?: Document.NamesOpcode32;
      scalar?: number;
      rest?: Document.U32;
    };
    inputs?: Document.FXLCInstructionsInputsItem[];
    output?: Document.FXLCInstructionsOutput;
  };
  type FXLCInstructionsItem = Document.FXLCInstructions | {
    components?: number;
    opcode?: Document.NamesOpcode32;
    scalar?: number;
    rest?: Document.U32;
  };
  type FXLCInstructionsInputs = {
    is_indexed?: Document.U32;
    bank?: Document.NamesExpressionBank32;
    address?: Document.U32;
    index_bank?: Document.NamesExpressionBank32;
    index_address?: Document.U32;
  };
  type FXLCInstructionsInputsItem = Document.FXLCInstructionsInputs;
  type FXLCInstructionsOutput = {
    is_indexed?: Document.U32;
    bank?: Document.NamesExpressionBank32;
    address?: Document.U32;
    index_bank?: Document.NamesExpressionBank32;
    index_address?: Document.U32;
  };
  type FXLCInstructionsOutputItem = Document.FXLCInstructionsOutput;
  type HASH = {
    flags?: Document.NamesHashFlags32[];
    digest?: Document.Bytes;
    extra?: Document.Bytes;
  };
  type HASHItem = Document.HASH | Document.Bytes | Document.NamesHashFlags32[];
  type IFCE = {
    slot_count?: Document.U32;
    instances?: Document.IFCEInstancesItem[];
    "instances@"?: Document.U32;
    types?: Document.IFCETypesItem[];
    "types@"?: Document.U32;
    slots?: Document.IFCESlotsItem[];
    "slots@"?: Document.U32;
    reserved?: Document.U64;
  };
  type IFCEItem = Document.IFCE | Document.U32 | Document.U64;
  type IFCEInstances = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U16;
    elements?: Document.U16;
    constant_buffer?: Document.U16;
    constant_buffer_offset?: Document.U16;
    texture?: Document.U16;
    sampler?: Document.U16;
  };
  type IFCEInstancesItem = Document.IFCEInstances;
  type IFCESlots = {
    span?: Document.U32;
    types?: Document.IFCESlotsTypesItem[];
    "types@"?: Document.U32;
    tables?: Document.IFCESlotsTablesItem[];
    "tables@"?: Document.U32;
  };
  type IFCESlotsItem = Document.IFCESlots | Document.U32;
  type IFCESlotsTables = {
    table?: Document.U32;
  };
  type IFCESlotsTablesItem = Document.IFCESlotsTables | Document.U32;
  type IFCESlotsTypes = {
    type?: Document.U16;
  };
  type IFCESlotsTypesItem = Document.IFCESlotsTypes | Document.U16;
  type IFCETypes = {
    name?: Document.Text;
    "name@"?: Document.U32;
    id?: Document.U16;
    constant_buffer_stride?: Document.U16;
    texture_count?: Document.U16;
    sampler_count?: Document.U16;
  };
  type IFCETypesItem = Document.IFCETypes;
  type ILDB = {
    program_version?: {
      kind?: Document.NamesKind32;
      major?: number;
      minor?: number;
      reserved?: number;
      rest?: Document.U32;
    };
    size_dwords?: Document.U32;
    dxil_version?: {
      major?: number;
      minor?: number;
      reserved?: number;
      rest?: Document.U32;
    };
    bitcode_offset?: Document.U32;
    before_bitcode?: Document.Bytes;
    bitcode?: Document.Bytes;
    padding?: Document.Bytes;
  };
  type ILDBItem = Document.ILDB;
  type ILDN = {
    flags?: Document.U16;
    name?: Document.Text;
  };
  type ILDNItem = Document.ILDN;
  type ISG1 = {
    elements?: Document.ISG1ElementsItem[];
    "elements@"?: Document.U32;
  };
  type ISG1Item = Document.ISG1 | Document.U32;
  type ISG1Elements = {
    stream?: Document.U32;
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    semantic_index?: Document.U32;
    system_value?: Document.NamesSystemValue32;
    component_type?: Document.NamesComponentType32;
    register?: Document.U32;
    mask?: string | Document.U8;
    used_mask?: string | Document.U8;
    reserved?: Document.U16;
    min_precision?: Document.NamesMinimumPrecision32;
  };
  type ISG1ElementsItem = Document.ISG1Elements;
  type ISGN = {
    elements?: Document.ISGNElementsItem[];
    "elements@"?: Document.U32;
  };
  type ISGNItem = Document.ISGN | Document.U32;
  type ISGNElements = {
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    semantic_index?: Document.U32;
    system_value?: Document.NamesSystemValue32;
    component_type?: Document.NamesComponentType32;
    register?: Document.U32;
    mask?: string | Document.U8;
    used_mask?: string | Document.U8;
    reserved?: Document.U16;
  };
  type ISGNElementsItem = Document.ISGNElements;
  type OSG1 = {
    elements?: Document.OSG1ElementsItem[];
    "elements@"?: Document.U32;
  };
  type OSG1Item = Document.OSG1 | Document.U32;
  type OSG1Elements = {
    stream?: Document.U32;
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    semantic_index?: Document.U32;
    system_value?: Document.NamesSystemValue32;
    component_type?: Document.NamesComponentType32;
    register?: Document.U32;
    mask?: string | Document.U8;
    used_mask?: string | Document.U8;
    reserved?: Document.U16;
    min_precision?: Document.NamesMinimumPrecision32;
  };
  type OSG1ElementsItem = Document.OSG1Elements;
  type OSG5 = {
    elements?: Document.OSG5ElementsItem[];
    "elements@"?: Document.U32;
  };
  type OSG5Item = Document.OSG5 | Document.U32;
  type OSG5Elements = {
    stream?: Document.U32;
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    semantic_index?: Document.U32;
    system_value?: Document.NamesSystemValue32;
    component_type?: Document.NamesComponentType32;
    register?: Document.U32;
    mask?: string | Document.U8;
    used_mask?: string | Document.U8;
    reserved?: Document.U16;
  };
  type OSG5ElementsItem = Document.OSG5Elements;
  type OSGN = {
    elements?: Document.OSGNElementsItem[];
    "elements@"?: Document.U32;
  };
  type OSGNItem = Document.OSGN | Document.U32;
  type OSGNElements = {
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    semantic_index?: Document.U32;
    system_value?: Document.NamesSystemValue32;
    component_type?: Document.NamesComponentType32;
    register?: Document.U32;
    mask?: string | Document.U8;
    used_mask?: string | Document.U8;
    reserved?: Document.U16;
  };
  type OSGNElementsItem = Document.OSGNElements;
  type PCSG = {
    elements?: Document.PCSGElementsItem[];
    "elements@"?: Document.U32;
  };
  type PCSGItem = Document.PCSG | Document.U32;
  type PCSGElements = {
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    semantic_index?: Document.U32;
    system_value?: Document.NamesSystemValue32;
    component_type?: Document.NamesComponentType32;
    register?: Document.U32;
    mask?: string | Document.U8;
    used_mask?: string | Document.U8;
    reserved?: Document.U16;
  };
  type PCSGElementsItem = Document.PCSGElements;
  type PDBI = {
    version?: Document.U16;
    compression?: Document.NamesCompression16;
    uncompressed_bytes?: Document.U32;
    data?: Document.Bytes;
    padding?: Document.Bytes;
  };
  type PDBIItem = Document.PDBI;
  type PSG1 = {
    elements?: Document.PSG1ElementsItem[];
    "elements@"?: Document.U32;
  };
  type PSG1Item = Document.PSG1 | Document.U32;
  type PSG1Elements = {
    stream?: Document.U32;
    semantic?: Document.Text;
    "semantic@"?: Document.U32;
    semantic_index?: Document.U32;
    system_value?: Document.NamesSystemValue32;
    component_type?: Document.NamesComponentType32;
    register?: Document.U32;
    mask?: string | Document.U8;
    used_mask?: string | Document.U8;
    reserved?: Document.U16;
    min_precision?: Document.NamesMinimumPrecision32;
  };
  type PSG1ElementsItem = Document.PSG1Elements;
  type PSV0 = {
    runtime_info_bytes?: Document.U32;
    runtime_info?: Document.PSV0RuntimeInfo;
    resource_stride?: Document.U32;
    resources?: Document.PSV0ResourcesItem[];
    strings?: Document.Bytes;
    semantic_indexes?: Document.U32[];
    element_stride?: Document.U32;
    inputs?: Document.PSV0InputsItem[];
    outputs?: Document.PSV0OutputsItem[];
    patch_or_primitives?: Document.PSV0PatchOrPrimitivesItem[];
    view_id_outputs?: Document.Numbers;
    input_outputs?: Document.Numbers;
    extra?: Document.Bytes;
    view_id_outputs_1?: Document.Numbers;
    view_id_outputs_2?: Document.Numbers;
    view_id_outputs_3?: Document.Numbers;
    input_outputs_1?: Document.Numbers;
    input_outputs_2?: Document.Numbers;
    input_outputs_3?: Document.Numbers;
    view_id_patch_or_primitives?: Document.Numbers;
    input_patch_constants?: Document.Numbers;
    patch_constant_outputs?: Document.Numbers;
  };
  type PSV0Item = Document.PSV0;
  type PSV0Inputs = {
    semantic_name?: Document.Text;
    "semantic_name@"?: Document.U32;
    semantic_indexes?: Document.U32;
    rows?: Document.U8;
    start_row?: Document.U8;
    columns?: {
      columns?: number;
      start_column?: number;
      allocated?: number;
      rest?: Document.U8;
    };
    semantic_kind?: Document.NamesSemanticKind8;
    component_type?: Document.NamesComponentType8;
    interpolation?: Document.NamesInterpolationMode8;
    dynamic_mask_and_stream?: {
      dynamic_mask?: number;
      stream?: number;
      rest?: Document.U8;
    };
    reserved?: Document.U8;
    extra?: Document.Bytes;
  };
  type PSV0InputsItem = Document.PSV0Inputs;
  type PSV0Outputs = {
    semantic_name?: Document.Text;
    "semantic_name@"?: Document.U32;
    semantic_indexes?: Document.U32;
    rows?: Document.U8;
    start_row?: Document.U8;
    columns?: {
      columns?: number;
      start_column?: number;
      allocated?: number;
      rest?: Document.U8;
    };
    semantic_kind?: Document.NamesSemanticKind8;
    component_type?: Document.NamesComponentType8;
    interpolation?: Document.NamesInterpolationMode8;
    dynamic_mask_and_stream?: {
      dynamic_mask?: number;
      stream?: number;
      rest?: Document.U8;
    };
    reserved?: Document.U8;
    extra?: Document.Bytes;
  };
  type PSV0OutputsItem = Document.PSV0Outputs;
  type PSV0PatchOrPrimitives = {
    semantic_name?: Document.Text;
    "semantic_name@"?: Document.U32;
    semantic_indexes?: Document.U32;
    rows?: Document.U8;
    start_row?: Document.U8;
    columns?: {
      columns?: number;
      start_column?: number;
      allocated?: number;
      rest?: Document.U8;
    };
    semantic_kind?: Document.NamesSemanticKind8;
    component_type?: Document.NamesComponentType8;
    interpolation?: Document.NamesInterpolationMode8;
    dynamic_mask_and_stream?: {
      dynamic_mask?: number;
      stream?: number;
      rest?: Document.U8;
    };
    reserved?: Document.U8;
    extra?: Document.Bytes;
  };
  type PSV0PatchOrPrimitivesItem = Document.PSV0PatchOrPrimitives;
  type PSV0Resources = {
    type?: Document.NamesPSV0ResourceType32;
    space?: Document.U32;
    lower_bound?: Document.U32;
    upper_bound?: Document.U32;
    kind?: Document.NamesResourceKind32_;
    flags?: Document.NamesPSV0ResourceFlags32[];
    extra?: Document.Bytes;
  };
  type PSV0ResourcesItem = Document.PSV0Resources;
  type PSV0RuntimeInfo = {
    kind?: Document.NamesKind8;
    stage?: Document.PSV0RuntimeInfoStage;
    min_wave_lanes?: Document.U32;
    max_wave_lanes?: Document.U32;
    uses_view_id?: Document.U8;
    reserved?: Document.Bytes;
    input_vectors?: Document.U8;
    output_vectors_0?: Document.U8;
    output_vectors_1?: Document.U8;
    output_vectors_2?: Document.U8;
    output_vectors_3?: Document.U8;
    num_threads_x?: Document.U32;
    num_threads_y?: Document.U32;
    num_threads_z?: Document.U32;
    entry_name?: Document.Text;
    "entry_name@"?: Document.U32;
    group_shared_memory_bytes?: Document.U32;
    extra?: Document.Bytes;
    max_vertex_count?: Document.U16;
    patch_constant_vectors?: Document.U8;
    primitive_vectors?: Document.U8;
    mesh_topology?: Document.NamesMeshOutputTopology8;
  };
  type PSV0RuntimeInfoItem = Document.PSV0RuntimeInfo;
  type PSV0RuntimeInfoStage = {
    reserved?: Document.Bytes;
    depth_output?: Document.U8;
    sample_frequency?: Document.U8;
    output_position_present?: Document.U8;
    input_primitive?: Document.NamesInputPrimitive32_;
    output_topology?: Document.NamesPrimitiveTopology32;
    output_stream_mask?: Document.U32;
    input_control_point_count?: Document.U32;
    output_control_point_count?: Document.U32;
    tessellator_domain?: Document.NamesTessellatorDomain32;
    tessellator_output?: Document.NamesTessellatorOutputPrimitive32;
    group_shared_bytes?: Document.U32;
    group_shared_bytes_dependent_on_view_id?: Document.U32;
    payload_bytes?: Document.U32;
    max_output_vertices?: Document.U16;
    max_output_primitives?: Document.U16;
  };
  type PSV0RuntimeInfoStageItem = Document.PSV0RuntimeInfoStage;
  type RDAT = {
    strings?: Document.Bytes;
    index_arrays?: Document.Bytes;
    raw_bytes?: Document.Bytes;
    record_bytes?: Document.RDATRecordBytes;
    resource_table?: Document.RDATResourceTableItem[];
    function_table?: Document.RDATFunctionTableItem[];
    subobject_table?: Document.RDATSubobjectTableItem[];
    node_id_table?: Document.RDATNodeIdTableItem[];
    node_function_attribute_table?: Document.RDATNodeFunctionAttributeTableItem[];
    node_io_attribute_table?: Document.RDATNodeIoAttributeTableItem[];
    node_io_table?: Document.RDATNodeIoTableItem[];
    node_shader_table?: Document.RDATNodeShaderTableItem[];
    signature_element_table?: Document.RDATSignatureElementTableItem[];
    vertex_shader_table?: Document.RDATVertexShaderTableItem[];
    pixel_shader_table?: Document.RDATPixelShaderTableItem[];
    hull_shader_table?: Document.RDATHullShaderTableItem[];
    domain_shader_table?: Document.RDATDomainShaderTableItem[];
    geometry_shader_table?: Document.RDATGeometryShaderTableItem[];
    compute_shader_table?: Document.RDATComputeShaderTableItem[];
    mesh_shader_table?: Document.RDATMeshShaderTableItem[];
    amplification_shader_table?: Document.RDATAmplificationShaderTableItem[];
    pdb_info_table?: Document.RDATPdbInfoTableItem[];
    pdb_source_table?: Document.RDATPdbSourceTableItem[];
    pdb_library_table?: Document.RDATPdbLibraryTableItem[];
  };
  type RDATItem = Document.RDAT | Document.Bytes;
  type RDATAmplificationShaderTable = {
    num_threads?: Document.U32[];
    "num_threads@"?: Document.U32;
    group_shared_bytes?: Document.U32;
    payload_bytes?: Document.U32;
    padding?: Document.Bytes;
  };
  type RDATAmplificationShaderTableItem = Document.RDATAmplificationShaderTable;
  type RDATComputeShaderTable = {
    num_threads?: Document.U32[];
    "num_threads@"?: Document.U32;
    group_shared_bytes?: Document.U32;
    padding?: Document.Bytes;
  };
  type RDATComputeShaderTableItem = Document.RDATComputeShaderTable | Document.Bytes | Document.U32;
  type RDATDomainShaderTable = {
    inputs?: Document.U32[];
    "inputs@"?: Document.U32;
    outputs?: Document.U32[];
    "outputs@"?: Document.U32;
    patch_or_primitives?: Document.U32[];
    "patch_or_primitives@"?: Document.U32;
    view_id_outputs?: Document.Bytes;
    "view_id_outputs@"?: Document.U32;
    input_outputs?: Document.Bytes;
    "input_outputs@"?: Document.U32;
    patch_constants?: Document.Bytes;
    "patch_constants@"?: Document.U32;
    input_control_point_count?: Document.U8;
    tessellator_domain?: Document.NamesTessellatorDomain8;
    padding?: Document.Bytes;
  };
  type RDATDomainShaderTableItem = Document.RDATDomainShaderTable;
  type RDATFunctionTable = {
    name?: Document.Text;
    "name@"?: Document.U32;
    unmangled_name?: Document.Text;
    "unmangled_name@"?: Document.U32;
    resources?: Document.U32[];
    "resources@"?: Document.U32;
    dependencies?: Document.Text[];
    "dependencies@"?: Document.U32;
    kind?: Document.NamesKind32;
    payload_bytes?: Document.U32;
    attribute_bytes?: Document.U32;
    features?: Document.U64;
    stages?: Document.NamesKind32[];
    min_shader_target?: {
      kind?: Document.NamesKind32;
      major?: number;
      minor?: number;
      reserved?: number;
      rest?: Document.U32;
    };
    min_wave_lanes?: Document.U8;
    max_wave_lanes?: Document.U8;
    shader_flags?: Document.NamesRDATShaderFlags16[];
    shader_record?: Document.U32;
    extra?: Document.Bytes;
  };
  type RDATFunctionTableItem = Document.RDATFunctionTable;
  type RDATGeometryShaderTable = {
    inputs?: Document.U32[];
    "inputs@"?: Document.U32;
    outputs?: Document.U32[];
    "outputs@"?: Document.U32;
    view_id_outputs?: Document.Bytes;
    "view_id_outputs@"?: Document.U32;
    input_outputs?: Document.Bytes;
    "input_outputs@"?: Document.U32;
    input_primitive?: Document.NamesInputPrimitive8;
    output_topology?: Document.NamesPrimitiveTopology8;
    max_vertex_count?: Document.U8;
    output_stream_mask?: Document.U8;
    padding?: Document.Bytes;
  };
  type RDATGeometryShaderTableItem = Document.RDATGeometryShaderTable;
  type RDATHullShaderTable = {
    inputs?: Document.U32[];
    "inputs@"?: Document.U32;
    outputs?: Document.U32[];
    "outputs@"?: Document.U32;
    patch_or_primitives?: Document.U32[];
    "patch_or_primitives@"?: Document.U32;
    view_id_outputs?: Document.Bytes;
    "view_id_outputs@"?: Document.U32;
    view_id_patch_or_primitives?: Document.Bytes;
    "view_id_patch_or_primitives@"?: Document.U32;
    input_outputs?: Document.Bytes;
    "input_outputs@"?: Document.U32;
    patch_constants?: Document.Bytes;
    "patch_constants@"?: Document.U32;
    input_control_point_count?: Document.U8;
    output_control_point_count?: Document.U8;
    tessellator_domain?: Document.NamesTessellatorDomain8;
    tessellator_output?: Document.NamesTessellatorOutputPrimitive8;
    padding?: Document.Bytes;
  };
  type RDATHullShaderTableItem = Document.RDATHullShaderTable;
  type RDATMeshShaderTable = {
    outputs?: Document.U32[];
    "outputs@"?: Document.U32;
    patch_or_primitives?: Document.U32[];
    "patch_or_primitives@"?: Document.U32;
    view_id_outputs?: Document.Bytes;
    "view_id_outputs@"?: Document.U32;
    view_id_patch_or_primitives?: Document.Bytes;
    "view_id_patch_or_primitives@"?: Document.U32;
    num_threads?: Document.U32[];
    "num_threads@"?: Document.U32;
    group_shared_bytes?: Document.U32;
    group_shared_bytes_dependent_on_view_id?: Document.U32;
    payload_bytes?: Document.U32;
    max_output_vertices?: Document.U16;
    max_output_primitives?: Document.U16;
    mesh_topology?: Document.NamesMeshOutputTopology8;
    padding?: Document.Bytes;
  };
  type RDATMeshShaderTableItem = Document.RDATMeshShaderTable;
  type RDATNodeFunctionAttributeTable = {
    kind?: Document.NamesNodeFunctionAttribute32;
    value?: Document.U32;
    extra?: Document.Bytes;
    node_id?: Document.U32;
    array?: Document.U32[];
    "array@"?: Document.U32;
  };
  type RDATNodeFunctionAttributeTableItem = Document.RDATNodeFunctionAttributeTable | Document.Bytes | Document.NamesNodeFunctionAttribute32 | Document.U32;
  type RDATNodeIdTable = {
    name?: Document.Text;
    "name@"?: Document.U32;
    index?: Document.U32;
    extra?: Document.Bytes;
  };
  type RDATNodeIdTableItem = Document.RDATNodeIdTable;
  type RDATNodeIoAttributeTable = {
    kind?: Document.NamesNodeInputOrOutputAttribute32;
    value?: Document.U32;
    extra?: Document.Bytes;
    node_id?: Document.U32;
    dispatch_grid?: {
      byte_offset?: number;
      components?: number;
      component_type?: number;
      rest?: Document.U32;
    };
  };
  type RDATNodeIoAttributeTableItem = Document.RDATNodeIoAttributeTable;
  type RDATNodeIoTable = {
    flags?: {
      kind?: Document.NamesKind32_;
      reserved?: number;
      track_rw_input_sharing?: number;
      globally_coherent?: number;
      rest?: Document.U32;
    };
    attributes?: Document.U32[];
    "attributes@"?: Document.U32;
    extra?: Document.Bytes;
  };
  type RDATNodeIoTableItem = Document.RDATNodeIoTable | Document.Bytes | Document.U32 | {
    kind?: Document.NamesKind32_;
    reserved?: number;
    track_rw_input_sharing?: number;
    globally_coherent?: number;
    rest?: Document.U32;
  };
  type RDATNodeShaderTable = {
    launch?: Document.NamesNodeLaunchType32;
    group_shared_bytes?: Document.U32;
    attributes?: Document.U32[];
    "attributes@"?: Document.U32;
    outputs?: Document.U32[];
    "outputs@"?: Document.U32;
    inputs?: Document.U32[];
    "inputs@"?: Document.U32;
    extra?: Document.Bytes;
  };
  type RDATNodeShaderTableItem = Document.RDATNodeShaderTable;
  type RDATPdbInfoTable = {
    sources?: Document.U32[];
    "sources@"?: Document.U32;
    libraries?: Document.U32[];
    "libraries@"?: Document.U32;
    arguments?: Document.Text[];
    "arguments@"?: Document.U32;
    hash?: Document.Bytes;
    "hash@"?: Document.U32;
    pdb_name?: Document.Text;
    "pdb_name@"?: Document.U32;
    custom_toolchain_id?: Document.U32;
    custom_toolchain_data?: Document.Bytes;
    "custom_toolchain_data@"?: Document.U32;
    whole_dxil?: Document.Bytes;
    "whole_dxil@"?: Document.U32;
    extra?: Document.Bytes;
  };
  type RDATPdbInfoTableItem = Document.RDATPdbInfoTable;
  type RDATPdbLibraryTable = {
    name?: Document.Text;
    "name@"?: Document.U32;
    data?: Document.Bytes;
    "data@"?: Document.U32;
    extra?: Document.Bytes;
  };
  type RDATPdbLibraryTableItem = Document.RDATPdbLibraryTable | Document.Bytes | Document.Text | Document.U32;
  type RDATPdbSourceTable = {
    name?: Document.Text;
    "name@"?: Document.U32;
    content?: Document.Text;
    "content@"?: Document.U32;
    extra?: Document.Bytes;
  };
  type RDATPdbSourceTableItem = Document.RDATPdbSourceTable;
  type RDATPixelShaderTable = {
    inputs?: Document.U32[];
    "inputs@"?: Document.U32;
    outputs?: Document.U32[];
    "outputs@"?: Document.U32;
    padding?: Document.Bytes;
  };
  type RDATPixelShaderTableItem = Document.RDATPixelShaderTable | Document.Bytes | Document.U32;
  type RDATRecordBytes = {
    resource_table?: Document.U32;
    function_table?: Document.U32;
    subobject_table?: Document.U32;
    node_id_table?: Document.U32;
    node_function_attribute_table?: Document.U32;
    node_io_attribute_table?: Document.U32;
    node_io_table?: Document.U32;
    node_shader_table?: Document.U32;
    signature_element_table?: Document.U32;
    vertex_shader_table?: Document.U32;
    pixel_shader_table?: Document.U32;
    hull_shader_table?: Document.U32;
    domain_shader_table?: Document.U32;
    geometry_shader_table?: Document.U32;
    compute_shader_table?: Document.U32;
    mesh_shader_table?: Document.U32;
    amplification_shader_table?: Document.U32;
    pdb_info_table?: Document.U32;
    pdb_source_table?: Document.U32;
    pdb_library_table?: Document.U32;
  };
  type RDATRecordBytesItem = Document.RDATRecordBytes;
  type RDATResourceTable = {
    class?: Document.NamesResourceClass32;
    kind?: Document.NamesResourceKind32_;
    id?: Document.U32;
    space?: Document.U32;
    lower_bound?: Document.U32;
    upper_bound?: Document.U32;
    name?: Document.Text;
    "name@"?: Document.U32;
    flags?: Document.NamesRDATResourceFlags32[];
    extra?: Document.Bytes;
  };
  type RDATResourceTableItem = Document.RDATResourceTable;
  type RDATSignatureElementTable = {
    semantic_name?: Document.Text;
    "semantic_name@"?: Document.U32;
    semantic_indexes?: Document.U32[];
    "semantic_indexes@"?: Document.U32;
    semantic_kind?: Document.NamesSemanticKind8;
    component_type?: Document.NamesComponentType8_;
    interpolation?: Document.NamesInterpolationMode8;
    start_row?: Document.U8;
    columns_and_stream?: {
      columns?: number;
      start_column?: number;
      stream?: number;
      rest?: Document.U8;
    };
    masks?: {
      usage_mask?: number;
      dynamic_mask?: number;
      rest?: Document.U8;
    };
    padding?: Document.Bytes;
  };
  type RDATSignatureElementTableItem = Document.RDATSignatureElementTable;
  type RDATSubobjectTable = {
    kind?: Document.NamesSubobjectKind32;
    name?: Document.Text;
    "name@"?: Document.U32;
    flags?: Document.NamesRaytracingPipelineFlags32[] | Document.NamesStateObjectFlags32[];
    reserved?: Document.Bytes;
    root_signature?: Document.RTS0 | Document.Bytes;
    "root_signature@"?: Document.U32;
    subobject?: Document.Text;
    "subobject@"?: Document.U32;
    exports?: Document.Text[];
    "exports@"?: Document.U32;
    max_payload_bytes?: Document.U32;
    max_attribute_bytes?: Document.U32;
    max_recursion_depth?: Document.U32;
    hit_group?: Document.NamesHitGroupType32;
    any_hit?: Document.Text;
    "any_hit@"?: Document.U32;
    closest_hit?: Document.Text;
    "closest_hit@"?: Document.U32;
    intersection?: Document.Text;
    "intersection@"?: Document.U32;
  };
  type RDATSubobjectTableItem = Document.RDATSubobjectTable;
  type RDATVertexShaderTable = {
    inputs?: Document.U32[];
    "inputs@"?: Document.U32;
    outputs?: Document.U32[];
    "outputs@"?: Document.U32;
    view_id_outputs?: Document.Bytes;
    "view_id_outputs@"?: Document.U32;
    padding?: Document.Bytes;
  };
  type RDATVertexShaderTableItem = Document.RDATVertexShaderTable | Document.Bytes | Document.U32;
  type RDEF = {
    magic?: string | Document.U32;
    strides?: Document.RDEFStrides;
    types?: Document.RDEFTypesItem[];
    constant_buffers?: Document.RDEFConstantBuffersItem[];
    "constant_buffers@"?: Document.U32;
    bindings?: Document.RDEFBindingsItem[];
    "bindings@"?: Document.U32;
    minor_version?: Document.U8;
    major_version?: Document.U8;
    target?: Document.NamesTarget16;
    flags?: Document.NamesCompileFlags32[];
    creator?: Document.Text;
    "creator@"?: Document.U32;
    interface_slots?: Document.U32;
  };
  type RDEFItem = Document.RDEF;
  type RDEFBindings = {
    name?: Document.Text;
    "name@"?: Document.U32;
    kind?: Document.NamesResourceKind32;
    return_type?: Document.NamesReturnType32;
    dimension?: Document.NamesResourceDimension32;
    sample_count?: Document.I32;
    bind_point?: Document.U32;
    bind_count?: Document.U32;
    flags?: Document.NamesBindingFlags32[];
    space?: Document.U32;
    id?: Document.U32;
  };
  type RDEFBindingsItem = Document.RDEFBindings;
  type RDEFConstantBuffers = {
    name?: Document.Text;
    "name@"?: Document.U32;
    variables?: Document.RDEFConstantBuffersVariablesItem[];
    "variables@"?: Document.U32;
    size?: Document.U32;
    flags?: Document.NamesBufferFlags32[];
    kind?: Document.NamesBufferKind32;
  };
  type RDEFConstantBuffersItem = Document.RDEFConstantBuffers;
  type RDEFConstantBuffersVariables = {
    name?: Document.Text;
    "name@"?: Document.U32;
    offset?: Document.U32;
    size?: Document.U32;
    flags?: Document.NamesVariableFlags32[];
    type?: Document.U32;
    default_value?: Document.Numbers;
    start_texture?: Document.I32;
    texture_count?: Document.U32;
    start_sampler?: Document.I32;
    sampler_count?: Document.U32;
    "default_value@"?: Document.U32;
  };
  type RDEFConstantBuffersVariablesItem = Document.RDEFConstantBuffersVariables;
  type RDEFStrides = {
    header?: Document.U32;
    constant_buffer?: Document.U32;
    binding?: Document.U32;
    variable?: Document.U32;
    type?: Document.U32;
    member?: Document.U32;
  };
  type RDEFStridesItem = Document.RDEFStrides;
  type RDEFTypes = {
    class?: Document.NamesVariableClass16;
    type?: Document.NamesVariableType16;
    rows?: Document.U16;
    columns?: Document.U16;
    elements?: Document.U16;
    members?: Document.RDEFTypesMembersItem[];
    "members@"?: Document.U32;
    subtype?: Document.U32;
    base_class?: Document.U32;
    interfaces?: Document.RDEFTypesInterfacesItem[];
    "interfaces@"?: Document.U32;
    name?: Document.Text;
    "name@"?: Document.U32;
    "@"?: Document.U32;
  };
  type RDEFTypesItem = Document.RDEFTypes;
  type RDEFTypesInterfaces = {
    type?: Document.U32;
  };
  type RDEFTypesInterfacesItem = Document.RDEFTypesInterfaces | Document.U32;
  type RDEFTypesMembers = {
    name?: Document.Text;
    "name@"?: Document.U32;
    type?: Document.U32;
    offset?: Document.U32;
  };
  type RDEFTypesMembersItem = Document.RDEFTypesMembers;
  type RTS0 = {
    version?: Document.NamesRootSignatureVersion32;
    parameters?: Document.RTS0ParametersItem[];
    "parameters@"?: Document.U32;
    static_samplers?: Document.RTS0StaticSamplersItem[];
    "static_samplers@"?: Document.U32;
    flags?: Document.NamesRootSignatureFlags32[];
  };
  type RTS0Item = Document.RTS0;
  type RTS0Parameters = {
    type?: Document.NamesRootParameterType32;
    visibility?: Document.NamesShaderVisibility32;
    body?: Document.RTS0ParametersBody;
    "body@"?: Document.U32;
  };
  type RTS0ParametersItem = Document.RTS0Parameters;
  type RTS0ParametersBody = {
    ranges?: Document.RTS0ParametersBodyRangesItem[];
    "ranges@"?: Document.U32;
    register?: Document.U32;
    space?: Document.U32;
    count?: Document.U32;
    flags?: Document.NamesDescriptorFlags32[];
  };
  type RTS0ParametersBodyItem = Document.RTS0ParametersBody;
  type RTS0ParametersBodyRanges = {
    type?: Document.NamesDescriptorRangeType32;
    count?: Document.U32;
    base_register?: Document.U32;
    space?: Document.U32;
    offset_in_table?: Document.U32;
    flags?: Document.NamesDescriptorFlags32[];
  };
  type RTS0ParametersBodyRangesItem = Document.RTS0ParametersBodyRanges;
  type RTS0StaticSamplers = {
    filter?: {
      min?: Document.NamesMin32;
      mag?: Document.NamesMin32;
      mip?: Document.NamesMin32;
      anisotropic?: number;
      reduction?: Document.NamesReduction32;
      rest?: Document.U32;
    };
    address_u?: Document.NamesTextureAddressMode32;
    address_v?: Document.NamesTextureAddressMode32;
    address_w?: Document.NamesTextureAddressMode32;
    mip_lod_bias?: Document.Real;
    max_anisotropy?: Document.U32;
    comparison?: Document.NamesComparisonFunction32;
    border_color?: Document.NamesStaticBorderColor32;
    min_lod?: Document.Real;
    max_lod?: Document.Real;
    register?: Document.U32;
    space?: Document.U32;
    visibility?: Document.NamesShaderVisibility32;
    flags?: Document.NamesSamplerFlags32[];
  };
  type RTS0StaticSamplersItem = Document.RTS0StaticSamplers;
  type SPDB = {
    block_bytes?: Document.U32;
    block_count?: Document.U32;
    free_block_map?: Document.U32;
    directory_map_blocks?: Document.U32[];
    directory_blocks?: Document.U32[];
    streams?: Document.SPDBStreamsItem[];
    old_blocks?: Document.SPDBOldBlocksItem[];
  };
  type SPDBItem = Document.SPDB;
  type SPDBDebugInterface = {
    signature?: Document.U32;
    version?: Document.U32;
    age?: Document.U32;
    global_stream?: Document.U16;
    build?: Document.U16;
    public_stream?: Document.U16;
    library_version?: Document.U16;
    symbol_stream?: Document.U16;
    library_build?: Document.U16;
    type_server_index?: Document.U32;
    flags?: Document.U16;
    machine?: Document.U16;
    reserved?: Document.U32;
    modules?: Document.SPDBDebugInterfaceModules[];
    contribution_version?: Document.U32;
    contributions?: Document.SPDBDebugInterfaceContributionsItem[];
    section_count?: Document.U16;
    logical_section_count?: Document.U16;
    section_map?: Document.SPDBDebugInterfaceSectionMapItem[];
    file_count?: Document.U16;
    module_indices?: Document.U32[];
    module_file_counts?: Document.U32[];
    file_name_offsets?: Document.U32[];
    file_names?: Document.Bytes | Document.Text[];
    type_servers?: Document.Bytes;
    edit_strings?: Document.SPDBDebugInterfaceEditStrings;
    debug_streams?: Document.U32[];
    unknown?: Document.Bytes;
  };
  type SPDBDebugInterfaceItem = Document.SPDBDebugInterface;
  type SPDBDebugInterfaceContributions = {
    section?: Document.U16;
    reserved_1?: Document.U16;
    offset?: Document.U32;
    bytes?: Document.U32;
    flags?: Document.U32;
    module?: Document.U16;
    reserved_2?: Document.U16;
    data_crc?: Document.U32;
    relocation_crc?: Document.U32;
  };
  type SPDBDebugInterfaceContributionsItem = Document.SPDBDebugInterfaceContributions;
  type SPDBDebugInterfaceEditStrings = {
    hash_version?: Document.U32;
    strings?: Document.Bytes | Document.Text[];
    buckets?: Document.U32[];
    count?: Document.U32;
  };
  type SPDBDebugInterfaceEditStringsItem = Document.SPDBDebugInterfaceEditStrings;
  type SPDBDebugInterfaceModules = {
    opened?: Document.U32;
    contribution?: Document.SPDBDebugInterfaceModulesContribution;
    flags?: Document.U16;
    stream?: Document.U16;
    symbol_bytes?: Document.U32;
    old_line_bytes?: Document.U32;
    line_bytes?: Document.U32;
    file_count?: Document.U16;
    reserved?: Document.U16;
    file_names?: Document.U32;
    source_name?: Document.U32;
    compiler_name?: Document.U32;
    name?: Document.Text;
    object?: Document.Text;
  };
  type SPDBDebugInterfaceModulesItem = Document.SPDBDebugInterfaceModules;
  type SPDBDebugInterfaceModulesContribution = {
    section?: Document.U16;
    reserved_1?: Document.U16;
    offset?: Document.U32;
    bytes?: Document.U32;
    flags?: Document.U32;
    module?: Document.U16;
    reserved_2?: Document.U16;
    data_crc?: Document.U32;
    relocation_crc?: Document.U32;
  };
  type SPDBDebugInterfaceModulesContributionItem = Document.SPDBDebugInterfaceModulesContribution;
  type SPDBDebugInterfaceSectionMap = {
    flags?: Document.U16;
    overlay?: Document.U16;
    group?: Document.U16;
    frame?: Document.U16;
    section_name?: Document.U16;
    class_name?: Document.U16;
    offset?: Document.U32;
    bytes?: Document.U32;
  };
  type SPDBDebugInterfaceSectionMapItem = Document.SPDBDebugInterfaceSectionMap;
  type SPDBGlobalSymbols = {
    version?: Document.U32;
    records?: Document.U32[];
    buckets?: Document.U32[];
    unknown?: Document.Bytes;
  };
  type SPDBGlobalSymbolsItem = Document.SPDBGlobalSymbols | Document.Bytes | Document.U32;
  type SPDBIds = {
    header?: Document.SPDBIdsHeader;
    types?: Document.SPDBIdsTypes[];
    unknown?: Document.Bytes;
  };
  type SPDBIdsItem = Document.SPDBIds | Document.Bytes;
  type SPDBIdsHeader = {
    version?: Document.U32;
    header_bytes?: Document.U32;
    first_index?: Document.U32;
    end_index?: Document.U32;
    record_bytes?: Document.U32;
    hash_stream?: Document.U16;
    auxiliary_hash_stream?: Document.U16;
    hash_key_bytes?: Document.U32;
    bucket_count?: Document.U32;
    hash_values_offset?: Document.U32;
    hash_values_bytes?: Document.U32;
    type_offsets_offset?: Document.U32;
    type_offsets_bytes?: Document.U32;
    hash_adjust_offset?: Document.U32;
    hash_adjust_bytes?: Document.U32;
  };
  type SPDBIdsHeaderItem = Document.SPDBIdsHeader;
  type SPDBIdsTypes = {
    kind?: Document.NamesLeafKind16;
    padding?: Document.Bytes;
    unknown?: Document.Bytes;
    result?: Document.U32;
    call?: Document.U8;
    attributes?: Document.U8;
    parameter_count?: Document.U16;
    arguments?: Document.U32;
    class_type?: Document.U32;
    this_type?: Document.U32;
    this_adjust?: Document.U32;
    types?: Document.U32[];
    members?: Document.SPDBIdsTypesMembers[];
    methods?: Document.U32[];
    count?: Document.U16 | Document.U32;
    properties?: Document.U16;
    fields?: Document.U32;
    derived?: Document.U32;
    virtual_shape?: Document.U32;
    bytes?: Document.U32;
    name?: Document.Text;
    type?: Document.U32;
    element?: Document.U32;
    index_type?: Document.U32;
    stride?: Document.U32;
    subtype?: Document.U32;
    builtin?: Document.U16;
    bits?: {
      property_count?: number;
      rest?: Document.U16;
    };
    modifiers?: Document.U32[];
    rows?: Document.U32;
    columns?: Document.U32;
    scope?: Document.U32;
  };
  type SPDBIdsTypesItem = Document.SPDBIdsTypes;
  type SPDBIdsTypesMembers = {
    kind?: Document.NamesLeafKind16;
    attributes?: Document.U16;
    type?: Document.U32;
    offset?: Document.U32;
    name?: Document.Text;
    count?: Document.U16;
    list?: Document.U32;
  };
  type SPDBIdsTypesMembersItem = Document.SPDBIdsTypesMembers;
  type SPDBInformation = {
    version?: Document.U32;
    signature?: Document.U32;
    age?: Document.U32;
    guid?: Document.Bytes;
    stream_names?: Document.Bytes | Document.Text[];
    count?: Document.U32;
    capacity?: Document.U32;
    present?: Document.U32[];
    deleted?: Document.U32[];
    entries?: Document.U32[];
    last_item?: Document.U32;
    features?: Document.U32[];
    unknown?: Document.Bytes;
  };
  type SPDBInformationItem = Document.SPDBInformation;
  type SPDBModule = {
    symbols?: Document.SPDBModuleSymbols[];
    old_lines?: Document.Bytes;
    subsections?: Document.SPDBModuleSubsections[];
    global_references?: Document.U32[];
    unknown?: Document.Bytes;
  };
  type SPDBModuleItem = Document.SPDBModule | Document.Bytes;
  type SPDBModuleSubsections = {
    kind?: Document.NamesSubsectionKind32;
    unknown?: Document.Bytes;
    symbols?: Document.SPDBModuleSubsectionsSymbols[];
    header?: Document.SPDBModuleSubsectionsHeader;
    files?: Document.SPDBModuleSubsectionsFiles[];
    signature?: Document.U32;
    functions?: Document.SPDBModuleSubsectionsFunctions[];
  };
  type SPDBModuleSubsectionsItem = Document.SPDBModuleSubsections;
  type SPDBModuleSubsectionsFiles = {
    file?: Document.U32;
    lines?: Document.SPDBModuleSubsectionsFilesLinesItem[];
    columns?: Document.SPDBModuleSubsectionsFilesColumnsItem[];
    name?: Document.U32;
    checksum_kind?: Document.NamesChecksumKind8;
    checksum?: Document.Bytes;
  };
  type SPDBModuleSubsectionsFilesItem = Document.SPDBModuleSubsectionsFiles;
  type SPDBModuleSubsectionsFilesColumns = {
    first?: Document.U16;
    last?: Document.U16;
  };
  type SPDBModuleSubsectionsFilesColumnsItem = Document.SPDBModuleSubsectionsFilesColumns;
  type SPDBModuleSubsectionsFilesLines = {
    code_offset?: Document.U32;
    bits?: {
      line?: number;
      line_delta?: number;
      is_statement?: number;
      rest?: Document.U32;
    };
  };
  type SPDBModuleSubsectionsFilesLinesItem = Document.SPDBModuleSubsectionsFilesLines | Document.U32 | {
    line?: number;
    line_delta?: number;
    is_statement?: number;
    rest?: Document.U32;
  };
  type SPDBModuleSubsectionsFunctions = {
    function?: Document.U32;
    file?: Document.U32;
    line?: Document.U32;
    extra_files?: Document.U32[];
  };
  type SPDBModuleSubsectionsFunctionsItem = Document.SPDBModuleSubsectionsFunctions;
  type SPDBModuleSubsectionsHeader = {
    code_offset?: Document.U32;
    segment?: Document.U16;
    flags?: Document.NamesLinesFlags16[];
    code_bytes?: Document.U32;
  };
  type SPDBModuleSubsectionsHeaderItem = Document.SPDBModuleSubsectionsHeader;
  type SPDBModuleSubsectionsSymbols = {
    kind?: Document.NamesSymbolKind16;
    padding?: Document.Bytes;
    unknown?: Document.Bytes;
    number?: Document.U32;
    name?: Document.Text;
    parent?: Document.U32;
    end?: Document.U32;
    code_bytes?: Document.U16 | Document.U32;
    code_offset?: Document.U32;
    segment?: Document.U16;
    type?: Document.U32;
    value?: Document.U32;
    flags?: Document.U32 | Document.U8 | Document.NamesVariableFlags16[];
    offset?: Document.U32;
    next?: Document.U32;
    debug_start?: Document.U32;
    debug_end?: Document.U32;
    sum?: Document.U32;
    symbol?: Document.U32;
    module?: Document.U16;
    machine?: Document.U16;
    frontend?: Document.SPDBModuleSubsectionsSymbolsFrontend;
    backend?: Document.SPDBModuleSubsectionsSymbolsBackend;
    version?: Document.Text;
    entries?: Document.SPDBModuleSubsectionsSymbolsEntries[];
    item?: Document.U32;
    function?: Document.U32;
    annotations?: string;
    register_file?: Document.NamesRegisterFile16;
    bits?: {
      dimensions?: number;
      is_member?: number;
      memory_space?: Document.NamesMemorySpace32;
      rest?: Document.U16;
    };
    offset_in_variable?: Document.U16;
    bytes?: Document.U16;
    gaps?: Document.U32[];
    register_offsets?: Document.U32[];
    data_slot?: Document.U16;
    data_offset?: Document.U16;
    texture_slot?: Document.U16;
    sampler_slot?: Document.U16;
    view_slot?: Document.U16;
  };
  type SPDBModuleSubsectionsSymbolsItem = Document.SPDBModuleSubsectionsSymbols;
  type SPDBModuleSubsectionsSymbolsBackend = {
    major?: Document.U16;
    minor?: Document.U16;
    build?: Document.U16;
    revision?: Document.U16;
  };
  type SPDBModuleSubsectionsSymbolsBackendItem = Document.SPDBModuleSubsectionsSymbolsBackend;
  type SPDBModuleSubsectionsSymbolsEntries = {
    key?: Document.Text;
    value?: Document.Text;
  };
  type SPDBModuleSubsectionsSymbolsEntriesItem = Document.SPDBModuleSubsectionsSymbolsEntries;
  type SPDBModuleSubsectionsSymbolsFrontend = {
    major?: Document.U16;
    minor?: Document.U16;
    build?: Document.U16;
    revision?: Document.U16;
  };
  type SPDBModuleSubsectionsSymbolsFrontendItem = Document.SPDBModuleSubsectionsSymbolsFrontend;
  type SPDBModuleSymbols = {
    kind?: Document.NamesSymbolKind16;
    padding?: Document.Bytes;
    unknown?: Document.Bytes;
    number?: Document.U32;
    name?: Document.Text;
    parent?: Document.U32;
    end?: Document.U32;
    code_bytes?: Document.U16 | Document.U32;
    code_offset?: Document.U32;
    segment?: Document.U16;
    type?: Document.U32;
    value?: Document.U32;
    flags?: Document.U32 | Document.U8 | Document.NamesVariableFlags16[];
    offset?: Document.U32;
    next?: Document.U32;
    debug_start?: Document.U32;
    debug_end?: Document.U32;
    sum?: Document.U32;
    symbol?: Document.U32;
    module?: Document.U16;
    machine?: Document.U16;
    frontend?: Document.SPDBModuleSymbolsFrontend;
    backend?: Document.SPDBModuleSymbolsBackend;
    version?: Document.Text;
    entries?: Document.SPDBModuleSymbolsEntries[];
    item?: Document.U32;
    function?: Document.U32;
    annotations?: string;
    register_file?: Document.NamesRegisterFile16;
    bits?: {
      dimensions?: number;
      is_member?: number;
      memory_space?: Document.NamesMemorySpace32;
      rest?: Document.U16;
    };
    offset_in_variable?: Document.U16;
    bytes?: Document.U16;
    gaps?: Document.U32[];
    register_offsets?: Document.U32[];
    data_slot?: Document.U16;
    data_offset?: Document.U16;
    texture_slot?: Document.U16;
    sampler_slot?: Document.U16;
    view_slot?: Document.U16;
  };
  type SPDBModuleSymbolsItem = Document.SPDBModuleSymbols;
  type SPDBModuleSymbolsBackend = {
    major?: Document.U16;
    minor?: Document.U16;
    build?: Document.U16;
    revision?: Document.U16;
  };
  type SPDBModuleSymbolsBackendItem = Document.SPDBModuleSymbolsBackend;
  type SPDBModuleSymbolsEntries = {
    key?: Document.Text;
    value?: Document.Text;
  };
  type SPDBModuleSymbolsEntriesItem = Document.SPDBModuleSymbolsEntries;
  type SPDBModuleSymbolsFrontend = {
    major?: Document.U16;
    minor?: Document.U16;
    build?: Document.U16;
    revision?: Document.U16;
  };
  type SPDBModuleSymbolsFrontendItem = Document.SPDBModuleSymbolsFrontend;
  type SPDBNames = {
    hash_version?: Document.U32;
    strings?: Document.Bytes | Document.Text[];
    buckets?: Document.U32[];
    count?: Document.U32;
    unknown?: Document.Bytes;
  };
  type SPDBNamesItem = Document.SPDBNames;
  type SPDBOldBlocks = {
    block?: Document.U32;
    bytes?: Document.Bytes;
  };
  type SPDBOldBlocksItem = Document.SPDBOldBlocks | Document.Bytes | Document.U32;
  type SPDBOldDirectory = {
    stream_sizes?: Document.U32[];
    stream_blocks?: Document.U32[];
    unknown?: Document.Bytes;
  };
  type SPDBOldDirectoryItem = Document.SPDBOldDirectory | Document.Bytes;
  type SPDBPublicSymbols = {
    thunk_count?: Document.U32;
    thunk_bytes?: Document.U32;
    thunk_section?: Document.U16;
    reserved?: Document.U16;
    thunk_table?: Document.U32;
    section_count?: Document.U32;
    hash?: Document.SPDBPublicSymbolsHash;
    addresses?: Document.U32[];
    unknown?: Document.Bytes;
  };
  type SPDBPublicSymbolsItem = Document.SPDBPublicSymbols;
  type SPDBPublicSymbolsHash = {
    version?: Document.U32;
    records?: Document.U32[];
    buckets?: Document.U32[];
  };
  type SPDBPublicSymbolsHashItem = Document.SPDBPublicSymbolsHash;
  type SPDBSectionHeaders = {
    name?: string;
    virtual_bytes?: Document.U32;
    virtual_address?: Document.U32;
    raw_bytes?: Document.U32;
    raw_offset?: Document.U32;
    relocations?: Document.U32;
    line_numbers?: Document.U32;
    relocation_count?: Document.U16;
    line_count?: Document.U16;
    flags?: Document.U32;
    unknown?: Document.Bytes;
  };
  type SPDBSectionHeadersItem = Document.SPDBSectionHeaders;
  type SPDBSourceHeaders = {
    version?: Document.U32;
    file_time?: Document.U64;
    age?: Document.U32;
    reserved?: Document.U32[];
    capacity?: Document.U32;
    present?: Document.U32[];
    deleted?: Document.U32[];
    entries?: Document.SPDBSourceHeadersEntriesItem[];
    unknown?: Document.Bytes;
  };
  type SPDBSourceHeadersItem = Document.SPDBSourceHeaders;
  type SPDBSourceHeadersEntries = {
    key?: Document.U32;
    bytes?: Document.U32;
    version?: Document.U32;
    crc?: Document.U32;
    source_bytes?: Document.U32;
    file_name?: Document.U32;
    object_name?: Document.U32;
    stream_name?: Document.U32;
    compression?: Document.U8;
    flags?: Document.U8;
    reserved_word?: Document.U16;
    reserved?: Document.U64;
  };
  type SPDBSourceHeadersEntriesItem = Document.SPDBSourceHeadersEntries;
  type SPDBStreams = {
    absent?: Document.U32;
    blocks?: Document.U32[];
    text?: Document.Text;
    slack?: Document.Bytes;
    bytes?: Document.Bytes;
    old_directory?: Document.SPDBOldDirectory;
    information?: Document.SPDBInformation;
    types?: Document.SPDBTypes;
    debug_interface?: Document.SPDBDebugInterface;
    ids?: Document.SPDBIds;
    type_hash?: Document.SPDBTypeHash;
    names?: Document.SPDBNames;
    source_headers?: Document.SPDBSourceHeaders;
    module?: Document.SPDBModule;
    section_headers?: Document.SPDBSectionHeaders;
    global_symbols?: Document.SPDBGlobalSymbols;
    public_symbols?: Document.SPDBPublicSymbols;
    symbol_records?: Document.SPDBSymbolRecords;
  };
  type SPDBStreamsItem = Document.SPDBStreams | Document.Bytes | Document.Text | Document.U32;
  type SPDBSymbolRecords = {
    symbols?: Document.SPDBSymbolRecordsSymbols[];
    unknown?: Document.Bytes;
  };
  type SPDBSymbolRecordsItem = Document.SPDBSymbolRecords | Document.Bytes;
  type SPDBSymbolRecordsSymbols = {
    kind?: Document.NamesSymbolKind16;
    padding?: Document.Bytes;
    unknown?: Document.Bytes;
    number?: Document.U32;
    name?: Document.Text;
    parent?: Document.U32;
    end?: Document.U32;
    code_bytes?: Document.U16 | Document.U32;
    code_offset?: Document.U32;
    segment?: Document.U16;
    type?: Document.U32;
    value?: Document.U32;
    flags?: Document.U32 | Document.U8 | Document.NamesVariableFlags16[];
    offset?: Document.U32;
    next?: Document.U32;
    debug_start?: Document.U32;
    debug_end?: Document.U32;
    sum?: Document.U32;
    symbol?: Document.U32;
    module?: Document.U16;
    machine?: Document.U16;
    frontend?: Document.SPDBSymbolRecordsSymbolsFrontend;
    backend?: Document.SPDBSymbolRecordsSymbolsBackend;
    version?: Document.Text;
    entries?: Document.SPDBSymbolRecordsSymbolsEntries[];
    item?: Document.U32;
    function?: Document.U32;
    annotations?: string;
    register_file?: Document.NamesRegisterFile16;
    bits?: {
      dimensions?: number;
      is_member?: number;
      memory_space?: Document.NamesMemorySpace32;
      rest?: Document.U16;
    };
    offset_in_variable?: Document.U16;
    bytes?: Document.U16;
    gaps?: Document.U32[];
    register_offsets?: Document.U32[];
    data_slot?: Document.U16;
    data_offset?: Document.U16;
    texture_slot?: Document.U16;
    sampler_slot?: Document.U16;
    view_slot?: Document.U16;
  };
  type SPDBSymbolRecordsSymbolsItem = Document.SPDBSymbolRecordsSymbols;
  type SPDBSymbolRecordsSymbolsBackend = {
    major?: Document.U16;
    minor?: Document.U16;
    build?: Document.U16;
    revision?: Document.U16;
  };
  type SPDBSymbolRecordsSymbolsBackendItem = Document.SPDBSymbolRecordsSymbolsBackend;
  type SPDBSymbolRecordsSymbolsEntries = {
    key?: Document.Text;
    value?: Document.Text;
  };
  type SPDBSymbolRecordsSymbolsEntriesItem = Document.SPDBSymbolRecordsSymbolsEntries;
  type SPDBSymbolRecordsSymbolsFrontend = {
    major?: Document.U16;
    minor?: Document.U16;
    build?: Document.U16;
    revision?: Document.U16;
  };
  type SPDBSymbolRecordsSymbolsFrontendItem = Document.SPDBSymbolRecordsSymbolsFrontend;
  type SPDBTypeHash = {
    hash_values?: Document.U32[];
    type_offsets?: Document.U32[];
    hash_adjust?: Document.U32[];
    unknown?: Document.Bytes;
  };
  type SPDBTypeHashItem = Document.SPDBTypeHash | Document.Bytes;
  type SPDBTypes = {
    header?: Document.SPDBTypesHeader;
    types?: Document.SPDBTypesTypes[];
    unknown?: Document.Bytes;
  };
  type SPDBTypesItem = Document.SPDBTypes | Document.Bytes;
  type SPDBTypesHeader = {
    version?: Document.U32;
    header_bytes?: Document.U32;
    first_index?: Document.U32;
    end_index?: Document.U32;
    record_bytes?: Document.U32;
    hash_stream?: Document.U16;
    auxiliary_hash_stream?: Document.U16;
    hash_key_bytes?: Document.U32;
    bucket_count?: Document.U32;
    hash_values_offset?: Document.U32;
    hash_values_bytes?: Document.U32;
    type_offsets_offset?: Document.U32;
    type_offsets_bytes?: Document.U32;
    hash_adjust_offset?: Document.U32;
    hash_adjust_bytes?: Document.U32;
  };
  type SPDBTypesHeaderItem = Document.SPDBTypesHeader;
  type SPDBTypesTypes = {
    kind?: Document.NamesLeafKind16;
    padding?: Document.Bytes;
    unknown?: Document.Bytes;
    result?: Document.U32;
    call?: Document.U8;
    attributes?: Document.U8;
    parameter_count?: Document.U16;
    arguments?: Document.U32;
    class_type?: Document.U32;
    this_type?: Document.U32;
    this_adjust?: Document.U32;
    types?: Document.U32[];
    members?: Document.SPDBTypesTypesMembers[];
    methods?: Document.U32[];
    count?: Document.U16 | Document.U32;
    properties?: Document.U16;
    fields?: Document.U32;
    derived?: Document.U32;
    virtual_shape?: Document.U32;
    bytes?: Document.U32;
    name?: Document.Text;
    type?: Document.U32;
    element?: Document.U32;
    index_type?: Document.U32;
    stride?: Document.U32;
    subtype?: Document.U32;
    builtin?: Document.U16;
    bits?: {
      property_count?: number;
      rest?: Document.U16;
    };
    modifiers?: Document.U32[];
    rows?: Document.U32;
    columns?: Document.U32;
    scope?: Document.U32;
  };
  type SPDBTypesTypesItem = Document.SPDBTypesTypes;
  type SPDBTypesTypesMembers = {
    kind?: Document.NamesLeafKind16;
    attributes?: Document.U16;
    type?: Document.U32;
    offset?: Document.U32;
    name?: Document.Text;
    count?: Document.U16;
    list?: Document.U32;
  };
  type SPDBTypesTypesMembersItem = Document.SPDBTypesTypesMembers;
  type SRCI = {
    files?: Document.SRCIFilesItem[];
    arguments?: Document.SRCIArgumentsItem[];
  };
  type SRCIItem = Document.SRCI;
  type SRCIArguments = {
    name?: Document.Text;
    value?: Document.Text;
  };
  type SRCIArgumentsItem = Document.SRCIArguments;
  type SRCIFiles = {
    name?: Document.Text;
    content?: Document.Text;
  };
  type SRCIFilesItem = Document.SRCIFiles;
  type STAT = {
    instruction_count?: Document.U32;
    temp_register_count?: Document.U32;
    define_count?: Document.U32;
    declaration_count?: Document.U32;
    float_instruction_count?: Document.U32;
    int_instruction_count?: Document.U32;
    uint_instruction_count?: Document.U32;
    static_flow_control_count?: Document.U32;
    dynamic_flow_control_count?: Document.U32;
    macro_instruction_count?: Document.U32;
    temp_array_count?: Document.U32;
    array_instruction_count?: Document.U32;
    cut_instruction_count?: Document.U32;
    emit_instruction_count?: Document.U32;
    texture_normal_instructions?: Document.U32;
    texture_load_instructions?: Document.U32;
    texture_comparison_instructions?: Document.U32;
    texture_bias_instructions?: Document.U32;
    texture_gradient_instructions?: Document.U32;
    mov_instruction_count?: Document.U32;
    movc_instruction_count?: Document.U32;
    conversion_instruction_count?: Document.U32;
    bitwise_instruction_count?: Document.U32;
    input_primitive?: Document.NamesInputPrimitive32;
    output_topology?: Document.NamesOutputTopology32;
    max_output_vertex_count?: Document.U32;
    texture_gather_instructions?: Document.U32;
    texture_lod_instructions?: Document.U32;
    sample_frequency?: Document.U32;
    instance_count?: Document.U32;
    control_point_count?: Document.U32;
    tessellator_output?: Document.NamesTessellatorOutput32;
    tessellator_partitioning?: Document.NamesTessellatorPartitioning32;
    tessellator_domain?: Document.NamesTessellatorDomain32;
    barrier_instructions?: Document.U32;
    interlocked_instructions?: Document.U32;
    texture_store_instructions?: Document.U32;
  };
  type STATItem = Document.STAT;
  type VERS = {
    major?: Document.U16;
    minor?: Document.U16;
    flags?: Document.NamesCompilerVersionFlags32[];
    commit_count?: Document.U32;
    texts_bytes?: Document.U32;
    commit?: Document.Text;
    custom?: Document.Text;
    padding?: Document.Bytes;
  };
  type VERSItem = Document.VERS;
  type Dvlb = {
    layout?: Document.DvlbLayout;
    arrangement?: Document.NamesArrangement8;
    program?: Document.DvlbProgram;
    executables?: Document.DvlbExecutablesItem[];
  };
  type DvlbItem = Document.Dvlb | Document.NamesArrangement8;
  type DvlbExecutables = {
    offset?: Document.U32;
    version?: Document.U16;
    stage?: Document.NamesStage8;
    flags?: Document.NamesFlags8[];
    entry?: Document.U32;
    main_end?: Document.U32;
    input_mask?: Document.U16;
    output_mask?: Document.U16;
    geometry_mode?: Document.NamesGeometryMode8;
    fixed_start?: Document.U8;
    variable_count?: Document.U8;
    fixed_count?: Document.U8;
    constants?: Document.DvlbExecutablesConstantsItem[];
    "constants@"?: Document.U32;
    labels?: Document.DvlbExecutablesLabelsItem[];
    "labels@"?: Document.U32;
    outputs?: Document.DvlbExecutablesOutputsItem[];
    "outputs@"?: Document.U32;
    uniforms?: Document.DvlbExecutablesUniformsItem[];
    "uniforms@"?: Document.U32;
    symbols?: Document.Text[];
    "symbols@"?: Document.U32;
  };
  type DvlbExecutablesItem = Document.DvlbExecutables;
  type DvlbExecutablesConstants = {
    type?: Document.NamesConstantType16;
    register?: Document.U16;
    x_bits?: Document.U32;
    y_bits?: Document.U32;
    z_bits?: Document.U32;
    w_bits?: Document.U32;
    x?: Document.Real;
    y?: Document.Real;
    z?: Document.Real;
    w?: Document.Real;
  };
  type DvlbExecutablesConstantsItem = Document.DvlbExecutablesConstants;
  type DvlbExecutablesLabels = {
    id?: Document.U32;
    address?: Document.U32;
    length?: Document.U32;
    symbol?: Document.Text;
    "symbol@"?: Document.U32;
  };
  type DvlbExecutablesLabelsItem = Document.DvlbExecutablesLabels;
  type DvlbExecutablesOutputs = {
    type?: Document.NamesOutputType16;
    register?: Document.U16;
    mask?: string | Document.U16;
    reserved?: Document.U16;
  };
  type DvlbExecutablesOutputsItem = Document.DvlbExecutablesOutputs;
  type DvlbExecutablesUniforms = {
    symbol?: Document.Text;
    "symbol@"?: Document.U32;
    first?: Document.U16;
    last?: Document.U16;
  };
  type DvlbExecutablesUniformsItem = Document.DvlbExecutablesUniforms;
  type DvlbLayout = {
    bytes?: Document.U32;
    shared?: Document.U32;
  };
  type DvlbLayoutItem = Document.DvlbLayout;
  type DvlbProgram = {
    version?: Document.U32;
    header_bytes?: Document.U32;
    descriptors?: Document.DvlbProgramDescriptorsItem[];
    "descriptors@"?: Document.U32;
    code?: Document.DvlbProgramCodeItem[];
    "code@"?: Document.U32;
    file_names?: Document.Text[];
    "file_names@"?: Document.U32;
    lines?: Document.DvlbProgramLinesItem[];
    "lines@"?: Document.U32;
  };
  type DvlbProgramItem = Document.DvlbProgram;
  type DvlbProgramCode = {
    word?: Document.U32;
    opcode?: Document.NamesOpcode32_;
    index?: Document.Text;
    condition?: Document.U32;
    ref_x?: Document.U32;
    ref_y?: Document.U32;
    uniform?: Document.U32;
    target?: Document.U32;
    count?: Document.U32;
    vertex?: Document.U32;
    primitive?: Document.U32;
    inverted?: Document.U32;
    rest?: Document.U32;
    destination?: Document.Text;
    source1?: Document.Text;
    source2?: Document.Text;
    descriptor?: Document.U8;
    compare_x?: Document.Text;
    compare_y?: Document.Text;
    source3?: Document.Text;
  };
  type DvlbProgramCodeItem = Document.DvlbProgramCode | Document.NamesOpcode32_ | Document.Text | Document.U32 | Document.U8;
  type DvlbProgramDescriptors = {
    bits?: {
      mask?: number;
      negate1?: number;
      source1?: Document.NamesSource132;
      negate2?: number;
      source2?: Document.NamesSource132;
      negate3?: number;
      source3?: Document.NamesSource132;
      top?: number;
      rest?: Document.U32;
    };
    used?: Document.U32;
  };
  type DvlbProgramDescriptorsItem = Document.DvlbProgramDescriptors;
  type DvlbProgramLines = {
    file?: Document.U32;
    line?: Document.U32;
    source?: Document.U32;
    from?: Document.U32;
  };
  type DvlbProgramLinesItem = Document.DvlbProgramLines;
  type Dvoj = {
    layout?: Document.DvojLayout;
    version?: Document.U16;
    stage?: Document.NamesStage8;
    flags?: Document.NamesFlags8[];
    input_mask?: Document.U16;
    output_mask?: Document.U16;
    geometry?: Document.U32;
    descriptors?: Document.DvojDescriptorsItem[];
    "descriptors@"?: Document.U32;
    code?: Document.DvojCodeItem[];
    "code@"?: Document.U32;
    relocations?: Document.DvojRelocationsItem[];
    "relocations@"?: Document.U32;
    constants?: Document.DvojConstantsItem[];
    "constants@"?: Document.U32;
    labels?: Document.DvojLabelsItem[];
    "labels@"?: Document.U32;
    outputs?: Document.DvojOutputsItem[];
    "outputs@"?: Document.U32;
    uniforms?: Document.DvojUniformsItem[];
    "uniforms@"?: Document.U32;
    symbols?: Document.Text[];
    "symbols@"?: Document.U32;
    file_names?: Document.Text[];
    "file_names@"?: Document.U32;
    lines?: Document.DvojLinesItem[];
    "lines@"?: Document.U32;
  };
  type DvojItem = Document.Dvoj;
  type DvojCode = {
    word?: Document.U32;
    opcode?: Document.NamesOpcode32_;
    index?: Document.Text;
    condition?: Document.U32;
    ref_x?: Document.U32;
    ref_y?: Document.U32;
    uniform?: Document.U32;
    target?: Document.U32;
    count?: Document.U32;
    vertex?: Document.U32;
    primitive?: Document.U32;
    inverted?: Document.U32;
    rest?: Document.U32;
    destination?: Document.Text;
    source1?: Document.Text;
    source2?: Document.Text;
    descriptor?: Document.U8;
    compare_x?: Document.Text;
    compare_y?: Document.Text;
    source3?: Document.Text;
  };
  type DvojCodeItem = Document.DvojCode | Document.NamesOpcode32_ | Document.Text | Document.U32 | Document.U8;
  type DvojConstants = {
    type?: Document.NamesConstantType16;
    register?: Document.U16;
    x_bits?: Document.U32;
    y_bits?: Document.U32;
    z_bits?: Document.U32;
    w_bits?: Document.U32;
    x?: Document.Real;
    y?: Document.Real;
    z?: Document.Real;
    w?: Document.Real;
  };
  type DvojConstantsItem = Document.DvojConstants;
  type DvojDescriptors = {
    bits?: {
      mask?: number;
      negate1?: number;
      source1?: Document.NamesSource132;
      negate2?: number;
      source2?: Document.NamesSource132;
      negate3?: number;
      source3?: Document.NamesSource132;
      top?: number;
      rest?: Document.U32;
    };
    used?: Document.U32;
  };
  type DvojDescriptorsItem = Document.DvojDescriptors;
  type DvojLabels = {
    id?: Document.U32;
    address?: Document.U32;
    length?: Document.U32;
    symbol?: Document.Text;
    "symbol@"?: Document.U32;
  };
  type DvojLabelsItem = Document.DvojLabels;
  type DvojLayout = {
    bytes?: Document.U32;
    shared?: Document.U32;
  };
  type DvojLayoutItem = Document.DvojLayout;
  type DvojLines = {
    file?: Document.U32;
    line?: Document.U32;
    source?: Document.U32;
    from?: Document.U32;
  };
  type DvojLinesItem = Document.DvojLines;
  type DvojOutputs = {
    type?: Document.NamesOutputType16;
    register?: Document.U16;
    mask?: string | Document.U16;
    reserved?: Document.U16;
  };
  type DvojOutputsItem = Document.DvojOutputs;
  type DvojRelocations = {
    word?: Document.U32;
    unknown1?: Document.U32;
    unknown2?: Document.U32;
  };
  type DvojRelocationsItem = Document.DvojRelocations;
  type DvojUniforms = {
    symbol?: Document.Text;
    "symbol@"?: Document.U32;
    first?: Document.U16;
    last?: Document.U16;
  };
  type DvojUniformsItem = Document.DvojUniforms;
  /** the part by its FourCC, first; hints behind it */
  type Part = {
    /** a hint: the part has so many bytes */
    size?: Document.U32;
    gaps?: Document.Gaps;
    /** a hint: bytes of no part in front */
    before?: Document.Bytes;
    ISGN?: Document.ISGN | Document.Bytes;
    OSGN?: Document.OSGN | Document.Bytes;
    PCSG?: Document.PCSG | Document.Bytes;
    OSG5?: Document.OSG5 | Document.Bytes;
    ISG1?: Document.ISG1 | Document.Bytes;
    OSG1?: Document.OSG1 | Document.Bytes;
    PSG1?: Document.PSG1 | Document.Bytes;
    SFI0?: {
      flags?: ("doubles" | "compute_shaders_plus_raw_and_structured_buffers_via_shader_4_x" | "uavs_at_every_stage" | "64_uavs" | "minimum_precision" | "11_1_double_extensions" | "11_1_shader_extensions" | "level_9_comparison_filtering" | "tiled_resources" | "stencil_ref" | "inner_coverage" | "typed_uav_load_additional_formats" | "rovs" | "viewport_and_rt_array_index_from_any_shader_feeding_rasterizer" | "wave_ops" | "int64_ops" | "view_id" | "barycentrics" | "native_low_precision" | "shading_rate" | "raytracing_tier_1_1" | "sampler_feedback" | "atomic_int64_on_typed_resource" | "atomic_int64_on_group_shared" | "derivatives_in_mesh_and_amplification_shaders" | "resource_descriptor_heap_indexing" | "sampler_descriptor_heap_indexing" | "reserved_27" | "atomic_int64_on_heap_resource" | "advanced_texture_ops" | "writeable_msaa_textures" | "sample_cmp_gradient_or_bias" | "extended_command_info" | "uses_derivatives" | "requires_group" | Document.U64)[];
    } | Document.Bytes;
    RTS0?: Document.RTS0 | Document.Bytes;
    RDEF?: Document.RDEF | Document.Bytes;
    STAT?: Document.STAT | Document.DXIL | Document.Bytes;
    IFCE?: Document.IFCE | Document.Bytes;
    SHEX?: {
      /** assembly (docs/reference/texts/dxbc.md) */
      program: string;
    } | Document.Bytes;
    SHDR?: {
      /** assembly (docs/reference/texts/dxbc.md) */
      program: string;
    } | Document.Bytes;
    Aon9?: Document.Aon9 | Document.Bytes;
    XNAS?: Document.Aon9 | Document.Bytes;
    XNAP?: Document.Aon9 | Document.Bytes;
    FX10?: Document.FX10 | Document.Bytes;
    CTAB?: Document.CTAB | Document.Bytes;
    CLI4?: Document.CLI4 | Document.Bytes;
    FXLC?: Document.FXLC | Document.Bytes;
    SPDB?: Document.SPDB | Document.Bytes;
    DXIL?: Document.DXIL | Document.Bytes;
    ILDB?: Document.ILDB | Document.Bytes;
    PSV0?: Document.PSV0 | Document.Bytes;
    RDAT?: Document.RDAT | Document.Bytes;
    HASH?: Document.HASH | Document.Bytes;
    ILDN?: Document.ILDN | Document.Bytes;
    SRCI?: Document.SRCI | Document.Bytes;
    PDBI?: Document.PDBI | Document.Bytes;
    VERS?: Document.VERS | Document.Bytes;
    [name: string]: Document.Bytes | Document.U32 | Document.Gaps | Document.ISGN | Document.Bytes | Document.OSGN | Document.Bytes | Document.PCSG | Document.Bytes | Document.OSG5 | Document.Bytes | Document.ISG1 | Document.Bytes | Document.OSG1 | Document.Bytes | Document.PSG1 | Document.Bytes | {
      flags?: ("doubles" | "compute_shaders_plus_raw_and_structured_buffers_via_shader_4_x" | "uavs_at_every_stage" | "64_uavs" | "minimum_precision" | "11_1_double_extensions" | "11_1_shader_extensions" | "level_9_comparison_filtering" | "tiled_resources" | "stencil_ref" | "inner_coverage" | "typed_uav_load_additional_formats" | "rovs" | "viewport_and_rt_array_index_from_any_shader_feeding_rasterizer" | "wave_ops" | "int64_ops" | "view_id" | "barycentrics" | "native_low_precision" | "shading_rate" | "raytracing_tier_1_1" | "sampler_feedback" | "atomic_int64_on_typed_resource" | "atomic_int64_on_group_shared" | "derivatives_in_mesh_and_amplification_shaders" | "resource_descriptor_heap_indexing" | "sampler_descriptor_heap_indexing" | "reserved_27" | "atomic_int64_on_heap_resource" | "advanced_texture_ops" | "writeable_msaa_textures" | "sample_cmp_gradient_or_bias" | "extended_command_info" | "uses_derivatives" | "requires_group" | Document.U64)[];
    } | Document.Bytes | Document.RTS0 | Document.Bytes | Document.RDEF | Document.Bytes | Document.STAT | Document.DXIL | Document.Bytes | Document.IFCE | Document.Bytes | {
      /** assembly (docs/reference/texts/dxbc.md) */
      program: string;
    } | Document.Bytes | Document.Aon9 | Document.Bytes | Document.FX10 | Document.Bytes | Document.CTAB | Document.Bytes | Document.CLI4 | Document.Bytes | Document.FXLC | Document.Bytes | Document.SPDB | Document.Bytes | Document.DXIL | Document.Bytes | Document.ILDB | Document.Bytes | Document.PSV0 | Document.Bytes | Document.RDAT | Document.Bytes | Document.HASH | Document.Bytes | Document.ILDN | Document.Bytes | Document.SRCI | Document.Bytes | Document.PDBI | Document.Bytes | Document.VERS | Document.Bytes | undefined;
  };
}

/** what `unshade draw --json` writes */
export type Draw = {
  schema: "unshade.draw/1";
  targets: {
    name: string;
    format: string;
    width: number;
    height: number;
    layers: number;
    samples: number;
    /** the one that is written without --target */
    shown: boolean;
  }[];
  passes: {
    name: string;
    /** that the interpreter executed, each for all lanes of a wave */
    operations: number;
    /** by predication */
    skipped: boolean;
    /** by stage: constants that its shader uses and the scene does not give, which are 0 */
    not_given?: {
      stage: string;
      constants: string[];
    }[];
    /** why Direct3D would refuse the pipeline, by the inputs and outputs of its stages */
    mismatches?: string[];
    /** mismatches of Vulkan's interface matching between stages: locations, components, types and built-ins; the pipeline is not valid */
    vulkan_mismatches?: string[];
    /** resources whose format is of integers where a shader declares floats, or the reverse: their bits are not converted */
    format_mismatches?: string[];
    /** as D3D11_QUERY_DATA_PIPELINE_STATISTICS */
    statistics: {
      vertices: number;
      primitives: number;
      vertex_runs: number;
      hull_runs: number;
      domain_runs: number;
      geometry_runs: number;
      geometry_primitives: number;
      clipper_in: number;
      clipper_out: number;
      pixel_runs: number;
      compute_runs: number;
      amplification_runs: number;
      mesh_runs: number;
      mesh_primitives: number;
      samples_passed: number;
    };
  }[];
  /** what the queries of the scene found, by name; there if it has any */
  queries?: {
    [name: string]: number | boolean | {
      [name: string]: number;
    };
  };
  /** --pixel */
  pixels?: {
    target: string;
    x: number;
    y: number;
    value: (number | "nan" | "inf" | "-inf")[];
    /** the bytes of the texel */
    hex: string;
  }[];
  /** --history */
  history?: {
    /** in the list */
    event: number;
    pass: number;
    /** SV_PrimitiveID */
    primitive: number;
    fate: "written" | "blend result" | "logic operation" | "write mask" | "facing" | "clip" | "clip distance" | "cull distance" | "scissor" | "sample mask" | "early depth" | "early stencil" | "depth bounds" | "discard" | "coverage" | "alpha to coverage" | "late depth" | "late stencil";
    front: boolean;
    /** on the screen, in pixels */
    corners: number[][];
    /** samples that the primitive covers: bit 0 is sample 0 */
    covered: number;
    /** and that passed all tests */
    landed: number;
    /** that depth, stencil and targets are told of */
    sample: number;
    /** of the pixel shader, by semantic */
    inputs?: {
      [name: string]: (number | "nan" | "inf" | "-inf")[];
    };
    /** of the pixel shader, by target */
    outputs?: ((number | "nan" | "inf" | "-inf")[])[];
    /** that was compared */
    depth?: number | "nan" | "inf" | "-inf";
    /** before and after */
    depth_target?: (number | "nan" | "inf" | "-inf")[];
    /** before and after */
    stencil_target?: number[];
    /** by target, before and after; missing if nothing was written */
    targets?: (((number | "nan" | "inf" | "-inf")[])[])[];
    /** --trace: instructions that the pixel shader executed, as `unshade run --trace --json` has them */
    trace?: { [name: string]: unknown }[];
  }[];
  /** --heat */
  heat?: {
    kind: "overdraw" | "runs" | "instructions" | "level" | "divergence" | "nan";
    target: string;
    /** that have something */
    pixels: number;
    least?: number;
    most?: number;
    mean?: number;
    /** not of levels */
    total?: number;
    /** that draw into the target */
    passes: {
      name: string;
      /** that have something */
      pixels: number;
      least?: number;
      most?: number;
      mean?: number;
      /** not of levels */
      total?: number;
    }[];
    /** --pixel */
    at?: {
      x: number;
      y: number;
      /** absent where there is nothing */
      number?: number;
    }[];
  };
  /** --resources */
  resources?: {
    name: string;
    counter: number;
    hex: string;
    /** bytes, where stream output goes on; there if it went to the resource */
    filled?: number;
  }[];
};

/** what `unshade dump --json` writes */
export type Dump = {
  schema: "unshade.dump/1";
  files: {
    file: string;
    /** bytes of the file */
    size: number;
    coverage: {
      total: number;
      named: number;
      padding: number;
      unknown: number;
    };
    /** in the order of their offsets; absent with --coverage */
    fields?: Dump.Field[];
    errors: {
      code: "truncated" | "out-of-range" | "bad-magic" | "bad-value" | "overlap" | "cycle" | "limit" | "unsupported" | "missing";
      /** bytes from the start of the file */
      offset: number;
      /** ISGN/elements[3]/register */
      path: string;
      message: string;
    }[];
  }[];
  /** errors that kept a file or folder from being read; absent where there were none */
  errors?: {
    file: string;
    /** io, or an error code */
    id: string;
    /** bytes from the start of the file */
    offset?: number;
    path?: string;
    message: string;
  }[];
};
export namespace Dump {
  type Field = {
    name: string;
    /** position in an array */
    index?: number;
    /** bytes from the start of the file */
    offset: number;
    /** bytes; of a group, those of its own run of fields */
    size: number;
    kind: "group" | "unsigned" | "signed" | "hexadecimal" | "offset" | "real" | "enumeration" | "flags" | "bits" | "component_mask" | "fourcc" | "text" | "bytes" | "padding" | "unknown" | "custom";
    /** numbers for unsigned, signed, hexadecimal, offset and real (strings inf, -inf, nan where JSON has no number); an object by name for bits; hexadecimal digits for bytes, padding and unknown; text for the rest */
    value?: number | string | { [name: string]: unknown };
    /** the integer behind an enumeration, flags, bits or a component mask */
    raw?: number;
    fields?: Dump.Field[];
  };
}

/** what `unshade graph --json` writes */
export type Graph = {
  schema: "unshade.graph/1";
  files: {
    /** as given or found in a folder; <stdin> for standard input */
    file: string;
    family: "dxbc" | "dxil" | "pica" | "spirv" | "vbc";
    /** in the order of the listing */
    functions: {
      /** as the listing calls it */
      name: string;
      /** of a file with several programs, or of an entry point */
      stage: string | null;
      /** no edge is irregular */
      reducible: boolean;
      /** the first is the entry */
      blocks: {
        /** by which --fold and the picture call it; with nothing folded its place in this array */
        number: number;
        /** as the listing calls it: %13, label_4 */
        name: string | null;
        /** of the listing of `unshade dis`, from 1; 0 with 0 lines for a block that the listing does not show, such as where a conditional return goes */
        line: number;
        lines: number;
        /** of its first instruction, bytes from the start of the file */
        offset: number;
        /** bytes up to the end of its last instruction */
        size: number;
        instructions: number;
        /** how it ends; outside: by a jump to an address that is not in the function */
        end: "next" | "branch" | "return" | "unreachable" | "outside";
        /** further blocks that it stands for */
        folded: number;
        /** from the entry */
        reachable: boolean;
        /** below its parent: arm: only the parent leads to it; after: after the arms of the parent have met; after-loop: after the loop whose header the parent is */
        place: "root" | "arm" | "after" | "after-loop";
        /** index in blocks */
        parent: number | null;
        /** the innermost one, index in regions */
        region: number | null;
        /** lines as they are drawn: cut, and without what indents all of them */
        text: string[];
      }[];
      edges: {
        /** index in blocks */
        from: number;
        to: number;
        kind: "next" | "true" | "false" | "case" | "default";
        /** of a case, its values */
        label: string | null;
        /** irregular: into the middle of a loop, or from code that cannot be reached */
        way: "arm" | "forward" | "back" | "irregular";
      }[];
      /** what can be folded; outer regions before those in them */
      regions: {
        /** a branch has the arms of its head, which is not inside */
        kind: "loop" | "branch";
        /** index in blocks */
        head: number;
        /** the region around it */
        parent: number | null;
      }[];
      /** the control flow as statements, each after the one that holds it; null: the function is irreducible */
      tree: {
        /** what each node means: docs/internals/ir_structure.md */
        kind: "block" | "if" | "then" | "else" | "switch" | "case" | "loop" | "once" | "break" | "continue" | "return";
        /** index in blocks: the block itself, that which chooses, the header of a loop, or where a break, continue or case goes */
        block: number | null;
        /** the node that holds it, index in tree */
        parent: number | null;
        /** the node that a break leaves or a continue is of, index in tree */
        target: number | null;
        /** of a case */
        labels: string[];
      }[] | null;
      /** in pixels */
      drawing: {
        width: number;
        height: number;
        /** of lines that have neither end in common */
        crossings: number;
        /** of each block */
        boxes: number[][];
        /** of each edge */
        ways: {
          /** from the lower side of one box to the upper side of another */
          points: never[][];
          /** where a text begins, its baseline */
          label: never[];
        }[];
        /** around loops, outer ones first */
        frames: {
          /** index in blocks */
          header: number;
          /** x, y, width, height */
          box: number[];
        }[];
      };
    }[];
  }[];
  /** errors that kept a file or folder from being read; absent where there were none */
  errors?: {
    file: string;
    /** io, or an error code */
    id: string;
    /** bytes from the start of the file */
    offset?: number;
    path?: string;
    message: string;
  }[];
};

/** what `unshade hash --json` writes */
export type Hash = {
  schema: "unshade.hash/1";
  files: {
    /** as given or found in a folder; <stdin> for standard input */
    file: string;
    family: "dxbc" | "dxil" | "pica" | "spirv" | "vbc";
    /** pixel, vertex, geometry, hull, domain, compute, ... */
    stage: string | null;
    /** ps_5_0 */
    profile: string | null;
    /** bytes of the file */
    size: number;
    identities: {
      id: "digest" | "renderdoc" | "dxvk" | "dxvk-sha1" | "crc32" | "crc32c" | "fnv1" | "3dmigoto" | "3dmigoto-embedded" | "3dmigoto-bytecode" | "xxh3" | "dxil-hash" | "code" | "plain" | "sketch";
      /** spelled as the tools do */
      value: string;
      /** that show it */
      tools: string;
    }[];
  }[];
  /** errors that kept a file or folder from being read; absent where there were none */
  errors?: {
    file: string;
    /** io, or an error code */
    id: string;
    /** bytes from the start of the file */
    offset?: number;
    path?: string;
    message: string;
  }[];
};

/** what `unshade index --stats --json` writes */
export type IndexStats = {
  schema: "unshade.index-stats/1";
  files: {
    file: string;
    /** bytes of the database */
    size: number;
    /** files */
    files: number;
    /** files, or archives in them, that could not be read completely */
    faults: number;
    /** places of shaders */
    places: number;
    /** shaders of different bytes */
    shaders: number;
    /** bytes of them */
    bytes: number;
    /** shaders without a place: their files were changed or removed */
    gone: number;
    /** different code */
    codes: number;
    /** different sequences of opcodes */
    programs: number;
    /** different interfaces */
    interfaces: number;
    /** different names */
    names: number;
    keeps_bytes: boolean;
    keeps_words: boolean;
    kinds: {
      family: "dxbc" | "dxil" | "pica" | "spirv" | "vbc";
      profile: string | null;
      shaders: number;
      bytes: number;
    }[];
  }[];
  /** errors that kept a file or folder from being read; absent where there were none */
  errors?: {
    file: string;
    /** io, or an error code */
    id: string;
    /** bytes from the start of the file */
    offset?: number;
    path?: string;
    message: string;
  }[];
};

/** what `unshade info --json` writes */
export type Info = {
  schema: "unshade.info/1";
  files: {
    /** as given or found in a folder; <stdin> for standard input */
    file: string;
    family: "dxbc" | "dxil" | "pica" | "spirv" | "vbc" | "unknown";
    /** pixel, vertex, geometry, hull, domain, compute, ... */
    stage: string | null;
    /** ps_5_0 */
    profile: string | null;
    /** the compiler as the file names it */
    creator: string | null;
    /** bytes of the file */
    size: number;
    /** as the statistics in the file state it */
    instructions: number | null;
    digest: "valid" | "valid-debug" | "unsigned" | "bypass" | "preview-bypass" | "wrong" | null;
    parts: {
      /** unprintable characters as \x1f */
      fourcc: string;
      /** of the part's header, bytes from the start of the file */
      offset: number;
      /** bytes of its data, without the header */
      size: number;
    }[];
    /** bytes behind the container */
    trailing: number;
  }[];
  /** errors that kept a file or folder from being read; absent where there were none */
  errors?: {
    file: string;
    /** io, or an error code */
    id: string;
    /** bytes from the start of the file */
    offset?: number;
    path?: string;
    message: string;
  }[];
};

/** what `unshade reflect --json` writes */
export type Reflect = {
  schema: "unshade.reflect/1";
  files: {
    /** as given or found in a folder; <stdin> for standard input */
    file: string;
    family: "dxbc" | "dxil" | "pica" | "spirv" | "vbc" | "unknown";
    /** ps_5_0 */
    profile: string | null;
    shader_model: {
      major: number;
      minor: number;
    };
    /** the compiler as the file names it */
    creator: string | null;
    /** D3DCOMPILE_*; bits without a name as numbers */
    compile_flags: (string | number)[];
    min_feature_level: "unknown" | "9_1" | "9_3" | "10_0" | "10_1" | "11_0" | "11_1" | "12_0";
    /** the resource definitions were stripped: resources and buffers come from declarations, with generated names */
    rebuilt: boolean;
    /** the file holds one */
    root_signature: boolean;
    /** needs compute shaders, raw or structured buffers on shader model 4 */
    compute_on_4x: boolean;
    interface_slots: number;
    /** one, but for libraries; none where the file holds a root signature alone */
    entry_points: Reflect.EntryPoint[];
    resources: Reflect.Resource[];
    /** of an effect (FX10) alone: what it has besides buffers */
    effect?: {
      objects: {
        name: string;
        /** Texture2D, BlendState, VertexShader */
        type: string | null;
        semantic: string | null;
        /** of an array; 0 where it is none */
        elements: number;
        /** the register that the effect asks for */
        bind_point: number | null;
      }[];
      techniques: {
        /** fx_5_0 */
        group: string | null;
        name: string;
        passes: {
          name: string;
          shaders: {
            /** VertexShader */
            state: string;
            /** the object, vs or vs[1]; null where the shader stands in the pass */
            shader: string | null;
            /** the pass sets no shader */
            null: boolean;
          }[];
        }[];
      }[];
    };
    buffers: Reflect.Buffer[];
    /** each once; what a type refers to stands before it */
    types: Reflect.Type[];
    class_linkage: Reflect.ClassLinkage | null;
    /** with --hlsl: the declarations */
    hlsl?: string;
    /** SPIR-V: constants whose value is given when the pipeline is made */
    specialization_constants?: {
      name: string;
      /** SpecId */
      id: number;
      type: string | number;
      /** its bits */
      default_value: number;
    }[];
    /** SPIR-V: capabilities, then extensions */
    capabilities?: string[];
    /** DXIL: what a library defines for state objects, from RDAT */
    subobjects?: Reflect.Subobject[];
  }[];
  /** errors that kept a file or folder from being read; absent where there were none */
  errors?: {
    file: string;
    /** io, or an error code */
    id: string;
    /** bytes from the start of the file */
    offset?: number;
    path?: string;
    message: string;
  }[];
};
export namespace Reflect {
  type Element = {
    /** without its index */
    semantic: string;
    semantic_index: number;
    /** null where it has none: output depth and its like */
    register: number | null;
    /** components the element has */
    mask: string;
    /** of what is taken in: components read; of what is given out: components that are written, or may be */
    used_mask: string;
    /** uint, int, float, double, ...; a number where the value has no name */
    component_type: string | number;
    /** position, target, ..., undefined; a number where the value has no name */
    system_value: string | number;
    /** default, min16float, ...; a number where the value has no name */
    min_precision: string | number;
    /** of a pixel shader's inputs that are declared; else undefined; a number where the value has no name */
    interpolation: string | number;
    /** geometry shader output stream */
    stream: number;
    /** SPIR-V: Position, FragCoord */
    built_in?: string | null;
    /** SPIR-V: index into types */
    type?: number | null;
    /** SPIR-V: of two outputs blended with each other */
    index?: number;
    /** SPIR-V: a pixel shader input decorated PerPrimitive: one value for the whole primitive; interpolation is constant */
    per_primitive?: true;
    /** SPIR-V: a pixel shader input decorated PerVertex: an array of the values at each vertex; interpolation is undefined */
    per_vertex?: true;
  };
  type EntryPoint = {
    /** null where the file does not tell */
    name: string | null;
    stage: "none" | "pixel" | "vertex" | "geometry" | "hull" | "domain" | "compute" | "library" | "mesh" | "amplification" | "ray_generation" | "intersection" | "any_hit" | "closest_hit" | "miss" | "callable" | "node" | "kernel";
    /** D3D_SHADER_REQUIRES_*: what the file states and what its declarations imply; bits without a name as numbers */
    requires: (string | number)[];
    inputs: Reflect.Element[];
    outputs: Reflect.Element[];
    patch_constants: Reflect.Element[];
    /** SPIR-V: by dimension, the id of the specialization constant whose default thread_group shows, or null; empty where all are fixed */
    thread_group_constants: (number | null)[];
    thread_group: number[] | null;
    geometry: {
      /** PICA200 alone: point, variable, fixed */
      mode?: string;
      /** PICA200 alone: vertices with all attributes (variable), or all (fixed) */
      vertices?: number;
      /** PICA200 alone: the float constant where the vertices of a fixed primitive begin */
      first_constant?: number;
      /** point, line, triangle, ..., patch_1 to patch_32; a number where the value has no name */
      input_primitive: string | number;
      /** point_list, line_strip, triangle_strip; a number where the value has no name */
      output_topology: string | number;
      max_vertex_count: number;
      instance_count: number;
      /** those that are declared */
      streams: number[];
    } | null;
    tessellation: {
      /** isoline, triangle, quad; a number where the value has no name */
      domain: string | number;
      /** of hull shaders: integer, power_of_two, fractional_odd, fractional_even; a number where the value has no name */
      partitioning: string | number;
      /** of hull shaders: point, line, triangle_clockwise, triangle_counter_clockwise; a number where the value has no name */
      output_primitive: string | number;
      input_control_points: number;
      output_control_points: number;
      /** strings: inf, -inf, nan */
      max_tess_factor: number | string | null;
    } | null;
    pixel: {
      early_depth_stencil: boolean;
      sample_frequency: boolean;
      writes_depth: boolean;
      writes_coverage: boolean;
      writes_stencil_ref: boolean;
    } | null;
    statistics: {
      instruction_count: number;
      temp_register_count: number;
      temp_array_count: number;
      define_count: number;
      declaration_count: number;
      texture_normal_instructions: number;
      texture_load_instructions: number;
      texture_comparison_instructions: number;
      texture_bias_instructions: number;
      texture_gradient_instructions: number;
      texture_gather_instructions: number;
      texture_lod_instructions: number;
      texture_store_instructions: number;
      float_instruction_count: number;
      int_instruction_count: number;
      uint_instruction_count: number;
      bitwise_instruction_count: number;
      conversion_instruction_count: number;
      mov_instruction_count: number;
      movc_instruction_count: number;
      static_flow_control_count: number;
      dynamic_flow_control_count: number;
      macro_instruction_count: number;
      array_instruction_count: number;
      cut_instruction_count: number;
      emit_instruction_count: number;
      barrier_instructions: number;
      interlocked_instructions: number;
    } | null;
    /** SPIR-V: with the values of constants; SpecId(3): of the specialization constant 3 */
    execution_modes?: string[];
    /** indexes into resources, where entry points differ in what they use */
    resources?: number[];
    /** DXIL: of a library's function */
    unmangled_name?: string | null;
    /** DXIL, SPIR-V: of a mesh shader */
    mesh?: {
      topology: string | number;
      max_vertices: number;
      max_primitives: number;
    } | null;
    /** DXIL: lanes of a wave; a single size is min alone */
    wave_size?: {
      min: number;
      max: number;
      preferred: number;
    } | null;
    /** DXIL: ray tracing, mesh, amplification; of a callable, its parameter's */
    payload_bytes?: number | null;
    /** DXIL: any hit, closest hit */
    attribute_bytes?: number | null;
    /** DXIL: where the file states them */
    group_shared_bytes?: number | null;
    /** DXIL */
    uses_view_id?: boolean;
    /** DXIL: functions that a library's function needs from elsewhere */
    dependencies?: string[];
    /** DXIL: of a node of a work graph */
    node?: Reflect.Node | null;
  };
  type Resource = {
    name: string;
    /** D3D_SHADER_INPUT_TYPE: cbuffer, tbuffer, texture, sampler, uav_typed, structured, ...; a number where the value has no name */
    kind: string | number;
    /** D3D_SRV_DIMENSION: buffer, texture2d, ..., unknown; a number where the value has no name */
    dimension: string | number;
    /** D3D_RESOURCE_RETURN_TYPE: float, sint, ..., none; a number where the value has no name */
    return_type: string | number;
    /** of a typed resource, 1 to 4; else 0 */
    components: number;
    /** of a multisampled texture that states it; else 0 */
    sample_count: number;
    /** bytes of a structured buffer's element; else 0 */
    stride: number;
    /** b0, t3; absent where resources are bound by descriptor set (space) and binding (bind_point) */
    register?: string;
    bind_point: number;
    /** null: unbounded */
    bind_count: number | null;
    space: number;
    /** range id, from shader model 5.1 on */
    id: number;
    /** D3D_SHADER_INPUT_FLAGS; bits without a name as numbers */
    flags: (string | number)[];
    /** a sampler that compares */
    comparison: boolean;
    globally_coherent: boolean;
    rasterizer_ordered: boolean;
    /** index into buffers of what it holds, or null */
    buffer: number | null;
    read_only?: boolean;
    write_only?: boolean;
    /** SPIR-V: of an input attachment */
    attachment?: number | null;
    /** SPIR-V: of a storage image */
    format?: string | null;
    /** SPIR-V: of an array of arrays; 0: unbounded */
    dimensions?: number[];
  };
  type Buffer = {
    name: string | null;
    /** cbuffer, tbuffer, interface_pointers, resource_bind_info (the element of a structured buffer); of SPIR-V also storage_buffer, push_constants, shader_record; a number where the value has no name */
    kind: string | number;
    /** bytes, without the elements of an open array */
    size: number;
    /** D3D_SHADER_CBUFFER_FLAGS */
    flags: number;
    variables: {
      name: string;
      /** bytes from the start of the buffer; of interfaces, the first slot; null where there is none */
      offset: number | null;
      /** bytes; of interfaces, slots; 0 for an open array, which has as many elements as the buffer holds, each of array_stride bytes */
      size: number;
      used: boolean;
      /** D3D_SHADER_VARIABLE_FLAGS; bits without a name as numbers */
      flags: (string | number)[];
      /** index into types */
      type: number | null;
      /** as HLSL spells it, without the brackets of an array */
      type_name: string | null;
      default_value: number[] | null;
      start_texture: number | null;
      texture_count: number;
      start_sampler: number | null;
      sampler_count: number;
    }[];
  };
  type Type = {
    name: string | null;
    /** scalar, vector, matrix_rows, matrix_columns, object, struct, interface_class, interface_pointer; a number where the value has no name */
    class: string | number;
    /** float, int, ...; a number where the value has no name */
    base: string | number;
    rows: number;
    columns: number;
    /** of an array; 0 where it is none */
    elements: number;
    members: {
      name: string;
      /** bytes from the start of the struct */
      offset: number | null;
      /** index into types */
      type: number | null;
    }[];
    /** index into types */
    subtype: number | null;
    /** index into types */
    base_class: number | null;
    interfaces: number[];
    /** SPIR-V: of an array, outermost first; 0: as many as the buffer holds */
    dimensions?: number[];
    array_stride?: number;
    /** SPIR-V: array strides of the outer dimensions in bytes, outermost first; empty if nothing lies between the elements of any of them */
    outer_strides?: number[];
    matrix_stride?: number;
  };
  type ClassLinkage = {
    types: {
      name: string;
      /** registers of 16 bytes */
      constant_buffer_stride: number;
      texture_count: number;
      sampler_count: number;
    }[];
    instances: {
      name: string;
      /** index into types */
      type: number;
      elements: number;
      constant_buffer: number | null;
      /** registers of 16 bytes */
      constant_buffer_offset: number | null;
      texture: number | null;
      sampler: number | null;
    }[];
    slots: {
      first: number;
      /** more than 1: an array of interfaces */
      count: number;
      types: number[];
      tables: number[];
    }[];
  };
  type NodeId = {
    name: string;
    index: number;
  };
  type NodeIo = {
    /** bits without a name as numbers */
    flags: (string | number)[];
    /** what shares a record: thread, group, dispatch; none */
    records: string | number;
    /** of an output: the node that it goes to */
    id: Reflect.NodeId | null;
    record_bytes: number;
    record_alignment: number;
    max_records: number;
    /** the output with which it shares its limit of records */
    shares_with: number | null;
    /** of an array of outputs; 4294967295: unbounded */
    array_size: number;
    sparse: boolean;
    /** where in the record it lies */
    dispatch_grid: {
      offset: number;
      components: number;
      type: string | number;
    } | null;
  };
  type Node = {
    /** broadcasting, coalescing, thread, mesh */
    launch: string | number;
    id: Reflect.NodeId;
    /** another node */
    shares_input_of: Reflect.NodeId | null;
    program_entry: boolean;
    /** null: none */
    local_root_arguments_index: number | null;
    max_recursion_depth: number;
    /** null: none */
    dispatch_grid: number[] | null;
    /** null: none */
    max_dispatch_grid: number[] | null;
    inputs: Reflect.NodeIo[];
    outputs: Reflect.NodeIo[];
  };
  type Subobject = {
    name: string;
    /** D3D12_STATE_SUBOBJECT_TYPE: state_object_config, global_root_signature, local_root_signature, subobject_to_exports_association, raytracing_shader_config, raytracing_pipeline_config, hit_group, raytracing_pipeline_config1; which of the other members there are depends on it */
    kind: string | number;
    /** of state_object_config and raytracing_pipeline_config1; bits without a name as numbers */
    flags?: (string | number)[];
    /** of root signatures: HLSL text; null where it cannot be read */
    root_signature?: string | null;
    /** of root signatures: data of an RTS0, hexadecimal */
    bytes?: string;
    /** of associations: what the exports get */
    subobject?: string;
    /** of associations: functions and hit groups */
    exports?: string[];
    /** of raytracing_shader_config */
    max_payload_bytes?: number;
    /** of raytracing_shader_config */
    max_attribute_bytes?: number;
    /** of raytracing_pipeline_config and raytracing_pipeline_config1 */
    max_recursion_depth?: number;
    /** of hit groups: triangle, procedural_primitive */
    type?: string | number;
    /** of hit groups */
    any_hit?: string | null;
    /** of hit groups */
    closest_hit?: string | null;
    /** of hit groups */
    intersection?: string | null;
  };
}

/** what `unshade run --json` writes */
export type Run = {
  schema: "unshade.run/1";
  stop: "finished" | "budget" | "fault" | "breakpoint";
  /** what happened, if the program stopped itself or took more operations than it may */
  fault?: string;
  /** lanes of a wave waited at different barriers, or some had ended */
  divergent_barrier?: true;
  /** operations executed, each for all lanes of a wave */
  operations: number;
  /** by binding (u0, u1,space2, heap3; of an array of Vulkan u0[2]): what can be written, as it is after the run */
  resources: {
    [name: string]: {
      /** with the index of an element of an array: maps[3] */
      name?: string;
      /** of Vulkan's shaders, as binding and element */
      set?: number;
      binding?: number;
      /** of an array, those of arrays of arrays counted on */
      element?: number;
      /** bytes as pairs of hexadecimal digits */
      hex: string;
      /** texels of a row, of a texture */
      width?: number;
      /** of up to 4 MiB whose type is known: a list of the elements of a structured buffer or of the texels of a typed buffer or texture, or the variables of a storage buffer by name */
      values?: unknown;
      counter?: number;
    };
  };
  /** resources whose format is of integers where the shader declares floats, or the reverse: their bits are not converted; buffers with `values` but no format, which are stored as 32-bit floats, where the shader declares no 32-bit floats; absent if there are none */
  format_mismatches?: string[];
  /** messages that the shader printed, sorted by group, lane and time; absent if there are none */
  messages?: {
    /** of a shader of thread groups */
    group?: number[];
    /** of the grid: SV_DispatchThreadID, GlobalInvocationId */
    thread?: number[];
    /** of the group, or of the case */
    lane: number;
    /** index in the program */
    instruction?: number;
    /** the shader calls it an error: errorf */
    error?: true;
    text: string;
  }[];
  /** after those of the list, which are 1,000 at most */
  more_messages?: number;
  /** with -o DIR: what was written */
  files?: {
    /** of the resource, or the semantic of the output */
    name: string;
    file: string;
    /** of its numbers, as NumPy has it: f4, i2, u1 */
    type: string;
    shape: number[];
  }[];
  /** outputs of each lane by semantic; numbers that JSON does not have are nan, inf and -inf */
  lanes?: { [name: string]: unknown }[];
  /** that a geometry or mesh shader made */
  vertices?: { [name: string]: unknown }[];
  /** of a mesh shader: their indices in the vertices of the group, and attributes by semantic */
  primitives?: { [name: string]: unknown }[];
  /** of an amplification shader: the groups of the mesh shader that each dispatches, and their payload in words */
  groups?: { [name: string]: unknown }[];
  profile?: {
    /** index in the program */
    instruction: number;
    /** executions by waves */
    waves: number;
    /** executions by active lanes */
    lanes: number;
    /** bytes of resources and variables that it loaded, stored or changed atomically; absent if none, and for texture sampling */
    bytes?: number;
    /** contiguous ranges of these bytes: one for each execution by a wave if its lanes access adjacent bytes, one for each lane if they are scattered */
    ranges?: number;
    /** the line of the listing */
    text?: string;
  }[];
  /** of --check */
  findings?: {
    finding: "undefined" | "out-of-bounds";
    instruction?: number;
    /** the line of the listing */
    text?: string;
    /** the resource that is accessed, if the case does not give it: texture `maps[2]` (t4) */
    not_given?: string;
    group: number[];
    wave: number;
    /** of the first */
    lane: number;
    /** lanes, each time */
    count: number;
  }[];
};

/** a scene of `unshade draw`, in TOML, YAML or JSON: docs/reference/scenes.md */
export type Scene = {
  /** by name */
  targets?: {
    [name: string]: Scene.Target;
  };
  /** that passes share, by name */
  resources?: {
    [name: string]: Case.Resource;
  };
  /** variables of constant buffers by name; {transform: [...]} may stand for a matrix */
  constants?: { [name: string]: unknown };
  samplers?: {
    [name: string]: Case.Sampler;
  };
  /** how numbers of the PICA200 are rounded */
  float24?: "truncate" | "nearest" | "f32";
  animation?: {
    frames?: number;
    fps?: number;
    /** 0: without end */
    plays?: number;
    tracks?: {
      /** a path in the scene: pass[0]/constants/color[2] */
      field: string;
      /** the first value and the last: numbers, or lists of numbers */
      linear?: unknown[];
      turn?: number;
      /** frames and their values */
      keys?: unknown[][];
      steps?: unknown[];
    }[];
  };
  pass: Scene.Pass[];
};
export namespace Scene {
  type Target = {
    /** of DXGI: R8G8B8A8_UNORM, D32_FLOAT */
    format: string;
    width: number;
    height: number;
    samples?: 1 | 2 | 4 | 8 | 16;
    layers?: number;
    clear?: Case.Number | Case.Number[] | {
      Depth?: number;
      Stencil?: number;
    };
  };
  type Resource = string | Case.Resource;
  type Stage = string | {
    file: string;
    entry?: string;
    /** variables of constant buffers by name; {transform: [...]} may stand for a matrix */
    constants?: { [name: string]: unknown };
    /** by name or binding */
    resources?: {
      [name: string]: Scene.Resource;
    };
    samplers?: {
      [name: string]: Case.Sampler;
    };
  };
  type Pass = {
    name?: string;
    vertex?: Scene.Stage;
    hull?: Scene.Stage;
    domain?: Scene.Stage;
    geometry?: Scene.Stage;
    pixel?: Scene.Stage;
    mesh_shader?: Scene.Stage;
    amplification?: Scene.Stage;
    compute?: Scene.Stage;
    grid?: Case.Count[];
    mesh?: Scene.Mesh;
    targets?: string[];
    depth_target?: string;
    /** variables of constant buffers by name; {transform: [...]} may stand for a matrix */
    constants?: { [name: string]: unknown };
    /** by name or binding */
    resources?: {
      [name: string]: Scene.Resource;
    };
    samplers?: {
      [name: string]: Case.Sampler;
    };
    draw?: {
      count?: Case.Count;
      first?: Case.Count;
      instances?: Case.Count;
      first_instance?: Case.Count;
      base_vertex?: number;
      /** all that stream output left in the mesh's first buffer */
      auto?: boolean;
    };
    rasterizer?: {
      FillMode?: "SOLID" | "WIREFRAME" | "POINT";
      CullMode?: "NONE" | "FRONT" | "BACK";
      FrontCounterClockwise?: boolean;
      DepthBias?: number;
      DepthBiasClamp?: Case.Number;
      SlopeScaledDepthBias?: Case.Number;
      DepthClipEnable?: boolean;
      ScissorEnable?: boolean;
      MultisampleEnable?: boolean;
      AntialiasedLineEnable?: boolean;
      LineRasterizationMode?: "ALIASED" | "ALPHA_ANTIALIASED" | "QUADRILATERAL_WIDE" | "QUADRILATERAL_NARROW";
      ForcedSampleCount?: 0 | 1 | 4 | 8 | 16;
      ConservativeRaster?: "OFF" | "ON";
    };
    depth_stencil?: {
      DepthEnable?: boolean;
      DepthWriteMask?: "ZERO" | "ALL";
      DepthFunc?: "NEVER" | "LESS" | "EQUAL" | "LESS_EQUAL" | "GREATER" | "NOT_EQUAL" | "GREATER_EQUAL" | "ALWAYS";
      DepthBoundsTestEnable?: boolean;
      StencilEnable?: boolean;
      StencilReadMask?: number;
      StencilWriteMask?: number;
      FrontFace?: Scene.Face;
      BackFace?: Scene.Face;
    };
    blend?: {
      AlphaToCoverageEnable?: boolean;
      RenderTarget?: Scene.Blend[];
    };
    blend_factor?: Case.Number[];
    /** of both faces, or of the front and of the back */
    stencil_ref?: number | number[];
    sample_mask?: Case.Count;
    depth_bounds?: Case.Number[];
    viewports?: {
      TopLeftX?: Case.Number;
      TopLeftY?: Case.Number;
      Width?: Case.Number;
      Height?: Case.Number;
      MinDepth?: Case.Number;
      MaxDepth?: Case.Number;
    }[];
    scissors?: {
      left?: number;
      top?: number;
      right?: number;
      bottom?: number;
    }[];
    conventions?: "direct3d" | "vulkan" | "pica";
    stream_output?: {
      Declaration?: {
        Stream?: number;
        /** empty, or missing: a gap */
        SemanticName?: string;
        SemanticIndex?: number;
        StartComponent?: number;
        ComponentCount?: number;
        OutputSlot?: number;
      }[];
      BufferStrides?: number[];
      RasterizedStream?: number | "NONE";
      buffers?: (string | {
        resource: string;
        offset?: number;
      })[];
    };
    queries?: {
      [name: string]: "OCCLUSION" | "BINARY_OCCLUSION" | "OCCLUSION_PREDICATE" | "PIPELINE_STATISTICS" | "SO_STATISTICS_STREAM0" | "SO_STATISTICS_STREAM1" | "SO_STATISTICS_STREAM2" | "SO_STATISTICS_STREAM3" | "SO_OVERFLOW_PREDICATE" | "SO_OVERFLOW_PREDICATE_STREAM0" | "SO_OVERFLOW_PREDICATE_STREAM1" | "SO_OVERFLOW_PREDICATE_STREAM2" | "SO_OVERFLOW_PREDICATE_STREAM3";
    };
    /** buffers by the address that shaders are given: a resource of the scene, or a map as for resources */
    addresses?: {
      [name: string]: string | Case.Resource;
    };
    predication?: {
      query: string;
      operation?: "EQUAL_ZERO" | "NOT_EQUAL_ZERO";
    };
  };
  type Face = {
    StencilFailOp?: "KEEP" | "ZERO" | "REPLACE" | "INCR_SAT" | "DECR_SAT" | "INVERT" | "INCR" | "DECR";
    StencilDepthFailOp?: "KEEP" | "ZERO" | "REPLACE" | "INCR_SAT" | "DECR_SAT" | "INVERT" | "INCR" | "DECR";
    StencilPassOp?: "KEEP" | "ZERO" | "REPLACE" | "INCR_SAT" | "DECR_SAT" | "INVERT" | "INCR" | "DECR";
    StencilFunc?: "NEVER" | "LESS" | "EQUAL" | "LESS_EQUAL" | "GREATER" | "NOT_EQUAL" | "GREATER_EQUAL" | "ALWAYS";
    StencilReadMask?: number;
    StencilWriteMask?: number;
  };
  type Blend = {
    BlendEnable?: boolean;
    LogicOpEnable?: boolean;
    SrcBlend?: "ZERO" | "ONE" | "SRC_COLOR" | "INV_SRC_COLOR" | "SRC_ALPHA" | "INV_SRC_ALPHA" | "DEST_ALPHA" | "INV_DEST_ALPHA" | "DEST_COLOR" | "INV_DEST_COLOR" | "SRC_ALPHA_SAT" | "BLEND_FACTOR" | "INV_BLEND_FACTOR" | "SRC1_COLOR" | "INV_SRC1_COLOR" | "SRC1_ALPHA" | "INV_SRC1_ALPHA" | "ALPHA_FACTOR" | "INV_ALPHA_FACTOR";
    DestBlend?: "ZERO" | "ONE" | "SRC_COLOR" | "INV_SRC_COLOR" | "SRC_ALPHA" | "INV_SRC_ALPHA" | "DEST_ALPHA" | "INV_DEST_ALPHA" | "DEST_COLOR" | "INV_DEST_COLOR" | "SRC_ALPHA_SAT" | "BLEND_FACTOR" | "INV_BLEND_FACTOR" | "SRC1_COLOR" | "INV_SRC1_COLOR" | "SRC1_ALPHA" | "INV_SRC1_ALPHA" | "ALPHA_FACTOR" | "INV_ALPHA_FACTOR";
    BlendOp?: "ADD" | "SUBTRACT" | "REV_SUBTRACT" | "MIN" | "MAX";
    SrcBlendAlpha?: "ZERO" | "ONE" | "SRC_COLOR" | "INV_SRC_COLOR" | "SRC_ALPHA" | "INV_SRC_ALPHA" | "DEST_ALPHA" | "INV_DEST_ALPHA" | "DEST_COLOR" | "INV_DEST_COLOR" | "SRC_ALPHA_SAT" | "BLEND_FACTOR" | "INV_BLEND_FACTOR" | "SRC1_COLOR" | "INV_SRC1_COLOR" | "SRC1_ALPHA" | "INV_SRC1_ALPHA" | "ALPHA_FACTOR" | "INV_ALPHA_FACTOR";
    DestBlendAlpha?: "ZERO" | "ONE" | "SRC_COLOR" | "INV_SRC_COLOR" | "SRC_ALPHA" | "INV_SRC_ALPHA" | "DEST_ALPHA" | "INV_DEST_ALPHA" | "DEST_COLOR" | "INV_DEST_COLOR" | "SRC_ALPHA_SAT" | "BLEND_FACTOR" | "INV_BLEND_FACTOR" | "SRC1_COLOR" | "INV_SRC1_COLOR" | "SRC1_ALPHA" | "INV_SRC1_ALPHA" | "ALPHA_FACTOR" | "INV_ALPHA_FACTOR";
    BlendOpAlpha?: "ADD" | "SUBTRACT" | "REV_SUBTRACT" | "MIN" | "MAX";
    LogicOp?: "CLEAR" | "SET" | "COPY" | "COPY_INVERTED" | "NOOP" | "INVERT" | "AND" | "NAND" | "OR" | "NOR" | "XOR" | "EQUIV" | "AND_REVERSE" | "AND_INVERTED" | "OR_REVERSE" | "OR_INVERTED";
    RenderTargetWriteMask?: number;
  };
  type BuiltIn = "triangle" | "quad" | "plane" | "cube" | "sphere" | "torus";
  type Mesh = Scene.BuiltIn | string | {
    built_in?: Scene.BuiltIn;
    obj?: string;
    gltf?: string;
    csv?: string;
    vertices?: Case.Lane[];
    instances?: Case.Lane[];
    indices?: number[] | Scene.Resource;
    buffers?: {
      data: Scene.Resource;
      stride?: Case.Count;
      per_instance?: boolean;
      step_rate?: Case.Count;
      elements: {
        [name: string]: {
          format: string;
          offset?: number;
        };
      };
    }[];
    names?: {
      [name: string]: string;
    };
    topology?: "POINTLIST" | "LINELIST" | "LINESTRIP" | "TRIANGLELIST" | "TRIANGLESTRIP" | "TRIANGLEFAN" | "LINELIST_ADJ" | "LINESTRIP_ADJ" | "TRIANGLELIST_ADJ" | "TRIANGLESTRIP_ADJ" | string;
  };
}

/** a line of what `unshade search --json` writes */
export type Search = {
  schema: "unshade.search/1";
  /** XXH3 of its bytes */
  xxh3: string;
  family: "dxbc" | "dxil" | "pica" | "spirv" | "vbc";
  stage: string | null;
  profile: string | null;
  /** the compiler, as the file names it */
  creator: string | null;
  /** bytes */
  size: number;
  /** null: it has no program that can be read */
  instructions: number | null;
  places: {
    file: string;
    /** as scan prints them; empty: in the file as it is */
    layers: string;
    /** bytes from the start of the file or of what the last layer holds */
    offset: number;
    certainty: "certain" | "likely" | "possible";
  }[];
  /** with --like: the part of the sketches that both have */
  similarity?: number;
  /** with --regex: lines of the listing */
  lines?: {
    line: number;
    text: string;
    /** false: a line around one that matches */
    match: boolean;
  }[];
};

/** what `unshade_session_state` writes */
export type Session = {
  schema: "unshade.session/1";
  /** false: the record ended early, for it would have become too large */
  whole: boolean;
  /** in the order in which they ran first */
  waves: {
    group: number[];
    /** in its group, or of the lanes */
    wave: number;
    steps: number;
  }[];
  /** index in waves */
  followed: number;
  /** that moves follow, of a session of a drawing that of the pixel; null: moves stop at each instruction */
  lane: number | null;
  /** steps that the followed wave has made */
  position: number;
  /** the step that comes next; null at the end */
  next: null | {
    /** of the program, as `run --trace` counts */
    instruction: number;
    /** of the listing; null if it is not known */
    line: number | null;
    text: string;
    /** as the listing calls it */
    function: string | null;
    /** lanes of the wave that run it */
    active: number[];
  };
  /** in the order of their first writing */
  registers: {
    /** as the listing writes it: r0.x, %17 */
    name: string;
    /** by the last step */
    changed: boolean;
    /** of its numbers; uint also for integers of which none is below 0; null: never written */
    type: "float" | "double" | "int" | "uint" | "bool" | null;
    /** by lane; null: never written; inf, -inf and nan are texts */
    lanes: (number | boolean | string | null)[];
  }[];
  /** what the lanes printed in the last step, if it printed something */
  messages?: {
    /** of the wave */
    lane: number;
    text: string;
  }[];
};

/** what `unshade source list --json` writes of several files */
export type Sources = {
  schema: "unshade.sources/1";
  files: {
    file: string;
    /** the part or instruction that has them */
    where: string;
    sources: {
      name: string;
      /** null where only the name is known */
      text: string | null;
    }[];
    arguments: {
      name: string;
      value: string;
    }[];
  }[];
  /** errors that kept a file or folder from being read; absent where there were none */
  errors?: {
    file: string;
    /** io, or an error code */
    id: string;
    /** bytes from the start of the file */
    offset?: number;
    path?: string;
    message: string;
  }[];
};

/** what `unshade translate --json` and `--bindings` write */
export type Translate = {
  schema: "unshade.translate/1";
  files: {
    /** as given or found in a folder; <stdin> for standard input */
    file: string;
    /** vertex, pixel, ... */
    stage: string;
    /** bytes of the module */
    size: number;
    /** the least size of a subgroup that the program allows */
    wave_min: number;
    /** the greatest; where they are the same, the pipeline must require that size */
    wave_max: number;
    /** the module, in hexadecimal; absent where -o names a file for it, and in the file of --bindings */
    bytes?: string;
    /** where resources of the source are bound */
    bindings: {
      name: string;
      /** cbuffer, texture, sampler, structured, uav_typed, ... */
      kind: string;
      /** in the source; of SPIR-V, the set */
      space: number;
      /** the first, in the source */
      register: number;
      /** of an array; 0: as many as there are */
      count: number;
      set: number;
      binding: number;
      /** of the storage buffer, in the same set, that holds the buffer's counter; absent without a counter */
      counter_binding?: number;
    }[];
    /** numbers that are given when the pipeline is made, where Direct3D has something else */
    specializations: {
      /** SpecId */
      id: number;
      /** InterfaceSlot3: the class of the instance that the slot points to; RenderTargetSampleCount */
      name: string;
      /** if none is given */
      value: number;
    }[];
  }[];
  /** errors that kept a file or folder from being read; absent where there were none */
  errors?: {
    file: string;
    /** io, or an error code */
    id: string;
    /** bytes from the start of the file */
    offset?: number;
    path?: string;
    message: string;
  }[];
};

/** what `unshade validate --json` writes */
export type Validate = {
  schema: "unshade.validate/1";
  files: {
    file: string;
    /** whether no finding is an error */
    valid: boolean;
    findings: {
      /** stable id, see unshade validate --rules */
      rule: string;
      severity: "note" | "warning" | "error";
      /** bytes from the start of the file */
      offset: number;
      path: string;
      message: string;
    }[];
  }[];
  /** errors that kept a file or folder from being read; absent where there were none */
  errors?: {
    file: string;
    /** io, or an error code */
    id: string;
    /** bytes from the start of the file */
    offset?: number;
    path?: string;
    message: string;
  }[];
};
