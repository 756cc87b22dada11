import { typeName } from "../../../agent/attachments/kind.ts"
import type { ToolOutput } from "../../../agent/tool.ts"
import { hash } from "../../../ground/crypto.ts"
import type { AttachmentType } from "../../../ground/message.ts"
import { type OpenFile, readBytes } from "../../../ground/paths/open-file.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"

/** Larger files are not read into memory. */
const largest = 100_000_000

/** Shows a picture or a PDF. The runtime decides whether it is too large for a model. */
export async function showFile(file: OpenFile, mediaType: AttachmentType, name: string): Promise<ToolOutput> {
  const { path, stats } = file
  const size = Number(stats.size)
  const text = `${path} is a ${typeName[mediaType]} of ${size} bytes.`
  if (size > largest) throw new PathRefusal(`${text} Files over ${largest} bytes are not shown.`)
  const data = await readBytes(file, size)
  return {
    text,
    attachments: [{ mediaType, data, name }],
    evidence: { read: [{ path, hash: hash("sha256", data) }] },
  }
}
