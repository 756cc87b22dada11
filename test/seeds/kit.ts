import path from "node:path"
import { SubagentRegistry } from "../../src/files.ts"
import { temporaryFolder } from "../file-kit.ts"

/** The agents of one folder of files, and what is wrong with them, by file. */
export function readFolder(
  format: string,
  files: Readonly<Record<string, string>>,
  tools: readonly string[] = [],
): { readonly registry: SubagentRegistry; readonly errors: Readonly<Record<string, string>> } {
  const folder = temporaryFolder(files)
  const registry = new SubagentRegistry({ tools })
  registry.loadFromDirectory(folder, { format })
  const errors = Object.entries(registry.errors()).map(([file, message]) => [
    path.relative(folder, file),
    message,
  ])
  return { registry, errors: Object.fromEntries(errors) }
}

export const markdown = (yaml: string, body = "Do the work."): string => `---\n${yaml}\n---\n${body}\n`
