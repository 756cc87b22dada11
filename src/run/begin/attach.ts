import { attachmentTypesText } from "../../agent/attachments/kind.ts"
import type { ReadAttachment } from "../../agent/attachments/read.ts"
import {
  type AttachmentInput,
  cleanAttachmentName,
  decodeBytes,
  readTaskAttachment,
} from "../../agent/attachments/task-attachment.ts"
import { CadreError } from "../../ground/errors.ts"
import type { Attachment, AttachmentData } from "../../ground/message.ts"
import { withTreeOf } from "../log/history-blobs.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import { describeNoReader } from "../words/prompt.ts"
import { getRunKind } from "./kind.ts"

/** The attachments that were stored, and remarks about those that were changed or skipped. */
export interface StoredAttachments {
  readonly attachments: readonly Attachment[]
  /** The model reads these below the text that came with the attachments. */
  readonly notes: readonly string[]
  readonly warnings: readonly string[]
}

/** Stores the attachments of a task. Throws for a file that is no picture or PDF, and for an agent that no model drives. */
export async function attachTask(
  { store }: Pick<StartEnvironment, "store">,
  { run, agent, attachments: inputs = [], follows, cwd = process.cwd() }: Beginning,
): Promise<StoredAttachments> {
  // A root that takes over a failed root's task also gets its attachments.
  const inherited = (follows?.start?.attachments ?? []).map(withTreeOf(follows?.run ?? run))
  if (!Array.isArray(inputs))
    throw new CadreError("OPTION_INVALID", "`attachments` must be a list of { path } or { data }.")
  if (inputs.length + inherited.length === 0) return noAttachments
  if (getRunKind(agent) !== "agent") throw new CadreError("ATTACHMENT_INVALID", describeNoReader(agent.name))
  const read = await Promise.all(inputs.map((one: AttachmentInput) => readTaskAttachment(one, cwd)))
  const attached = await storeAttachments(store, run, read)
  return { ...attached, attachments: [...inherited, ...attached.attachments] }
}

/** Reads the attachments that a tool returned. `wrong`: they do not have the right shape. */
export function readAttachments(value: unknown): readonly AttachmentData[] | "wrong" {
  if (!Array.isArray(value)) return "wrong"
  const read = value.map((one: Partial<AttachmentData> | undefined): AttachmentData | undefined => {
    const { data, name } = one ?? {}
    const bytes = decodeBytes(data)
    if (!bytes || (name !== undefined && typeof name !== "string")) return undefined
    return { data: bytes, ...(name !== undefined && { name: cleanAttachmentName(name) }) }
  })
  return read.every((one) => one !== undefined) ? read : "wrong"
}

export const noAttachments: StoredAttachments = { attachments: [], notes: [], warnings: [] }

export async function storeAttachments(
  store: Pick<StartEnvironment["store"], "putBlob">,
  run: string,
  all: readonly ReadAttachment[],
  onStored?: (attachment: Attachment, content: string) => void,
): Promise<StoredAttachments> {
  const attachments: Attachment[] = []
  const [notes, warnings]: [string[], string[]] = [[], []]
  for (const read of all) {
    if (read.type === "read") {
      const content = Buffer.from(read.bytes).toString("base64")
      const attachment = { blob: await store.putBlob(run, content), ...read.attachment }
      attachments.push(attachment)
      onStored?.(attachment, content)
      if (read.note !== undefined) notes.push(`[${read.note}]`)
      continue
    }
    const why = whyNot(read)
    notes.push(`[${why}]`)
    warnings.push(why)
  }
  return { attachments, notes, warnings }
}

function whyNot(read: Exclude<ReadAttachment, { type: "read" }>): string {
  switch (read.type) {
    case "too-large":
      return read.note
    case "broken":
      return read.problem
    case "unknown":
      return `An attachment was skipped: its type is unknown. Models can be shown ${attachmentTypesText}.`
  }
}
