import { type CommandContext, defineCommand } from "../command.ts"
import type { ExitCode } from "../exit-code.ts"
import { callServerTool } from "../mcp/call.ts"
import { printServerList } from "../mcp/list.ts"
import { logInAt, logOutAt } from "../mcp/login.ts"
import { listServerTools } from "../mcp/tools.ts"
import { printFailureJson } from "../run/failure-json.ts"
import { type Driving, drivingOptions, readDriving } from "../run/options.ts"
import { UsageError } from "../usage-error.ts"

export const mcpCommand = defineCommand({
  name: "mcp",
  summary: "Serve agents to other hosts over MCP, and look after MCP servers of agents",
  usage:
    "cadre mcp [OPTIONS] | cadre mcp list | tools SERVER | call SERVER TOOL [JSON] | login SERVER | logout SERVER",
  arguments: [
    {
      name: "action",
      doc: "The work on servers that agents use. Without it, cadre is a server itself, which a host starts and talks to on stdin and stdout",
      choices: ["list", "tools", "call", "login", "logout"],
      count: "optional",
    },
    { name: "server", doc: "The name of a server. For list: only this one", count: "optional" },
    { name: "tool", doc: "For call: the server's name of the tool", count: "optional" },
    { name: "input", doc: "For call: the arguments as a JSON object. Default: {}", count: "optional" },
  ],
  options: {
    yes: { type: "flag", doc: "For call: approve the call" },
    mode: { ...drivingOptions.mode, doc: "For call, and for the runs of a host: approval mode" },
    sandbox: { ...drivingOptions.sandbox, doc: "For the runs of a host: run commands in a sandbox" },
    workspace: {
      type: "value",
      value: "DIR",
      doc: "For a host: the folder where agents work. Default: the current folder",
      complete: "file",
    },
    driver: { type: "flag", doc: "Drive the runs of a server, which starts this process", hidden: true },
    scope: { type: "value", value: "SCOPE", doc: "For login: ask for these rights, too" },
    "client-id": { type: "value", value: "ID", doc: "For login: a client that you registered yourself" },
    port: { type: "value", value: "N", doc: "For login: the port for the browser's answer. Default: random" },
    "no-open": { type: "flag", doc: "For login: print the address, and open no browser" },
    trust: { type: "flag", doc: "Trust this project's configuration this once" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre mcp", doc: "In the configuration of a host: let it run the agents of its folder" },
    {
      line: "cadre mcp --workspace ~/shop --mode plan",
      doc: "The same for one folder, where agents only read",
    },
    { line: "cadre mcp list", doc: "Ask every server for its tools, and show what they cost" },
    { line: "cadre mcp tools files", doc: "Show the tools of one server" },
    {
      line: `cadre mcp call files list_directory '{"path": "."}'`,
      doc: "Call a tool, as a run would: rules and hooks hold, and you are asked",
    },
    { line: "cadre mcp login docs", doc: "Log in at a server with OAuth" },
    { line: "cadre mcp logout docs", doc: "Revoke its tokens, and forget them" },
  ],
  async run({ arguments: words, options, ...context }): Promise<ExitCode> {
    const { action, server, tool, input } = words
    const print = options.json ? "json" : "text"
    const trust = options.trust ? "all" : "kept"
    refuseStrangers(action ?? "serve", options)
    if (action === undefined) return serve(readDriving(options), options, context)
    requireWords(action, [server, tool, input])
    switch (action) {
      case "list":
        return printServerList({ only: server, print, trust }, context)
      case "tools":
        return printFailureJson({ print }, context, () =>
          listServerTools({ server: server!, print, trust }, context),
        )
      case "call":
        return callServerTool(
          {
            server: server!,
            tool: tool!,
            input: input ?? "{}",
            print,
            trust,
            asks: options.yes ? "allow" : "person",
            ...(options.mode && { mode: options.mode }),
          },
          context,
        )
      case "login":
        return printFailureJson({ print }, context, () =>
          logInAt(
            {
              server: server!,
              print,
              trust,
              browser: options["no-open"] ? "never" : "on-terminal",
              ...(options.scope !== undefined && { scope: options.scope }),
              ...(options["client-id"] !== undefined && { client: { id: options["client-id"] } }),
              ...(options.port !== undefined && { port: portOf(options.port) }),
            },
            context,
          ),
        )
      case "logout":
        return printFailureJson({ print }, context, () => logOutAt({ server: server!, print }, context))
    }
  },
})

async function serve(
  driving: Driving,
  { driver, workspace }: { readonly driver?: true | undefined; readonly workspace?: string | undefined },
  context: Omit<CommandContext, "arguments" | "options">,
): Promise<ExitCode> {
  if (driver) return (await import("../serve/drive-orders.ts")).driveOrders(driving, context)
  return (await import("../serve/serve-mcp.ts")).serveMcp(driving, workspace, context)
}

type Action = "list" | "tools" | "call" | "login" | "logout"

/** The number of words after the action: the fewest and the most. */
const wordsOf: Readonly<Record<Action, readonly [least: number, most: number]>> = {
  list: [0, 1],
  tools: [1, 1],
  call: [2, 3],
  login: [1, 1],
  logout: [1, 1],
}

function requireWords(action: Action, words: readonly (string | undefined)[]): void {
  const count = words.filter((word) => word !== undefined).length
  const [least, most] = wordsOf[action]
  if (count >= least && count <= most) return
  const problem = count < least ? "lacks an argument" : `does not take ${JSON.stringify(words[count - 1])}`
  throw new UsageError(`\`cadre mcp ${action}\` ${problem}. Usage: cadre mcp ${usages[action]}`)
}

const usages: Readonly<Record<Action, string>> = {
  list: "list [SERVER]",
  tools: "tools SERVER",
  call: "call SERVER TOOL [JSON]",
  login: "login SERVER",
  logout: "logout SERVER",
}

const ownOptions: Readonly<Record<string, readonly (Action | "serve")[]>> = {
  yes: ["call"],
  mode: ["call", "serve"],
  sandbox: ["serve"],
  workspace: ["serve"],
  driver: ["serve"],
  scope: ["login"],
  "client-id": ["login"],
  port: ["login"],
  "no-open": ["login"],
  json: ["list", "tools", "call", "login", "logout"],
}

/** An option of another action would silently do nothing. */
function refuseStrangers(action: Action | "serve", options: Readonly<Record<string, unknown>>): void {
  for (const [name, owners] of Object.entries(ownOptions))
    if (options[name] !== undefined && !owners.includes(action))
      throw new UsageError(
        `--${name} works only with ${owners.map((owner) => `\`cadre mcp${owner === "serve" ? "" : ` ${owner}`}\``).join(", ")}.`,
      )
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port > 0 && port < 65_536) return port
  throw new UsageError(`--port takes a number from 1 to 65535, not ${JSON.stringify(text)}.`)
}
