/** The words for yes and no. Undefined: neither. */
export function flagOf(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (["1", "true", "yes", "on"].includes(word)) return true
  return ["0", "false", "no", "off"].includes(word) ? false : undefined
}
