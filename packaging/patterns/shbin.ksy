# Made from the descriptions of unshade: cmake --build BUILD --target docs_tables
meta:
  id: shbin
  title: shader binary of the Nintendo 3DS (DVLB)
  file-extension: [shbin]
  endian: le
  license: MIT
seq:
  - id: magic
    contents: [0x44, 0x56, 0x4c, 0x42]
  - id: executable_count
    type: u4
  - id: executables
    type: executable_place
    repeat: expr
    repeat-expr: executable_count
  - id: program
    type: dvlp
    size-eos: true
types:
  executable_place:
    seq:
      - id: executable_offset
        type: u4
    instances:
      executable:
        io: _root._io
        pos: executable_offset
        size-eos: true
        type: dvle
  dvlp_descriptor:
    seq:
      - id: bits
        type: u4
      - id: used
        type: u4
  dvlp_line:
    seq:
      - id: file
        type: u4
      - id: line
        type: u4
  dvlp:
    seq:
      - id: magic
        contents: [0x44, 0x56, 0x4c, 0x50]
      - id: version
        type: u4
      - id: code_offset
        type: u4
      - id: code_words
        type: u4
      - id: descriptor_offset
        type: u4
      - id: descriptor_count
        type: u4
      - id: line_offset
        type: u4
      - id: line_count
        type: u4
      - id: file_names_offset
        type: u4
      - id: file_names_size
        type: u4
    instances:
      descriptors:
        pos: descriptor_offset
        if: descriptor_count != 0
        type: dvlp_descriptor
        repeat: expr
        repeat-expr: descriptor_count
      code:
        pos: code_offset
        size: code_words * 4
      lines:
        pos: line_offset
        if: line_count != 0
        type: dvlp_line
        repeat: expr
        repeat-expr: line_count
      file_names:
        pos: file_names_offset
        size: file_names_size
  dvle_constant_rest:
    seq:
      - id: value
        type: u4
      - id: padding_
        type: u4
      - id: padding_2
        type: u4
      - id: padding_3
        type: u4
  dvle_constant_rest_vec4:
    seq:
      - id: x
        type: u4
      - id: y
        type: u4
      - id: z
        type: u4
      - id: w
        type: u4
  dvle_constant:
    seq:
      - id: type
        type: u2
        enum: constant_type
      - id: register
        type: u2
      - id: rest
        type:
          switch-on: type.to_i
          cases:
            2: dvle_constant_rest_vec4
            _: dvle_constant_rest
  dvle_label:
    seq:
      - id: id
        type: u4
      - id: address
        type: u4
      - id: length
        type: u4
      - id: symbol
        type: u4
  dvle_output:
    seq:
      - id: type
        type: u2
        enum: output_type
      - id: register
        type: u2
      - id: mask
        type: u2
      - id: reserved
        type: u2
  dvle_uniform:
    seq:
      - id: symbol
        type: u4
      - id: first
        type: u2
      - id: last
        type: u2
  dvle:
    seq:
      - id: magic
        contents: [0x44, 0x56, 0x4c, 0x45]
      - id: version
        type: u2
      - id: stage
        type: u1
        enum: stage
      - id: flags
        type: u1
      - id: entry
        type: u4
      - id: main_end
        type: u4
      - id: input_mask
        type: u2
      - id: output_mask
        type: u2
      - id: geometry_mode
        type: u1
        enum: geometry_mode
      - id: fixed_start
        type: u1
      - id: variable_count
        type: u1
      - id: fixed_count
        type: u1
      - id: constant_offset
        type: u4
      - id: constant_count
        type: u4
      - id: label_offset
        type: u4
      - id: label_count
        type: u4
      - id: output_offset
        type: u4
      - id: output_count
        type: u4
      - id: uniform_offset
        type: u4
      - id: uniform_count
        type: u4
      - id: symbols_offset
        type: u4
      - id: symbols_size
        type: u4
    instances:
      constants:
        pos: constant_offset
        if: constant_count != 0
        type: dvle_constant
        repeat: expr
        repeat-expr: constant_count
      labels:
        pos: label_offset
        if: label_count != 0
        type: dvle_label
        repeat: expr
        repeat-expr: label_count
      outputs:
        pos: output_offset
        if: output_count != 0
        type: dvle_output
        repeat: expr
        repeat-expr: output_count
      uniforms:
        pos: uniform_offset
        if: uniform_count != 0
        type: dvle_uniform
        repeat: expr
        repeat-expr: uniform_count
      symbols:
        pos: symbols_offset
        size: symbols_size
enums:
  constant_type:
    0: bool_
    1: ivec4
    2: vec4
  geometry_mode:
    0: point
    1: variable
    2: fixed
  output_type:
    0: position
    1: normalquat
    2: color
    3: texcoord0
    4: texcoord0w
    5: texcoord1
    6: texcoord2
    8: view
    9: dummy
  stage:
    0: vertex
    1: geometry
