import type { Attachment } from "../../ground/message.ts"

/** An attachment on one line: its name, type and extent. */
export function describeAttachment({
  name,
  mediaType,
  size,
  width,
  height,
  pages,
}: Omit<Attachment, "blob">): string {
  const extent =
    width === undefined ? (pages === undefined ? "" : `, ${pages} pages`) : `, ${width} × ${height} pixels`
  return `${name ?? "an attachment"} (${mediaType}${extent}, ${size} bytes)`
}
