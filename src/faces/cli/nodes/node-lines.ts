import path from "node:path"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { NodeChange } from "../../../world/nodes/compare.ts"
import type { CodeNode } from "../../../world/nodes/node.ts"

/** The folder that a look is relative to, and the one that the user is in. */
export interface LookPlace {
  readonly root: string
  readonly directory: string
}

/** One line: id, type, address and lines. The address is what `--node` takes. */
export function writeNodeLine({ id, type, startLine, endLine, ...node }: CodeNode, place: LookPlace): string {
  return `${id}  ${type.padEnd(8)}  ${escapeText(addressOf({ type, ...node }, place))}  ${startLine}-${endLine}\n`
}

/** One line with the kind of the change first, and the former name of a renamed node. */
export function changeLine(change: NodeChange, place: LookPlace): string {
  const kind = change.type.padEnd(7)
  if (change.type === "removed") return `${kind}  ${writeNodeLine(change.before, place)}`
  const line = `${kind}  ${writeNodeLine(change.node, place)}`
  switch (change.type) {
    case "renamed":
      return `${line.trimEnd()}  was ${escapeText(addressOf(change.before, place))}\n`
    case "swapped":
      return `${line.trimEnd()}  was ${change.before.id}\n`
    default:
      return line
  }
}

function addressOf(
  { file, type, fullName }: Pick<CodeNode, "file" | "type" | "fullName">,
  { root, directory }: LookPlace,
): string {
  const shown = toDisplayPath(path.join(root, file), directory)
  return type === "file" ? shown : `${shown}::${fullName}`
}

/** A node of the later look with its change, or one that is gone. */
export function changeJson(change: NodeChange): object {
  if (change.type === "removed") return { ...change.before, change: "removed" }
  if (change.type === "added") return { ...change.node, change: "added" }
  const { id, fullName, file } = change.before
  return { ...change.node, change: change.type, before: { id, fullName, file } }
}

export function writeProblemLine(
  { file, range, severity, code, message }: Diagnostic,
  place: LookPlace,
): string {
  const { line, column } = range.start
  const shown = file === undefined ? "" : toDisplayPath(path.resolve(place.root, file), place.directory)
  return `${escapeText(`${shown}:${line}:${column}: ${severity} ${code}: ${message}`)}\n`
}
