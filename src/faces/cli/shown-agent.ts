import { isNameColour, type Paint } from "../../ground/diagnostics/paint.ts"
import { oneLine } from "./terminal/table.ts"

/** What people see of an agent besides its name. */
export interface Looks {
  readonly label?: string
  readonly color?: string
}

/** A longer label would push everything else off the line. */
const longestLabel = 40

/** `name (label)`. The name stays, because commands take that. */
export const labelled = (name: string, { label }: Looks = {}): string =>
  label === undefined ? name : `${name} (${oneLine(label, longestLabel)})`

/** A safe text in the colour that the agent chose; one that is not known leaves it as it is. */
export const inItsColour = (text: string, { color }: Looks = {}, paint: Paint): string =>
  isNameColour(color) ? paint(color, text) : text
