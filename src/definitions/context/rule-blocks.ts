import path from "node:path"
import { PathRefusal } from "../../ground/paths/refusal.ts"
import { findProjectRules } from "../registry/project-rules.ts"
import { formatBlock } from "./block.ts"
import { type ContextProject, type ProjectFile, readProjectFile } from "./read-file.ts"

export interface ContextBlocks {
  readonly blocks: readonly string[]
  readonly warnings: readonly string[]
}

/** Tells if a file with that content may take effect. */
export type IsFollowed = (file: string, hash: string) => boolean

const heading =
  "The rules of the project that you work in. If two rules conflict, follow the later one. Your own instructions come first."

/** The rules of a project, those of the nearest folder last. Files with the same content are included once. */
export async function readRuleBlocks(
  project: ContextProject,
  levels: readonly string[],
  isFollowed: IsFollowed,
): Promise<ContextBlocks> {
  const blocks: string[] = []
  const warnings: string[] = []
  const hashes = new Set<string>()
  for (const file of findProjectRules(levels)) {
    const displayPath = path.relative(levels.at(-1) ?? project.root, file)
    const reading = await readRules(project, file)
    if ("problem" in reading) warnings.push(`The rules in ${displayPath} are left out: ${reading.problem}`)
    else if (!isFollowed(file, reading.hash))
      warnings.push(
        `The rules in ${displayPath} are left out: this project is not trusted, or they have changed since. Run \`cadre trust\` to review them.`,
      )
    else if (!hashes.has(reading.hash) && reading.text !== "") {
      hashes.add(reading.hash)
      blocks.push(formatBlock("rules", { file: displayPath }, reading.text))
      warnings.push(...reading.notes.map((note) => `The rules in ${displayPath}: ${note}.`))
    }
  }
  return { blocks: blocks.length > 0 ? [heading, ...blocks] : [], warnings }
}

async function readRules(
  project: ContextProject,
  file: string,
): Promise<ProjectFile | { readonly problem: string }> {
  try {
    return await readProjectFile(project, file)
  } catch (error) {
    if (error instanceof PathRefusal) return { problem: error.message }
    throw error
  }
}
