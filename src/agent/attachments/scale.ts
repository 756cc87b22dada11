import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import type { AttachmentType } from "../../ground/message.ts"

/** The used parts of `sharp`, an optional package that scales large pictures down. */
export type Sharp = (
  bytes: Uint8Array,
  options?: { readonly animated?: boolean; readonly limitInputPixels?: number },
) => SharpPicture

interface SharpPicture {
  rotate(): SharpPicture
  resize(options: {
    readonly width: number
    readonly height: number
    readonly fit: "inside"
    readonly withoutEnlargement: boolean
  }): SharpPicture
  toFormat(format: Format): SharpPicture
  toBuffer(): Promise<Uint8Array>
}

export type LoadSharp = () => Promise<Sharp | undefined>

/** Undefined if sharp is not installed. Any other failure to load it is thrown. */
export const loadSharp: LoadSharp = async () => {
  let place: string
  try {
    place = createRequire(import.meta.url).resolve("sharp")
  } catch {
    return undefined
  }
  const loaded = (await import(pathToFileURL(place).href)) as { readonly default: Sharp }
  return loaded.default
}

/** The long edge of a scaled picture: the size to which Anthropic scales larger ones down. */
const longEdge = 1568

type Format = "png" | "jpeg" | "webp"

/**
 * The formats to try for a scaled picture, in order. Models look only at the first picture of an animation,
 * so a GIF becomes a PNG. A lossless photograph can still be too large. As WebP, which keeps transparency, it
 * is not.
 */
export const listScaledFormats = (mediaType: AttachmentType): readonly Format[] =>
  mediaType === "image/webp" ? ["webp"] : [mediaType === "image/jpeg" ? "jpeg" : "png", "webp"]

export function scaleDown(sharp: Sharp, format: Format, bytes: Uint8Array): Promise<Uint8Array> {
  return sharp(bytes)
    .rotate()
    .resize({ width: longEdge, height: longEdge, fit: "inside", withoutEnlargement: true })
    .toFormat(format)
    .toBuffer()
}
