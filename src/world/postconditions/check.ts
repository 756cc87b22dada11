import { closeSync, realpathSync } from "node:fs"
import type { Postcondition } from "../../agent/postcondition.ts"
import { createHash } from "../../ground/crypto.ts"
import { describeThrown } from "../../ground/errors.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { openFile, readBytes } from "../../ground/paths/open-file.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"
import { createValidator, type JsonSchema } from "../../ground/schema/schema.ts"
import type { CheckContext, PostconditionFinding } from "../../run/ports/checking.ts"
import { openToolWorkspace } from "../tools/workspace.ts"

/** Larger files are not checked. */
const largest = 16 * 1024 * 1024

/**
 * Checks a postcondition: against files of the workspace, the result of a command, or the output of the run.
 */
export async function checkPostcondition(
  condition: Postcondition,
  context: CheckContext,
  root?: string,
): Promise<PostconditionFinding> {
  if ("command" in condition) return context.command(condition.command, condition.timeout)
  if (condition.file === undefined) return checkValue((condition as { schema: JsonSchema }).schema, context)
  const file = await read(condition.file, context, workspaceFor(context, root))
  if ("holds" in file) return file
  const evidence = { read: [{ path: file.path, hash: file.hash }] }
  const problem =
    "schema" in condition
      ? await problemOfText(condition.schema, file.text, condition.file)
      : condition.contains === undefined || file.text.includes(condition.contains)
        ? undefined
        : "the file does not contain the text"
  return problem === undefined ? { holds: true, evidence } : { holds: false, problem, evidence }
}

interface ReadFile {
  readonly path: string
  readonly hash: string
  readonly text: string
}

/** Reads a regular file of the workspace. Links are followed as long as they stay in the workspace. */
async function read(
  name: string,
  context: CheckContext,
  root: string,
): Promise<ReadFile | PostconditionFinding> {
  try {
    const place = openToolWorkspace({ root }).use(name, "read", {
      cwd: context.cwd,
      permits: () => true,
      ...(context.moved && { moved: context.moved }),
    })
    if (!context.permits({ type: "read", path: place.path }))
      return {
        holds: false,
        problem: `the rules of this run do not let it read ${place.path} without approval`,
        refused: true,
      }
    const file = openFile(place.base, place.path)
    try {
      if (file.stats.size > largest)
        return { holds: false, problem: `the file is larger than ${largest} bytes, so it was not checked` }
      const bytes = await readBytes(file, Number(file.stats.size))
      const hash = createHash("sha256").update(bytes).digest("hex")
      return { path: place.path, hash, text: bytes.toString("utf8") }
    } finally {
      closeSync(file.descriptor)
    }
  } catch (error) {
    if (error instanceof PathRefusal) return { holds: false, problem: error.message }
    throw error
  }
}

async function checkValue(
  schema: JsonSchema,
  { value, output }: CheckContext,
): Promise<PostconditionFinding> {
  const problem =
    value === undefined
      ? await problemOfText(schema, output, "the final answer")
      : await problemOf(schema, value)
  return problem === undefined ? { holds: true } : { holds: false, problem }
}

async function problemOfText(schema: JsonSchema, text: string, what: string): Promise<string | undefined> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `${what} is not JSON: ${describeThrown(error)}`
  }
  return problemOf(schema, value)
}

async function problemOf(schema: JsonSchema, value: unknown): Promise<string | undefined> {
  const result = await createValidator(schema)(value)
  return "problem" in result ? result.problem : undefined
}

/** The runtime's workspace if the run works in it; otherwise the folder that the run works in. */
function workspaceFor({ cwd }: CheckContext, root = cwd): string {
  try {
    return isInside(realpathSync(root), realpathSync(cwd)) ? root : cwd
  } catch {
    return cwd
  }
}
