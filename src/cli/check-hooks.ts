import type { Configuration } from "../configuration/configuration.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { readSourceFile } from "../formats/source.ts"
import { hookDiagnostics, readHookFile } from "../lifecycle/files.ts"
import { readHooks } from "../lifecycle/read-hooks.ts"
import type { Json } from "../message.ts"
import { hookFiles } from "../registry/hook-files.ts"
import type { SubagentRegistry } from "../registry/registry.ts"

/** What is wrong with hooks around a directory: of the configuration, of files of their own, of definitions. */
export function hookFindings(
  { levels, userFolder, configuration }: Around,
  registry: SubagentRegistry,
): readonly Diagnostic[] {
  return [
    ...(["user", "project"] as const).flatMap((of) => {
      const hooks = configuration.hooks[of]
      // The user's file comes first; without one the project's is the only one.
      const file = of === "user" ? configuration.files[0] : configuration.files.at(-1)
      return hooks === undefined || file === undefined ? [] : findings(file, hooks, ["hooks"])
    }),
    ...hookFiles(levels, userFolder).flatMap((place) => {
      const { set } = readHookFile(place)
      return set ? findings(place.file, set.hooks, []) : []
    }),
    ...registry.entries().flatMap(({ candidate: { agent, file } }) => {
      return agent.hooks === undefined || !file ? [] : findings(file.path, agent.hooks, ["hooks"])
    }),
  ]
}

interface Around {
  readonly levels: readonly string[]
  readonly userFolder: string
  readonly configuration: Configuration
}

function findings(file: string, hooks: Json, below: readonly string[]): readonly Diagnostic[] {
  const { problems } = readHooks(hooks, file)
  if (problems.length === 0) return []
  const reading = readSourceFile(file)
  const text = reading.type === "refused" ? "" : reading.source.text
  const [, head] = /^---\r?\n(.*?)\r?\n---/s.exec(text) ?? []
  if (head === undefined) return hookDiagnostics(file, text, below, problems)
  const down = (position: Diagnostic["range"]["start"]) => ({ ...position, line: position.line + 1 })
  return hookDiagnostics(file, head, below, problems).map(({ range, ...rest }) => ({
    ...rest,
    range: { ...range, start: down(range.start), end: down(range.end) },
  }))
}
