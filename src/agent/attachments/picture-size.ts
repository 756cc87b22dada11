import type { AttachmentType } from "../../ground/message.ts"

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** The width and height from the header of a picture. Undefined: the picture is damaged. */
export function readPictureSize(mediaType: AttachmentType, bytes: Buffer): PictureSize | undefined {
  try {
    const size = readers[mediaType]?.(bytes)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // A read past the end: the file is cut off.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Reader = (bytes: Buffer) => PictureSize | undefined

function readPng(bytes: Buffer): PictureSize | undefined {
  if (bytes.toString("latin1", 12, 16) !== "IHDR" || bytes.lastIndexOf("IEND", undefined, "latin1") < 0)
    return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** A GIF ends with a semicolon and has at least one picture, which begins with a comma. */
function readGif(bytes: Buffer): PictureSize | undefined {
  if (bytes.lastIndexOf(0x3b) < 13 || bytes.indexOf(0x2c, 13) < 0) return undefined
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

/** The first frame header has the size. Everything before it is skipped by its length. */
function readJpeg(bytes: Buffer): PictureSize | undefined {
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0 || bytes.indexOf(Buffer.from([0xff, 0xda])) < 0)
    return undefined
  let at = 2
  for (;;) {
    while (bytes.readUInt8(at) !== 0xff) at++
    while (bytes.readUInt8(at) === 0xff) at++
    const marker = bytes.readUInt8(at++)
    if (marker === 0xd9 || marker === 0xda) return undefined
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 3), width: bytes.readUInt16BE(at + 5) }
    if (marker !== 0x01 && !(marker >= 0xd0 && marker <= 0xd7)) at += bytes.readUInt16BE(at)
  }
}

/** C4, C8 and CC are in the same range and are not frames. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function readWebp(bytes: Buffer): PictureSize | undefined {
  if (bytes.readUInt32LE(4) + 8 > bytes.length + 1) return undefined
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case "VP8L": {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

const readers: Partial<Record<AttachmentType, Reader>> = {
  "image/png": readPng,
  "image/jpeg": readJpeg,
  "image/gif": readGif,
  "image/webp": readWebp,
}
