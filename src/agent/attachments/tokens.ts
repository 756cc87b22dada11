import type { Attachment } from "../../ground/message.ts"
import { isDocument } from "./kind.ts"

/** The number of tokens of an attachment. Rather too many than too few, because limits depend on it. */
export function estimateAttachmentTokens({ mediaType, size, width, height, pages }: Attachment): number {
  if (!isDocument(mediaType))
    return width === undefined || height === undefined
      ? pictureTokens
      : Math.min(pictureTokens, Math.ceil((width * height) / 750))
  if (pages !== undefined) return pages * pageTokens
  return Math.min(mostPages * pageTokens, Math.max(pageTokens, Math.ceil(size / 4)))
}

export const mostPages = 100

const pictureTokens = 5000
const pageTokens = 3000
