import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"

/** A path as the model would give it: from the working directory where it is below it. A line break in it shows as one. */
export function shownPath(cwd: string, target: string): string {
  const shown = isInside(cwd, target) ? path.relative(cwd, target) || "." : target
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u001f\u007f]/.test(shown) ? JSON.stringify(shown) : shown.toWellFormed()
}
