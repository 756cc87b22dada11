const longest = 80

/** Cuts a long value, so that a message can quote it. */
export function shorten(value: string): string {
  if (value.length <= longest) return value
  const cut = value.slice(0, longest - 1)
  // The cut must not split a character of two code units.
  return `${/[\ud800-\udbff]$/.test(cut.at(-1)!) ? cut.slice(0, -1) : cut}…`
}
