import { existsSync, readdirSync } from "node:fs"
import path from "node:path"
import { isBelow } from "../../ground/paths/inside.ts"
import { readDocument } from "../formats/document/document.ts"
import type { Problem } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { readSkillFiles } from "./skill-files.ts"

/** A skill on disk: a folder with a SKILL.md. It has no text: `readSkillText` reads the text when a run loads the skill. */
export interface Skill {
  /** The name in its SKILL.md, or else the name of its folder. */
  readonly name: string
  /** The description in its SKILL.md, which tells a model when to load it. */
  readonly description: string
  /** The path of its SKILL.md. */
  readonly file: string
  /**
   * `project`: it is in the project or in a folder that the configuration names. `user`: it is in the user's own
   * folders.
   */
  readonly scope: "user" | "project"
  /** The hash of the trusted content. No other content may be loaded. Absent: any content may be loaded. */
  readonly trusted?: string
  /** The check of the other files in its folder. Absent: they are not checked. */
  readonly beside?: SkillFileTrust
}

export interface SkillFileTrust {
  /** The project that no link may leave. */
  readonly root: string
  isTrusted(file: string, hash: string): boolean
}

export interface SkillPlaces {
  /** The working directory and the folders of the project above it, the nearest first. */
  readonly levels: readonly string[]
  readonly home: string
  /** The folder of the user's cadre configuration. */
  readonly userFolder: string
  /** More folders, which the configuration names. */
  readonly more?: readonly string[]
  /** Called for each skill that is not read because a link leads out of the project. */
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

/**
 * Skills by name. The first skill of a name wins. The order is: the folders of the project, the nearest
 * first. Then folders that the configuration names. Then the user's folders.
 */
export function findSkills(options: SkillPlaces): ReadonlyMap<string, Skill> {
  const { levels, home, userFolder, more = [], onOutside } = options
  const skills = new Map<string, Skill>()
  const root = levels.at(-1)
  const ofProject = (folder: string) => ({
    folder,
    scope: "project" as const,
    // Folders of the configuration may be anywhere.
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
      if (!skills.has(skill.name)) skills.set(skill.name, skill)
    }
  return skills
}

/** The text of a skill, or the reason why it cannot be read. */
export function readSkillText({
  file,
  trusted,
  beside,
}: Skill): { readonly text: string } | { readonly problem: string } {
  const reading = readSourceFile(file)
  if (reading.type === "refused") return { problem: reading.problem.message }
  const { text, hash } = reading.source
  if (trusted !== undefined && hash !== trusted)
    return { problem: "it has changed since it was trusted. Run `cadre trust` to review the changes." }
  const changed = beside && besideProblem(file, beside)
  if (changed !== undefined) return { problem: changed }
  return { text: (readDocument(text, "markdown", new Set()).body ?? text).trim() }
}

/** Checks the other files in its folder, because a skill may tell an agent to read or run them. */
function besideProblem(file: string, { root, isTrusted }: SkillFileTrust): string | undefined {
  const reading = readSkillFiles(file, root)
  if ("problem" in reading) return `${reading.problem}.`
  const changed = reading.files
    .filter((other) => !isTrusted(other.path, other.hash))
    .map((other) => path.relative(path.dirname(file), other.path))
  if (changed.length === 0) return undefined
  const names = changed.slice(0, 5).join(", ")
  const more = changed.length > 5 ? ` and ${changed.length - 5} more` : ""
  return `files in its folder are not trusted in their current form: ${names}${more}. Run \`cadre trust\` to review the changes.`
}

function namesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .sort()
  } catch {
    // A file in place of the folder, or a folder that may not be read, has no skills.
    return []
  }
}

/** A skill without a name in its front matter has the name of its folder. */
function headOf(text: string, folder: string): Pick<Skill, "name" | "description"> {
  const { name, description } = readDocument(text, "markdown", keys).values ?? {}
  return {
    name: typeof name === "string" && name.trim() !== "" ? name.trim() : folder,
    description: typeof description === "string" ? description : "",
  }
}
