/** Reads the words for yes and no. Undefined: any other word. */
export function readFlag(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (["1", "true", "yes", "on"].includes(word)) return true
  return ["0", "false", "no", "off"].includes(word) ? false : undefined
}
