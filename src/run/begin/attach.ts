import { bytesOf, type GivenAttachment, plainName, readGiven } from "../../agent/attachments/given.ts"
import { knownTypes } from "../../agent/attachments/kind.ts"
import type { ReadAttachment } from "../../agent/attachments/read.ts"
import { CadreError } from "../../ground/errors.ts"
import type { Attachment, AttachmentData } from "../../ground/message.ts"
import { inTree } from "../log/held.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"
import { noReader } from "../words/prompt.ts"
import { kindOf } from "./kind.ts"

/** What came of attachments: those that are kept, and what is to be said of all others. */
export interface Attached {
  readonly attachments: readonly Attachment[]
  /** For the model, below the text that they came with. */
  readonly notes: readonly string[]
  readonly warnings: readonly string[]
}

/** Keeps what a task is given with. Throws for what is no picture or PDF, and where no model would look at it. */
export async function attachTask(
  { store }: Pick<Surroundings, "store">,
  { run, agent, attachments: given = [], follows, cwd = process.cwd() }: Beginning,
): Promise<Attached> {
  // A root that has the task of another has what came with it, too.
  const before = (follows?.start?.attachments ?? []).map(inTree(follows?.run ?? run))
  if (!Array.isArray(given))
    throw new CadreError("OPTION_INVALID", "attachments is a list of { path } or { data }.")
  if (given.length + before.length === 0) return nothing
  if (kindOf(agent) !== "agent") throw new CadreError("ATTACHMENT_INVALID", noReader(agent.name))
  const read = await Promise.all(given.map((one: GivenAttachment) => readGiven(one, cwd)))
  const attached = await keep(store, run, read)
  return { ...attached, attachments: [...before, ...attached.attachments] }
}

/** What a tool says that it gives with its text, as far as that can be used. */
export function readShape(given: unknown): readonly AttachmentData[] | "wrong" {
  if (!Array.isArray(given)) return "wrong"
  const read = given.map((one: Partial<AttachmentData> | undefined): AttachmentData | undefined => {
    const { data, name } = one ?? {}
    const bytes = bytesOf(data)
    if (!bytes || (name !== undefined && typeof name !== "string")) return undefined
    return { data: bytes, ...(name !== undefined && { name: plainName(name) }) }
  })
  return read.every((one) => one !== undefined) ? read : "wrong"
}

export const nothing: Attached = { attachments: [], notes: [], warnings: [] }

export async function keep(
  store: Pick<Surroundings["store"], "putBlob">,
  run: string,
  all: readonly ReadAttachment[],
  kept?: (attachment: Attachment, content: string) => void,
): Promise<Attached> {
  const attachments: Attachment[] = []
  const [notes, warnings]: [string[], string[]] = [[], []]
  for (const read of all) {
    if (read.type === "read") {
      const content = Buffer.from(read.bytes).toString("base64")
      const attachment = { blob: await store.putBlob(run, content), ...read.attachment }
      attachments.push(attachment)
      kept?.(attachment, content)
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
      return `An attachment is left out: it is none of what can be shown, ${knownTypes}.`
  }
}
