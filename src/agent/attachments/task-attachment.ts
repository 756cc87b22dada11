import fs from "node:fs/promises"
import path from "node:path"
import { CadreError, describeThrown } from "../../ground/errors.ts"
import type { AttachmentData } from "../../ground/message.ts"
import { attachmentTypesText, detectAttachmentType } from "./kind.ts"
import { formatMegabytes, type ReadAttachment, readAttachment } from "./read.ts"

/** An attachment of a task: a file or its content. */
export type AttachmentInput = { readonly path: string } | AttachmentData

/**
 * Reads an attachment of a task. Throws ATTACHMENT_INVALID where it is not a picture or PDF that a model can
 * be shown.
 */
export async function readTaskAttachment(
  attachment: AttachmentInput,
  directory: string,
): Promise<Extract<ReadAttachment, { type: "read" | "too-large" }>> {
  const { bytes, name } =
    "path" in attachment ? await readFile(attachment.path, directory) : readData(attachment)
  if ("note" in bytes) return { type: "too-large", note: bytes.note }
  const read = await readAttachment(bytes, name)
  if (read.type === "broken") throw invalid(read.problem)
  if (read.type === "unknown")
    throw invalid(
      `${name ?? "An attachment"} cannot be shown to a model. These can be: ${attachmentTypesText}.`,
    )
  return read
}

/** The bytes of data that is given as bytes or as base64; undefined for other data. */
export function decodeBytes(data: unknown): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data
  return typeof data === "string" && /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(data)
    ? Buffer.from(data, "base64")
    : undefined
}

/** The name on one line, cut to the length of a name. */
export const cleanAttachmentName = (name: string): string =>
  name
    .replace(/[\s\p{Cc}]+/gu, " ")
    .slice(0, 200)
    .toWellFormed()

function readData({ data, name }: AttachmentData): { bytes: Uint8Array; name: string | undefined } {
  const bytes = decodeBytes(data)
  const label = name === undefined ? undefined : cleanAttachmentName(name)
  if (!bytes) throw invalid(`The data of ${label ?? "an attachment"} is neither bytes nor base64.`)
  return { bytes, name: label }
}

async function readFile(
  file: string,
  directory: string,
): Promise<{ bytes: Uint8Array | { note: string }; name: string }> {
  const name = cleanAttachmentName(path.basename(file))
  const whole = path.resolve(directory, file)
  try {
    // Opening a pipe would wait for its writer.
    if (!(await fs.stat(whole)).isFile()) throw new Error("it is not a file")
    const handle = await fs.open(whole)
    try {
      const { size } = await handle.stat()
      if (size <= largestFile) return { bytes: await handle.readFile(), name }
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0)
      const note = `${name} is too large to be shown: ${formatMegabytes(size)}.`
      return { bytes: detectAttachmentType(buffer) ? { note } : buffer.subarray(0, bytesRead), name }
    } finally {
      await handle.close()
    }
  } catch (error) {
    const isGone = (error as { code?: unknown }).code === "ENOENT"
    throw invalid(`${file} cannot be attached: ${isGone ? "there is no such file" : describeThrown(error)}.`)
  }
}

/** Larger files are not read into memory to be scaled down. */
const largestFile = 100_000_000

const invalid = (message: string): CadreError => new CadreError("ATTACHMENT_INVALID", message)
