import path from "node:path"
import { type AgentScope, isAgentName } from "../../agent/agent.ts"
import { splitFrontmatter } from "../formats/document/frontmatter.ts"
import type { DefinitionFile } from "./file.ts"
import type { Root } from "./root.ts"

/** A name that a broken file claims, although it defines no readable agent of that name. */
export interface NameClaim {
  readonly name: string
  readonly scope: AgentScope
  readonly distance: number
  readonly file: DefinitionFile
}

/**
 * The names that a broken file claims besides the name of its agent. No definition of lower precedence is used under
 * them: a user who wrote `worker.md` to restrict an agent must not get another, unrestricted `worker`.
 */
export function findNameClaims(file: DefinitionFile, { scope, distance }: Root): readonly NameClaim[] {
  if (!file.problems.some(({ severity, code }) => severity === "error" || unreadFiles.has(code))) return []
  const written = writtenNames(file)
  const names = file.agent || written.length > 0 ? written : [getFileStem(file)]
  return names
    .filter((name) => name !== file.agent?.name && isAgentName(name))
    .map((name) => ({ name, scope, distance, file }))
}

/** Findings about files that are never opened. They are only warnings, because the rest of the folder is read. */
const unreadFiles: ReadonlySet<string> = new Set(["link-outside", "file-special"])

/** The name of a file from which formats take names. Of Remora's files the suffix `_subagent` is removed too. */
export const getFileStem = ({ path: file }: Pick<DefinitionFile, "path">): string =>
  path.basename(file).replace(/(?:(?<=.)_subagent(?=\.ya?ml$))?\.[^.]*$/, "")

/** Every name in the keys of a partly readable file. If the front matter is never closed, only the first one. */
function writtenNames({ path: file, text, agent }: DefinitionFile): readonly string[] {
  if (path.extname(file).toLowerCase() === ".json") return namesInJson(text)
  const split = /\.ya?ml$/i.test(file) ? undefined : splitFrontmatter(text)
  const keys = split?.type === "split" ? split.yaml : text
  const exact = valuesOf(keys, nameLine)
  // `Name:` is not a key, but a file without `name:` must have meant it.
  const names = exact.length > 0 || agent ? exact : valuesOf(keys, nameLineInAnyCase)
  return split && split.type !== "split" ? names.slice(0, 1) : names
}

/** Matches at the start of a line only: names of steps and servers are indented below other keys. */
const nameLine = /^["']?name["']?[ \t]*[:=][ \t]*(\S.*?)[ \t]*(?:[ \t]#.*)?\r?$/gm
const nameLineInAnyCase = new RegExp(nameLine, "gim")

const valuesOf = (text: string, line: RegExp): readonly string[] =>
  [...text.matchAll(line)]
    .map(([, value]) => value!.replaceAll(/^["']|["'],?$/g, ""))
    .filter((value) => !/^[|>[{]/.test(value))

/** Names in the outermost object: exactly one bracket is open before such a key. */
function namesInJson(text: string): readonly string[] {
  return [...text.matchAll(/"name"\s*:\s*"([^"\n]*)"/g)]
    .filter(({ index }) => {
      const before = text.slice(0, index).replaceAll(/"(?:[^"\\\n]|\\.)*"/g, "")
      return before.split(/[{[]/).length - before.split(/[}\]]/).length === 1
    })
    .map(([, name]) => name!)
}
