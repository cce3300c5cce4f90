# Made from the descriptions of unshade: cmake --build BUILD --target docs_tables
meta:
  id: vbc
  title: shader of the Vega library (VBC)
  file-extension: [vbc]
  endian: le
  license: MIT
seq:
  - id: tables
    type: tables
  - id: vertex
    size: tables.word_counts.vertex * 4
  - id: tess_control
    size: tables.word_counts.tess_control * 4
  - id: tess_evaluation
    size: tables.word_counts.tess_evaluation * 4
  - id: geometry
    size: tables.word_counts.geometry * 4
  - id: fragment
    size: tables.word_counts.fragment * 4
types:
  tables_word_count:
    seq:
      - id: vertex
        type: u2
      - id: tess_control
        type: u2
      - id: tess_evaluation
        type: u2
      - id: geometry
        type: u2
      - id: fragment
        type: u2
  tables_table_size:
    seq:
      - id: samplers
        type: u2
      - id: images
        type: u2
      - id: buffers
        type: u2
      - id: ro_texels
        type: u2
      - id: rw_texels
        type: u2
  tables_input:
    seq:
      - id: location
        type: u1
      - id: type
        type: u1
        enum: base_type
      - id: components
        type: u1
      - id: columns
        type: u1
      - id: array_size
        type: u1
      - id: padding_
        size: 3
  tables_output:
    seq:
      - id: location
        type: u1
      - id: type
        type: u1
        enum: base_type
      - id: components
        type: u1
      - id: columns
        type: u1
      - id: array_size
        type: u1
      - id: padding_
        size: 3
  tables_binding_rest:
    seq:
      - id: rank
        type: u1
        enum: rank
      - id: texel
        type: u1
        enum: texel_type
      - id: component_bytes
        type: u1
      - id: components
        type: u1
  tables_binding_rest_ro_buffer:
    seq:
      - id: struct_bytes
        type: u2
      - id: padding_
        size: 2
  tables_binding_rest_rw_buffer:
    seq:
      - id: struct_bytes
        type: u2
      - id: padding_
        size: 2
  tables_binding:
    seq:
      - id: slot
        type: u1
      - id: type
        type: u1
        enum: base_type
      - id: stages
        type: u2
      - id: rest
        type:
          switch-on: type.to_i
          cases:
            7: tables_binding_rest_ro_buffer
            8: tables_binding_rest_rw_buffer
            _: tables_binding_rest
  tables_member:
    seq:
      - id: name_bytes
        type: u1
      - id: name
        size: name_bytes
      - id: offset
        type: u2
      - id: type
        type: u1
        enum: base_type
      - id: components
        type: u1
      - id: columns
        type: u1
      - id: array_size
        type: u1
  tables_uniform:
    seq:
      - id: size
        type: u2
      - id: stages
        if: size != 0
        type: u2
      - id: member_count
        if: size != 0
        type: u4
      - id: members
        if: size != 0
        type: tables_member
        repeat: expr
        repeat-expr: member_count
  tables_subpass_input:
    seq:
      - id: texel
        type: u1
        enum: texel_type
      - id: components
        type: u1
      - id: padding_
        size: 2
  tables:
    seq:
      - id: magic
        size: 3
      - id: version
        type: u1
      - id: shader_type
        type: u1
      - id: word_counts
        type: tables_word_count
      - id: table_sizes
        type: tables_table_size
      - id: input_count
        type: u4
      - id: inputs
        type: tables_input
        repeat: expr
        repeat-expr: input_count
      - id: output_count
        type: u4
      - id: outputs
        type: tables_output
        repeat: expr
        repeat-expr: output_count
      - id: binding_count
        type: u4
      - id: bindings
        type: tables_binding
        repeat: expr
        repeat-expr: binding_count
      - id: uniform
        type: tables_uniform
      - id: subpass_input_count
        type: u4
      - id: subpass_inputs
        type: tables_subpass_input
        repeat: expr
        repeat-expr: subpass_input_count
enums:
  base_type:
    0: void
    1: bool_
    2: int
    3: uint
    4: float_
    5: sampler
    6: image
    7: ro_buffer
    8: rw_buffer
    9: ro_texels
    10: rw_texels
    11: subpass
    12: uniform
    13: struct_
  rank:
    0: n_1d
    1: n_2d
    2: n_3d
    3: n_1d_array
    4: n_2d_array
    5: cube
    6: buffer
  texel_type:
    0: int
    1: uint
    2: float_
    3: unorm
    4: snorm
