/** `*` matches any characters; everything else matches itself. Linear in the length of both. */
export function matchesStars(pattern: string, name: string): boolean {
  const parts = pattern.split("*")
  if (parts.length === 1) return pattern === name
  const [first, last] = [parts[0]!, parts.at(-1)!]
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const index = name.indexOf(part, at)
    if (index < 0 || index + part.length > name.length - last.length) return false
    at = index + part.length
  }
  return true
}
