/** Names the kind of a file by its first bytes, for the refusal to show it. Undefined for text that may be UTF-8. */
export function detectBinaryKind(head: Buffer): string | undefined {
  const signature = signatures.find(([start]) => head.subarray(0, start.length / 2).toString("hex") === start)
  if (signature) return signature[1]
  if (head.subarray(4, 8).toString("latin1") === "ftyp") return "a video or picture"
  // A text may contain a few NULs or other control characters. More than one in 20 bytes means binary data.
  let strange = 0
  for (const byte of head) if (byte < 32 && !usualControls.has(byte)) strange++
  return strange > 0 && strange * 20 > head.length ? "binary data" : undefined
}

/** True if the refusal names the kinds of pictures that can be shown. A video may be a picture, too. */
export const isPicture = (kind: string): boolean => kind.endsWith("picture")

/** Backspace, tab, line feed, form feed, carriage return, escape. */
const usualControls: ReadonlySet<number> = new Set([8, 9, 10, 12, 13, 27])

const signatures: readonly (readonly [start: string, kind: string])[] = [
  ["89504e470d0a1a0a", "a PNG picture"],
  ["ffd8ff", "a JPEG picture"],
  ["474946383761", "a GIF picture"],
  ["474946383961", "a GIF picture"],
  ["25504446", "a PDF document"],
  ["504b0304", "a ZIP archive, or an office document"],
  ["1f8b", "gzip data"],
  ["425a68", "bzip2 data"],
  ["fd377a585a00", "xz data"],
  ["28b52ffd", "zstd data"],
  ["7f454c46", "an ELF program"],
  ["4d5a90", "a Windows program"],
  ["cafebabe", "a Java class or Mach-O program"],
  ["cffaedfe", "a Mach-O program"],
  ["0061736d", "a WebAssembly module"],
  ["53514c69746520666f726d6174203300", "an SQLite database"],
  ["fffe", "text in UTF-16"],
  ["feff", "text in UTF-16"],
]
