import { bytesOf } from "../../agent/attachments/given.ts"
import { readAttachment } from "../../agent/attachments/read.ts"
import type { AttachmentData } from "../../ground/message.ts"
import { type Attached, keep, nothing } from "../begin/attach.ts"
import { Held } from "../log/held.ts"
import { notShown } from "../words/prompt.ts"
import type { Drive } from "./drive-view.ts"

/** Keeps what a tool gave with its text. */
export async function attachResult(drive: Drive, given: readonly AttachmentData[]): Promise<Attached> {
  const { environment, state } = drive
  if (state.plan)
    return { ...nothing, notes: given.map(({ name }) => notShown(name, "no model reads this result")) }
  const read = await Promise.all(given.map(({ data, name }) => readAttachment(bytesOf(data)!, name)))
  return keep(environment.store, state.run, read, (attachment, content) => {
    drive.blobs ??= new Held()
    drive.blobs.addContent(attachment, content)
  })
}
