# Made from the descriptions of unshade: cmake --build BUILD --target docs_tables
meta:
  id: dxcontainer
  title: shader container of Direct3D 10 to 12 (DXBC, DXIL)
  file-extension: [dxbc, cso, dxil, fxo]
  endian: le
  license: MIT
seq:
  - id: header
    type: header
  - id: parts
    type: part_place
    repeat: expr
    repeat-expr: header.part_count
types:
  part_place:
    seq:
      - id: place
        type: part_offset
    instances:
      part:
        io: _root._io
        pos: place.offset
        type: part
  part:
    seq:
      - id: header
        type: part_header
      - id: body
        size: header.size
        type:
          switch-on: header.fourcc
          cases:
            0x4e475349: signature  # ISGN
            0x31475349: signature_1  # ISG1
            0x4e47534f: signature  # OSGN
            0x3547534f: signature_5  # OSG5
            0x3147534f: signature_1  # OSG1
            0x47534350: signature  # PCSG
            0x31475350: signature_1  # PSG1
            0x45434649: class_linkage  # IFCE
            0x48534148: shader_hash  # HASH
            0x4e444c49: debug_name  # ILDN
            0x4c495844: program  # DXIL
            0x42444c49: program  # ILDB
            0x54415453: statistics_of_size  # STAT
            0x46454452: resources_of_version  # RDEF
            0x30535452: root_signature_of_version  # RTS0
  statistics_of_size:
    instances:
      of_148_bytes:
        pos: 0
        type: statistics_long
        if: _io.size == 148
      of_116_bytes:
        pos: 0
        type: statistics
        if: _io.size == 116
  resources_of_version:
    instances:
      chosen_by:
        pos: 28
        type: u4
        if: _io.size >= 32
      fields:
        pos: 0
        type:
          switch-on: '_io.size >= 32 ? chosen_by : 0'
          cases:
            0x31314452: resources_5_0
            0x25441313: resources_5_1
            _: resources_4
  root_signature_of_version:
    instances:
      chosen_by:
        pos: 0
        type: u4
        if: _io.size >= 4
      fields:
        pos: 0
        type:
          switch-on: '_io.size >= 4 ? chosen_by : 0'
          cases:
            0x00000001: root_signature_1_0
            0x00000002: root_signature_1_1
            0x00000003: root_signature_1_2
  header:
    seq:
      - id: magic
        contents: [0x44, 0x58, 0x42, 0x43]
      - id: digest
        size: 16
      - id: major_version
        type: u2
      - id: minor_version
        type: u2
      - id: size
        type: u4
      - id: part_count
        type: u4
  part_offset:
    seq:
      - id: offset
        type: u4
  part_header:
    seq:
      - id: fourcc
        type: u4
      - id: size
        type: u4
  signature_element:
    seq:
      - id: semantic
        type: u4
      - id: semantic_index
        type: u4
      - id: system_value
        type: u4
        enum: system_value
      - id: component_type
        type: u4
        enum: component_type
      - id: register
        type: u4
      - id: mask
        type: u1
      - id: used_mask
        type: u1
      - id: reserved
        type: u2
    instances:
      semantic_text:
        pos: semantic
        type: strz
        encoding: UTF-8
  signature:
    seq:
      - id: count
        type: u4
      - id: elements_offset
        type: u4
    instances:
      elements:
        pos: elements_offset
        if: count != 0
        type: signature_element
        repeat: expr
        repeat-expr: count
  signature_1_element:
    seq:
      - id: stream
        type: u4
      - id: semantic
        type: u4
      - id: semantic_index
        type: u4
      - id: system_value
        type: u4
        enum: system_value
      - id: component_type
        type: u4
        enum: component_type
      - id: register
        type: u4
      - id: mask
        type: u1
      - id: used_mask
        type: u1
      - id: reserved
        type: u2
      - id: min_precision
        type: u4
        enum: minimum_precision
    instances:
      semantic_text:
        pos: semantic
        type: strz
        encoding: UTF-8
  signature_1:
    seq:
      - id: count
        type: u4
      - id: elements_offset
        type: u4
    instances:
      elements:
        pos: elements_offset
        if: count != 0
        type: signature_1_element
        repeat: expr
        repeat-expr: count
  signature_5_element:
    seq:
      - id: stream
        type: u4
      - id: semantic
        type: u4
      - id: semantic_index
        type: u4
      - id: system_value
        type: u4
        enum: system_value
      - id: component_type
        type: u4
        enum: component_type
      - id: register
        type: u4
      - id: mask
        type: u1
      - id: used_mask
        type: u1
      - id: reserved
        type: u2
    instances:
      semantic_text:
        pos: semantic
        type: strz
        encoding: UTF-8
  signature_5:
    seq:
      - id: count
        type: u4
      - id: elements_offset
        type: u4
    instances:
      elements:
        pos: elements_offset
        if: count != 0
        type: signature_5_element
        repeat: expr
        repeat-expr: count
  class_linkage_instance:
    seq:
      - id: name
        type: u4
      - id: type
        type: u2
      - id: elements
        type: u2
      - id: constant_buffer
        type: u2
      - id: constant_buffer_offset
        type: u2
      - id: texture
        type: u2
      - id: sampler
        type: u2
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
  class_linkage_type:
    seq:
      - id: name
        type: u4
      - id: id
        type: u2
      - id: constant_buffer_stride
        type: u2
      - id: texture_count
        type: u2
      - id: sampler_count
        type: u2
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
  class_linkage_type_2:
    seq:
      - id: type
        type: u2
  class_linkage_table:
    seq:
      - id: table
        type: u4
  class_linkage_slot:
    seq:
      - id: span
        type: u4
      - id: type_count
        type: u4
      - id: types_offset
        type: u4
      - id: tables_offset
        type: u4
    instances:
      types:
        pos: types_offset
        if: type_count != 0
        type: class_linkage_type_2
        repeat: expr
        repeat-expr: type_count
      tables:
        pos: tables_offset
        if: type_count != 0
        type: class_linkage_table
        repeat: expr
        repeat-expr: type_count
  class_linkage:
    seq:
      - id: instance_count
        type: u4
      - id: type_count
        type: u4
      - id: slot_record_count
        type: u4
      - id: slot_count
        type: u4
      - id: instances_offset
        type: u4
      - id: types_offset
        type: u4
      - id: slots_offset
        type: u4
      - id: reserved
        type: u8
    instances:
      instances:
        pos: instances_offset
        if: instance_count != 0
        type: class_linkage_instance
        repeat: expr
        repeat-expr: instance_count
      types:
        pos: types_offset
        if: type_count != 0
        type: class_linkage_type
        repeat: expr
        repeat-expr: type_count
      slots:
        pos: slots_offset
        if: slot_record_count != 0
        type: class_linkage_slot
        repeat: expr
        repeat-expr: slot_record_count
  shader_hash:
    seq:
      - id: flags
        type: u4
      - id: digest
        size: 16
  debug_name:
    seq:
      - id: flags
        type: u2
      - id: name_bytes
        type: u2
      - id: name
        size: name_bytes
      - id: padding_
        size: 1
  program:
    seq:
      - id: program_version
        type: u4
      - id: size_dwords
        type: u4
      - id: magic
        contents: [0x44, 0x58, 0x49, 0x4c]
      - id: dxil_version
        type: u4
      - id: bitcode_offset
        type: u4
      - id: bitcode_bytes
        type: u4
      - id: padding_
        size: bitcode_offset - 16
      - id: bitcode
        size: bitcode_bytes
  statistics_long:
    seq:
      - id: instruction_count
        type: u4
      - id: temp_register_count
        type: u4
      - id: define_count
        type: u4
      - id: declaration_count
        type: u4
      - id: float_instruction_count
        type: u4
      - id: int_instruction_count
        type: u4
      - id: uint_instruction_count
        type: u4
      - id: static_flow_control_count
        type: u4
      - id: dynamic_flow_control_count
        type: u4
      - id: macro_instruction_count
        type: u4
      - id: temp_array_count
        type: u4
      - id: array_instruction_count
        type: u4
      - id: cut_instruction_count
        type: u4
      - id: emit_instruction_count
        type: u4
      - id: texture_normal_instructions
        type: u4
      - id: texture_load_instructions
        type: u4
      - id: texture_comparison_instructions
        type: u4
      - id: texture_bias_instructions
        type: u4
      - id: texture_gradient_instructions
        type: u4
      - id: mov_instruction_count
        type: u4
      - id: movc_instruction_count
        type: u4
      - id: conversion_instruction_count
        type: u4
      - id: bitwise_instruction_count
        type: u4
      - id: input_primitive
        type: u4
        enum: input_primitive
      - id: output_topology
        type: u4
        enum: output_topology
      - id: max_output_vertex_count
        type: u4
      - id: texture_gather_instructions
        type: u4
      - id: texture_lod_instructions
        type: u4
      - id: sample_frequency
        type: u4
      - id: instance_count
        type: u4
      - id: control_point_count
        type: u4
      - id: tessellator_output
        type: u4
        enum: tessellator_output
      - id: tessellator_partitioning
        type: u4
        enum: tessellator_partitioning
      - id: tessellator_domain
        type: u4
        enum: tessellator_domain
      - id: barrier_instructions
        type: u4
      - id: interlocked_instructions
        type: u4
      - id: texture_store_instructions
        type: u4
  statistics:
    seq:
      - id: instruction_count
        type: u4
      - id: temp_register_count
        type: u4
      - id: define_count
        type: u4
      - id: declaration_count
        type: u4
      - id: float_instruction_count
        type: u4
      - id: int_instruction_count
        type: u4
      - id: uint_instruction_count
        type: u4
      - id: static_flow_control_count
        type: u4
      - id: dynamic_flow_control_count
        type: u4
      - id: macro_instruction_count
        type: u4
      - id: temp_array_count
        type: u4
      - id: array_instruction_count
        type: u4
      - id: cut_instruction_count
        type: u4
      - id: emit_instruction_count
        type: u4
      - id: texture_normal_instructions
        type: u4
      - id: texture_load_instructions
        type: u4
      - id: texture_comparison_instructions
        type: u4
      - id: texture_bias_instructions
        type: u4
      - id: texture_gradient_instructions
        type: u4
      - id: mov_instruction_count
        type: u4
      - id: movc_instruction_count
        type: u4
      - id: conversion_instruction_count
        type: u4
      - id: bitwise_instruction_count
        type: u4
      - id: input_primitive
        type: u4
        enum: input_primitive
      - id: output_topology
        type: u4
        enum: output_topology
      - id: max_output_vertex_count
        type: u4
      - id: texture_gather_instructions
        type: u4
      - id: texture_lod_instructions
        type: u4
      - id: sample_frequency
        type: u4
  resources_5_0_member:
    seq:
      - id: name
        type: u4
      - id: type_offset
        type: u4
      - id: offset
        type: u4
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
      type:
        pos: type_offset
        if: type_offset != 0
        type: resources_5_0_type
  resources_5_0_interface:
    seq:
      - id: type_offset
        type: u4
    instances:
      type:
        pos: type_offset
        if: type_offset != 0
        type: resources_5_0_type
  resources_5_0_type:
    seq:
      - id: class
        type: u2
        enum: variable_class
      - id: type
        type: u2
        enum: variable_type
      - id: rows
        type: u2
      - id: columns
        type: u2
      - id: elements
        type: u2
      - id: member_count
        type: u2
      - id: members_offset
        type: u4
      - id: subtype
        type: u4
      - id: base_class
        type: u4
      - id: interface_count
        type: u4
      - id: interfaces_offset
        type: u4
      - id: name
        type: u4
    instances:
      members:
        pos: members_offset
        if: member_count != 0
        type: resources_5_0_member
        repeat: expr
        repeat-expr: member_count
      interfaces:
        pos: interfaces_offset
        if: interface_count != 0
        type: resources_5_0_interface
        repeat: expr
        repeat-expr: interface_count
      name_text:
        pos: name
        if: name != 0
        type: strz
        encoding: UTF-8
  resources_5_0_default_value:
    seq:
      - id: bytes
        size: _parent.size
  resources_5_0_variable:
    seq:
      - id: name
        type: u4
      - id: offset
        type: u4
      - id: size
        type: u4
      - id: flags
        type: u4
      - id: type_offset
        type: u4
      - id: default_value_offset
        type: u4
      - id: start_texture
        type: s4
      - id: texture_count
        type: u4
      - id: start_sampler
        type: s4
      - id: sampler_count
        type: u4
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
      type:
        pos: type_offset
        if: type_offset != 0
        type: resources_5_0_type
      default_value:
        pos: default_value_offset
        if: default_value_offset != 0
        type: resources_5_0_default_value
  resources_5_0_constant_buffer:
    seq:
      - id: name
        type: u4
      - id: variable_count
        type: u4
      - id: variables_offset
        type: u4
      - id: size
        type: u4
      - id: flags
        type: u4
      - id: kind
        type: u4
        enum: buffer_kind
    instances:
      name_text:
        pos: name
        if: name != 0
        type: strz
        encoding: UTF-8
      variables:
        pos: variables_offset
        if: variable_count != 0
        type: resources_5_0_variable
        repeat: expr
        repeat-expr: variable_count
  resources_5_0_binding:
    seq:
      - id: name
        type: u4
      - id: kind
        type: u4
        enum: resource_kind
      - id: return_type
        type: u4
        enum: return_type
      - id: dimension
        type: u4
        enum: resource_dimension
      - id: sample_count
        type: s4
      - id: bind_point
        type: u4
      - id: bind_count
        type: u4
      - id: flags
        type: u4
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
  resources_5_0:
    seq:
      - id: constant_buffer_count
        type: u4
      - id: constant_buffers_offset
        type: u4
      - id: binding_count
        type: u4
      - id: bindings_offset
        type: u4
      - id: minor_version
        type: u1
      - id: major_version
        type: u1
      - id: target
        type: u2
        enum: target
      - id: flags
        type: u4
      - id: creator
        type: u4
      - id: magic
        type: u4
      - id: header_bytes
        type: u4
      - id: constant_buffer_bytes
        type: u4
      - id: binding_bytes
        type: u4
      - id: variable_bytes
        type: u4
      - id: type_bytes
        type: u4
      - id: member_bytes
        type: u4
      - id: interface_slots
        type: u4
    instances:
      constant_buffers:
        pos: constant_buffers_offset
        if: constant_buffer_count != 0
        type: resources_5_0_constant_buffer
        repeat: expr
        repeat-expr: constant_buffer_count
      bindings:
        pos: bindings_offset
        if: binding_count != 0
        type: resources_5_0_binding
        repeat: expr
        repeat-expr: binding_count
      creator_text:
        pos: creator
        type: strz
        encoding: UTF-8
  resources_5_1_member:
    seq:
      - id: name
        type: u4
      - id: type_offset
        type: u4
      - id: offset
        type: u4
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
      type:
        pos: type_offset
        if: type_offset != 0
        type: resources_5_1_type
  resources_5_1_interface:
    seq:
      - id: type_offset
        type: u4
    instances:
      type:
        pos: type_offset
        if: type_offset != 0
        type: resources_5_1_type
  resources_5_1_type:
    seq:
      - id: class
        type: u2
        enum: variable_class
      - id: type
        type: u2
        enum: variable_type
      - id: rows
        type: u2
      - id: columns
        type: u2
      - id: elements
        type: u2
      - id: member_count
        type: u2
      - id: members_offset
        type: u4
      - id: subtype
        type: u4
      - id: base_class
        type: u4
      - id: interface_count
        type: u4
      - id: interfaces_offset
        type: u4
      - id: name
        type: u4
    instances:
      members:
        pos: members_offset
        if: member_count != 0
        type: resources_5_1_member
        repeat: expr
        repeat-expr: member_count
      interfaces:
        pos: interfaces_offset
        if: interface_count != 0
        type: resources_5_1_interface
        repeat: expr
        repeat-expr: interface_count
      name_text:
        pos: name
        if: name != 0
        type: strz
        encoding: UTF-8
  resources_5_1_default_value:
    seq:
      - id: bytes
        size: _parent.size
  resources_5_1_variable:
    seq:
      - id: name
        type: u4
      - id: offset
        type: u4
      - id: size
        type: u4
      - id: flags
        type: u4
      - id: type_offset
        type: u4
      - id: default_value_offset
        type: u4
      - id: start_texture
        type: s4
      - id: texture_count
        type: u4
      - id: start_sampler
        type: s4
      - id: sampler_count
        type: u4
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
      type:
        pos: type_offset
        if: type_offset != 0
        type: resources_5_1_type
      default_value:
        pos: default_value_offset
        if: default_value_offset != 0
        type: resources_5_1_default_value
  resources_5_1_constant_buffer:
    seq:
      - id: name
        type: u4
      - id: variable_count
        type: u4
      - id: variables_offset
        type: u4
      - id: size
        type: u4
      - id: flags
        type: u4
      - id: kind
        type: u4
        enum: buffer_kind
    instances:
      name_text:
        pos: name
        if: name != 0
        type: strz
        encoding: UTF-8
      variables:
        pos: variables_offset
        if: variable_count != 0
        type: resources_5_1_variable
        repeat: expr
        repeat-expr: variable_count
  resources_5_1_binding:
    seq:
      - id: name
        type: u4
      - id: kind
        type: u4
        enum: resource_kind
      - id: return_type
        type: u4
        enum: return_type
      - id: dimension
        type: u4
        enum: resource_dimension
      - id: sample_count
        type: s4
      - id: bind_point
        type: u4
      - id: bind_count
        type: u4
      - id: flags
        type: u4
      - id: space
        type: u4
      - id: id
        type: u4
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
  resources_5_1:
    seq:
      - id: constant_buffer_count
        type: u4
      - id: constant_buffers_offset
        type: u4
      - id: binding_count
        type: u4
      - id: bindings_offset
        type: u4
      - id: minor_version
        type: u1
      - id: major_version
        type: u1
      - id: target
        type: u2
        enum: target
      - id: flags
        type: u4
      - id: creator
        type: u4
      - id: magic
        type: u4
      - id: header_bytes
        type: u4
      - id: constant_buffer_bytes
        type: u4
      - id: binding_bytes
        type: u4
      - id: variable_bytes
        type: u4
      - id: type_bytes
        type: u4
      - id: member_bytes
        type: u4
      - id: interface_slots
        type: u4
    instances:
      constant_buffers:
        pos: constant_buffers_offset
        if: constant_buffer_count != 0
        type: resources_5_1_constant_buffer
        repeat: expr
        repeat-expr: constant_buffer_count
      bindings:
        pos: bindings_offset
        if: binding_count != 0
        type: resources_5_1_binding
        repeat: expr
        repeat-expr: binding_count
      creator_text:
        pos: creator
        type: strz
        encoding: UTF-8
  resources_4_member:
    seq:
      - id: name
        type: u4
      - id: type_offset
        type: u4
      - id: offset
        type: u4
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
      type:
        pos: type_offset
        if: type_offset != 0
        type: resources_4_type
  resources_4_type:
    seq:
      - id: class
        type: u2
        enum: variable_class
      - id: type
        type: u2
        enum: variable_type
      - id: rows
        type: u2
      - id: columns
        type: u2
      - id: elements
        type: u2
      - id: member_count
        type: u2
      - id: members_offset
        type: u4
    instances:
      members:
        pos: members_offset
        if: member_count != 0
        type: resources_4_member
        repeat: expr
        repeat-expr: member_count
  resources_4_default_value:
    seq:
      - id: bytes
        size: _parent.size
  resources_4_variable:
    seq:
      - id: name
        type: u4
      - id: offset
        type: u4
      - id: size
        type: u4
      - id: flags
        type: u4
      - id: type_offset
        type: u4
      - id: default_value_offset
        type: u4
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
      type:
        pos: type_offset
        if: type_offset != 0
        type: resources_4_type
      default_value:
        pos: default_value_offset
        if: default_value_offset != 0
        type: resources_4_default_value
  resources_4_constant_buffer:
    seq:
      - id: name
        type: u4
      - id: variable_count
        type: u4
      - id: variables_offset
        type: u4
      - id: size
        type: u4
      - id: flags
        type: u4
      - id: kind
        type: u4
        enum: buffer_kind
    instances:
      name_text:
        pos: name
        if: name != 0
        type: strz
        encoding: UTF-8
      variables:
        pos: variables_offset
        if: variable_count != 0
        type: resources_4_variable
        repeat: expr
        repeat-expr: variable_count
  resources_4_binding:
    seq:
      - id: name
        type: u4
      - id: kind
        type: u4
        enum: resource_kind
      - id: return_type
        type: u4
        enum: return_type
      - id: dimension
        type: u4
        enum: resource_dimension
      - id: sample_count
        type: s4
      - id: bind_point
        type: u4
      - id: bind_count
        type: u4
      - id: flags
        type: u4
    instances:
      name_text:
        pos: name
        type: strz
        encoding: UTF-8
  resources_4:
    seq:
      - id: constant_buffer_count
        type: u4
      - id: constant_buffers_offset
        type: u4
      - id: binding_count
        type: u4
      - id: bindings_offset
        type: u4
      - id: minor_version
        type: u1
      - id: major_version
        type: u1
      - id: target
        type: u2
        enum: target
      - id: flags
        type: u4
      - id: creator
        type: u4
    instances:
      constant_buffers:
        pos: constant_buffers_offset
        if: constant_buffer_count != 0
        type: resources_4_constant_buffer
        repeat: expr
        repeat-expr: constant_buffer_count
      bindings:
        pos: bindings_offset
        if: binding_count != 0
        type: resources_4_binding
        repeat: expr
        repeat-expr: binding_count
      creator_text:
        pos: creator
        type: strz
        encoding: UTF-8
  root_signature_1_0_range:
    seq:
      - id: type
        type: u4
        enum: descriptor_range_type
      - id: count
        type: u4
      - id: base_register
        type: u4
      - id: space
        type: u4
      - id: offset_in_table
        type: u4
  root_signature_1_0_body:
    seq:
      - id: count
        type: u4
      - id: ranges_offset
        type: u4
    instances:
      ranges:
        pos: ranges_offset
        if: count != 0
        type: root_signature_1_0_range
        repeat: expr
        repeat-expr: count
  root_signature_1_0_body_constants:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
      - id: count
        type: u4
  root_signature_1_0_body_cbv:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
  root_signature_1_0_body_srv:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
  root_signature_1_0_body_uav:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
  root_signature_1_0_parameter:
    seq:
      - id: type
        type: u4
        enum: root_parameter_type
      - id: visibility
        type: u4
        enum: shader_visibility
      - id: body_offset
        type: u4
    instances:
      body:
        pos: body_offset
        if: body_offset != 0
        type:
          switch-on: type.to_i
          cases:
            1: root_signature_1_0_body_constants
            2: root_signature_1_0_body_cbv
            3: root_signature_1_0_body_srv
            4: root_signature_1_0_body_uav
            _: root_signature_1_0_body
  root_signature_1_0_static_sampler:
    seq:
      - id: filter
        type: u4
      - id: address_u
        type: u4
        enum: texture_address_mode
      - id: address_v
        type: u4
        enum: texture_address_mode
      - id: address_w
        type: u4
        enum: texture_address_mode
      - id: mip_lod_bias
        type: f4
      - id: max_anisotropy
        type: u4
      - id: comparison
        type: u4
        enum: comparison_function
      - id: border_color
        type: u4
        enum: static_border_color
      - id: min_lod
        type: f4
      - id: max_lod
        type: f4
      - id: register
        type: u4
      - id: space
        type: u4
      - id: visibility
        type: u4
        enum: shader_visibility
  root_signature_1_0:
    seq:
      - id: version
        type: u4
        enum: root_signature_version
      - id: parameter_count
        type: u4
      - id: parameters_offset
        type: u4
      - id: static_sampler_count
        type: u4
      - id: static_samplers_offset
        type: u4
      - id: flags
        type: u4
    instances:
      parameters:
        pos: parameters_offset
        if: parameter_count != 0
        type: root_signature_1_0_parameter
        repeat: expr
        repeat-expr: parameter_count
      static_samplers:
        pos: static_samplers_offset
        if: static_sampler_count != 0
        type: root_signature_1_0_static_sampler
        repeat: expr
        repeat-expr: static_sampler_count
  root_signature_1_1_range:
    seq:
      - id: type
        type: u4
        enum: descriptor_range_type
      - id: count
        type: u4
      - id: base_register
        type: u4
      - id: space
        type: u4
      - id: flags
        type: u4
      - id: offset_in_table
        type: u4
  root_signature_1_1_body:
    seq:
      - id: count
        type: u4
      - id: ranges_offset
        type: u4
    instances:
      ranges:
        pos: ranges_offset
        if: count != 0
        type: root_signature_1_1_range
        repeat: expr
        repeat-expr: count
  root_signature_1_1_body_constants:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
      - id: count
        type: u4
  root_signature_1_1_body_cbv:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
      - id: flags
        type: u4
  root_signature_1_1_body_srv:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
      - id: flags
        type: u4
  root_signature_1_1_body_uav:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
      - id: flags
        type: u4
  root_signature_1_1_parameter:
    seq:
      - id: type
        type: u4
        enum: root_parameter_type
      - id: visibility
        type: u4
        enum: shader_visibility
      - id: body_offset
        type: u4
    instances:
      body:
        pos: body_offset
        if: body_offset != 0
        type:
          switch-on: type.to_i
          cases:
            1: root_signature_1_1_body_constants
            2: root_signature_1_1_body_cbv
            3: root_signature_1_1_body_srv
            4: root_signature_1_1_body_uav
            _: root_signature_1_1_body
  root_signature_1_1_static_sampler:
    seq:
      - id: filter
        type: u4
      - id: address_u
        type: u4
        enum: texture_address_mode
      - id: address_v
        type: u4
        enum: texture_address_mode
      - id: address_w
        type: u4
        enum: texture_address_mode
      - id: mip_lod_bias
        type: f4
      - id: max_anisotropy
        type: u4
      - id: comparison
        type: u4
        enum: comparison_function
      - id: border_color
        type: u4
        enum: static_border_color
      - id: min_lod
        type: f4
      - id: max_lod
        type: f4
      - id: register
        type: u4
      - id: space
        type: u4
      - id: visibility
        type: u4
        enum: shader_visibility
  root_signature_1_1:
    seq:
      - id: version
        type: u4
        enum: root_signature_version
      - id: parameter_count
        type: u4
      - id: parameters_offset
        type: u4
      - id: static_sampler_count
        type: u4
      - id: static_samplers_offset
        type: u4
      - id: flags
        type: u4
    instances:
      parameters:
        pos: parameters_offset
        if: parameter_count != 0
        type: root_signature_1_1_parameter
        repeat: expr
        repeat-expr: parameter_count
      static_samplers:
        pos: static_samplers_offset
        if: static_sampler_count != 0
        type: root_signature_1_1_static_sampler
        repeat: expr
        repeat-expr: static_sampler_count
  root_signature_1_2_range:
    seq:
      - id: type
        type: u4
        enum: descriptor_range_type
      - id: count
        type: u4
      - id: base_register
        type: u4
      - id: space
        type: u4
      - id: flags
        type: u4
      - id: offset_in_table
        type: u4
  root_signature_1_2_body:
    seq:
      - id: count
        type: u4
      - id: ranges_offset
        type: u4
    instances:
      ranges:
        pos: ranges_offset
        if: count != 0
        type: root_signature_1_2_range
        repeat: expr
        repeat-expr: count
  root_signature_1_2_body_constants:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
      - id: count
        type: u4
  root_signature_1_2_body_cbv:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
      - id: flags
        type: u4
  root_signature_1_2_body_srv:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
      - id: flags
        type: u4
  root_signature_1_2_body_uav:
    seq:
      - id: register
        type: u4
      - id: space
        type: u4
      - id: flags
        type: u4
  root_signature_1_2_parameter:
    seq:
      - id: type
        type: u4
        enum: root_parameter_type
      - id: visibility
        type: u4
        enum: shader_visibility
      - id: body_offset
        type: u4
    instances:
      body:
        pos: body_offset
        if: body_offset != 0
        type:
          switch-on: type.to_i
          cases:
            1: root_signature_1_2_body_constants
            2: root_signature_1_2_body_cbv
            3: root_signature_1_2_body_srv
            4: root_signature_1_2_body_uav
            _: root_signature_1_2_body
  root_signature_1_2_static_sampler:
    seq:
      - id: filter
        type: u4
      - id: address_u
        type: u4
        enum: texture_address_mode
      - id: address_v
        type: u4
        enum: texture_address_mode
      - id: address_w
        type: u4
        enum: texture_address_mode
      - id: mip_lod_bias
        type: f4
      - id: max_anisotropy
        type: u4
      - id: comparison
        type: u4
        enum: comparison_function
      - id: border_color
        type: u4
        enum: static_border_color
      - id: min_lod
        type: f4
      - id: max_lod
        type: f4
      - id: register
        type: u4
      - id: space
        type: u4
      - id: visibility
        type: u4
        enum: shader_visibility
      - id: flags
        type: u4
  root_signature_1_2:
    seq:
      - id: version
        type: u4
        enum: root_signature_version
      - id: parameter_count
        type: u4
      - id: parameters_offset
        type: u4
      - id: static_sampler_count
        type: u4
      - id: static_samplers_offset
        type: u4
      - id: flags
        type: u4
    instances:
      parameters:
        pos: parameters_offset
        if: parameter_count != 0
        type: root_signature_1_2_parameter
        repeat: expr
        repeat-expr: parameter_count
      static_samplers:
        pos: static_samplers_offset
        if: static_sampler_count != 0
        type: root_signature_1_2_static_sampler
        repeat: expr
        repeat-expr: static_sampler_count
enums:
  buffer_kind:
    0: cbuffer
    1: tbuffer
    2: interface_pointers
    3: resource_bind_info
  comparison_function:
    0: none
    1: never
    2: less
    3: equal
    4: less_equal
    5: greater
    6: not_equal
    7: greater_equal
    8: always
  component_type:
    0: unknown
    1: uint
    2: int
    3: float_
    4: uint16
    5: int16
    6: float16
    7: uint64
    8: int64
    9: double_
  descriptor_range_type:
    0: srv
    1: uav
    2: cbv
    3: sampler
  input_primitive:
    0: undefined
    1: point
    2: line
    3: triangle
    6: line_adjacency
    7: triangle_adjacency
    8: patch_1
    9: patch_2
    10: patch_3
    11: patch_4
    12: patch_5
    13: patch_6
    14: patch_7
    15: patch_8
    16: patch_9
    17: patch_10
    18: patch_11
    19: patch_12
    20: patch_13
    21: patch_14
    22: patch_15
    23: patch_16
    24: patch_17
    25: patch_18
    26: patch_19
    27: patch_20
    28: patch_21
    29: patch_22
    30: patch_23
    31: patch_24
    32: patch_25
    33: patch_26
    34: patch_27
    35: patch_28
    36: patch_29
    37: patch_30
    38: patch_31
    39: patch_32
  minimum_precision:
    0: default
    1: min16float
    2: min2_8float
    3: reserved
    4: min16int
    5: min16uint
    240: any16
    241: any10
  output_topology:
    0: undefined
    1: point_list
    3: line_strip
    5: triangle_strip
  resource_dimension:
    0: unknown
    1: buffer
    2: texture1d
    3: texture1d_array
    4: texture2d
    5: texture2d_array
    6: texture2d_ms
    7: texture2d_ms_array
    8: texture3d
    9: texture_cube
    10: texture_cube_array
    11: raw_buffer
  resource_kind:
    0: cbuffer
    1: tbuffer
    2: texture
    3: sampler
    4: uav_typed
    5: structured
    6: uav_structured
    7: byte_address
    8: uav_byte_address
    9: uav_append
    10: uav_consume
    11: uav_structured_with_counter
  return_type:
    0: none
    1: unorm
    2: snorm
    3: sint
    4: uint
    5: float_
    6: mixed
    7: double_
    8: continued
  root_parameter_type:
    0: descriptor_table
    1: constants
    2: cbv
    3: srv
    4: uav
  root_signature_version:
    1: n_1_0
    2: n_1_1
    3: n_1_2
  shader_visibility:
    0: all
    1: vertex
    2: hull
    3: domain
    4: geometry
    5: pixel
    6: amplification
    7: mesh
  static_border_color:
    0: transparent_black
    1: opaque_black
    2: opaque_white
    3: opaque_black_uint
    4: opaque_white_uint
  system_value:
    0: undefined
    1: position
    2: clip_distance
    3: cull_distance
    4: render_target_array_index
    5: viewport_array_index
    6: vertex_id
    7: primitive_id
    8: instance_id
    9: is_front_face
    10: sample_index
    11: final_quad_edge_tessfactor
    12: final_quad_inside_tessfactor
    13: final_tri_edge_tessfactor
    14: final_tri_inside_tessfactor
    15: final_line_detail_tessfactor
    16: final_line_density_tessfactor
    23: barycentrics
    24: shading_rate
    25: cull_primitive
    64: target
    65: depth
    66: coverage
    67: depth_greater_equal
    68: depth_less_equal
    69: stencil_ref
    70: inner_coverage
  target:
    17235: compute
    17491: domain
    18008: effect
    18259: geometry
    18515: hull
    19526: library
    65534: vertex
    65535: pixel
  tessellator_domain:
    0: undefined
    1: isoline
    2: triangle
    3: quad
  tessellator_output:
    0: undefined
    1: point
    2: line
    3: triangle_clockwise
    4: triangle_counter_clockwise
  tessellator_partitioning:
    0: undefined
    1: integer
    2: power_of_two
    3: fractional_odd
    4: fractional_even
  texture_address_mode:
    1: wrap
    2: mirror
    3: clamp
    4: border
    5: mirror_once
  variable_class:
    0: scalar
    1: vector
    2: matrix_rows
    3: matrix_columns
    4: object
    5: struct_
    6: interface_class
    7: interface_pointer
  variable_type:
    0: void
    1: bool_
    2: int
    3: float_
    4: string
    5: texture
    6: texture1d
    7: texture2d
    8: texture3d
    9: texture_cube
    10: sampler
    11: sampler1d
    12: sampler2d
    13: sampler3d
    14: sampler_cube
    15: pixel_shader
    16: vertex_shader
    17: pixel_fragment
    18: vertex_fragment
    19: uint
    20: uint8
    21: geometry_shader
    22: rasterizer
    23: depth_stencil
    24: blend
    25: buffer
    26: cbuffer
    27: tbuffer
    28: texture1d_array
    29: texture2d_array
    30: render_target_view
    31: depth_stencil_view
    32: texture2d_ms
    33: texture2d_ms_array
    34: texture_cube_array
    35: hull_shader
    36: domain_shader
    37: interface_pointer
    38: compute_shader
    39: double_
    40: rw_texture1d
    41: rw_texture1d_array
    42: rw_texture2d
    43: rw_texture2d_array
    44: rw_texture3d
    45: rw_buffer
    46: byte_address_buffer
    47: rw_byte_address_buffer
    48: structured_buffer
    49: rw_structured_buffer
    50: append_structured_buffer
    51: consume_structured_buffer
    52: min8float
    53: min10float
    54: min16float
    55: min12int
    56: min16int
    57: min16uint
