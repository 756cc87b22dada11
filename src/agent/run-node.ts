import { CadreError } from "../ground/errors.ts"

/** The code node that a run works on: the facts about it that a log keeps. */
export interface RunNode {
  /** The id of the node, which reformatting does not change. */
  readonly id: string
  /** `file`, `class`, `function` or `method`. */
  readonly type: string
  /** The own name: `method`. */
  readonly name: string
  /** The name with those of all that surrounds it: `Class.method`. */
  readonly fullName: string
  /** The path of its file, from the folder that the run works in. */
  readonly file: string
  /** The first line, counted from 1. */
  readonly startLine: number
  /** The last line, counted from 1. */
  readonly endLine: number
}

/** A code node with its text, such as `findNode` and `findNodes` give. */
export interface RunNodeInput extends RunNode {
  readonly text: string
}

/** Finds a code node by its address, such as `src/x.py::Class.method`, below a folder. */
export type FindRunNode = (address: string, folder: string) => Promise<RunNodeInput>

/** The variables that a run on a code node starts with. */
export const nodeVariables = ["node_text", "node_name", "node_type", "file_path"] as const

export const getNodeVariables = ({
  text,
  name,
  type,
  file,
}: RunNodeInput): Readonly<Record<(typeof nodeVariables)[number], string>> => ({
  node_text: text,
  node_name: name,
  node_type: type,
  file_path: file,
})

/** Throws OPTION_INVALID for a value that is not a node. Untyped code may pass one without its text. */
export function requireRunNode(node: RunNodeInput): RunNodeInput {
  const wrong = [
    ...(["id", "type", "name", "fullName", "file", "text"] as const).filter(
      (key) => typeof node?.[key] !== "string",
    ),
    ...(["startLine", "endLine"] as const).filter((key) => !Number.isInteger(node?.[key])),
  ]
  if (wrong.length === 0) return node
  throw new CadreError(
    "OPTION_INVALID",
    `\`node\` lacks ${wrong.join(", ")}. Pass an address such as "src/x.py::Class.method", or a node with its text, as \`findNode\` returns it.`,
  )
}
