import type { ModelRequest } from "../../../agent/model.ts"
import type { Attachment } from "../../../ground/message.ts"
import { describeMissingAttachment } from "../wire/missing-attachment.ts"

/** Attachments as parts of a user's message. Since version 4 of the interface, data has a type. */
export const writeAttachmentParts = (
  attachments: readonly Attachment[],
  contentOf: ModelRequest["contentOf"],
  version: string,
): readonly object[] =>
  attachments.map((attachment) => {
    const { mediaType, name } = attachment
    const data = contentOf?.(attachment)
    if (data === undefined) return { type: "text", text: describeMissingAttachment(attachment) }
    return {
      type: "file",
      mediaType,
      data: /^v[23]$/.test(version) ? data : { type: "data", data },
      ...(name !== undefined && { filename: name }),
    }
  })
