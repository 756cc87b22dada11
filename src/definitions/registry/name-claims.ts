import path from "node:path"
import { isAgentName, type Scope } from "../../agent/agent.ts"
import { splitFrontmatter } from "../formats/document/frontmatter.ts"
import type { ReadFile } from "./file.ts"
import type { Root } from "./root.ts"

/** A name that a broken file would give its agent, although it gives none of that name. */
export interface NameClaim {
  readonly name: string
  readonly scope: Scope
  readonly distance: number
  readonly file: ReadFile
}

/**
 * The names that a broken file claims beyond that of its agent. Nothing of a lower precedence is used by them: whoever
 * wrote `worker.md` to hold an agent back must not get another `worker` that nothing holds back.
 */
export function nameClaims(file: ReadFile, { scope, distance }: Root): readonly NameClaim[] {
  if (!file.problems.some(({ severity, code }) => severity === "error" || unreadFiles.has(code))) return []
  const written = writtenNames(file)
  const names = file.agent || written.length > 0 ? written : [stemOf(file)]
  return names
    .filter((name) => name !== file.agent?.name && isAgentName(name))
    .map((name) => ({ name, scope, distance, file }))
}

/** Findings of files that are never opened: these are warnings, because the rest of the folder is read. */
const unreadFiles: ReadonlySet<string> = new Set(["link-outside", "file-special"])

/** What a file is called, as formats take names from it. Remora's files say with their ending what they are. */
export const stemOf = ({ path: file }: Pick<ReadFile, "path">): string =>
  path.basename(file).replace(/(?:(?<=.)_subagent(?=\.ya?ml$))?\.[^.]*$/, "")

/** Every name in the keys of a file that reads in part; where its keys have no end, the first one. */
function writtenNames({ path: file, text, agent }: ReadFile): readonly string[] {
  if (path.extname(file).toLowerCase() === ".json") return namesInJson(text)
  const split = /\.ya?ml$/i.test(file) ? undefined : splitFrontmatter(text)
  const keys = split?.type === "split" ? split.yaml : text
  const exact = valuesOf(keys, nameLine)
  // `Name:` is no key; a file without another one must have meant it.
  const names = exact.length > 0 || agent ? exact : valuesOf(keys, nameLineInAnyCase)
  return split && split.type !== "split" ? names.slice(0, 1) : names
}

/** At the margin, so that the names of steps and servers below other keys are not taken for it. */
const nameLine = /^["']?name["']?[ \t]*[:=][ \t]*(\S.*?)[ \t]*(?:[ \t]#.*)?\r?$/gm
const nameLineInAnyCase = new RegExp(nameLine, "gim")

const valuesOf = (text: string, line: RegExp): readonly string[] =>
  [...text.matchAll(line)]
    .map(([, value]) => value!.replaceAll(/^["']|["'],?$/g, ""))
    .filter((value) => !/^[|>[{]/.test(value))

/** Of the outermost object: what is open around the key is that object alone. */
function namesInJson(text: string): readonly string[] {
  return [...text.matchAll(/"name"\s*:\s*"([^"\n]*)"/g)]
    .filter(({ index }) => {
      const before = text.slice(0, index).replaceAll(/"(?:[^"\\\n]|\\.)*"/g, "")
      return before.split(/[{[]/).length - before.split(/[}\]]/).length === 1
    })
    .map(([, name]) => name!)
}
