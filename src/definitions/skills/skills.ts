import { existsSync, readdirSync } from "node:fs"
import path from "node:path"
import { isBelow } from "../../ground/paths/inside.ts"
import { readDocument } from "../formats/document/document.ts"
import type { Problem } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { filesBeside } from "./beside.ts"

/** A skill on disk: a folder with a SKILL.md. Only its name and description are read here. */
export interface Skill {
  readonly name: string
  readonly description: string
  readonly file: string
  readonly scope: "user" | "project"
  /** The hash of the only content that may be loaded, where somebody trusted it as it was. */
  readonly trusted?: string
  /** Which of the other files in its folder somebody trusted as they are; left out: nobody asks. */
  readonly beside?: Beside
}

export interface Beside {
  /** The project that they may not lead out of. */
  readonly root: string
  isTrusted(file: string, hash: string): boolean
}

export interface SkillPlaces {
  /** The working directory and those above it that belong to the project, the nearest first. */
  readonly levels: readonly string[]
  readonly home: string
  /** The user's folder of cadre's own configuration. */
  readonly userFolder: string
  /** Further folders, of the configuration. */
  readonly more?: readonly string[]
  /** Told of each that is not read because a link leads to it out of the project. */
  readonly onOutside?: (file: string, problem: Problem) => void
}

const folders = [".cadre/skills", ".claude/skills", ".acai/skills"]
const keys: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
])

/** Skills by name; of two with one name the project's wins, then the nearer, then the first folder of the list. */
export function findSkills(asked: SkillPlaces): ReadonlyMap<string, Skill> {
  const { levels, home, userFolder, more = [], onOutside } = asked
  const found = new Map<string, Skill>()
  const root = levels.at(-1)
  const ofProject = (folder: string) => ({
    folder,
    scope: "project" as const,
    // Further ones may lie anywhere.
    boundary: root !== undefined && isBelow(root, folder) ? root : undefined,
  })
  const user = [
    path.join(userFolder, "skills"),
    path.join(home, ".claude/skills"),
    path.join(home, ".acai/skills"),
  ]
  const places = [
    ...levels.flatMap((level) => folders.map((folder) => path.join(level, folder))).map(ofProject),
    ...more.map(ofProject),
    ...user.map((folder) => ({ folder, scope: "user" as const, boundary: undefined })),
  ]
  for (const { folder, scope, boundary } of places)
    for (const name of namesIn(folder)) {
      const file = path.join(folder, name, "SKILL.md")
      const reading = existsSync(file) ? readSourceFile(file, boundary) : undefined
      if (reading?.type === "refused" && reading.problem.code === "link-outside")
        onOutside?.(file, reading.problem)
      if (reading?.type !== "source") continue
      const skill = { ...headOf(reading.source.text, name), file, scope }
      if (!found.has(skill.name)) found.set(skill.name, skill)
    }
  return found
}

/** A skill's text, with the place that its files lie beside; or why it cannot be read. */
export function readSkillText({
  file,
  trusted,
  beside,
}: Skill): { readonly text: string } | { readonly problem: string } {
  const reading = readSourceFile(file)
  if (reading.type === "refused") return { problem: reading.problem.message }
  const { text, hash } = reading.source
  if (trusted !== undefined && hash !== trusted)
    return { problem: "it has changed since it was trusted. `cadre trust` shows what is new." }
  const changed = beside && besideProblem(file, beside)
  if (changed !== undefined) return { problem: changed }
  return { text: (readDocument(text, "markdown", new Set()).body ?? text).trim() }
}

/** It tells of files that lie beside it, which are read and run on its word. */
function besideProblem(file: string, { root, isTrusted }: Beside): string | undefined {
  const reading = filesBeside(file, root)
  if ("problem" in reading) return `${reading.problem}.`
  const changed = reading.files
    .filter((other) => !isTrusted(other.path, other.hash))
    .map((other) => path.relative(path.dirname(file), other.path))
  if (changed.length === 0) return undefined
  const shown = changed.slice(0, 5).join(", ")
  const more = changed.length > 5 ? ` and ${changed.length - 5} more` : ""
  return `nobody has trusted what lies beside it as it is now: ${shown}${more}. \`cadre trust\` shows what is new.`
}

function namesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .sort()
  } catch {
    // A file in its place, or one nobody may look into: there are no skills to be had from it.
    return []
  }
}

/** A skill without front matter is called like its folder. */
function headOf(text: string, folder: string): Pick<Skill, "name" | "description"> {
  const { name, description } = readDocument(text, "markdown", keys).values ?? {}
  return {
    name: typeof name === "string" && name.trim() !== "" ? name.trim() : folder,
    description: typeof description === "string" ? description : "",
  }
}
