import {
  getNodeVariables,
  nodeVariables,
  type RunNode,
  type RunNodeInput,
  requireRunNode,
} from "../../agent/run-node.ts"
import { CadreError, StartError } from "../../ground/errors.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"

type NodeBeginning = Pick<Beginning, "node" | "follows" | "variables" | "cwd">

/** True if the caller names a code node, or the run gets the task of a run that has one. */
export const hasNode = ({ node, follows }: Pick<NodeBeginning, "node" | "follows">): boolean =>
  node !== undefined || follows?.start?.node !== undefined

/**
 * Reads the code node that the caller names, as it is now. Its text, name, type and file become variables of the run. A
 * run that gets the task of a failed one has that run's node as it was.
 */
export async function withNode<Part extends NodeBeginning>(
  environment: Pick<StartEnvironment, "findNode">,
  beginning: Part,
): Promise<Part> {
  const { node, follows, variables = {} } = beginning
  if (node === undefined) return { ...beginning, node: nodeBefore(follows!.start!) }
  const double = nodeVariables.filter((name) => Object.hasOwn(variables, name))
  if (double.length > 0)
    throw new StartError([
      {
        code: "VARIABLE_INVALID",
        kind: "call",
        message: `The node sets ${double.join(", ")}, and so do the variables of the call. Leave one of the two out.`,
      },
    ])
  const settled = typeof node === "string" ? await find(environment, beginning, node) : requireRunNode(node)
  return { ...beginning, node: settled, variables: { ...variables, ...getNodeVariables(settled) } }
}

const nodeBefore = ({ node, variables }: RunStart): RunNodeInput => ({
  ...node!,
  text: String(variables.node_text ?? ""),
})

/** Only the facts that a log keeps. A node may have more, such as offsets and hashes. */
export function pickNodeFacts({ node }: Pick<NodeBeginning, "node">): RunNode | undefined {
  if (typeof node !== "object") return undefined
  const { id, type, name, fullName, file, startLine, endLine } = node
  return { id, type, name, fullName, file, startLine, endLine }
}

async function find(
  { findNode }: Pick<StartEnvironment, "findNode">,
  { cwd = process.cwd() }: NodeBeginning,
  address: string,
): Promise<RunNodeInput> {
  if (!findNode)
    throw new CadreError(
      "OPTION_INVALID",
      `This runtime cannot look up the node ${JSON.stringify(address)}. Pass the node itself, with its text.`,
    )
  try {
    return await findNode(address, cwd)
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    // The call is wrong, and not the file of the agent.
    throw new StartError([{ code: error.code, kind: "call", message: error.message }])
  }
}
