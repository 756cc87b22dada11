/** A tool's text as a model may see it: valid Unicode without NUL, and at most `bytes` long. */
export function boundText(raw: string, bytes: number): { text: string; cut: boolean } {
  const text = raw.toWellFormed().replaceAll("\u0000", "\ufffd")
  // A UTF-16 unit is at most three bytes, so most results need no counting.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return { text, cut: false }
  const head = takeHead(text, Math.floor(bytes * 0.6))
  const tail = takeTail(text, Math.floor(bytes * 0.35))
  const removed = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail)
  return { text: `${head}\n\n[... ${removed} bytes left out by the runtime ...]\n\n${tail}`, cut: true }
}

/** Foreign text for the middle of the runtime's own: on one line, and without invisible characters. */
export const toOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")

/** The longest beginning within `bytes` that splits no character. */
function takeHead(text: string, bytes: number): string {
  const buffer = Buffer.from(text.slice(0, bytes))
  let end = Math.min(bytes, buffer.length)
  while (end > 0 && (buffer[end] ?? 0) >> 6 === 0b10) end--
  return buffer
    .toString("utf8", 0, end)
    .toWellFormed()
    .replace(/\ufffd$/, "")
}

function takeTail(text: string, bytes: number): string {
  const buffer = Buffer.from(text.slice(-bytes))
  let start = Math.max(0, buffer.length - bytes)
  while (start < buffer.length && buffer[start]! >> 6 === 0b10) start++
  return buffer.toString("utf8", start).replace(/^\ufffd/, "")
}
