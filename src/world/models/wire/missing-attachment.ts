import type { Attachment } from "../../../ground/message.ts"

/** The model reads this note in place of an attachment whose blob is gone. */
export const missingNote = ({ name }: Attachment): string =>
  `(${name ?? "An attachment"} is missing from the files of this run.)`
