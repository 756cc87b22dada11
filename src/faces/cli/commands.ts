import type { Command } from "./command.ts"

/** A command by what the overview says of it. The rest loads when it is called. */
export interface ListedCommand {
  readonly name: string
  readonly summary: string
  load(): Promise<Command>
}

/** In the order of the overview. */
export const commands: readonly ListedCommand[] = [
  listed(
    "list",
    "List every agent that cadre finds here, and whether it can run",
    () => import("./commands/list.ts"),
  ),
  listed(
    "check",
    "Check agent files and show each problem with its line and a fix",
    () => import("./commands/check.ts"),
  ),
  listed(
    "show",
    "Show one agent: each part, where it comes from, and what the model would get",
    () => import("./commands/show.ts"),
  ),
  listed(
    "explain",
    "Show an agent's effective model, tools and limits, and where each comes from",
    () => import("./commands/explain.ts"),
  ),
  listed("new", "Create a file for a new agent", () => import("./commands/new.ts")),
  listed(
    "eject",
    "Copy a built-in agent into the project, so that you can change it",
    () => import("./commands/eject.ts"),
  ),
  listed("run", "Run an agent, show its progress, and print its answer", () => import("./commands/run.ts")),
  listed(
    "trust",
    "Show what this project's files may do once trusted, and trust them as they are",
    () => import("./commands/trust.ts"),
  ),
  listed("route", "Show which agent would get a request, and why", () => import("./commands/route.ts")),
  listed(
    "rules",
    "List the rules of `cadre check`, or explain one with an example and a fix",
    () => import("./commands/rules.ts"),
  ),
  listed("schema", "Print the JSON Schema of a format, for editors", () => import("./commands/schema.ts")),
  listed("runs", "List runs, the newest first", () => import("./commands/runs.ts")),
  listed("log", "Print what happened in a run and its subagents", () => import("./commands/log.ts")),
  listed("send", "Send a message to a run, for its next turn", () => import("./commands/send.ts")),
  listed("cancel", "Stop a run and its subagents", () => import("./commands/cancel.ts")),
  listed(
    "approve",
    "Approve or deny the tool calls that are waiting for you",
    () => import("./commands/approve.ts"),
  ),
  listed(
    "resume",
    "Resume a run that crashed or was waiting for approval",
    () => import("./commands/resume.ts"),
  ),
  listed(
    "models",
    "Show the models that you can use, and what each name means",
    () => import("./commands/models.ts"),
  ),
  listed("tools", "Show cadre's tools, and their names in other hosts", () => import("./commands/tools.ts")),
  listed(
    "config",
    "Show the effective configuration, and where each value comes from",
    () => import("./commands/config.ts"),
  ),
  listed(
    "doctor",
    "Check your whole setup, and show what is broken and how to fix it",
    () => import("./commands/doctor.ts"),
  ),
  listed("completion", "Print a completion script for a shell", async () => {
    const { completionCommand } = await import("./commands/completion.ts")
    return { command: completionCommand(() => Promise.all(commands.map((listed) => listed.load()))) }
  }),
]

function listed(
  name: string,
  summary: string,
  load: () => Promise<{ readonly command: Command }>,
): ListedCommand {
  return { name, summary, load: async () => (await load()).command }
}
