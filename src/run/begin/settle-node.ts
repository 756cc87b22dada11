import {
  nodeVariables,
  type RunNode,
  type RunNodeInput,
  requireRunNode,
  variablesOfNode,
} from "../../agent/run-node.ts"
import { CadreError, StartError } from "../../ground/errors.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"

/**
 * Reads the code node that the caller names, as it is now. Its text, name, type and file become variables of the run.
 */
export async function withNode(
  environment: Pick<StartEnvironment, "findNode">,
  beginning: Beginning,
): Promise<Beginning> {
  const { node, variables = {} } = beginning
  if (node === undefined) return beginning
  const double = nodeVariables.filter((name) => Object.hasOwn(variables, name))
  if (double.length > 0)
    throw new StartError([
      {
        code: "VARIABLE_INVALID",
        kind: "call",
        message: `The node sets ${double.join(", ")}, and so do the variables of the call. Leave one of the two out.`,
      },
    ])
  const found = typeof node === "string" ? await find(environment, beginning, node) : requireRunNode(node)
  return { ...beginning, node: found, variables: { ...variables, ...variablesOfNode(found) } }
}

/** The node of a run that begins: its own, or that of the run whose task it gets. */
export function nodeOf({ node, follows }: Pick<Beginning, "node" | "follows">): RunNode | undefined {
  return typeof node === "object" ? factsOf(node) : follows?.start?.node
}

/** Only the facts that a log keeps. A node may have more, such as offsets and hashes. */
const factsOf = ({ id, type, name, fullName, file, startLine, endLine }: RunNodeInput): RunNode => ({
  id,
  type,
  name,
  fullName,
  file,
  startLine,
  endLine,
})

async function find(
  { findNode }: Pick<StartEnvironment, "findNode">,
  { cwd = process.cwd() }: Beginning,
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
