import path from "node:path"
import { Refusal } from "../../ground/paths/refusal.ts"
import { projectRules } from "../registry/project-rules.ts"
import { block } from "./block.ts"
import { type Project, type ProjectFile, readProjectFile } from "./read-file.ts"

export interface Blocks {
  readonly blocks: readonly string[]
  readonly warnings: readonly string[]
}

/** Whether a file with that content may tell agents what to do. */
export type IsFollowed = (file: string, hash: string) => boolean

const heading =
  "The rules of the project that you work in. Where two of them differ, the later one holds; your own instructions come first."

/** The rules of a project, those of the nearest folder last. What is the same twice is there once. */
export async function ruleBlocks(
  project: Project,
  levels: readonly string[],
  isFollowed: IsFollowed,
): Promise<Blocks> {
  const blocks: string[] = []
  const warnings: string[] = []
  const hashes = new Set<string>()
  for (const file of projectRules(levels)) {
    const shown = path.relative(levels.at(-1) ?? project.root, file)
    const reading = await readRules(project, file)
    if ("problem" in reading) warnings.push(`The rules in ${shown} are left out: ${reading.problem}`)
    else if (!isFollowed(file, reading.hash))
      warnings.push(
        `The rules in ${shown} are left out: nobody has said that this project is trusted, or they have changed since. \`cadre trust\` shows them.`,
      )
    else if (!hashes.has(reading.hash) && reading.text !== "") {
      hashes.add(reading.hash)
      blocks.push(block("rules", { file: shown }, reading.text))
      warnings.push(...reading.notes.map((note) => `The rules in ${shown}: ${note}.`))
    }
  }
  return { blocks: blocks.length > 0 ? [heading, ...blocks] : [], warnings }
}

async function readRules(
  project: Project,
  file: string,
): Promise<ProjectFile | { readonly problem: string }> {
  try {
    return await readProjectFile(project, file)
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message }
    throw error
  }
}
