// Files with others in them, for tests of what unpacks them.
import { crc32, deflateRawSync } from "node:zlib";

// A bundle of one block that is stored, and a file in it: src/unpack/engines/unity.cpp
export function unityBundle(content) {
  const info = Buffer.alloc(16 + 14 + 24 + 8);
  for (const [i, value] of [1, content.length, content.length].entries()) info.writeUInt32BE(value, 16 + 4 * i);
  info.writeUInt32BE(1, 30);
  info.writeBigUInt64BE(BigInt(content.length), 42);
  info.writeUInt32BE(4, 50);
  info.write("CAB-lit\0", 54);
  const head = Buffer.alloc(20);
  for (const [at, value] of [[8, info.length], [12, info.length], [16, 0x40]]) head.writeUInt32BE(value, at);
  return Buffer.concat([Buffer.from("UnityFS\0\0\0\0\u00065.x.x\x002019.2.6f1\0", "latin1"), head, info, content]);
}

/** A zip of members, `[name, bytes]`; their offsets in it are those of their packed bytes. */
export function zipOf(members, { isEncrypted = false } = {}) {
  const parts = [];
  const directory = [];
  const places = [];
  let at = 0;
  const add = (...pieces) => {
    for (const piece of pieces) {
      parts.push(piece);
      at += piece.length;
    }
  };
  for (const [name, bytes] of members) {
    const packed = deflateRawSync(bytes);
    const title = Buffer.from(name);
    const shared = Buffer.alloc(26); // of the member's header and of the directory's record
    for (const [place, value] of [[0, 20], [2, isEncrypted ? 1 : 0], [4, 8], [8, 0x21], [22, title.length]]) shared.writeUInt16LE(value, place);
    for (const [place, value] of [[10, crc32(bytes)], [14, packed.length], [18, bytes.length]]) shared.writeUInt32LE(value, place);
    const record = Buffer.alloc(14);
    record.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\0", "latin1"), shared, record, title);
    add(Buffer.from("PK\x03\x04", "latin1"), shared, title);
    places.push(at);
    add(packed);
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return { bytes: Buffer.concat([...parts, ...directory, Buffer.from("PK\x05\x06", "latin1"), end]), places };
}
