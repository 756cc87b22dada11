import fs from "node:fs"
import { attachmentTypesText, detectAttachmentType } from "../../../agent/attachments/kind.ts"
import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { type OpenFile, openFile, readBytes } from "../../../ground/paths/open-file.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { detectBinaryKind, isPicture } from "../file-text/file-kind.ts"
import { type Lines, readLines } from "../file-text/read-lines.ts"
import { toModelText } from "../shown-text.ts"
import type { ToolWorkspace } from "../workspace.ts"
import { showFile } from "./show-file.ts"

export interface ReadInput {
  readonly path: string
  readonly offset?: number
  readonly limit?: number
}

const defaultCount = 2000
const longestLine = 2000
const mostBytes = 40_000
/** Larger files are only shown in parts. */
const largestWhole = 5 * 1024 * 1024
/** Reading this much to count lines takes about a second. */
const largestAtAll = 512 * 1024 * 1024

/** Shows a text file or a part of it, and pictures and PDFs as they are. */
export async function readFileForModel(
  workspace: ToolWorkspace,
  input: ReadInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { path: name, offset = 1, limit } = input
  const place = workspace.use(name, "read", context)
  const file = openFile(place.base, place.path)
  try {
    const head = await readBytes(file, Math.min(8000, Number(file.stats.size)))
    const mediaType = detectAttachmentType(head)
    if (mediaType) return await showFile(file, mediaType, name)
    refuseLarge(file, offset > 1 || limit !== undefined ? "part" : "whole")
    refuseBinary(file, head)
    const count = limit ?? defaultCount
    const lines = await readLines(
      file,
      // A character has at most four bytes.
      { first: offset, count, longestLine: longestLine * 4, mostBytes },
      context.signal,
    )
    return toOutput(file.path, offset, lines)
  } finally {
    fs.closeSync(file.descriptor)
  }
}

function refuseLarge({ path, stats }: OpenFile, extent: "part" | "whole"): void {
  if (stats.size > largestAtAll)
    throw new PathRefusal(
      `${path} has ${stats.size} bytes; files over ${largestAtAll} bytes are not read. Use Grep to find what you need.`,
    )
  if (extent === "whole" && stats.size > largestWhole)
    throw new PathRefusal(
      `${path} has ${stats.size} bytes, too many to show. Give offset and limit for a part of it, or use Grep to find what you need.`,
    )
}

function refuseBinary({ path, stats }: OpenFile, head: Buffer): void {
  const kind = detectBinaryKind(head)
  if (kind === undefined) return
  throw new PathRefusal(
    isPicture(kind)
      ? `${path} is ${kind} of ${stats.size} bytes. Only ${attachmentTypesText} can be shown to you; go on without it.`
      : `${path} is ${kind} of ${stats.size} bytes and not text in UTF-8, so it is not shown. Use a program that can read it.`,
  )
}

function toOutput(path: string, offset: number, { lines, total, size, hash }: Lines): ToolOutput {
  const evidence = { read: [{ path, hash }] }
  if (size === 0) return { text: `${path} is empty.`, evidence }
  if (lines.length === 0)
    return {
      text: `${path} has ${total} lines, so there is no line ${offset}. Give a smaller offset.`,
      isError: true,
    }
  const last = offset + lines.length - 1
  const width = Math.max(6, String(last).length)
  const numbered = lines.map(({ bytes, cutBytes }, index) => {
    const isFirst = offset + index === 1
    const line = toModelText(withoutReturn(isFirst ? withoutMark(bytes) : bytes), longestLine)
    const more = line.remaining + cutBytes
    const note = more > 0 ? ` […line cut, about ${more} more]` : ""
    return `${String(offset + index).padStart(width)}\t${line.text}${note}`
  })
  if (last < total) numbered.push(`[Lines ${offset} to ${last} of ${total}. Go on with offset ${last + 1}.]`)
  return { text: numbered.join("\n"), evidence }
}

const withoutReturn = (bytes: Buffer): Buffer => (bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes)

const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
