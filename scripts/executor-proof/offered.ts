import fs from "node:fs"
import path from "node:path"
import type { JsonMap } from "../../src/ground/message.ts"
import type { ProofWorld } from "./world.ts"

/** An agent, and the tools that its program may offer its model. */
interface Offering {
  readonly what: string
  readonly keys: string
  /** Of the configuration. */
  readonly permissions?: string
  readonly expects: "refusal" | { readonly only: readonly string[] } | { readonly without: readonly string[] }
}

const deny = (rule: string) => `permissions: {deny: [${JSON.stringify(rule)}]}\n`

export const offerings: readonly Offering[] = [
  { what: "a list of one", keys: "tools: Read\n", expects: { only: ["Read"] } },
  {
    what: "a list of some",
    keys: "tools: Read, Grep, WebFetch\n",
    expects: { only: ["Read", "Grep", "WebFetch"] },
  },
  { what: "an empty list", keys: "tools: []\n", expects: { only: [] } },
  {
    what: "a list, and a denial of its own",
    keys: "tools: Read, Bash\ndisallowedTools: Bash\n",
    expects: { only: ["Read"] },
  },
  {
    what: "a list, and a denial of the configuration",
    keys: "tools: Read, Bash\n",
    permissions: deny("Bash"),
    expects: { only: ["Read"] },
  },
  {
    what: "denials without a list",
    keys: "disallowedTools: Bash, Edit\n",
    expects: { without: ["Bash", "Monitor", "Edit", "NotebookEdit"] },
  },
  {
    what: "a denial of the configuration without a list",
    keys: "",
    permissions: deny("Bash"),
    expects: { without: ["Bash", "Monitor"] },
  },
  {
    what: "a denied use of a tool that it has not",
    keys: "tools: Read\n",
    permissions: deny("Bash(rm:*)"),
    expects: { only: ["Read"] },
  },
  { what: "a use in parentheses", keys: "tools: Read, Bash(git:*)\n", expects: "refusal" },
  {
    what: "a denied use of a tool that it has",
    keys: "tools: Bash\n",
    permissions: deny("Bash(touch:*)"),
    expects: "refusal",
  },
  { what: "a denied use without a list", keys: "", permissions: deny("Bash(touch:*)"), expects: "refusal" },
  { what: "nothing left of a list", keys: "tools: Bash\n", permissions: deny("Bash"), expects: "refusal" },
]

export const namesOf = (tools: unknown): readonly string[] =>
  ((tools ?? []) as readonly { readonly name: string }[]).map(({ name }) => name).sort()

export function offerProblem(
  offers: readonly (readonly string[])[],
  expects: Exclude<Offering["expects"], "refusal">,
): string | undefined {
  if (offers.length === 0) return "its model was asked nothing"
  const wrong = offers.flatMap((names) =>
    "only" in expects
      ? [
          ...names.filter((name) => !expects.only.includes(name)),
          ...expects.only.filter((name) => !names.includes(name)),
        ]
      : names.filter((name) => expects.without.includes(name)),
  )
  return wrong.length === 0 ? undefined : `it offered wrongly, or not: ${[...new Set(wrong)].join(", ")}`
}

export const refusalProblem = (
  offers: readonly unknown[],
  { error }: { readonly error?: { readonly code?: string } },
): string | undefined =>
  offers.length === 0 && error?.code === "EXECUTOR_DENIED" ? undefined : "it was not refused"

/** The calls of a model that was told of no restrictions. */
export const trying = (work: string): readonly { readonly tool: string; readonly arguments: JsonMap }[] => [
  { tool: "Bash", arguments: { command: "touch tempted-bash", description: "Try" } },
  {
    tool: "Monitor",
    arguments: { command: "touch tempted-monitor", description: "Try", timeout_ms: 5000, persistent: false },
  },
  { tool: "Write", arguments: { file_path: path.join(work, "tempted-write"), content: "x" } },
  { tool: "mcp__evil__tempt", arguments: {} },
]

/** Removes what was made, and tells what of it nobody who is limited so could have made. */
export function temptedIn({ work }: ProofWorld, expects: Offering["expects"]): readonly string[] {
  const made = fs.readdirSync(work).filter((name) => name.startsWith("tempted"))
  for (const name of made) fs.rmSync(path.join(work, name))
  const isOpen = expects !== "refusal" && "without" in expects
  return made.filter((name) => !isOpen || !["tempted-write", "tempted-mcp"].includes(name))
}

/** Settings, hooks and servers of the person and of the workspace that would widen what a program does. */
export function temptIn(world: ProofWorld): void {
  world.put("evil.mjs", server)
  const servers = {
    evil: {
      type: "stdio",
      command: process.execPath,
      args: [path.join(world.base, "evil.mjs"), path.join(world.work, "tempted-mcp")],
    },
  }
  const permissions = { allow: ["Bash", "Write", "Edit", "mcp__evil"] }
  const run = { hooks: [{ type: "command", command: "touch tempted-hook" }] }
  const hooks = { SessionStart: [run], UserPromptSubmit: [run] }
  for (const folder of ["home/.claude", "work/.claude"])
    fs.mkdirSync(path.join(world.base, folder), { recursive: true })
  world.put("home/.claude.json", JSON.stringify({ mcpServers: servers }))
  world.put("home/.claude/settings.json", JSON.stringify({ permissions }))
  world.put(
    "work/.claude/settings.json",
    JSON.stringify({ permissions, hooks, enableAllProjectMcpServers: true }),
  )
  world.put("work/.mcp.json", JSON.stringify({ mcpServers: servers }))
}

/** An MCP server with one tool, which makes a file. */
const server = `import fs from "node:fs"
import readline from "node:readline"
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  const answer = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))
  if (method === "initialize")
    answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "evil", version: "1" } })
  else if (method === "tools/list")
    answer({ tools: [{ name: "tempt", description: "Tempts.", inputSchema: { type: "object" } }] })
  else if (method === "tools/call") {
    fs.writeFileSync(process.argv[2], "")
    answer({ content: [] })
  } else if (id !== undefined) answer({})
})
`
