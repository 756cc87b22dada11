import { locateYaml } from "../../../definitions/formats/document/yaml.ts"
import { placeOfPart } from "../../../definitions/formats/format.ts"
import { readSourceFile } from "../../../definitions/formats/source.ts"
import type { RegistryEntry } from "../../../definitions/registry/entry.ts"
import { createRangeFinder } from "../../../ground/diagnostics/position.ts"
import type { JsonMap } from "../../../ground/message.ts"
import type { ExplainedHook, HookIdle } from "../../../run/explain/explain-hooks.ts"
import type { WrittenHook } from "../../../run/ports/hook.ts"

/** A hook with the place in a file that defines it. */
export interface LocatedHook {
  readonly name: string
  readonly of: ExplainedHook["of"]
  readonly events: readonly string[]
  /** Null for a hook that is defined in code. */
  readonly place: HookPlace | null
  /** Null: the hook is for all tools. */
  readonly tools: readonly string[] | null
  readonly agents: readonly string[] | null
  readonly runs: "roots" | "children" | null
  /** The MCP tools that a Gobby hook is for. */
  readonly mcpTools?: readonly string[]
  readonly commands?: { readonly found?: string; readonly without?: string }
  readonly when: string | null
  readonly effects: readonly JsonMap[]
  readonly spares: readonly string[]
  readonly idle: HookIdle | null
}

export interface HookPlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

export function locateHooks(hooks: readonly ExplainedHook[], entry: RegistryEntry): readonly LocatedHook[] {
  const find = placeFinder(entry)
  return hooks.map(({ name, of, events, written, spares, idle }) => ({
    name,
    of,
    events,
    place: (written ? find(written) : of === "workflow" ? placeIn(entry, "workflow", []) : undefined) ?? null,
    tools: written?.tools ?? null,
    agents: written?.agents ?? null,
    runs: written?.runs ?? null,
    ...(written?.mcpTools && { mcpTools: written.mcpTools }),
    ...(written?.commands && { commands: written.commands }),
    when: written?.when ?? null,
    effects: written?.effects ?? [],
    spares,
    idle: idle ?? null,
  }))
}

/** Reads every file once. If a hook is no longer in its file, the start of the file is its place. */
function placeFinder(entry: RegistryEntry): (written: WrittenHook) => HookPlace | undefined {
  const files = new Map<string, (path: WrittenHook["path"]) => HookPlace>()
  const finderIn = (file: string) => {
    const reading = readSourceFile(file)
    const text = reading.type === "refused" ? "" : reading.source.text
    const [locate, rangeOf] = [locateYaml(text), createRangeFinder(text)]
    return (path: WrittenHook["path"]) => ({
      file,
      ...rangeOf(locate(path, "value") ?? { start: 0, end: 0 }).start,
    })
  }
  return ({ of, file, path }) => {
    if (of === "definition") return placeIn(entry, "hooks", path)
    if (file === undefined) return undefined
    const find = files.get(file) ?? finderIn(file)
    files.set(file, find)
    return find(path)
  }
}

/** Finds a path below a part of the agent's own file. */
function placeIn(
  { candidate: { file } }: RegistryEntry,
  part: "hooks" | "workflow",
  path: WrittenHook["path"],
): HookPlace | undefined {
  const place = file && placeOfPart(file.format, part, undefined, file.locate)
  if (!file || place?.type !== "value") return undefined
  const span = file.locate({ ...place, path: [...place.path, ...path] }) ?? { start: 0, end: 0 }
  return { file: file.path, ...createRangeFinder(file.text)(span).start }
}
