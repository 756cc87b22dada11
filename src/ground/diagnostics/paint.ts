import type { DiagnosticSeverity } from "./diagnostic.ts"

export type Colour = "on" | "off"

export type Style = DiagnosticSeverity | "strong" | "faint" | "added" | "removed" | NameColour

/** The colours that a definition can choose for the name of its agent, as in Claude Code. */
export type NameColour = (typeof nameColours)[number]

export const nameColours = ["red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan"] as const

export type Paint = (style: Style, text: string) => string

export const isNameColour = (color: unknown): color is NameColour =>
  nameColours.some((name) => name === color)

export function createPainter(colour: Colour): Paint {
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
  red: "31",
  blue: "34",
  green: "32",
  yellow: "33",
  purple: "35",
  orange: "38;5;208",
  pink: "95",
  cyan: "36",
}
