/** The byte order mark at the start of a file, and the rest. */
export function splitMark(bytes: Buffer): { readonly mark: Buffer; readonly body: Buffer } {
  const length = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  return { mark: bytes.subarray(0, length), body: bytes.subarray(length) }
}

export function detectLineEndings(body: Buffer): "\n" | "\r\n" | "mixed" | "none" {
  let plain = 0
  let returned = 0
  for (let at = body.indexOf(10); at !== -1; at = body.indexOf(10, at + 1)) {
    if (at > 0 && body[at - 1] === 13) returned++
    else plain++
    if (plain > 0 && returned > 0) return "mixed"
  }
  if (returned > 0) return "\r\n"
  return plain > 0 ? "\n" : "none"
}

export function withEndings(text: string, ending: "\n" | "\r\n"): string {
  const plain = text.replaceAll("\r\n", "\n")
  return ending === "\n" ? plain : plain.replaceAll("\n", "\r\n")
}

/** New content with the byte order mark and the line endings of the old content. */
export function keepFileFormat(content: string, before: Buffer): Buffer {
  const { mark, body } = splitMark(before)
  const endings = detectLineEndings(body)
  const text = endings === "\r\n" || endings === "\n" ? withEndings(content, endings) : content
  return Buffer.concat([text.startsWith("\ufeff") ? Buffer.alloc(0) : mark, Buffer.from(text)])
}
