import { closeSync, realpathSync } from "node:fs"
import type { Postcondition } from "../../agent/postcondition.ts"
import { createHash } from "../../ground/crypto.ts"
import { messageOf } from "../../ground/errors.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { openFile, readBytes } from "../../ground/paths/open-file.ts"
import { Refusal } from "../../ground/paths/refusal.ts"
import { type JsonSchema, validator } from "../../ground/schema/schema.ts"
import type { CheckContext, Finding } from "../../run/ports/checking.ts"
import { workspaceOf } from "../tools/workspace.ts"

/** Larger files are not looked into. */
const largest = 16 * 1024 * 1024

/** Looks whether a postcondition holds: at files of the workspace, at what a command comes to, at what the run hands in. */
export async function checkPostcondition(
  condition: Postcondition,
  context: CheckContext,
  root?: string,
): Promise<Finding> {
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
        : "the text is not in it"
  return problem === undefined ? { holds: true, evidence } : { holds: false, problem, evidence }
}

interface ReadFile {
  readonly path: string
  readonly hash: string
  readonly text: string
}

/** A regular file of the workspace. Links are followed as far as they stay in it. */
async function read(given: string, context: CheckContext, root: string): Promise<ReadFile | Finding> {
  try {
    const place = workspaceOf({ root }).use(given, "read", {
      cwd: context.cwd,
      permits: () => true,
      ...(context.moved && { moved: context.moved }),
    })
    if (!context.permits({ type: "read", path: place.path }))
      return {
        holds: false,
        problem: `the rules of this run do not let it read ${place.path} unasked`,
        refused: true,
      }
    const file = openFile(place.base, place.path)
    try {
      if (file.stats.size > largest)
        return { holds: false, problem: `it is larger than ${largest} bytes, so it was not looked into` }
      const bytes = await readBytes(file, Number(file.stats.size))
      const hash = createHash("sha256").update(bytes).digest("hex")
      return { path: place.path, hash, text: bytes.toString("utf8") }
    } finally {
      closeSync(file.descriptor)
    }
  } catch (error) {
    if (error instanceof Refusal) return { holds: false, problem: error.message }
    throw error
  }
}

async function checkValue(schema: JsonSchema, { value, output }: CheckContext): Promise<Finding> {
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
    return `${what} is not JSON: ${messageOf(error)}`
  }
  return problemOf(schema, value)
}

async function problemOf(schema: JsonSchema, value: unknown): Promise<string | undefined> {
  const checked = await validator(schema)(value)
  return "problem" in checked ? checked.problem : undefined
}

/** The runtime's workspace where the run works in it; otherwise where the run works. */
function workspaceFor({ cwd }: CheckContext, root = cwd): string {
  try {
    return isInside(realpathSync(root), realpathSync(cwd)) ? root : cwd
  } catch {
    return cwd
  }
}
