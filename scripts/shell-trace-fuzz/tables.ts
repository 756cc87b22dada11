import { builtins } from "../../src/world/shell/programs/builtins.ts"
import { gitVerbs } from "../../src/world/shell/programs/git-verbs.ts"
import { knownPrograms } from "../../src/world/shell/programs/known.ts"
import { ownGrammar } from "../../src/world/shell/programs/own-grammar.ts"
import { wrappers } from "../../src/world/shell/programs/wrappers.ts"
import { parseTable } from "../../src/world/shell/table.ts"
import type { FuzzOption } from "./vocabulary.ts"

interface ListedTable {
  readonly words: readonly string[]
  readonly options: readonly FuzzOption[]
  readonly operands: readonly { readonly use: string; readonly many: "one" | "rest" }[]
}

/** Every known program, and every verb of git, with what its table says. */
export function tables(): readonly ListedTable[] {
  const listed = [...knownPrograms, ...[...gitVerbs].map(([verb, known]) => [`git ${verb}`, known] as const)]
  const found = new Map<string, ListedTable>(
    listed.map(([name, { table }]) => {
      const { options, operands } = parseTable(table)
      return [name, { words: name.split(" "), options, operands }]
    }),
  )
  const others = [
    ...Object.keys({ ...ownGrammar, ...wrappers, ...builtins }),
    "find",
    "git",
    "zip",
    "bash",
    "sh",
  ]
  for (const name of others)
    if (!found.has(name))
      found.set(name, { words: [name], options: [], operands: [{ use: "read", many: "rest" }] })
  return [...found.values()]
}
