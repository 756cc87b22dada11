import { quoteName } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { PinnedServerTool, ServerPin } from "./pins.ts"
import { hashValue } from "./tool-hash.ts"

/** The changes of a server since its tools were accepted. */
export interface ToolChanges {
  readonly added: readonly string[]
  readonly gone: readonly string[]
  readonly changed: readonly ToolChange[]
  /** The server's instructions before and now, where they changed. */
  readonly instructions?: { readonly before: string; readonly now: string }
}

/** One tool with another description or schema. */
export interface ToolChange {
  readonly name: string
  readonly description?: { readonly before: string; readonly now: string }
  /** The arguments whose schema is new, gone or changed. Empty: the schema changed elsewhere. */
  readonly input?: { readonly arguments: readonly string[] }
  /** The server's claims about the tool's effect changed. */
  readonly claims?: true
}

/** Compares a server's list with the accepted one. Undefined: nothing changed. */
export function compareTools(accepted: ServerPin, now: ServerPin): ToolChanges | undefined {
  const names = [...new Set([...Object.keys(accepted.tools), ...Object.keys(now.tools)])]
  const added = names.filter((name) => !Object.hasOwn(accepted.tools, name))
  const gone = names.filter((name) => !Object.hasOwn(now.tools, name))
  const changed = names.flatMap((name) => {
    const [before, after] = [accepted, now].map(({ tools }) =>
      Object.hasOwn(tools, name) ? tools[name] : undefined,
    )
    return before && after && before.hash !== after.hash ? [compareTool(name, before, after)] : []
  })
  const hasOwnWords = accepted.instructions !== now.instructions
  if (added.length + gone.length + changed.length === 0 && !hasOwnWords) return undefined
  return {
    added,
    gone,
    changed,
    ...(hasOwnWords && { instructions: { before: accepted.instructions, now: now.instructions } }),
  }
}

function compareTool(name: string, before: PinnedServerTool, now: PinnedServerTool): ToolChange {
  const isDescription = before.description !== now.description
  const isInput = hashValue(before.input) !== hashValue(now.input)
  return {
    name,
    ...(isDescription && { description: { before: before.description, now: now.description } }),
    ...(isInput && { input: { arguments: changedArguments(before.input, now.input) } }),
    ...(!isDescription && !isInput && { claims: true as const }),
  }
}

function changedArguments(before: JsonMap, now: JsonMap): readonly string[] {
  const [old, young] = [before, now].map(({ properties }) =>
    typeof properties === "object" && properties !== null && !Array.isArray(properties) ? properties : {},
  ) as [JsonMap, JsonMap]
  const at = (map: JsonMap, name: string) => (Object.hasOwn(map, name) ? hashValue(map[name]!) : "")
  return [...new Set([...Object.keys(old), ...Object.keys(young)])].filter(
    (name) => at(old, name) !== at(young, name),
  )
}

/** Writes changes as lines for a person. Texts of the server are quoted, so that they cannot pass for ours. */
export function changeLines({ added, gone, changed, instructions }: ToolChanges): readonly string[] {
  return [
    ...namesLine("new", added),
    ...namesLine("gone", gone),
    ...changed.slice(0, mostShown).flatMap(toolLines),
    ...(changed.length > mostShown ? [`changed: ${changed.length - mostShown} more tools`] : []),
    ...(instructions ? textLines("the server's instructions", instructions) : []),
  ]
}

const mostShown = 20

const namesLine = (what: string, names: readonly string[]): readonly string[] => {
  if (names.length === 0) return []
  const more = names.length > mostShown ? ` and ${names.length - mostShown} more` : ""
  return [`${what}: ${names.slice(0, mostShown).map(quoteName).join(", ")}${more}`]
}

const toolLines = ({ name, description, input, claims }: ToolChange): readonly string[] => [
  ...(description ? textLines(`the description of ${quoteName(name)}`, description) : []),
  ...(input
    ? [
        `changed: the schema of ${quoteName(name)}${
          input.arguments.length === 0
            ? ""
            : `, at ${input.arguments.slice(0, mostShown).map(quoteName).join(", ")}`
        }`,
      ]
    : []),
  ...(claims ? [`changed: the claims about the effect of ${quoteName(name)}`] : []),
]

const textLines = (
  what: string,
  { before, now }: { readonly before: string; readonly now: string },
): readonly string[] => {
  const start = firstDifference(before, now)
  return [`changed: ${what}`, `  - ${excerpt(before, start)}`, `  + ${excerpt(now, start)}`]
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

/** The text from a little before the first difference. */
function excerpt(text: string, difference: number): string {
  const start = Math.max(0, difference - 40)
  const part = text.slice(start, start + longestExcerpt).toWellFormed()
  return `${start > 0 ? "…" : ""}${JSON.stringify(part)}${start + longestExcerpt < text.length ? "…" : ""}`
}

const longestExcerpt = 300
