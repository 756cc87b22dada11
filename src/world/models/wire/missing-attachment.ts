import type { Attachment } from "../../../ground/message.ts"

/** A note for the model in place of an attachment whose blob is missing. */
export const describeMissingAttachment = ({ name }: Attachment): string =>
  `(${name ?? "An attachment"} is missing from the files of this run.)`
