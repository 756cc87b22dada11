/** Bytes as text for a model: well formed, without NUL, and cut between characters. */
export function toModelText(
  bytes: Buffer,
  mostCharacters: number,
): { readonly text: string; readonly remaining: number } {
  // `stream` drops a character that was cut off at the end of the bytes.
  const whole = new TextDecoder("utf-8").decode(bytes, { stream: true }).replaceAll("\0", "\ufffd")
  if (whole.length <= mostCharacters) return { text: whole, remaining: 0 }
  return { text: cutText(whole, mostCharacters), remaining: whole.length - mostCharacters }
}

/** The beginning of a text, without half a character at its end. */
export function cutText(text: string, most: number): string {
  const last = text.charCodeAt(most - 1)
  return text.slice(0, text.length > most && last >= 0xd800 && last < 0xdc00 ? most - 1 : most).toWellFormed()
}
