import { lookUpTool, splitToolName } from "./look-up.ts"

/** An agent, as far as its own tools go. */
export interface Scripted {
  readonly name: string
  readonly tools: {
    readonly mode: "inherit" | "list"
    readonly allow: readonly string[]
    readonly deny: readonly string[]
  }
  /** The names of the tools that it brings along. */
  readonly scripts: readonly string[]
}

/** What ends a run: its script is never run, because its arguments are the result. */
const submit = "submit_result"

/**
 * Why an agent whose tools are scripts does not start: scripts are not run yet. A program may have a tool of the very
 * same name in place of one, but never a tool that ships, which does something else. Undefined: it may start.
 */
export function scriptToolsProblem(
  { name, tools: { mode, allow, deny }, scripts }: Scripted,
  registered: { has(name: string): boolean },
): string | undefined {
  const entries = new Set(allow.map((text) => (text.includes("*") ? "*" : splitToolName(text).name)))
  const denied = new Set(deny)
  const isGranted = (tool: string) =>
    !denied.has(tool) && (mode === "inherit" || entries.has("*") || entries.has(tool))
  const stuck = scripts.filter(
    (tool) =>
      tool !== submit && isGranted(tool) && (!registered.has(tool) || lookUpTool(tool).type === "tool"),
  )
  if (stuck.length === 0) return undefined
  const [is, it] = stuck.length === 1 ? ["is a script", "it"] : ["are scripts", "them"]
  return `Agent ${JSON.stringify(name)} does not start, because ${listed(stuck)} ${is}, and scripts are not run yet. Remove ${it} from the tools, or run the agent from a program that has tools of these names (\`createRuntime({ tools })\`).`
}

const mostListed = 20

function listed(names: readonly string[]): string {
  const shown =
    names.length > mostListed ? [...names.slice(0, mostListed), `${names.length - mostListed} more`] : names
  return shown.length === 1
    ? `its tool ${shown[0]}`
    : `its tools ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`
}
