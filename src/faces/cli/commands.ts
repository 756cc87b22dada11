import type { CliCommand } from "./command.ts"

/** The name and summary of a command, for the overview. `load` imports the rest when the command is called. */
export interface ListedCommand {
  readonly name: string
  readonly summary: string
  load(): Promise<CliCommand>
}

/** All commands, in the order of the overview. */
export const commands: readonly ListedCommand[] = [
  commandEntry(
    "list",
    "List every agent that cadre finds here, and whether it can run",
    async () => (await import("./commands/list.ts")).listCommand,
  ),
  commandEntry(
    "check",
    "Check agent files and show each problem with its line and a fix",
    async () => (await import("./commands/check.ts")).checkCommand,
  ),
  commandEntry(
    "show",
    "Show one agent: each part, where it comes from, and what the model would get",
    async () => (await import("./commands/show.ts")).showAgentCommand,
  ),
  commandEntry(
    "explain",
    "Show an agent's effective model, tools and limits, and where each comes from",
    async () => (await import("./commands/explain.ts")).explainCommand,
  ),
  commandEntry(
    "new",
    "Create a file for a new agent",
    async () => (await import("./commands/new.ts")).newCommand,
  ),
  commandEntry(
    "eject",
    "Copy a built-in agent into the project, so that you can change it",
    async () => (await import("./commands/eject.ts")).ejectCommand,
  ),
  commandEntry(
    "run",
    "Run an agent, show its progress, and print its answer",
    async () => (await import("./commands/run.ts")).runAgentCommand,
  ),
  commandEntry(
    "trust",
    "Show what this project's files may do once trusted, and trust them as they are",
    async () => (await import("./commands/trust.ts")).trustCommand,
  ),
  commandEntry(
    "route",
    "Show which agent would get a request, and why",
    async () => (await import("./commands/route.ts")).routeCommand,
  ),
  commandEntry(
    "rules",
    "List the rules of `cadre check`, or explain one with an example and a fix",
    async () => (await import("./commands/rules.ts")).rulesCommand,
  ),
  commandEntry(
    "schema",
    "Print the JSON Schema of a format, for editors",
    async () => (await import("./commands/schema.ts")).schemaCommand,
  ),
  commandEntry(
    "runs",
    "List runs, the newest first",
    async () => (await import("./commands/runs.ts")).runsCommand,
  ),
  commandEntry(
    "log",
    "Show what a run and its subagents did",
    async () => (await import("./commands/log.ts")).logCommand,
  ),
  commandEntry(
    "diff",
    "Show what a run changed in files",
    async () => (await import("./commands/diff.ts")).diffCommand,
  ),
  commandEntry(
    "undo",
    "Undo what a run changed in files",
    async () => (await import("./commands/undo.ts")).undoCommand,
  ),
  commandEntry(
    "send",
    "Send a message to a run, for its next turn",
    async () => (await import("./commands/send.ts")).sendCommand,
  ),
  commandEntry(
    "cancel",
    "Stop a run and its subagents",
    async () => (await import("./commands/cancel.ts")).cancelCommand,
  ),
  commandEntry(
    "approve",
    "Approve or deny the tool calls that are waiting for you",
    async () => (await import("./commands/approve.ts")).approveCommand,
  ),
  commandEntry(
    "resume",
    "Resume a run that crashed or was waiting for approval",
    async () => (await import("./commands/resume.ts")).resumeCommand,
  ),
  commandEntry(
    "models",
    "Show the models that you can use, and what each name means",
    async () => (await import("./commands/models.ts")).modelsCommand,
  ),
  commandEntry(
    "tools",
    "Show cadre's tools, and their names in other hosts",
    async () => (await import("./commands/tools.ts")).toolsCommand,
  ),
  commandEntry(
    "nodes",
    "List the files, classes, functions and methods of source code",
    async () => (await import("./commands/nodes.ts")).nodesCommand,
  ),
  commandEntry(
    "mcp",
    "Serve agents to other hosts over MCP, and look after MCP servers of agents",
    async () => (await import("./commands/mcp.ts")).mcpCommand,
  ),
  commandEntry(
    "config",
    "Show the effective configuration, and where each value comes from",
    async () => (await import("./commands/config.ts")).configCommand,
  ),
  commandEntry(
    "doctor",
    "Check your whole setup, and show what is broken and how to fix it",
    async () => (await import("./commands/doctor.ts")).doctorCommand,
  ),
  commandEntry("completion", "Print a completion script for a shell", async () => {
    const { createCompletionCommand } = await import("./commands/completion.ts")
    return createCompletionCommand(() => Promise.all(commands.map((command) => command.load())))
  }),
]

function commandEntry(name: string, summary: string, load: () => Promise<CliCommand>): ListedCommand {
  return { name, summary, load }
}
