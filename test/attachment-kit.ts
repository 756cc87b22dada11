import zlib from "node:zlib"

/** A PNG of that size, in grey; `padding` makes its file longer. */
export function png(width = 2, height = 3, padding = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  // Only small ones are whole pictures; of large ones the header is enough.
  const rows = width * height < 1e6 ? Buffer.alloc((width + 1) * height, 128) : Buffer.alloc(1)
  for (let row = 0; row < height && rows.length > 1; row++) rows[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    ...(padding > 0 ? [chunk("tEXt", Buffer.alloc(padding, "x"))] : []),
    chunk("IDAT", zlib.deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

export const pdf = (pages = 1, padding = 0): Buffer =>
  Buffer.from(
    `%PDF-1.4\n1 0 obj <</Type /Pages /Count ${pages}>> endobj\n${"2 0 obj <</Type /Page>> endobj\n".repeat(pages)}${"%".repeat(padding)}\ntrailer <</Root 1 0 R>>\n%%EOF\n`,
  )

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(checksum(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

function checksum(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
