import type { Severity } from "./diagnostic.ts"

export type Colour = "on" | "off"

export type Style = Severity | "strong" | "faint" | "added" | "removed"

export type Paint = (style: Style, text: string) => string

export function painter(colour: Colour): Paint {
  if (colour === "off") return (_, text) => text
  return (style, text) => (text === "" ? "" : `\u001b[${codes[style]}m${text}\u001b[0m`)
}

const codes: Readonly<Record<Style, string>> = {
  error: "1;31",
  warning: "1;33",
  info: "1;34",
  strong: "1",
  faint: "2",
  added: "32",
  removed: "31",
}
