const longest = 80

/** A value as a message quotes it: cut where it is long. */
export function shown(value: string): string {
  if (value.length <= longest) return value
  const cut = value.slice(0, longest - 1)
  // Half a character is none.
  return `${/[\ud800-\udbff]$/.test(cut.at(-1)!) ? cut.slice(0, -1) : cut}…`
}
