import type { ModelRequest } from "../../../agent/model.ts"
import type { Attachment } from "../../../ground/message.ts"
import { missingNote } from "../wire/missing-attachment.ts"

/** Attachments as parts of a user's message. Version 4 of the interface says what its data is. */
export const attachmentParts = (
  attachments: readonly Attachment[],
  contentOf: ModelRequest["contentOf"],
  version: string,
): readonly object[] =>
  attachments.map((attachment) => {
    const { mediaType, name } = attachment
    const data = contentOf?.(attachment)
    if (data === undefined) return { type: "text", text: missingNote(attachment) }
    return {
      type: "file",
      mediaType,
      data: /^v[23]$/.test(version) ? data : { type: "data", data },
      ...(name !== undefined && { filename: name }),
    }
  })
