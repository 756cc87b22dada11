import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"

/**
 * A path as a model would write it: relative to the working directory if it is below that. Control characters
 * are escaped.
 */
export function toModelPath(cwd: string, target: string): string {
  const text = isInside(cwd, target) ? path.relative(cwd, target) || "." : target
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u001f\u007f]/.test(text) ? JSON.stringify(text) : text.toWellFormed()
}
