import { readAttachment } from "../../agent/attachments/read.ts"
import { decodeBytes } from "../../agent/attachments/task-attachment.ts"
import type { AttachmentData } from "../../ground/message.ts"
import { noAttachments, type StoredAttachments, storeAttachments } from "../begin/attach.ts"
import { HistoryBlobs } from "../log/history-blobs.ts"
import { writeAttachmentNote } from "../words/prompt.ts"
import type { Drive } from "./drive-view.ts"

/** Stores the attachments of a tool's result. */
export async function attachResult(
  drive: Drive,
  attachments: readonly AttachmentData[],
): Promise<StoredAttachments> {
  const { environment, state } = drive
  if (state.plan)
    return {
      ...noAttachments,
      notes: attachments.map(({ name }) => writeAttachmentNote(name, "no model reads this result")),
    }
  const read = await Promise.all(
    attachments.map(({ data, name }) => readAttachment(decodeBytes(data)!, name)),
  )
  return storeAttachments(environment.store, state.run, read, (attachment, content) => {
    drive.blobs ??= new HistoryBlobs()
    drive.blobs.addContent(attachment, content)
  })
}
