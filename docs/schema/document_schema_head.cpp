#include "document_schema.hpp"

namespace unshade::docs {

const std::string_view kDocumentSchemaHead = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://unshade.invalid/json/document.schema.json",
  "title": "what `unshade dump --format json` writes and `unshade build` reads; dump --yaml writes the same as YAML (docs/reference/yaml.md)",
  "$comment": "made from the descriptions: cmake --build BUILD --target docs_tables",
  "type": "object",
  "properties": {
    "schema": {"const": "unshade.document/1"},
    "family": {"enum": ["dxbc", "dxil", "pica", "spirv", "vbc"]}
  },
  "required": ["schema", "family"],
  "oneOf": [
    {
      "description": "a file that no document of fields gives back",
      "properties": {"schema": true, "family": true, "bytes": {"$ref": "#/$defs/bytes"}},
      "required": ["bytes"],
      "additionalProperties": false
    },
    {
      "properties": {
        "schema": true,
        "family": {"enum": ["dxbc", "dxil"]},
        "digest": {"$ref": "#/$defs/digest"},
        "version": {"$ref": "#/$defs/version"},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}},
        "after": {"$ref": "#/$defs/bytes", "description": "behind the last part, in the container"},
        "trailing": {"$ref": "#/$defs/bytes", "description": "behind the container"}
      },
      "required": ["parts"],
      "additionalProperties": false
    },
    {
      "properties": {
        "schema": true,
        "family": {"const": "pica"},
        "dvlb": {"$ref": "#/$defs/dvlb"},
        "dvoj": {"$ref": "#/$defs/dvoj"},
        "size": {"$ref": "#/$defs/u32"},
        "gaps": {"$ref": "#/$defs/gaps"}
      },
      "minProperties": 3,
      "additionalProperties": false
    },
    {
      "properties": {
        "schema": true,
        "family": {"enum": ["spirv", "vbc"]},
        "text": {"type": "string", "description": "assembly (docs/reference/texts/dxbc.md)"},
        "size": {"$ref": "#/$defs/u32"},
        "gaps": {"$ref": "#/$defs/gaps"}
      },
      "required": ["text"],
      "additionalProperties": false
    }
  ],
  "$defs": {
    "u8": {"type": "integer", "minimum": 0, "maximum": 255},
    "u16": {"type": "integer", "minimum": 0, "maximum": 65535},
    "u32": {"type": "integer", "minimum": 0, "maximum": 4294967295},
    "u64": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
    "i8": {"type": "integer", "minimum": -128, "maximum": 255},
    "i16": {"type": "integer", "minimum": -32768, "maximum": 65535},
    "i32": {"type": "integer", "minimum": -2147483648, "maximum": 4294967295},
    "i64": {"type": "integer", "minimum": -9223372036854775808, "maximum": 18446744073709551615},
    "real": {"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^(-?inf|nan|nan\\(0x[0-9a-f]+\\))$"}]},
    "numbers": {
      "description": "numbers of 32 bits, or bytes",
      "anyOf": [
        {"type": "array", "items": {"$ref": "#/$defs/real"}},
        {"$ref": "#/$defs/bytes"}
      ]
    },
    "text": {
      "anyOf": [
        {"type": "string"},
        {
          "description": "text that no text file could hold",
          "type": "object",
          "properties": {"bytes": {"$ref": "#/$defs/bytes"}},
          "required": ["bytes"],
          "additionalProperties": false
        }
      ]
    },
    "bytes": {"type": "string", "description": "pairs of hexadecimal digits, blanks and line ends between them", "pattern": "^([0-9a-fA-F]{2}|\\s)*$"},
    "gaps": {
      "description": "a hint: bytes that no field accounts for",
      "type": "array",
      "items": {
        "type": "object",
        "properties": {"at": {"$ref": "#/$defs/u32"}, "bytes": {"$ref": "#/$defs/bytes"}},
        "required": ["at", "bytes"],
        "additionalProperties": false
      }
    },
    "digest": {
      "anyOf": [
        {"enum": ["valid", "valid-debug", "unsigned", "bypass", "preview-bypass"]},
        {"$ref": "#/$defs/bytes", "description": "the 16 bytes of a wrong one"}
      ]
    },
    "version": {
      "description": "of the container, where it is not 1.0",
      "type": "object",
      "properties": {"major": {"$ref": "#/$defs/u16"}, "minor": {"$ref": "#/$defs/u16"}},
      "additionalProperties": false
    },
    "container": {
      "description": "a container inside a part: a shader of an effect",
      "type": "object",
      "properties": {
        "digest": {"$ref": "#/$defs/digest"},
        "version": {"$ref": "#/$defs/version"},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}},
        "after": {"$ref": "#/$defs/bytes"},
        "trailing": {"$ref": "#/$defs/bytes"}
      },
      "required": ["parts"],
      "additionalProperties": false
    })json";

}  // namespace unshade::docs
