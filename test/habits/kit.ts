import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { type DefinitionFile, readDefinitionText } from "../../src/definitions/registry/file.ts"

/** One row of expected.json: a file, the habit that it has, and what is to come of it. */
export interface Habit {
  /** Below `files`. Its first folder is the id of its format, or `foreign`. */
  readonly file: string
  readonly habit: string
  /** What the file is read as; null where it gives no agent. */
  readonly agent: {
    readonly name: string
    readonly description: string
    readonly model?: unknown
    readonly tools: unknown
  } | null
  /** What `cadre check` finds in it, as `LINE:COLUMN CODE`. */
  readonly findings: readonly string[]
}

const folder = path.join(import.meta.dirname, "files")

/** Where each tool would look for its files. */
const places: Readonly<Record<string, string>> = {
  acai: ".acai/subagents",
  cadre: ".cadre/agents",
  claude: ".claude/agents",
  "codex-md": ".codex/agents",
  foreign: ".",
  gobby: ".gobby/agents",
  remora: ".",
}

export const habits: readonly Habit[] = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "expected.json"), "utf8"),
)

/** A file where its tool would look for it, in a project. */
export function placeOf(file: string): string {
  const [top = "", ...rest] = file.split("/")
  return path.posix.join(places[top]!, ...rest)
}

export const textOf = (file: string): string => readFileSync(path.join(folder, file), "utf8")

export const read = (file: string, text = textOf(file)): DefinitionFile =>
  readDefinitionText({ path: placeOf(file), text }, undefined, {})

/** Everything below `files`, scripts of tools too. */
export function allFiles(): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .sort()
}

/** What of an agent the table holds. The path of a local model depends on where the project lies. */
export function summaryOf({ agent }: DefinitionFile): Habit["agent"] {
  if (!agent) return null
  const { name, description, model, tools } = agent
  const { mode, allow, deny } = tools
  return {
    name,
    description,
    ...(model !== undefined && { model: typeof model === "string" ? path.basename(model) : model }),
    tools: mode === "inherit" && deny.length === 0 ? "inherit" : { mode, allow, deny },
  }
}
