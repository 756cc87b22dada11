import type { AttachmentType } from "../message.ts"

/** What is used of `sharp`, which whoever wants large pictures scaled down installs. */
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
  toFormat(format: "png" | "jpeg" | "webp"): SharpPicture
  toBuffer(): Promise<Uint8Array>
}

export type LoadSharp = () => Promise<Sharp | undefined>

/** Undefined where it is not installed. Any other failure to load it is thrown. */
export const loadSharp: LoadSharp = async () => {
  // A name that compilers do not follow: the package is nobody's dependency.
  const name: string = "sharp"
  try {
    const loaded = (await import(name)) as { readonly default: Sharp }
    return loaded.default
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ERR_MODULE_NOT_FOUND") return undefined
    throw error
  }
}

/** The long edge of a picture that was too large: what Anthropic scales larger ones down to. */
const longEdge = 1568

/** The first picture of an animation is what models look at, so a GIF becomes a PNG. */
export function scaleDown(sharp: Sharp, mediaType: AttachmentType, bytes: Uint8Array): Promise<Uint8Array> {
  const format = mediaType === "image/jpeg" ? "jpeg" : mediaType === "image/webp" ? "webp" : "png"
  return sharp(bytes)
    .rotate()
    .resize({ width: longEdge, height: longEdge, fit: "inside", withoutEnlargement: true })
    .toFormat(format)
    .toBuffer()
}
