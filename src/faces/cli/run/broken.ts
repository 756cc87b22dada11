import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { fewFiles } from "./few-files.ts"

/** One line about definitions that cannot be used; none where there are none. */
export function brokenNote({ registry }: Workspace, directory: string): readonly string[] {
  const files = new Set(
    registry
      .findings()
      .filter(({ severity }) => severity === "error")
      .map(({ file }) => file),
  )
  if (files.size === 0) return []
  return [
    `${files.size} ${files.size === 1 ? "definition is" : "definitions are"} broken: ${fewFiles([...files], directory)}. \`cadre check\` says why.`,
  ]
}
