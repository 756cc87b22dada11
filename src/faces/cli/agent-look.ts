import { isNameColour, type Paint } from "../../ground/diagnostics/paint.ts"
import { cutToOneLine } from "./terminal/table.ts"

/** The label and the colour of an agent. */
export interface AgentLook {
  readonly label?: string
  readonly color?: string
}

/** A longer label would push everything else off the line. */
const longestLabel = 40

/** `name (label)`. The name stays, because commands take the name. */
export const writeLabelledName = (name: string, { label }: AgentLook = {}): string =>
  label === undefined ? name : `${name} (${cutToOneLine(label, longestLabel)})`

/** Paints a safe text in the agent's colour. With an unknown colour the text stays plain. */
export const paintName = (text: string, { color }: AgentLook = {}, paint: Paint): string =>
  isNameColour(color) ? paint(color, text) : text
